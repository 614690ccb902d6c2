extension Screen {
    /// Writes text on one row from a position rightwards, and returns the number of columns used.
    ///
    /// Text that is invisible or could command the terminal is drawn as symbols. At most `maxColumns` columns, and only
    /// cells inside `clip` (default: the screen), are changed. A wide cluster that does not fit completely is left out
    /// and ends the text. Text left of the clip is skipped.
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

    /// Writes UTF-8 bytes in the same way, without making a string; invalid bytes are drawn as U+FFFD.
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
        let reached = writePieces(of: bytes, from: position.column, visible: start..<end, row: position.row, style)
        if reached > start {
            mendWideEnd(reached, row: position.row)
            touch(row: position.row)
        }
        return reached - position.column
    }

    /// Writes the pieces of a text into the cells from column `first` on, as far as they are in `visible`.
    ///
    /// - Returns: The column after the last piece.
    private mutating func writePieces(
        of bytes: UnsafeBufferPointer<UInt8>, from first: Int, visible: Range<Int>, row: Int, _ style: Style
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
                    // The right half of a wide cluster would be the first visible column, so a blank is drawn there
                    // instead.
                    cells[start + visible.lowerBound] = .blank(style)
                }
                column += piece.columns
            }
        }
        return column
    }

    /// Blanks a wide cluster whose right half is at `column`, before the cells from `column` on are overwritten.
    private mutating func splitWideStart(_ column: Int, row: Int) {
        let index = row * size.columns + column
        if column > 0, column < size.columns, cells[index].columns == 0 {
            cells[index - 1] = .blank(cells[index - 1].style)
            cells[index] = .blank(cells[index].style)
            touch(row: row)
        }
    }

    /// Blanks a right half at `column` whose left half was just overwritten.
    private mutating func mendWideEnd(_ column: Int, row: Int) {
        let index = row * size.columns + column
        if column < size.columns, cells[index].columns == 0 { cells[index] = .blank(cells[index].style) }
    }
}
