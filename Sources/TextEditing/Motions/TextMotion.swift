/// How much of the text between two places belongs to a motion, for what acts on it.
public enum SpanKind: Hashable, Codable, Sendable {
    /// The characters from the first place up to the second.
    case exclusive
    /// The same, and the character at the second place.
    case inclusive
    /// The whole lines of both places, and all between them.
    case lines
}

/// A part of a text, and how it is taken.
public struct TextSpan: Hashable, Sendable {
    /// The bytes; whole lines without the line break of the last one.
    public var range: Range<ByteOffset>
    public var kind: SpanKind

    public init(_ range: Range<ByteOffset>, _ kind: SpanKind = .exclusive) {
        self.range = range
        self.kind = kind
    }
}

/// A motion as a value: a function of a text, a place in it and a count, which knows no caret, screen or history.
public struct TextMotion: Sendable {
    /// Where the motion leads from a place when it is made `count` times, at least once; nil where it leads nowhere.
    public typealias Function = @Sendable (_ text: TextBuffer, _ place: ByteOffset, _ count: Int) -> ByteOffset?

    /// What belongs to the motion, for an operator.
    public let kind: SpanKind
    private let function: Function

    public init(_ kind: SpanKind, _ function: @escaping Function) {
        self.kind = kind
        self.function = function
    }

    /// A motion that is made several times by making it once after the other, as far as it goes.
    public init(stepwise kind: SpanKind, _ step: @escaping @Sendable (TextBuffer, ByteOffset) -> ByteOffset) {
        self.init(kind) { text, place, count in
            var place = place
            for _ in 0..<count {
                let next = step(text, place)
                if next == place { break }
                place = next
            }
            return place
        }
    }

    /// Where the motion leads from a place of a text; nil where it leads nowhere.
    public func target(in text: TextBuffer, from place: ByteOffset, count: Int = 1) -> ByteOffset? {
        function(text, place, count)
    }

    /// What lies between a place and where the motion leads; nil where it leads nowhere.
    public func span(in text: TextBuffer, from place: ByteOffset, count: Int = 1) -> TextSpan? {
        guard let target = function(text, place, count) else { return nil }
        let range = min(place, target)..<max(place, target)
        switch kind {
        case .exclusive: return TextSpan(range)
        case .inclusive: return TextSpan(range.lowerBound..<text.characterEnd(after: range.upperBound), .inclusive)
        case .lines:
            let lines = text.lineNumber(at: range.lowerBound)...text.lineNumber(at: range.upperBound)
            return TextSpan(text.range(of: lines), .lines)
        }
    }
}

// MARK: - The motions of the editor

extension TextMotion {
    /// To the previous or next character.
    public static let left = TextMotion(stepwise: .exclusive) { $0.characterStart(before: $1) }
    public static let right = TextMotion(stepwise: .exclusive) { $0.characterEnd(after: $1) }
    /// To the start of this or the previous word, to the end of this or the next.
    public static let wordLeft = TextMotion(stepwise: .exclusive) { $0.wordStart(before: $1) }
    public static let wordRight = TextMotion(stepwise: .exclusive) { $0.wordEnd(after: $1) }
    /// To the bounds of the line.
    public static let lineStart = TextMotion(.exclusive) { text, place, _ in
        text.lineStart(text.lineNumber(at: place))
    }
    public static let lineEnd = TextMotion(.exclusive) { text, place, _ in text.lineEnd(text.lineNumber(at: place)) }
    /// To the line's first character that is no space, or, when there, to its start.
    public static let smartLineStart = TextMotion(.exclusive) { text, place, _ in
        let line = text.lineNumber(at: place)
        let indent = text.indentEnd(of: line)
        return place == indent ? text.lineStart(line) : indent
    }
    /// To the previous or next blank line, past the paragraph.
    public static let paragraphUp = TextMotion(stepwise: .exclusive) { $0.paragraphStart(before: $1) }
    public static let paragraphDown = TextMotion(stepwise: .exclusive) { $0.paragraphEnd(after: $1) }
    /// To the bounds of the text.
    public static let textStart = TextMotion(.exclusive) { _, _, _ in 0 }
    public static let textEnd = TextMotion(.exclusive) { text, _, _ in text.end }

    /// The motion as what deletes backwards takes it: not past the start of the line, and from there the line break
    /// alone.
    public var backToLineStart: TextMotion {
        TextMotion(.exclusive) { text, place, count in
            let start = text.lineStart(text.lineNumber(at: place))
            if place == start { return text.characterStart(before: place) }
            return target(in: text, from: place, count: count).map { max($0, start) }
        }
    }

    /// The motion as what deletes forwards takes it: not past the end of the line, and from there the line break alone.
    public var onToLineEnd: TextMotion {
        TextMotion(.exclusive) { text, place, count in
            let end = text.lineEnd(text.lineNumber(at: place))
            if place == end { return text.characterEnd(after: place) }
            return target(in: text, from: place, count: count).map { min($0, end) }
        }
    }
}
