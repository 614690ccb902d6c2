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
        let source: Source?
        let drawing: RowDrawing
    }

    /// The text that the rows are of; stamps of another one mean nothing.
    private weak var text: AnyObject?
    private var rows: [Row] = []
    private var pen: RowPen?
    private var screen = Screen(size: Size(columns: 0, rows: 0))

    /// Forgets the rows of another text.
    func begin(_ text: AnyObject) {
        if self.text !== text { rows = [] }
        self.text = text
    }

    /// The row that was drawn last at a place, if it came from the same source.
    func row(at index: Int, from source: Source?) -> RowDrawing? {
        guard let source, index < rows.count, rows[index].source == source else { return nil }
        return rows[index].drawing
    }

    /// Draws rows from the top of the screen, those that are as they were from memory.
    func draw(_ rows: [Row], with pen: RowPen, into screen: inout Screen) {
        let canReuse = self.screen.size == screen.size && self.pen?.draws(like: pen) == true
        for (index, row) in rows.enumerated() {
            if canReuse, index < self.rows.count, self.rows[index].drawing == row.drawing {
                screen.take(row: index, from: self.screen)
            } else {
                row.drawing.draw(row: index, with: pen, into: &screen)
            }
        }
        (self.rows, self.pen, self.screen) = (rows, pen, screen)
    }
}
