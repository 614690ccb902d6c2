import Terminal
import Testing

@testable import Interface

struct LayoutTests {
    @Test(arguments: [
        (100, Layout.Form.wide, 3), (120, .wide, 3), (99, .medium, 2), (60, .medium, 2), (59, .narrow, 1),
        (20, .narrow, 1),
    ])
    func `the width decides how many panes there are`(columns: Int, form: Layout.Form, panes: Int) {
        let layout = Layout(
            size: Size(columns: columns, rows: 24), focus: .editor, widths: PaneWidths(), isZoomed: false)
        #expect(layout.form == form)
        #expect(layout.panes.count == panes)
    }

    @Test(arguments: [20, 40, 59, 60, 75, 99, 100, 120, 200, 400], [5, 8, 12, 40, 100])
    func `panes, dividers and status line fill the screen without overlap`(columns: Int, rows: Int) {
        for focus in PaneID.focusable {
            for widths in [PaneWidths(), PaneWidths(sidebar: 500, list: 500), PaneWidths(sidebar: 0, list: 0)] {
                let layout = Layout(
                    size: Size(columns: columns, rows: rows), focus: focus, widths: widths, isZoomed: false)
                let covered = layout.panes.values.reduce(0) { $0 + $1.columns } + layout.dividers.count
                #expect(covered == columns)
                #expect(layout.panes.values.allSatisfy { $0.columns >= 12 && $0.maxColumn <= columns })
                #expect(layout.panes[focus] != nil)
                let bottom = layout.panes.values.map(\.maxRow).max()
                #expect(bottom == (layout.rule ?? layout.status.row))
                #expect(layout.status.row == rows - 1)
            }
        }
    }

    @Test(arguments: [20, 40, 59, 75, 80, 99, 100, 120, 140, 400], [5, 8, 12, 24, 100])
    func `two notes share the place of one without overlap, each large enough to be read`(columns: Int, rows: Int)
        throws
    {
        for share in [-5, 0, 30, 50, 100, 500] {
            for isFirst in [false, true] {
                let layout = Layout(
                    size: Size(columns: columns, rows: rows), focus: .editor, widths: PaneWidths(), isZoomed: false,
                    notes: NoteSplit(isFirst: isFirst, share: share))
                let editor = try #require(layout.panes[.editor])
                guard let beside = layout.panes[.beside], let split = layout.split else {
                    #expect(editor.columns <= 56 && editor.rows <= 10)
                    continue
                }
                #expect(editor.intersection(beside).isEmpty && editor.intersection(split).isEmpty)
                for note in [editor, beside] {
                    #expect(split.columns == 1 ? note.columns >= 28 && note.rows == split.rows : note.rows >= 5)
                }
                #expect(((beside.column, beside.row) < (editor.column, editor.row)) == isFirst)
                let cells = [editor, beside, split].reduce(0) { $0 + $1.columns * $1.rows }
                let others = layout.panes.filter { $0.key != .editor && $0.key != .beside }
                let listColumns = others.reduce(0) { $0 + $1.value.columns } + layout.dividers.count
                #expect(cells == (columns - listColumns) * (layout.rule ?? layout.status.row))
            }
        }
    }

    @Test func `zooming gives the editor the whole screen`() {
        let layout = Layout(
            size: Size(columns: 150, rows: 40), focus: .editor, widths: PaneWidths(), isZoomed: true)
        #expect(layout.panes == [.editor: Rect(column: 0, row: 0, columns: 150, rows: 38)])
    }
}
