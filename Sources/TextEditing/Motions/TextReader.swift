import TextPrimitives

/// Reads a text character by character; keeps the current chunk, so that a character takes some nanoseconds.
///
/// The end of a line is a position like any other: the start of its line break, or the end of the text.
public struct TextReader {
    public let text: TextBuffer
    private var bytes: ContiguousArray<UInt8> = []
    private var start = 0

    /// The end of the text that is read, which is at the end of a line.
    public let end: ByteOffset

    /// - Parameter end: The end of the text that is read; `nil` for the end of the whole text.
    public init(_ text: TextBuffer, end: ByteOffset? = nil) {
        self.text = text
        self.end = end ?? text.end
    }

    /// The last line that is read.
    public var lastLine: LineNumber { text.lineNumber(at: end) }

    /// The byte at a position; a line feed at the end of the text.
    public mutating func byte(at position: ByteOffset) -> UInt8 {
        guard position < end else { return 0x0A }
        let index = position.rawValue - start
        if index >= 0, index < bytes.count { return bytes[index] }
        guard position >= 0, let (chunk, first) = text.rope.chunk(at: position.rawValue) else {
            return 0x0A
        }
        (bytes, start) = (chunk.bytes, first)
        return bytes[position.rawValue - first]
    }

    /// Whether a line ends at a position.
    public mutating func isLineEnd(_ position: ByteOffset) -> Bool {
        let byte = byte(at: position)
        if byte == 0x0A { return true }
        return byte == 0x0D && position + 1 < end && self.byte(at: position + 1) == 0x0A
    }

    /// Whether a line starts at a position.
    public mutating func isLineStart(_ position: ByteOffset) -> Bool { position <= 0 || byte(at: position - 1) == 0x0A }

    /// Whether a line starts and ends at a position.
    public mutating func isEmptyLine(_ position: ByteOffset) -> Bool { isLineStart(position) && isLineEnd(position) }

    /// Whether a space or a tab is at a position.
    public mutating func isBlank(_ position: ByteOffset) -> Bool { byte(at: position).isBlank }

    /// The position after the character at `position`; at the end of the text, that end.
    public mutating func next(_ position: ByteOffset) -> ByteOffset {
        if position >= end { return end }
        if byte(at: position) < 0x80, byte(at: position) != 0x0D, position + 1 >= end || byte(at: position + 1) < 0x80 {
            return position + 1
        }
        return text.characterEnd(after: position)
    }

    /// The position of the character before `position`; at the start of the text, that start.
    public mutating func previous(_ position: ByteOffset) -> ByteOffset {
        if position <= 0 { return 0 }
        if byte(at: position - 1) < 0x80, byte(at: position - 1) != 0x0A { return position - 1 }
        return text.characterStart(before: position)
    }

    /// The scalar that starts at a position; a line feed at the end of a line.
    mutating func scalar(at position: ByteOffset) -> UInt32 {
        let first = byte(at: position)
        if first < 0x80 { return isLineEnd(position) ? 0x0A : UInt32(first) }
        let length = Clusters.scalarLength(first)
        var value = UInt32(first) & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
        for index in 1..<length { value = value << 6 | UInt32(byte(at: position + index) & 0x3F) }
        return value
    }

    /// The start of the line around a position.
    public mutating func lineStart(_ position: ByteOffset) -> ByteOffset {
        text.lineStart(text.lineNumber(at: position))
    }
    /// The end of the line around a position.
    public mutating func lineEnd(_ position: ByteOffset) -> ByteOffset { text.lineEnd(text.lineNumber(at: position)) }
}

/// The result of a step of a `TextReader`.
enum TextStep {
    /// The step reached a character of the same line.
    case character
    /// The step reached the end of the line.
    case lineEnd
    /// The step reached the next line, or the previous one.
    case line
    /// There is no more text, so the position is unchanged.
    case stopped
}

extension TextReader {
    /// Moves one position forward; the end of a line is a position.
    mutating func step(_ position: inout ByteOffset) -> TextStep {
        if position >= end { return .stopped }
        let wasLineEnd = isLineEnd(position)
        position = next(position)
        return wasLineEnd ? .line : isLineEnd(position) ? .lineEnd : .character
    }

    /// Moves one position back; the end of a line is a position.
    mutating func stepBack(_ position: inout ByteOffset) -> TextStep {
        if position <= 0 { return .stopped }
        let wasLineStart = isLineStart(position)
        position = previous(position)
        return wasLineStart ? .line : .character
    }

    /// Moves to the next character, skipping the end of a line unless the next line is empty.
    @discardableResult
    mutating func stepOver(_ position: inout ByteOffset) -> TextStep {
        let step = step(&position)
        if step == .lineEnd || step == .line, isLineEnd(position), !isLineStart(position) {
            return self.step(&position)
        }
        return step
    }

    /// Moves to the previous character, skipping the end of a line unless that line is empty.
    @discardableResult
    mutating func stepOverBack(_ position: inout ByteOffset) -> TextStep {
        let step = stepBack(&position)
        if step == .line, !isLineStart(position) { return stepBack(&position) }
        return step
    }
}
