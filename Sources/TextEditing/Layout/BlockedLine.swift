/// The rows of a very long line, kept as counts of blocks of a few kilobytes, so that an edit measures its block anew
/// and nothing else.
///
/// Each block begins a row. Where the blocks were cut shows as a row that is not full, once in some fifty rows.
struct BlockedLine: Sendable {
    /// What a block measures.
    ///
    /// Cells before its first tab and behind it are kept apart, because a tab reaches to the next tab stop, wherever
    /// its block starts.
    private struct Block: Sendable {
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

    /// Where the line is and how it is broken; handed in at each call, so that the line keeps no text alive.
    struct Context {
        let buffer: TextBuffer
        let start: ByteOffset
        let breaker: RowBreaker

        func withUTF8<R>(_ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
            buffer.withUTF8(in: start + range.lowerBound..<start + range.upperBound, body)
        }
    }

    private var blocks: [Block] = []
    /// The rows of the block that was asked for last.
    private var known: (block: Int, rows: [VisualRow])?
    /// How many rows all blocks take.
    private var blockRows = 0
    private let wraps: Bool
    /// Bytes of the line.
    private(set) var bytes = 0
    /// The indent of the rows after the first.
    let indent: Int

    /// Lines longer than this are blocked: laying out this much anew takes some 50 µs, still little for a key.
    static let threshold = 16 << 10
    /// Bytes of a fresh block; one may grow to twice, and shrink to a quarter, before it is cut or joined.
    private static let blockSize = 4 << 10
    /// Bytes around an edit within which it may change where characters and words end, beyond a block's edge.
    private static let edge = 64

    /// Measures a line.
    ///
    /// O(bytes).
    init(bytes: Int, in context: Context) {
        self.bytes = bytes
        indent = context.breaker.indent
        wraps = context.breaker.configuration.wraps
        blocks = measured(0..<bytes, in: context)
        blockRows = blocks.reduce(0) { $0 + $1.rows }
    }

    /// How many rows the line takes.
    var rowCount: Int { wraps ? blockRows : 1 }

    /// Follows a replacement of `range` by `count` bytes, none a line feed; `context` is the text after it.
    ///
    /// O(block).
    mutating func replace(_ range: Range<Int>, byCount count: Int, in context: Context) {
        var (first, start) = place(ofByte: max(0, range.lowerBound - BlockedLine.edge))
        let (reached, lastStart) = place(ofByte: min(bytes, range.upperBound + BlockedLine.edge))
        var last = reached
        var size = lastStart + blocks[last].bytes - start + count - range.count
        while size < BlockedLine.blockSize / 4, blocks.count > last - first + 1 {
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
        let new = measured(start..<start + size, in: context)
        blockRows += new.reduce(0) { $0 + $1.rows } - blocks[first...last].reduce(0) { $0 + $1.rows }
        blocks.replaceSubrange(first...last, with: new)
        known = nil
    }

    /// A row of the line.
    ///
    /// O(blocks) additions, plus its block when another was asked for last.
    mutating func row(_ index: Int, in context: Context) -> VisualRow {
        guard wraps else {
            return VisualRow(range: 0..<bytes, indent: 0, width: column(atByte: bytes, in: context))
        }
        var (block, start, before) = (0, 0, 0)
        while block < blocks.count - 1, before + blocks[block].rows <= index {
            before += blocks[block].rows
            start += blocks[block].bytes
            block += 1
        }
        let rows = rows(ofBlock: block, from: start, in: context)
        let row = rows[min(index - before, rows.count - 1)]
        let range = row.range.lowerBound + start..<row.range.upperBound + start
        return VisualRow(range: range, indent: row.indent, width: row.width)
    }

    /// The row that a byte lies in.
    mutating func rowIndex(ofByte byte: Int, in context: Context) -> Int {
        guard wraps else { return 0 }
        let (block, start) = place(ofByte: byte)
        let rows = rows(ofBlock: block, from: start, in: context)
        let row = rows.lastIndex { $0.range.lowerBound <= byte - start } ?? 0
        return blocks[..<block].reduce(0) { $0 + $1.rows } + row
    }
}

// MARK: - One row without end

extension BlockedLine {
    /// The cell at which a byte of the unwrapped line stands.
    func column(atByte byte: Int, in context: Context) -> Int {
        let (block, start) = place(ofByte: byte)
        let column = startColumn(ofBlock: block, in: context)
        return context.withUTF8(start..<byte) { context.breaker.width(of: $0, from: column) }
    }

    /// The block of the unwrapped line that covers a cell: where it starts, in bytes and in cells.
    func blockStart(atColumn column: Int, in context: Context) -> (byte: Int, column: Int) {
        var (byte, start) = (0, 0)
        for block in blocks {
            let end = block.endColumn(from: start, tabWidth: context.breaker.configuration.tabWidth)
            if end > column { break }
            byte += block.bytes
            start = end
        }
        return byte < bytes ? (byte, start) : (bytes, start)
    }

    private func startColumn(ofBlock index: Int, in context: Context) -> Int {
        let tabWidth = context.breaker.configuration.tabWidth
        return blocks[..<index].reduce(0) { $1.endColumn(from: $0, tabWidth: tabWidth) }
    }
}

// MARK: - Measuring

extension BlockedLine {
    private func place(ofByte byte: Int) -> (block: Int, start: Int) {
        var (block, start) = (0, 0)
        while block < blocks.count - 1, start + blocks[block].bytes <= byte {
            start += blocks[block].bytes
            block += 1
        }
        return (block, start)
    }

    private mutating func rows(ofBlock block: Int, from start: Int, in context: Context) -> [VisualRow] {
        if let known, known.block == block { return known.rows }
        let indent = block == 0 ? 0 : context.breaker.indent
        let rows = context.withUTF8(start..<start + blocks[block].bytes) {
            context.breaker.rows(of: $0, firstIndent: indent)
        }
        known = (block, rows)
        return rows
    }

    private func measured(_ range: Range<Int>, in context: Context) -> [Block] {
        var result: [Block] = []
        var start = range.lowerBound
        repeat {
            var end = range.upperBound
            if end - start > 2 * BlockedLine.blockSize { end = cut(near: start + BlockedLine.blockSize, in: context) }
            result.append(measured(block: start..<end, in: context))
            start = end
        } while start < range.upperBound
        return result
    }

    /// A place about `byte` where a block may end: behind a space, else between characters.
    private func cut(near byte: Int, in context: Context) -> Int {
        let start = context.buffer.scalarStart(atOrBefore: context.start + byte - BlockedLine.edge) - context.start
        let end = context.buffer.scalarStart(atOrBefore: context.start + byte) - context.start
        return context.withUTF8(start..<end) { bytes in
            for place in bytes.indices.dropLast().reversed() where bytes[place] == 0x20 && bytes[place + 1] < 0x80 {
                return start + place + 1
            }
            var place = Clusters.scalarStart(before: bytes.count, in: bytes)
            while place > 0 {
                let previous = Clusters.scalarStart(before: place, in: bytes)
                let (a, b) = (Clusters.scalar(at: previous, in: bytes), Clusters.scalar(at: place, in: bytes))
                if Clusters.isSurelyBetween(a, b) { return start + place }
                place = previous
            }
            return start + Clusters.scalarStart(before: bytes.count, in: bytes)
        }
    }

    private func measured(block range: Range<Int>, in context: Context) -> Block {
        let breaker = context.breaker
        return context.withUTF8(range) { bytes in
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
