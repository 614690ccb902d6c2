import Terminal

/// The mark at the side of a list or a text that shows which part of it is in sight.
///
/// Its length is the share of the rows that is in sight, and its position that of these rows in the whole.
struct ScrollMark: Equatable {
    /// The marked rows of the viewport, counted from its first one.
    let rows: Range<Int>

    /// - Parameters:
    ///   - top: the first row in sight.
    ///   - room: the height of the viewport in rows.
    ///   - count: the number of rows.
    /// - Returns: nil if all rows are in sight.
    init?(top: Int, room: Int, count: Int) {
        let hidden = count - room
        guard room > 0, hidden > 0 else { return nil }
        let length = max(1, room * room / count)
        let free = room - length
        // Only the first and the last rows of the text have the mark at an end, if the viewport has a third row for it.
        let least = top > 0 ? min(1, max(free - 1, 0)) : 0
        let start = max(least, min(max(top, 0), hidden) * free / hidden)
        rows = start..<start + length
    }

    /// Draws the mark in a column of cells, from the viewport's first row down; a screen reader gets none.
    ///
    /// - Parameter room: the number of rows that may be drawn on.
    @MainActor
    func draw(at start: Position, room: Int, style: Style, into screen: inout Screen, theme: Theme) {
        guard !theme.glyphs.isWords else { return }
        for row in rows where row < room {
            screen.write(
                String(theme.glyphs.scrolled), at: Position(column: start.column, row: start.row + row), style: style)
        }
    }
}

extension OverlayBox {
    /// Draws the mark of the rows inside the frame, if it has one; the rows above `first` do not scroll.
    @MainActor
    func draw(_ mark: ScrollMark?, fromRow first: Int = 0, into screen: inout Screen, theme: Theme) {
        let rows = Rect(
            column: inside.column, row: inside.row + first, columns: inside.columns, rows: inside.rows - first)
        draw(mark, beside: rows, into: &screen, theme: theme)
    }

    /// Draws a mark on the right side of the frame, or in the gap beside a viewport that ends before it.
    @MainActor
    func draw(_ mark: ScrollMark?, beside viewport: Rect, into screen: inout Screen, theme: Theme) {
        guard isFramed else { return }
        let column = viewport.maxColumn < inside.maxColumn ? viewport.maxColumn : frame.maxColumn - 1
        mark?.draw(
            at: Position(column: column, row: viewport.row), room: viewport.rows, style: theme.overlayFrame,
            into: &screen, theme: theme)
    }
}
