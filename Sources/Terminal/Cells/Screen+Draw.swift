extension Screen {
    /// Fills a rectangle with one character.
    ///
    /// A wide character is repeated every two columns; a single column left at the end is blank.
    public mutating func fill(_ rect: Rect, with character: Character = " ", style: Style) {
        let area = rect.intersection(bounds)
        guard !area.isEmpty else { return }
        let cell = Screen.cell(of: character, style: style)
        for row in area.row..<area.maxRow {
            splitWide(row: row, columns: area.column..<area.maxColumn)
            let start = row * size.columns
            fill(start + area.column..<start + area.maxColumn, with: cell, style)
            touch(row: row)
        }
    }

    /// Fills cells of one row, all at once.
    private mutating func fill(_ range: Range<Int>, with cell: Cell, _ style: Style) {
        cells.withUnsafeMutableBufferPointer { cells in
            let row = UnsafeMutableBufferPointer(rebasing: cells[range])
            guard cell.columns == 2 else { return row.update(repeating: cell) }
            row.update(repeating: .blank(style))
            for column in stride(from: 0, to: row.count - 1, by: 2) {
                (row[column], row[column + 1]) = (cell, .continuation(style))
            }
        }
    }

    /// Copies another screen into this one, its top left at `position`, with its cursor if it has one.
    ///
    /// Rows that are equal already keep their stamps, so that composing an unchanged pane neither sends bytes nor needs
    /// a comparison later. Wide clusters cut by an edge become blanks.
    ///
    /// - Parameter earlier: the rows of `other` when it was last drawn at this position, if nothing has been drawn over
    ///   them since: only those that have changed are drawn again.
    public mutating func draw(
        _ other: Screen, at position: Position, clip: Rect? = nil, changedSince earlier: RowStamps? = nil
    ) {
        var area = Rect(origin: position, size: other.size).intersection(bounds)
        if let clip { area = area.intersection(clip) }
        if let inner = other.cursor {
            let shown = Position(
                column: position.column + inner.position.column, row: position.row + inner.position.row)
            if area.contains(shown) { cursor = Cursor(shown, shape: inner.shape, isVisible: inner.isVisible) }
        }
        guard !area.isEmpty else { return }
        for row in area.row..<area.maxRow where other.hasChanged(row: row - position.row, since: earlier) {
            copy(row: row, columns: area.column..<area.maxColumn, of: other, at: position)
        }
    }

    private mutating func copy(row: Int, columns: Range<Int>, of other: Screen, at position: Position) {
        let start = row * size.columns
        let source = (row - position.row) * other.size.columns - position.column
        let isEqual = cells.withUnsafeBytes { mine in
            other.cells.withUnsafeBytes { theirs in
                // Cells are integers without padding, so equal bytes are equal cells.
                let (cell, first) = (MemoryLayout<Cell>.stride, columns.lowerBound)
                guard let mine = mine.baseAddress, let theirs = theirs.baseAddress else { return true }
                return (mine + (start + first) * cell)
                    .hasSameBytes(as: theirs + (source + first) * cell, count: columns.count * cell)
            }
        }
        if isEqual { return }
        splitWide(row: row, columns: columns)
        let mine = start + columns.lowerBound..<start + columns.upperBound
        let theirs = source + columns.lowerBound..<source + columns.upperBound
        cells.withUnsafeMutableBufferPointer { cells in
            other.cells.withUnsafeBufferPointer { others in
                _ = UnsafeMutableBufferPointer(rebasing: cells[mine])
                    .update(fromContentsOf: UnsafeBufferPointer(rebasing: others[theirs]))
            }
        }
        // Blank the halves of wide clusters that the edge cut.
        let (first, last) = (start + columns.lowerBound, start + columns.upperBound - 1)
        if cells[first].columns == 0 { cells[first] = .blank(cells[first].style) }
        if cells[last].columns == 2 { cells[last] = .blank(cells[last].style) }
        touch(row: row)
    }

    private static func cell(of character: Character, style: Style) -> Cell {
        var text = String(character)
        return text.withUTF8 { bytes in
            var scanner = PieceScanner(bytes, model: .current)
            guard let piece = scanner.next() else { return .blank(style) }
            return Cell(piece, of: bytes, style: style)
        }
    }
}
