import TextPrimitives

/// The rows of a very long line, kept as counts for blocks of a few kilobytes.
///
/// An edit therefore only has its own block measured again. Each block begins a row, so a row at the end of a block may
/// not be full; that is about one row in fifty.
struct LongLine: Sendable {
    /// The measurements of a block.
    ///
    /// The cells before and after its first tab are kept apart, because a tab extends to the next tab stop, which
    /// depends on the column at which the block starts.
    fileprivate struct Block: Sendable {
        var bytes: Int
        var rows = 1
        var cellsBeforeTab = 0
        var cellsBehindTab: Int?

        func endColumn(from start: Int, tabWidth: Int) -> Int {
            guard let cellsBehindTab else { return start + cellsBeforeTab }
            let tab = start + cellsBeforeTab
            return tab + tabWidth - tab % tabWidth + cellsBehindTab
        }
    }

    /// The line's position and layout, passed to each call so that the line keeps no text alive.
    struct Context {
        let buffer: TextBuffer
        let line: LineNumber
        let configuration: LayoutConfiguration
        private(set) lazy var start = buffer.lineStart(line)

        init(buffer: TextBuffer, line: LineNumber, configuration: LayoutConfiguration) {
            self.buffer = buffer
            self.line = line
            self.configuration = configuration
        }

        /// The breaker of the line, with its hanging indent.
        mutating func breaker() -> RowBreaker {
            let head = buffer.scalarStart(atOrBefore: min(start + RowBreaker.indentPrefixLength, buffer.end))
            return buffer.withUTF8(in: start..<head) { RowBreaker(configuration, lineStart: $0) }
        }

        mutating func withUTF8<R>(_ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
            buffer.withUTF8(in: start + range.lowerBound..<start + range.upperBound, body)
        }
    }

    /// A block whose rows are known individually.
    private struct KnownBlock: Sendable {
        let index: Int
        let startByte: Int
        let startRow: Int
        let rows: [VisualRow]

        var bytes: Range<Int> { startByte..<startByte + (rows.last?.range.upperBound ?? 0) }

        func row(_ row: Int) -> VisualRow {
            let row = rows[min(row - startRow, rows.count - 1)]
            let range = row.range.lowerBound + startByte..<row.range.upperBound + startByte
            return VisualRow(range: range, indent: row.indent, width: row.width)
        }
    }

    private var blocks: [Block] = []
    /// The blocks whose rows were requested last: those on the screen.
    private var known: [KnownBlock] = []
    /// The number of rows in all blocks.
    private var blockRows = 0
    /// The number of bytes in the line.
    private(set) var bytes = 0
    /// The breaker of the line, with the indent of its rows after the first.
    let breaker: RowBreaker
    private var wraps: Bool { breaker.configuration.wraps }

    /// The number of bytes above which a line is divided into blocks: laying out this many takes some 50 µs, still
    /// little for a keystroke.
    static let threshold = 16 << 10
    /// The bytes of a new block; a block may grow to twice that and shrink to a quarter before it is cut or joined.
    private static let blockSize = 4 << 10
    /// The distance in bytes up to which an edit may move the ends of characters and words, also across the edge of a
    /// block.
    private static let edge = 64
    /// The most blocks whose rows are kept; a block of 4 KiB fills half of a large screen.
    private static let knownLimit = 6

    /// Measures a line.
    ///
    /// O(bytes).
    init(bytes: Int, in context: inout Context) {
        self.init(head: Reused(), tail: Reused(), bytes: bytes, in: &context)
    }

    /// The number of rows that the line takes.
    var rowCount: Int { wraps ? blockRows : 1 }

    /// Blocks that an edit has left unchanged, for reuse in the lines that result from it.
    struct Reused {
        fileprivate var blocks: ArraySlice<Block> = []
        fileprivate var bytes = 0
        fileprivate var indent: Int?
    }

    /// The blocks that are completely before a byte.
    func head(before byte: Int) -> Reused {
        let (block, start) = position(ofByte: max(0, byte - LongLine.edge))
        return Reused(blocks: blocks[..<block], bytes: start, indent: breaker.indent)
    }

    /// The blocks that are completely after a byte.
    func tail(behind byte: Int) -> Reused {
        let (block, start) = position(ofByte: min(bytes, byte + LongLine.edge))
        return Reused(
            blocks: blocks[(block + 1)...], bytes: bytes - start - blocks[block].bytes, indent: breaker.indent)
    }

    /// Measures the bytes between blocks that are reused from before the edit.
    ///
    /// O(bytes between + blocks).
    init(head: Reused, tail: Reused, bytes: Int, in context: inout Context) {
        breaker = context.breaker()
        let head = head.indent == breaker.indent ? head : Reused()
        let tail = tail.indent == breaker.indent ? tail : Reused()
        self.bytes = bytes
        blocks = head.blocks + measured(head.bytes..<bytes - tail.bytes, in: &context) + tail.blocks
        blockRows = blocks.reduce(0) { $0 + $1.rows }
    }

    /// Updates the counts for a replacement of `range` by `count` bytes without a line feed; `context` is the text
    /// after it.
    ///
    /// O(block).
    mutating func replace(_ range: Range<Int>, byCount count: Int, in context: inout Context) {
        var (first, start) = position(ofByte: max(0, range.lowerBound - LongLine.edge))
        let (reached, lastStart) = position(ofByte: min(bytes, range.upperBound + LongLine.edge))
        var last = reached
        var size = lastStart + blocks[last].bytes - start + count - range.count
        while size < LongLine.blockSize / 4, blocks.count > last - first + 1 {
            if last + 1 < blocks.count {
                last += 1
                size += blocks[last].bytes
            } else {
                first -= 1
                start -= blocks[first].bytes
                size += blocks[first].bytes
            }
        }
        bytes += count - range.count
        let new = measured(start..<start + size, in: &context)
        blockRows += new.reduce(0) { $0 + $1.rows } - blocks[first...last].reduce(0) { $0 + $1.rows }
        blocks.replaceSubrange(first...last, with: new)
        known.removeAll { $0.index >= first }
    }

    /// A row of the line.
    ///
    /// O(1) if it is on the screen, otherwise O(blocks) additions and the rows of its block.
    mutating func row(_ index: Int, in context: inout Context) -> VisualRow {
        guard wraps else {
            return VisualRow(range: 0..<bytes, indent: 0, width: column(atByte: bytes, in: &context))
        }
        if let block = known.first(where: { $0.startRow..<$0.startRow + $0.rows.count ~= index }) {
            return block.row(index)
        }
        var (block, start, before) = (0, 0, 0)
        while block < blocks.count - 1, before + blocks[block].rows <= index {
            before += blocks[block].rows
            start += blocks[block].bytes
            block += 1
        }
        return learn(block, startByte: start, startRow: before, in: &context).row(index)
    }

    /// The index of the row that contains a byte.
    mutating func rowIndex(ofByte byte: Int, in context: inout Context) -> Int {
        guard wraps else { return 0 }
        var block = known.first { $0.bytes.contains(byte) }
        if block == nil {
            let (index, start) = position(ofByte: byte)
            let startRow = blocks[..<index].reduce(0) { $0 + $1.rows }
            block = learn(index, startByte: start, startRow: startRow, in: &context)
        }
        guard let block else { return 0 }
        return block.startRow + (block.rows.lastIndex { $0.range.lowerBound <= byte - block.startByte } ?? 0)
    }

    private mutating func learn(
        _ index: Int, startByte: Int, startRow: Int, in context: inout Context
    ) -> KnownBlock {
        let indent = index == 0 ? 0 : breaker.indent
        let rows = context.withUTF8(startByte..<startByte + blocks[index].bytes) {
            breaker.rows(of: $0, firstIndent: indent)
        }
        let block = KnownBlock(index: index, startByte: startByte, startRow: startRow, rows: rows)
        if known.count == LongLine.knownLimit { known.removeFirst() }
        known.append(block)
        return block
    }
}

// MARK: - Unwrapped lines

extension LongLine {
    /// The column of a byte in the unwrapped line.
    func column(atByte byte: Int, in context: inout Context) -> Int {
        let (block, start) = position(ofByte: byte)
        let column = startColumn(ofBlock: block)
        return context.withUTF8(start..<byte) { breaker.width(of: $0, from: column) }
    }

    /// The start, in bytes and cells, of the block of the unwrapped line that covers a column.
    func blockStart(atColumn column: Int) -> (byte: Int, column: Int) {
        var (byte, start) = (0, 0)
        for block in blocks {
            let end = block.endColumn(from: start, tabWidth: breaker.configuration.tabWidth)
            if end > column { break }
            byte += block.bytes
            start = end
        }
        return (byte, start)
    }

    private func startColumn(ofBlock index: Int) -> Int {
        let tabWidth = breaker.configuration.tabWidth
        return blocks[..<index].reduce(0) { $1.endColumn(from: $0, tabWidth: tabWidth) }
    }
}

// MARK: - Measuring

extension LongLine {
    private func position(ofByte byte: Int) -> (block: Int, start: Int) {
        var (block, start) = (0, 0)
        while block < blocks.count - 1, start + blocks[block].bytes <= byte {
            start += blocks[block].bytes
            block += 1
        }
        return (block, start)
    }

    private func measured(_ range: Range<Int>, in context: inout Context) -> [Block] {
        var result: [Block] = []
        var start = range.lowerBound
        repeat {
            var end = range.upperBound
            if end - start > 2 * LongLine.blockSize { end = cut(near: start + LongLine.blockSize, in: &context) }
            result.append(measured(block: start..<end, in: &context))
            start = end
        } while start < range.upperBound
        return result
    }

    /// A position near `byte` where a block may end: after a space, else between characters.
    private func cut(near byte: Int, in context: inout Context) -> Int {
        let start = context.buffer.scalarStart(atOrBefore: context.start + byte - LongLine.edge) - context.start
        let end = context.buffer.scalarStart(atOrBefore: context.start + byte) - context.start
        return context.withUTF8(start..<end) { bytes in
            for position in bytes.indices.dropLast().reversed()
            where bytes[position] == 0x20 && bytes[position + 1] < 0x80 {
                return start + position + 1
            }
            var position = Clusters.scalarStart(before: bytes.count, in: bytes)
            while position > 0 {
                let previous = Clusters.scalarStart(before: position, in: bytes)
                let (a, b) = (Clusters.scalar(at: previous, in: bytes), Clusters.scalar(at: position, in: bytes))
                if Clusters.isSurelyBetween(a, b) { return start + position }
                position = previous
            }
            return start + Clusters.scalarStart(before: bytes.count, in: bytes)
        }
    }

    private func measured(block range: Range<Int>, in context: inout Context) -> Block {
        context.withUTF8(range) { bytes in
            var block = Block(bytes: range.count)
            guard !wraps else {
                block.rows = breaker.rows(of: bytes, firstIndent: range.lowerBound == 0 ? 0 : breaker.indent).count
                return block
            }
            if bytes.isPrintableASCII {
                block.cellsBeforeTab = bytes.count
            } else if let tab = bytes.firstIndex(of: 0x09) {
                block.cellsBeforeTab = breaker.width(of: UnsafeBufferPointer(rebasing: bytes[..<tab]), from: 0)
                block.cellsBehindTab = breaker.width(of: UnsafeBufferPointer(rebasing: bytes[(tab + 1)...]), from: 0)
            } else {
                block.cellsBeforeTab = breaker.width(of: bytes, from: 0)
            }
            return block
        }
    }
}
