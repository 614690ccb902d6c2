import TextPrimitives

extension TextLayout {
    /// The row and column of a position; at a soft wrap, the start of the lower row.
    public mutating func location(of offset: ByteOffset, in buffer: TextBuffer) -> VisualLocation {
        let line = buffer.lineNumber(at: offset)
        let range = buffer.lineRange(line)
        let byte = min(offset, range.upperBound) - range.lowerBound
        load(line, in: buffer, at: range)
        let index = rowIndex(ofByte: byte, of: line, in: buffer)
        return VisualLocation(
            line: line, row: index, column: column(ofByte: byte, row: index, line, at: range.lowerBound, buffer))
    }

    private mutating func column(
        ofByte byte: Int, row index: Int, _ line: LineNumber, at start: ByteOffset, _ buffer: TextBuffer
    ) -> CellColumn {
        if !configuration.wraps, let column = withBlocks(of: line, in: buffer, { $0.column(atByte: byte, in: &$1) }) {
            return CellColumn(column)
        }
        let row = row(index, of: line, in: buffer)
        return buffer.withUTF8(in: start + row.range.lowerBound..<start + byte) {
            CellColumn(RowBreaker(measuring: configuration).width(of: $0, from: row.indent))
        }
    }

    /// The position drawn at a cell, which is the start of the character that covers it.
    ///
    /// A cell after the row's text gives the row's end or, in a wrapped row, the start of its last character.
    public mutating func offset(
        atRow index: Int, of line: LineNumber, column: CellColumn, in buffer: TextBuffer
    ) -> ByteOffset {
        let index = min(max(index, 0), rowCount(of: line, in: buffer) - 1)
        let start = buffer.lineStart(line)
        let row = row(index, of: line, in: buffer)
        let part = clip(row: index, of: line, from: max(column, CellColumn(row.indent)), columns: 1, in: buffer)
        if !part.range.isEmpty { return start + part.range.lowerBound }
        let isWrapped = index < rowCount(of: line, in: buffer) - 1
        return isWrapped ? buffer.characterStart(before: start + row.range.upperBound) : start + row.range.upperBound
    }

    /// The part of a row that is drawn from the cell `left` on, and the column where its first character starts.
    ///
    /// That column is less than `left` if the edge cuts a wide character or a tab. `range` is in bytes of the line, and
    /// empty if the row ends before `left`. O(row), or O(4 KiB + range) in a line of megabytes that is not wrapped.
    public mutating func clip(
        row index: Int, of line: LineNumber, from left: CellColumn, columns: Int, in buffer: TextBuffer
    ) -> (range: Range<Int>, column: CellColumn) {
        let row = row(index, of: line, in: buffer)
        var (position, cell) = (row.range.lowerBound, row.indent)
        if !configuration.wraps,
            let start = withBlocks(of: line, in: buffer, { blocks, _ in blocks.blockStart(atColumn: left.rawValue) })
        {
            (position, cell) = start
        }
        let right = columns < Int.max - left.rawValue ? left.rawValue + columns : Int.max
        let start = buffer.lineStart(line)
        var walk = ClipWalk(left: left.rawValue, right: right, position: position, cell: cell)
        while position < row.range.upperBound, !walk.isDone {
            // The row is read in pieces, so that only the requested part of an endless one is read.
            let stop = buffer.characterBoundary(atOrBefore: start + min(position + 4096, row.range.upperBound)) - start
            let end = stop > position ? stop : row.range.upperBound
            buffer.withUTF8(in: start + position..<start + end) {
                walk.go(through: $0, RowBreaker(measuring: configuration))
            }
            position = end
        }
        return walk.result
    }
}

/// A walk along a row from its start, which records the text between two cells.
private struct ClipWalk {
    let left: Int
    let right: Int
    var position: Int
    var cell: Int
    var first: (position: Int, cell: Int)?

    init(left: Int, right: Int, position: Int, cell: Int) {
        self.left = left
        self.right = right
        self.position = position
        self.cell = cell
    }

    var isDone: Bool { cell >= right }

    var result: (range: Range<Int>, column: CellColumn) {
        guard let first else { return (position..<position, CellColumn(cell)) }
        return (first.position..<position, CellColumn(first.cell))
    }

    mutating func go(through bytes: UnsafeBufferPointer<UInt8>, _ breaker: RowBreaker) {
        var index = 0
        while index < bytes.count, !isDone {
            let end = Clusters.end(from: index, in: bytes)
            let next = cell + breaker.cells(index..<end, in: bytes, at: cell)
            if first == nil, next > left { first = (position, cell) }
            position += end - index
            cell = next
            index = end
        }
    }
}
