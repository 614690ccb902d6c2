/// A text as a rope: edits and conversions of lines and offsets in O(log size), copies (snapshots) in O(1).
///
/// The text is valid UTF-8, and only `replace` alters its bytes. Lines end at LF or CRLF; a lone CR is a character of
/// its line. `"a\n"` has two lines, the second empty; the empty text has one.
public struct TextBuffer: Sendable {
    var rope: ChunkRope

    /// An empty text.
    public init() { rope = ChunkRope() }

    /// Makes a text from the bytes of `string`.
    ///
    /// O(bytes), about a millisecond for 10 MB.
    public init(_ string: String) {
        var string = string
        rope = string.withUTF8 { ChunkRope($0) }
    }

    /// The number of bytes in the text.
    public var utf8Count: Int { rope.summary.bytes }
    /// The number of Unicode scalars in the text.
    public var scalarCount: Int { rope.summary.scalars }
    /// The number of lines in the text, at least one.
    public var lineCount: Int { rope.summary.newlines + 1 }
    /// Whether the text is empty.
    public var isEmpty: Bool { utf8Count == 0 }

    /// The end of the text.
    public var end: ByteOffset { ByteOffset(utf8Count) }
    /// The whole text.
    public var range: Range<ByteOffset> { 0..<end }

    /// Whether both are the same snapshot, and not merely equal texts.
    ///
    /// O(1).
    public func isIdentical(to other: TextBuffer) -> Bool { rope.isIdentical(to: other.rope) }

    /// Replaces `range` by `text`; the range must start and end at scalar boundaries.
    ///
    /// O(log size + text).
    public mutating func replace(_ range: Range<ByteOffset>, with text: String) {
        assert(isScalarStart(range.lowerBound) && isScalarStart(range.upperBound), "an edit splits a scalar")
        var text = text
        text.withUTF8 { rope.replace(range.lowerBound.rawValue..<range.upperBound.rawValue, with: $0) }
    }

    /// Whether no scalar is split at `offset`; the end of the text counts.
    public func isScalarStart(_ offset: ByteOffset) -> Bool {
        guard let byte = byte(at: offset) else { return offset == end }
        return byte & 0xC0 != 0x80
    }
}

// MARK: - Reading

extension TextBuffer {
    /// The whole text.
    ///
    /// O(bytes).
    public func string() -> String { string(in: range) }

    /// A range of the text that starts and ends at scalar boundaries, as a string.
    ///
    /// O(length).
    public func string(in range: Range<ByteOffset>) -> String {
        guard !range.isEmpty else { return "" }
        return String(unsafeUninitializedCapacity: range.length) { target in
            copy(range, into: target)
        }
    }

    /// The bytes of a range of the text.
    ///
    /// O(length).
    public func bytes(in range: Range<ByteOffset>) -> [UInt8] {
        Array(unsafeUninitializedCapacity: range.length) { target, count in count = copy(range, into: target) }
    }

    /// The byte at `offset`; nil at the end.
    public func byte(at offset: ByteOffset) -> UInt8? {
        guard offset >= 0, offset < end, let (chunk, start) = rope.chunk(at: offset.rawValue) else { return nil }
        return chunk.bytes[offset.rawValue - start]
    }

    /// Calls `body` with the bytes of a range.
    ///
    /// The bytes are not copied if they lie in one chunk; otherwise they are a temporary copy.
    public func withUTF8<R>(
        in range: Range<ByteOffset>, _ body: (UnsafeBufferPointer<UInt8>) throws -> R
    ) rethrows -> R {
        guard !range.isEmpty, let (chunk, start) = rope.chunk(at: range.lowerBound.rawValue) else {
            return try body(UnsafeBufferPointer(start: nil, count: 0))
        }
        let local = range.lowerBound.rawValue - start
        if local + range.length <= chunk.bytes.count {
            return try chunk.bytes.withUnsafeBufferPointer {
                try body(UnsafeBufferPointer(rebasing: $0[local..<local + range.length]))
            }
        }
        return try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: range.length) { copied in
            _ = copy(range, into: copied)
            return try body(UnsafeBufferPointer(copied))
        }
    }

    /// Passes the pieces of `range` in order, none of them empty, to `body` until it returns false.
    ///
    /// The bytes are not copied.
    public func forEachPiece(in range: Range<ByteOffset>, _ body: (UnsafeBufferPointer<UInt8>) -> Bool) {
        rope.forEachPiece(in: range.lowerBound.rawValue..<range.upperBound.rawValue, body)
    }

    /// Copies a range into memory of at least its length and returns the number of bytes copied.
    @discardableResult
    func copy(_ range: Range<ByteOffset>, into target: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var position = 0
        forEachPiece(in: range) { piece in
            _ = UnsafeMutableBufferPointer(rebasing: target[position...]).update(fromContentsOf: piece)
            position += piece.count
            return true
        }
        return position
    }
}

extension TextBuffer: Equatable {
    /// Whether the texts have the same bytes.
    ///
    /// O(1) for snapshots of one state, else O(bytes).
    public static func == (a: TextBuffer, b: TextBuffer) -> Bool {
        if a.isIdentical(to: b) { return true }
        guard a.rope.summary == b.rope.summary else { return false }
        var position: ByteOffset = 0
        var equal = true
        a.forEachPiece(in: a.range) { piece in
            b.withUTF8(in: position..<position + piece.count) { equal = $0.elementsEqual(piece) }
            position += piece.count
            return equal
        }
        return equal
    }
}
