import Terminal

/// The rows of the text as they were drawn last, so that a key costs the drawing of those that it changes.
@MainActor
final class DrawnRows {
    private var rows: [RowDrawing] = []
    private var pen: RowPen?
    private var screen = Screen(size: Size(columns: 0, rows: 0))

    /// Draws rows from the top of the screen, those that are as they were from memory.
    func draw(_ rows: [RowDrawing], with pen: RowPen, into screen: inout Screen) {
        let canReuse = self.screen.size == screen.size && self.pen?.draws(like: pen) == true
        for (index, row) in rows.enumerated() {
            if canReuse, index < self.rows.count, self.rows[index] == row {
                screen.take(row: index, from: self.screen)
            } else {
                row.draw(row: index, with: pen, into: &screen)
            }
        }
        (self.rows, self.pen, self.screen) = (rows, pen, screen)
    }
}
