extension Screen {
    /// Writes text on one row, from a place to the right, and returns the columns used.
    ///
    /// What is invisible or could command the terminal is drawn as a symbol. At most `maxColumns` columns, and only
    /// cells inside of `clip` (default: the screen), are changed; a wide cluster that does not fit whole is left out,
    /// and ends the text. Text left of the clip is skipped, not drawn.
    @discardableResult
    public mutating func write(
        _ text: some StringProtocol, at position: Position, style: Style, maxColumns: Int = .max, clip: Rect? = nil
    ) -> Int {
        if let columns = text.utf8.withContiguousStorageIfAvailable({
            write(utf8: $0, at: position, style: style, maxColumns: maxColumns, clip: clip)
        }) {
            return columns
        }
        var copy = String(text)
        return copy.withUTF8 { write(utf8: $0, at: position, style: style, maxColumns: maxColumns, clip: clip) }
    }

    /// The same for UTF-8 bytes, without making a string; bytes that are no UTF-8 are drawn as U+FFFD.
    @discardableResult
    public mutating func write(
        utf8 bytes: UnsafeBufferPointer<UInt8>, at position: Position, style: Style, maxColumns: Int = .max,
        clip: Rect? = nil
    ) -> Int {
        let area = clip.map { $0.intersection(bounds) } ?? bounds
        let (limit, isUnlimited) = position.column.addingReportingOverflow(maxColumns)
        let end = min(area.maxColumn, isUnlimited ? .max : limit)
        let start = max(position.column, area.column)
        guard position.row >= area.row, position.row < area.maxRow, start < end else { return 0 }
        splitWideStart(start, row: position.row)
        let reached = place(bytes, from: position.column, visible: start..<end, row: position.row, style)
        if reached > start {
            mendWideEnd(reached, row: position.row)
            touch(row: position.row)
        }
        return reached - position.column
    }

    /// Puts pieces into cells from `first` on, those that lie in `visible`; returns the column after the last.
    private mutating func place(
        _ bytes: UnsafeBufferPointer<UInt8>, from first: Int, visible: Range<Int>, row: Int, _ style: Style
    ) -> Int {
        let start = row * size.columns
        var scanner = PieceScanner(bytes, model: fixedModel ?? .current)
        var column = first
        cells.withUnsafeMutableBufferPointer { cells in
            while column < visible.upperBound, let piece = scanner.next(), column + piece.columns <= visible.upperBound
            {
                if column >= visible.lowerBound {
                    cells[start + column] = Cell(piece, of: bytes, style: style)
                    if piece.columns == 2 { cells[start + column + 1] = .continuation(style) }
                } else if column + piece.columns > visible.lowerBound {
                    // Half of a wide cluster looks in from the left: a blank takes its place.
                    cells[start + visible.lowerBound] = .blank(style)
                }
                column += piece.columns
            }
        }
        return column
    }

    /// Before cells from `column` on are overwritten: a wide cluster that ends there loses its left half.
    private mutating func splitWideStart(_ column: Int, row: Int) {
        let index = row * size.columns + column
        if column > 0, column < size.columns, cells[index].columns == 0 {
            cells[index - 1] = .blank(cells[index - 1].style)
            cells[index] = .blank(cells[index].style)
            touch(row: row)
        }
    }

    /// After cells up to `column` were overwritten: the right half of what began before is left alone there.
    private mutating func mendWideEnd(_ column: Int, row: Int) {
        let index = row * size.columns + column
        if column < size.columns, cells[index].columns == 0 { cells[index] = .blank(cells[index].style) }
    }
}
