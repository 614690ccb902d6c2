import Markdown
import Terminal
import Testing
import TextEditing

@testable import Interface

@MainActor
@Suite struct RowDrawingTests {
    private let pen = RowPen(
        theme: .dark, styles: MarkdownStyles(Theme.dark.markdown), tabWidth: 4, left: 1)
    /// Stands for the text that the rows are of.
    private let text = RowContent(
        text: [], row: VisualRow(range: 0..<0, indent: 0, width: 0), highlight: LineHighlight())

    private func row(
        _ text: String, at start: Int = 0, selected: Range<Int> = 0..<0, matches: [Range<Int>] = []
    ) -> RowDrawing {
        var highlight = LineHighlight()
        highlight.runs = [HighlightRun(range: start..<start + 1, kind: .strong)]
        let row = VisualRow(range: start..<start + text.utf8.count, indent: 0, width: 8)
        let content = RowContent(text: Array(text.utf8)[...], row: row, highlight: highlight)
        return RowDrawing(content).marked(
            RowMarks(selected: row.cut(selected, extra: 1) ?? 0..<0, matches: matches.compactMap { row.cut($0) }))
    }

    @Test func `rows are equal wherever they stand in their line`() {
        #expect(row("labyrinth") == row("labyrinth", at: 40))
        #expect(row("labyrinth", selected: 100..<200) == row("labyrinth", at: 300, selected: 5..<10))
        #expect(row("labyrinth", matches: [2..<4]) == row("labyrinth", at: 10, matches: [3..<5, 12..<14]))
        #expect(row("labyrinth", selected: 9..<10) != row("labyrinth"), "the line's end is selected")
    }

    @Test func `rows from memory look as if drawn anew`() {
        let drawn = DrawnRows()
        let size = Size(columns: 20, rows: 3)
        let steps = [
            [row("one"), row("two"), row("three")],
            [row("one"), row("two and", selected: 0..<3), row("three")],
            [row("two and"), row("three")],
            [row("one"), row("two"), row("世界", matches: [0..<3])],
        ]
        for rows in steps {
            var (reused, fresh) = (Screen(size: size), Screen(size: size))
            draw(rows, on: drawn, into: &reused)
            draw(rows, on: DrawnRows(), into: &fresh)
            for row in 0..<size.rows {
                for column in 0..<size.columns {
                    #expect(reused[column, row] == fresh[column, row], "at \(column), \(row)")
                }
            }
        }
    }

    private func draw(_ rows: [RowDrawing], on drawn: DrawnRows, into screen: inout Screen) {
        drawn.begin(self.text, in: screen.size, with: pen)
        for (index, row) in rows.enumerated() { drawn.draw(row, from: nil, at: index, with: pen) }
        drawn.end(count: rows.count, into: &screen)
    }

    /// Tests that a cluster is sent in one piece, since a terminal joins its halves even if control sequences are
    /// between them.
    @Test(arguments: ["👍🏽 up", "🇺🇸 us", "e\u{301} x", "*\u{301}x*"])
    func `a cluster is drawn in one piece wherever a match ends`(_ text: String) {
        let size = Size(columns: 12, rows: 1)
        var whole = Screen(size: size)
        whole.write(text, at: Position(column: 1, row: 0), style: .default)
        let first = text.unicodeScalars.first.map { String($0).utf8.count } ?? 0
        var cut = Screen(size: size)
        row(text, matches: [0..<first]).draw(row: 0, with: pen, into: &cut)
        for column in 0..<size.columns { #expect(cut[column, 0].text == whole[column, 0].text, "at \(column)") }
        let parts = text.parts(marking: [0..<first])
        let texts: [String] = parts.map { String($0.text) }
        let expected: [String] = [String(text.prefix(1)), String(text.dropFirst())]
        #expect(texts == expected)
        #expect(parts.map(\.isMarked) == [true, false])
    }

    @Test func `nothing is drawn in the cell that is too little for a wide character`() {
        var screen = Screen(size: Size(columns: 6, rows: 1))
        screen.write(
            [(text: "ab漢", style: .default), (text: "cd", style: .default)], at: Position(column: 0, row: 0),
            style: .default, fitting: 4, glyphs: .unicode)
        let cells: [String] = (0..<4).map { screen[$0, 0].text }
        #expect(cells == ["a", "b", "…", " "])
    }
}
