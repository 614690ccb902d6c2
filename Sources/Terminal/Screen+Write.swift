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
        let isVisible = position.row >= area.row && position.row < area.maxRow && area.columns > 0
        let limit = maxColumns > Int.max - position.column ? Int.max : position.column + maxColumns
        let end = min(area.maxColumn, limit)
        var scanner = PieceScanner(bytes, model: .current)
        var column = position.column
        guard isVisible, column < end else { return 0 }
        let model = (first: max(column, area.column), row: position.row)
        splitWideStart(model.first, row: model.row)
        let rowStart = position.row * size.columns
        cells.withUnsafeMutableBufferPointer { cells in
            while column < end, let piece = scanner.next() {
                guard column + piece.columns <= end else { break }
                defer { column += piece.columns }
                guard column >= area.column else {
                    // Half of a wide cluster looks in from the left: a blank takes its place.
                    if column + piece.columns > area.column { cells[rowStart + area.column] = .blank(style) }
                    continue
                }
                let glyph =
                    piece.substitute != 0
                    ? Glyph(packed: piece.substitute)
                    : Glyph(UnsafeBufferPointer(rebasing: bytes[piece.start..<piece.end]))
                cells[rowStart + column] = Cell(
                    glyph: glyph, columns: piece.columns, style: style, isDoubtful: piece.isDoubtful)
                if piece.columns == 2 { cells[rowStart + column + 1] = .continuation(style) }
            }
        }
        if column > model.first {
            mendWideEnd(column, row: model.row)
            touch(row: model.row)
        }
        return column - position.column
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
