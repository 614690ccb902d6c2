import TextPrimitives

/// Reads a text character by character, keeping the current chunk.
///
/// The end of a line is a position like any other: the start of its line break, or the end of the text. Takes some
/// nanoseconds per character.
public struct TextReader {
    public let text: TextBuffer
    private var bytes: ContiguousArray<UInt8> = []
    private var start = 0

    public init(_ text: TextBuffer) { self.text = text }

    public var end: ByteOffset { text.end }

    /// The byte at a position; a line feed at the end of the text.
    public mutating func byte(at place: ByteOffset) -> UInt8 {
        let index = place.rawValue - start
        if index >= 0, index < bytes.count { return bytes[index] }
        guard place < text.end, place >= 0, let (chunk, first) = text.rope.chunk(at: place.rawValue) else {
            return 0x0A
        }
        (bytes, start) = (chunk.bytes, first)
        return bytes[place.rawValue - first]
    }

    /// Whether a line ends at a position.
    public mutating func isLineEnd(_ place: ByteOffset) -> Bool {
        let byte = byte(at: place)
        if byte == 0x0A { return true }
        return byte == 0x0D && place + 1 < end && self.byte(at: place + 1) == 0x0A
    }

    /// Whether a line starts at a position.
    public mutating func isLineStart(_ place: ByteOffset) -> Bool { place <= 0 || byte(at: place - 1) == 0x0A }

    /// Whether a line starts and ends at a position.
    public mutating func isEmptyLine(_ place: ByteOffset) -> Bool { isLineStart(place) && isLineEnd(place) }

    /// Whether a space or a tab is at a position.
    public mutating func isBlank(_ place: ByteOffset) -> Bool {
        let byte = byte(at: place)
        return byte == 0x20 || byte == 0x09
    }

    /// The position after the character at `place`; at the end of the text, that end.
    public mutating func next(_ place: ByteOffset) -> ByteOffset {
        if place >= end { return end }
        if byte(at: place) < 0x80, byte(at: place) != 0x0D, place + 1 >= end || byte(at: place + 1) < 0x80 {
            return place + 1
        }
        return text.characterEnd(after: place)
    }

    /// The position of the character before `place`; at the start of the text, that start.
    public mutating func previous(_ place: ByteOffset) -> ByteOffset {
        if place <= 0 { return 0 }
        if byte(at: place - 1) < 0x80, byte(at: place - 1) != 0x0A { return place - 1 }
        return text.characterStart(before: place)
    }

    /// The scalar that starts at a position; a line feed at the end of a line.
    public mutating func scalar(at place: ByteOffset) -> UInt32 {
        let first = byte(at: place)
        if first < 0x80 { return isLineEnd(place) ? 0x0A : UInt32(first) }
        let length = Clusters.scalarLength(first)
        var value = UInt32(first) & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
        for index in 1..<length { value = value << 6 | UInt32(byte(at: place + index) & 0x3F) }
        return value
    }

    /// The start of the line around a position.
    public mutating func lineStart(_ place: ByteOffset) -> ByteOffset { text.lineStart(text.lineNumber(at: place)) }
    /// The end of the line around a position.
    public mutating func lineEnd(_ place: ByteOffset) -> ByteOffset { text.lineEnd(text.lineNumber(at: place)) }
}

/// What a step of a `TextReader` reached.
public enum TextStep {
    /// A character of the same line.
    case character
    /// The end of the line.
    case lineEnd
    /// The next line, or the previous one.
    case line
    /// Nothing: there is no more text.
    case stopped
}

extension TextReader {
    /// Moves one position forward; the end of a line is a position.
    public mutating func step(_ place: inout ByteOffset) -> TextStep {
        if place >= end { return .stopped }
        let wasLineEnd = isLineEnd(place)
        place = next(place)
        return wasLineEnd ? .line : isLineEnd(place) ? .lineEnd : .character
    }

    /// Moves one position back; the end of a line is a position.
    public mutating func stepBack(_ place: inout ByteOffset) -> TextStep {
        if place <= 0 { return .stopped }
        let wasLineStart = isLineStart(place)
        place = previous(place)
        return wasLineStart ? .line : .character
    }

    /// Moves to the next character, skipping the end of a line unless the next line is empty.
    @discardableResult
    public mutating func stepOver(_ place: inout ByteOffset) -> TextStep {
        let step = step(&place)
        if step == .lineEnd || step == .line, isLineEnd(place), !isLineStart(place) {
            return self.step(&place)
        }
        return step
    }

    /// Moves to the previous character, skipping the end of a line unless that line is empty.
    @discardableResult
    public mutating func stepOverBack(_ place: inout ByteOffset) -> TextStep {
        let step = stepBack(&place)
        if step == .line, !isLineStart(place) { return stepBack(&place) }
        return step
    }
}
