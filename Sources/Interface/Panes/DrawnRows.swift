import Terminal
import TextEditing

/// The rows of the text as they were drawn last, so that a key costs the reading and drawing of those that it changes.
@MainActor
final class DrawnRows {
    /// What a row of a line is cut from: as long as the stamp of the line and the row's place in it are the same, so are
    /// its text and its runs.
    struct Source: Equatable {
        let stamp: Int
        let row: VisualRow
    }

    struct Row {
        var source: Source?
        let drawing: RowDrawing
    }

    /// What all rows are drawn with.
    struct Ground {
        let styles: MarkdownStyles
        let tabWidth: Int
        let left: Int
        let columns: Int
        let leftColumn: Int

        init(_ pen: RowPen) {
            (styles, tabWidth, left, columns, leftColumn) = (
                pen.styles, pen.tabWidth, pen.left, pen.columns, pen.leftColumn
            )
        }
    }

    /// The text that the rows are of; stamps of another one mean nothing.
    private weak var text: AnyObject?
    private var rows: [Row] = []
    private var ground: Ground?
    private var screen = Screen(size: Size(columns: 0, rows: 0))

    /// Forgets where the rows of another text came from; what they look like stays on the screen to be drawn over.
    func begin(_ text: AnyObject) {
        guard self.text !== text else { return }
        for index in rows.indices { rows[index].source = nil }
        self.text = text
    }

    /// The row that was drawn last at a place, if it came from the same source.
    func row(at index: Int, from source: Source?) -> RowDrawing? {
        guard let source, index < rows.count, rows[index].source == source else { return nil }
        return rows[index].drawing
    }

    /// Makes a screen that shows these rows from its top: the last one, with what differs drawn anew.
    func draw(_ rows: [Row], with pen: RowPen, into screen: inout Screen) {
        let canReuse = self.screen.size == screen.size && ground.map(pen.draws) == true
        if !canReuse { (self.screen, self.rows) = (Screen(size: screen.size), []) }
        for index in rows.indices {
            let isKnown = index < self.rows.count
            if isKnown, self.rows[index].drawing == rows[index].drawing { continue }
            if isKnown { clear(row: index) }
            rows[index].drawing.draw(row: index, with: pen, into: &self.screen)
        }
        if rows.count < self.rows.count { for index in rows.count..<self.rows.count { clear(row: index) } }
        self.rows = rows
        ground = Ground(pen)
        screen = self.screen
    }

    private func clear(row: Int) {
        screen.fill(Rect(column: 0, row: row, columns: screen.size.columns, rows: 1), style: .default)
    }
}
