import _RopeModule

/// The tree that holds a text.
///
/// This is the only file that uses `_RopeModule`, which is public but not stable. Copies are O(1) and share nodes; a
/// change copies only the path to it. Offsets are in bytes.
struct ChunkRope: Sendable {
    private var rope = Rope<Chunk>()

    init() {}

    /// Builds the tree from its leaves up.
    ///
    /// O(bytes).
    init(_ text: UnsafeBufferPointer<UInt8>) {
        rope = Rope(Chunk.chunks(of: text))
    }

    var summary: TextSummary { rope.summary }

    func isIdentical(to other: ChunkRope) -> Bool { rope.isIdentical(to: other.rope) }

    /// Replaces `range` by `text`.
    ///
    /// O(log size) plus the text's length.
    mutating func replace(_ range: Range<Int>, with text: UnsafeBufferPointer<UInt8>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= summary.bytes, "range outside of the text")
        if replaceWithinChunk(range, with: text) { return }
        var builder = rope.builder(removing: range, in: ByteMetric())
        for chunk in Chunk.chunks(of: text) { builder.insertBeforeTip(chunk) }
        rope = builder.finalize()
    }

    /// The fast path for a keystroke: the change fits in one chunk, so the tree keeps its shape.
    private mutating func replaceWithinChunk(_ range: Range<Int>, with text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !rope.isEmpty, range.count < Chunk.maximumSize, text.count < Chunk.maximumSize else { return false }
        var (index, start) = rope.find(at: range.lowerBound, in: ByteMetric(), preferEnd: true)
        let old = rope[index].bytes.count
        let new = old - range.count + text.count
        guard start + range.count <= old, new <= Chunk.maximumSize, new > 0,
            new >= Chunk.minimumSize || rope.isSingleton
        else { return false }
        rope.update(at: &index) { $0.replace(start..<start + range.count, with: text) }
        return true
    }
}

// MARK: - Reading

extension ChunkRope {
    /// The chunk that contains the byte at `offset` (the last chunk at the end) and its start; nil in an empty text.
    func chunk(at offset: Int) -> (chunk: Chunk, start: Int)? {
        guard !rope.isEmpty else { return nil }
        if offset >= summary.bytes {
            let chunk = rope[rope.index(before: rope.endIndex)]
            return (chunk, summary.bytes - chunk.summary.bytes)
        }
        let (index, remaining) = rope.find(at: offset, in: ByteMetric(), preferEnd: false)
        return (rope[index], offset - remaining)
    }

    /// Passes the pieces of `range` in order to `body` until it returns false.
    func forEachPiece(in range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> Bool) {
        guard !range.isEmpty else { return }
        var position = range.lowerBound
        _ = rope.forEachWhile(from: range.lowerBound, in: ByteMetric()) { chunk, index in
            let start = index ?? 0
            let end = min(chunk.bytes.count, start + range.upperBound - position)
            position += end - start
            let goesOn = chunk.bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[start..<end])) }
            return goesOn && position < range.upperBound
        }
    }

    /// The number of line feeds before `offset`.
    ///
    /// O(log size).
    func newlines(before offset: Int) -> Int {
        guard offset > 0 else { return 0 }
        let (index, remaining) = rope.find(at: offset, in: ByteMetric(), preferEnd: true)
        return rope[index].lineFeeds(before: remaining) + rope.offset(of: index, in: NewlineMetric())
    }

    /// The number of scalars before `offset`.
    ///
    /// O(log size).
    func scalars(before offset: Int) -> Int {
        guard offset > 0 else { return 0 }
        let (index, remaining) = rope.find(at: offset, in: ByteMetric(), preferEnd: true)
        let chunk = rope[index]
        let inside =
            chunk.isASCII
            ? remaining
            : chunk.bytes.withUnsafeBufferPointer {
                TextSummary(UnsafeBufferPointer(rebasing: $0[..<remaining])).scalars
            }
        return inside + rope.offset(of: index, in: ScalarMetric())
    }

    /// The byte offset just after the `count`-th line feed, counted from 1.
    ///
    /// O(log size).
    func offset(afterNewline count: Int) -> Int {
        let (index, remaining) = rope.find(at: count, in: NewlineMetric(), preferEnd: true)
        return rope.offset(of: index, in: ByteMetric()) + NewlineMetric().index(at: remaining, in: rope[index])
    }

    /// The bytes of the line after the `count`-th line feed (from 0, which is the first line) without its LF or CRLF.
    ///
    /// - Returns: nil if the line does not end in the chunk in which the text before it ends.
    ///
    /// O(log size).
    func line(afterNewline count: Int) -> Range<Int>? {
        guard let (_, line, index) = lineInChunk(afterNewline: count) else { return nil }
        let start = rope.offset(of: index, in: ByteMetric())
        return start + line.lowerBound..<start + line.upperBound
    }

    /// The bytes of such a line as a range in the chunk that contains it, with the chunk; nil as above.
    ///
    /// O(log size).
    func chunk(withLineAfterNewline count: Int) -> (chunk: Chunk, line: Range<Int>)? {
        lineInChunk(afterNewline: count).map { ($0.chunk, $0.line) }
    }

    private func lineInChunk(
        afterNewline count: Int
    ) -> (chunk: Chunk, line: Range<Int>, index: Rope<Chunk>.Index)? {
        guard !rope.isEmpty else { return nil }
        let (index, remaining) =
            count == 0 ? (rope.startIndex, 0) : rope.find(at: count, in: NewlineMetric(), preferEnd: true)
        let chunk = rope[index]
        let line: Range<Int>? = chunk.bytes.withUnsafeBufferPointer { bytes in
            let start = chunk.offset(afterLineFeed: remaining)
            if let feed = bytes.lineFeed(from: start) {
                return start..<(feed > start && bytes[feed - 1] == 0x0D ? feed - 1 : feed)
            }
            // The last line of the text ends with the last chunk.
            return rope.index(after: index) == rope.endIndex ? start..<bytes.count : nil
        }
        return line.map { (chunk, $0, index) }
    }

    /// The byte offset at which the `count`-th scalar starts, counted from 0.
    ///
    /// O(log size).
    func offset(ofScalar count: Int) -> Int {
        guard count < summary.scalars else { return summary.bytes }
        let (index, remaining) = rope.find(at: count, in: ScalarMetric(), preferEnd: false)
        return rope.offset(of: index, in: ByteMetric()) + ScalarMetric().index(at: remaining, in: rope[index])
    }

    /// Traps if the tree or a chunk violates its invariants; for tests.
    func checkInvariants() {
        rope._invariantCheck()
        for chunk in rope { chunk.invariantCheck() }
    }
}

// MARK: - Rope conformances

extension TextSummary: RopeSummary {
    /// The most children of a node: 15, as in the library's text type; an index path allows 13 levels of them.
    static var maxNodeSize: Int { 15 }
    static var zero: TextSummary { TextSummary() }
    var isZero: Bool { bytes == 0 }
}

extension Chunk: RopeElement {
    typealias Index = Int

    var isEmpty: Bool { bytes.isEmpty }
    var isUndersized: Bool { bytes.count < Chunk.minimumSize }

    func invariantCheck() {
        precondition(bytes.count <= Chunk.maximumSize, "a chunk is too large")
        precondition(bytes.isEmpty || bytes[0] & 0xC0 != 0x80, "a chunk starts inside of a scalar")
        precondition(bytes.withUnsafeBufferPointer { TextSummary($0) } == summary, "the counts of a chunk are wrong")
    }

    mutating func rebalance(nextNeighbor right: inout Chunk) -> Bool { joinOrEven(with: &right) }
}

private struct ByteMetric: RopeMetric {
    func size(of summary: TextSummary) -> Int { summary.bytes }
    func index(at offset: Int, in chunk: Chunk) -> Int { offset }
}

private struct NewlineMetric: RopeMetric {
    func size(of summary: TextSummary) -> Int { summary.newlines }

    /// The offset just after the `offset`-th line feed.
    func index(at offset: Int, in chunk: Chunk) -> Int {
        chunk.offset(afterLineFeed: offset)
    }
}

private struct ScalarMetric: RopeMetric {
    func size(of summary: TextSummary) -> Int { summary.scalars }

    /// The start of the `offset`-th scalar, from 0.
    func index(at offset: Int, in chunk: Chunk) -> Int {
        if chunk.isASCII { return offset }
        var left = offset
        for (index, byte) in chunk.bytes.enumerated() where byte & 0xC0 != 0x80 {
            if left == 0 { return index }
            left -= 1
        }
        return chunk.bytes.count
    }
}
