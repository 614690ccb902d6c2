import TextPrimitives

/// Cuts the bytes of a line into rows.
struct RowBreaker {
    let configuration: LayoutConfiguration
    /// The indent in cells of the rows after the first.
    let indent: Int

    /// The most bytes of a line that determine its hanging indent.
    static let indentPrefixLength = 256

    init(_ configuration: LayoutConfiguration, lineStart: UnsafeBufferPointer<UInt8>) {
        self.configuration = configuration
        let head = UnsafeBufferPointer(rebasing: lineStart.prefix(RowBreaker.indentPrefixLength))
        let wanted = configuration.wraps ? configuration.hangingIndent(head) : 0
        // An indent of more than half the row would leave only a narrow column for the words, so none is used.
        indent = wanted * 2 <= configuration.columns ? wanted : 0
    }

    /// Creates a breaker for measuring parts of rows, where the indent does not matter.
    init(measuring configuration: LayoutConfiguration) {
        self.configuration = configuration
        indent = 0
    }

    /// The rows of `bytes`, at least one; the first is indented by `firstIndent`.
    func rows(of bytes: UnsafeBufferPointer<UInt8>, firstIndent: Int = 0) -> [VisualRow] {
        guard configuration.wraps else {
            return [VisualRow(range: 0..<bytes.count, indent: firstIndent, width: width(of: bytes, from: firstIndent))]
        }
        var rows: [VisualRow] = []
        var (start, indent) = (0, firstIndent)
        repeat {
            let row = rowOfASCII(bytes, from: start, indent: indent) ?? rowOfAny(bytes, from: start, indent: indent)
            rows.append(row)
            (start, indent) = (row.range.upperBound, self.indent)
        } while start < bytes.count
        return rows
    }

    /// The rows of a line after an edit of it, of which only those are wrapped again that the edit may have changed.
    ///
    /// - Parameters:
    ///   - old: the rows before the edit, of which the second has this breaker's indent.
    ///   - replaced: the replaced range, in bytes of the old line.
    ///   - growth: the number of bytes by which the line grew.
    func rows(
        of bytes: UnsafeBufferPointer<UInt8>, from old: [VisualRow], replacing replaced: Range<Int>, growth: Int
    ) -> [VisualRow] {
        // The end of a row depends on the text after it as far as this row has room for it. A row with an indent has at
        // least half of that room, so the two rows that follow hold this text.
        var next = 0
        let sure = replaced.lowerBound - RowBreaker.edge
        while next + 2 < old.count, old[next + 2].range.upperBound <= sure { next += 1 }
        var rows = Array(old[..<next])
        rows.reserveCapacity(old.count + 1)
        var start = rows.last?.range.upperBound ?? 0
        repeat {
            // A row that begins in the same text as before ends in the same text, and so do all that follow.
            while next < old.count, old[next].range.lowerBound + growth < start { next += 1 }
            if next < old.count, old[next].range.lowerBound >= replaced.upperBound,
                old[next].range.lowerBound + growth == start, next > 0
            {
                return rows + old[next...].map { $0.moved(by: growth) }
            }
            let indent = start == 0 ? 0 : self.indent
            let row = rowOfASCII(bytes, from: start, indent: indent) ?? rowOfAny(bytes, from: start, indent: indent)
            rows.append(row)
            start = row.range.upperBound
        } while start < bytes.count
        return rows
    }

    /// The distance in bytes up to which an edit may move the ends of characters.
    private static let edge = 64

    /// The column where `bytes` ends if it starts at `column`.
    func width(of bytes: UnsafeBufferPointer<UInt8>, from column: Int) -> Int {
        if bytes.isPrintableASCII { return column + bytes.count }
        var column = column
        var position = 0
        while position < bytes.count {
            let end = Clusters.end(from: position, in: bytes)
            column += cells(position..<end, in: bytes, at: column)
            position = end
        }
        return column
    }

    /// The cells of the cluster in `range` at `column`.
    func cells(_ range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>, at column: Int) -> Int {
        if bytes[range.lowerBound] == 0x09 { return configuration.tabWidth - column % configuration.tabWidth }
        return configuration.cellWidth.cells(range, in: bytes)
    }

    /// The next row if its characters are all printable ASCII; nil for any other text.
    ///
    /// ASCII takes one cell per byte, so the row's end is known at once, and the break is searched for backwards from
    /// there.
    private func rowOfASCII(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, indent: Int) -> VisualRow? {
        let room = max(configuration.columns - indent, 1)
        // The byte after the row decides whether a space hangs over, the next one whether a mark follows it.
        let rest = UnsafeBufferPointer(rebasing: bytes[start..<min(start + room + 2, bytes.count)])
        guard rest.isPrintableASCII else { return nil }
        let end = rest.count <= room ? bytes.count : breakOfASCII(bytes, after: start, limit: start + room)
        return VisualRow(range: start..<end, indent: indent, width: indent + end - start)
    }

    /// The last position up to `limit` where a row may end; a space just after the row hangs over.
    private func breakOfASCII(_ bytes: UnsafeBufferPointer<UInt8>, after start: Int, limit: Int) -> Int {
        if bytes[limit] == 0x20 { return limit + 1 }
        var position = limit
        var inNeed: Int?
        while position > start {
            // Most pairs are of letters, between which no row ends.
            if bytes[position].isASCIILetter, bytes[position - 1].isASCIILetter {
                position -= 1
                continue
            }
            let earlier = position >= start + 2 ? LineBreakClass(ascii: bytes[position - 2]) : nil
            let (before, after) = (LineBreakClass(ascii: bytes[position - 1]), LineBreakClass(ascii: bytes[position]))
            if LineBreakClass.allowsBreak(earlier, before, after) { return position }
            if inNeed == nil, LineBreakClass.allowsBreakInNeed(earlier, before, after) { inNeed = position }
            position -= 1
        }
        return inNeed ?? limit
    }

    private func rowOfAny(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, indent: Int) -> VisualRow {
        var (position, column) = (start, indent)
        /// The last position at which the row may end, and the last one at which it may end in need, with their columns.
        var (last, inNeed): ((position: Int, column: Int)?, (position: Int, column: Int)?)
        var (earlier, before): (LineBreakClass?, LineBreakClass?) = (nil, nil)
        while position < bytes.count {
            let next = cluster(at: position, in: bytes, column: column)
            if let before, before == .space || LineBreakClass.allowsBreak(earlier, before, next.lineBreak) {
                last = (position, column)
            } else if let before, LineBreakClass.allowsBreakInNeed(earlier, before, next.lineBreak) {
                inNeed = (position, column)
            }
            let hangs = next.lineBreak == .space && column <= configuration.columns
            if column + next.cells > configuration.columns, !hangs, position > start {
                let (end, width) = last ?? inNeed ?? (position, column)
                return VisualRow(range: start..<end, indent: indent, width: width)
            }
            column += next.cells
            (earlier, before) = (before, next.lineBreak)
            position = next.end
        }
        return VisualRow(range: start..<bytes.count, indent: indent, width: column)
    }

    /// The end, width and line break class of the cluster at `position`, which is drawn at `column`.
    @inline(__always) private func cluster(
        at position: Int, in bytes: UnsafeBufferPointer<UInt8>, column: Int
    ) -> (end: Int, cells: Int, lineBreak: LineBreakClass) {
        let first = bytes[position]
        if first >= 0x20, first < 0x7F, position + 1 >= bytes.count || bytes[position + 1] < 0x80 {
            return (position + 1, 1, LineBreakClass(ascii: first))
        }
        // A character from U+5000 to U+9FFF before another such character is a Han cluster of its own. Most of a
        // Chinese text is made of them, and this test makes it five times as fast.
        if first >= 0xE5, first <= 0xE9, position + 3 >= bytes.count || bytes[position + 3] &- 0xE4 <= 5 {
            return (position + 3, configuration.cellWidth.han, .ideographic)
        }
        let end = Clusters.end(from: position, in: bytes)
        let cells = cells(position..<end, in: bytes, at: column)
        return (end, cells, LineBreakClass(Clusters.scalar(at: position, in: bytes)))
    }
}

extension VisualRow {
    fileprivate func moved(by bytes: Int) -> VisualRow {
        VisualRow(range: range.lowerBound + bytes..<range.upperBound + bytes, indent: indent, width: width)
    }
}

extension UInt8 {
    @inline(__always) fileprivate var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }
}
