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

    struct Row {
        var source: Source?
        let drawing: RowDrawing
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

    /// Drops the sources of the rows if they belong to another text; the drawn cells stay for comparison.
    func begin(_ text: AnyObject) {
        guard self.text !== text else { return }
        for index in rows.indices { rows[index].source = nil }
        self.text = text
    }

    /// The row last drawn at an index, if it has the same source.
    func row(at index: Int, from source: Source?) -> RowDrawing? {
        guard let source, index < rows.count, rows[index].source == source else { return nil }
        return rows[index].drawing
    }

    /// Draws these rows from the top of a screen, by redrawing only the rows that differ from the last drawing.
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
