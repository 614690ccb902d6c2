/// Cuts the bytes of a line into rows.
struct RowBreaker {
    let configuration: LayoutConfiguration
    /// Cells of indent of the rows after the first.
    let indent: Int

    /// Bytes of a line that its hanging indent is told by.
    static let indentReach = 256

    init(_ configuration: LayoutConfiguration, lineStart: UnsafeBufferPointer<UInt8>) {
        self.configuration = configuration
        let head = UnsafeBufferPointer(rebasing: lineStart.prefix(RowBreaker.indentReach))
        let wanted = configuration.wraps ? configuration.hangingIndent(head) : 0
        // An indent that leaves less than half of the row would make a narrow column of words: none is better.
        indent = wanted * 2 <= configuration.columns ? wanted : 0
    }

    /// A breaker for measuring parts of rows, where the indent does not matter.
    init(measuring configuration: LayoutConfiguration) {
        self.configuration = configuration
        indent = 0
    }

    /// The rows of `bytes`, at least one; the first is indented by `firstIndent`.
    func rows(of bytes: UnsafeBufferPointer<UInt8>, firstIndent: Int = 0) -> [VisualRow] {
        if bytes.isPrintableASCII { return rowsOfASCII(bytes, firstIndent: firstIndent) }
        guard configuration.wraps else {
            return [VisualRow(range: 0..<bytes.count, indent: firstIndent, width: width(of: bytes, from: firstIndent))]
        }
        return rowsOfAny(bytes, firstIndent: firstIndent)
    }

    /// The cell at which `bytes`, set from `column` on, ends.
    func width(of bytes: UnsafeBufferPointer<UInt8>, from column: Int) -> Int {
        var column = column
        var place = 0
        while place < bytes.count {
            let end = Clusters.end(from: place, in: bytes)
            column += cells(place..<end, in: bytes, at: column)
            place = end
        }
        return column
    }

    /// The cells of the cluster in `range` when it stands at `column`.
    func cells(_ range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>, at column: Int) -> Int {
        if bytes[range.lowerBound] == 0x09 { return configuration.tabWidth - column % configuration.tabWidth }
        return configuration.cellWidth.cells(range, in: bytes)
    }

    // One cell a byte: a row's end is known at once, and the break is looked for backwards from there.
    private func rowsOfASCII(_ bytes: UnsafeBufferPointer<UInt8>, firstIndent: Int) -> [VisualRow] {
        var rows: [VisualRow] = []
        var start = 0
        var indent = firstIndent
        while configuration.wraps, bytes.count - start > configuration.columns - indent {
            let limit = start + max(configuration.columns - indent, 1)
            let end = limit < bytes.count ? breakOfASCII(bytes, after: start, limit: limit) : limit
            if end == bytes.count { break }
            rows.append(VisualRow(range: start..<end, indent: indent, width: indent + end - start))
            start = end
            indent = self.indent
        }
        rows.append(VisualRow(range: start..<bytes.count, indent: indent, width: indent + bytes.count - start))
        return rows
    }

    /// The last place up to `limit` where a row may end; a space that would stand just behind the row hangs over.
    private func breakOfASCII(_ bytes: UnsafeBufferPointer<UInt8>, after start: Int, limit: Int) -> Int {
        if bytes[limit] == 0x20 { return limit + 1 }
        var place = limit
        while place > start {
            let earlier = place >= 2 ? LineBreakClass(UInt32(bytes[place - 2])) : nil
            let before = LineBreakClass(UInt32(bytes[place - 1]))
            if LineBreakClass.allowsBreak(earlier, before, LineBreakClass(UInt32(bytes[place]))) { return place }
            place -= 1
        }
        return limit
    }

    private func rowsOfAny(_ bytes: UnsafeBufferPointer<UInt8>, firstIndent: Int) -> [VisualRow] {
        var rows: [VisualRow] = []
        var row = OpenRow(start: 0, indent: firstIndent)
        var earlier: LineBreakClass?
        var before: LineBreakClass?
        var place = 0
        while place < bytes.count {
            let end = Clusters.end(from: place, in: bytes)
            let this = LineBreakClass(Clusters.scalar(at: place, in: bytes))
            if let before, LineBreakClass.allowsBreak(earlier, before, this) || before == .space, place > row.start {
                row.breakPlace = place
                row.columnAtBreak = row.column
            }
            var cells = cells(place..<end, in: bytes, at: row.column)
            let hangs = this == .space && row.column <= configuration.columns
            while row.column + cells > configuration.columns, !hangs, place > row.start {
                rows.append(row.close(at: place, nextIndent: indent))
                cells = self.cells(place..<end, in: bytes, at: row.column)
            }
            row.column += cells
            (earlier, before) = (before, this)
            place = end
        }
        rows.append(VisualRow(range: row.start..<bytes.count, indent: row.indent, width: row.column))
        return rows
    }

    /// The row being filled.
    private struct OpenRow {
        var start: Int
        var indent: Int
        /// The cell behind what the row holds so far.
        var column: Int
        /// The last place where the row may end, and the cell there.
        var breakPlace: Int?
        var columnAtBreak = 0

        init(start: Int, indent: Int) {
            self.start = start
            self.indent = indent
            column = indent
        }

        /// Ends the row at its last break, or at `place` when it has none, and begins the next.
        mutating func close(at place: Int, nextIndent: Int) -> VisualRow {
            let end = breakPlace ?? place
            let width = breakPlace == nil ? column : columnAtBreak
            let carried = column - width
            let row = VisualRow(range: start..<end, indent: indent, width: width)
            self = OpenRow(start: end, indent: nextIndent)
            column += carried
            return row
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether all bytes are printable ASCII, so that bytes, characters and cells are one.
    var isPrintableASCII: Bool {
        var odd: UInt8 = 0
        for byte in self { odd |= byte &- 0x20 < 0x5F ? 0 : 1 }
        return odd == 0
    }
}
