import Terminal
import TextEditing

/// The rows of the text as last drawn, so that a key reads and draws only the rows that it changes.
@MainActor
final class DrawnRows {
    /// The source of a row: the stamp of its line, and its position in the line.
    ///
    /// As long as both stay the same, so do the text and the runs of the row.
    struct Source: Equatable {
        let stamp: Int
        let row: VisualRow

        /// Returns nil if the stamp is not known.
        init?(stamp: Int?, row: VisualRow) {
            guard let stamp else { return nil }
            (self.stamp, self.row) = (stamp, row)
        }
    }

    /// A row as it was drawn.
    private struct Row {
        /// The source that the drawing was built from; nil if it is not known.
        var source: Source?
        var drawing: RowDrawing

        /// Takes over another drawing; false if it looks the same.
        mutating func take(_ drawing: RowDrawing, from source: Source?) -> Bool {
            self.source = source
            guard self.drawing != drawing else { return false }
            self.drawing = drawing
            return true
        }
    }

    /// The drawing parameters shared by all rows.
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

    /// The text of the rows; stamps of another text are meaningless.
    private weak var text: AnyObject?
    private var rows: [Row] = []
    private var ground: Ground?
    private var screen = Screen(size: Size(columns: 0, rows: 0))

    /// Begins the drawing of a text on a screen of a size.
    ///
    /// Drops what the rows were built from if that was another text; their cells stay for comparison, unless they were
    /// drawn in another way.
    func begin(_ text: AnyObject, in size: Size, with pen: RowPen) {
        if screen.size != size || ground.map(pen.draws) != true {
            (screen, rows, ground) = (Screen(size: size), [], Ground(pen))
        }
        guard self.text !== text else { return }
        for index in rows.indices { rows[index].source = nil }
        self.text = text
    }

    /// Whether the row at an index was built from this source and has no marks.
    func showsUnmarked(_ source: Source?, at index: Int) -> Bool {
        guard let source, index < rows.count, rows[index].source == source else { return false }
        return rows[index].drawing.isUnmarked
    }

    /// The row last drawn at an index, if it has the same source.
    func row(at index: Int, from source: Source?) -> RowDrawing? {
        guard let source, index < rows.count, rows[index].source == source else { return nil }
        return rows[index].drawing
    }

    /// Draws a row, unless it looks the same already.
    ///
    /// Rows are drawn from the top, without a gap.
    func draw(_ drawing: RowDrawing, from source: Source?, at index: Int, with pen: RowPen) {
        guard index < rows.count else {
            rows.append(Row(source: source, drawing: drawing))
            return drawing.draw(row: index, with: pen, into: &screen)
        }
        guard rows[index].take(drawing, from: source) else { return }
        clear(row: index)
        drawing.draw(row: index, with: pen, into: &screen)
    }

    /// Clears the rows below the last one of the text, and copies the cells to a screen.
    func end(count: Int, into screen: inout Screen) {
        while rows.count > count {
            rows.removeLast()
            clear(row: rows.count)
        }
        screen = self.screen
    }

    private func clear(row: Int) {
        screen.fill(Rect(column: 0, row: row, columns: screen.size.columns, rows: 1), style: .default)
    }
}
