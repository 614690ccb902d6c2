import TextPrimitives

/// Reads a text character by character, keeping the piece that it reads in.
///
/// The end of a line is a place like any other: where its line break stands, or the end of the text. Costs some
/// nanoseconds a character.
public struct TextReader {
    public let text: TextBuffer
    private var bytes: ContiguousArray<UInt8> = []
    private var start = 0

    public init(_ text: TextBuffer) { self.text = text }

    public var end: ByteOffset { text.end }

    /// The byte at a place; a line feed at the end of the text.
    public mutating func byte(at place: ByteOffset) -> UInt8 {
        let index = place.rawValue - start
        if index >= 0, index < bytes.count { return bytes[index] }
        guard place < text.end, place >= 0, let (chunk, first) = text.rope.chunk(at: place.rawValue) else {
            return 0x0A
        }
        (bytes, start) = (chunk.bytes, first)
        return bytes[place.rawValue - first]
    }

    /// Whether a line ends at a place.
    public mutating func isLineEnd(_ place: ByteOffset) -> Bool {
        let byte = byte(at: place)
        if byte == 0x0A { return true }
        return byte == 0x0D && place + 1 < end && self.byte(at: place + 1) == 0x0A
    }

    /// Whether a line starts at a place.
    public mutating func isLineStart(_ place: ByteOffset) -> Bool { place <= 0 || byte(at: place - 1) == 0x0A }

    /// Whether a line starts and ends at a place.
    public mutating func isEmptyLine(_ place: ByteOffset) -> Bool { isLineStart(place) && isLineEnd(place) }

    /// Whether a space or a tab stands at a place.
    public mutating func isBlank(_ place: ByteOffset) -> Bool {
        let byte = byte(at: place)
        return byte == 0x20 || byte == 0x09
    }

    /// The place after the character at `place`; the end of the text at its end.
    public mutating func next(_ place: ByteOffset) -> ByteOffset {
        if place >= end { return end }
        if byte(at: place) < 0x80, byte(at: place) != 0x0D, place + 1 >= end || byte(at: place + 1) < 0x80 {
            return place + 1
        }
        return text.characterEnd(after: place)
    }

    /// The place of the character before `place`; the start of the text at its start.
    public mutating func previous(_ place: ByteOffset) -> ByteOffset {
        if place <= 0 { return 0 }
        if byte(at: place - 1) < 0x80, byte(at: place - 1) != 0x0A { return place - 1 }
        return text.characterStart(before: place)
    }

    /// The scalar that begins at a place; a line feed at the end of a line.
    public mutating func scalar(at place: ByteOffset) -> UInt32 {
        let first = byte(at: place)
        if first < 0x80 { return isLineEnd(place) ? 0x0A : UInt32(first) }
        let length = Clusters.scalarLength(first)
        var value = UInt32(first) & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
        for index in 1..<length { value = value << 6 | UInt32(byte(at: place + index) & 0x3F) }
        return value
    }

    /// The start of the line around a place.
    public mutating func lineStart(_ place: ByteOffset) -> ByteOffset { text.lineStart(text.lineNumber(at: place)) }
    /// The end of the line around a place.
    public mutating func lineEnd(_ place: ByteOffset) -> ByteOffset { text.lineEnd(text.lineNumber(at: place)) }
}

/// A step of a `TextReader`, and what it came by.
public enum TextStep {
    /// A character of the same line.
    case character
    /// The end of the line.
    case lineEnd
    /// The next line, or the one before.
    case line
    /// Nothing: the text is at its end.
    case stopped
}

extension TextReader {
    /// Goes one place on, the end of a line being a place.
    public mutating func step(_ place: inout ByteOffset) -> TextStep {
        if place >= end { return .stopped }
        let wasLineEnd = isLineEnd(place)
        place = next(place)
        return wasLineEnd ? .line : isLineEnd(place) ? .lineEnd : .character
    }

    /// Goes one place back, the end of a line being a place.
    public mutating func stepBack(_ place: inout ByteOffset) -> TextStep {
        if place <= 0 { return .stopped }
        let wasLineStart = isLineStart(place)
        place = previous(place)
        return wasLineStart ? .line : .character
    }

    /// Goes to the next character, passing over the end of a line unless the next line is empty.
    @discardableResult
    public mutating func stepOver(_ place: inout ByteOffset) -> TextStep {
        let step = step(&place)
        if step == .lineEnd || step == .line, isLineEnd(place), !isLineStart(place) {
            return self.step(&place)
        }
        return step
    }

    /// Goes to the character before, passing over the end of a line unless that line is empty.
    @discardableResult
    public mutating func stepOverBack(_ place: inout ByteOffset) -> TextStep {
        let step = stepBack(&place)
        if step == .line, !isLineStart(place) { return stepBack(&place) }
        return step
    }
}
