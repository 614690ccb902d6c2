/// The part of the text between two positions that an operator applies to.
public enum SpanKind: Hashable, Codable, Sendable {
    /// The characters from the first position up to the second.
    case exclusive
    /// The same, and the character at the second position.
    case inclusive
    /// The whole lines of both positions, and all lines between them.
    case lines
}

/// A range of a text, and its kind.
public struct TextSpan: Hashable, Sendable {
    /// The range; for whole lines without the line break of the last one.
    public var range: Range<ByteOffset>
    public var kind: SpanKind

    public init(_ range: Range<ByteOffset>, _ kind: SpanKind = .exclusive) {
        self.range = range
        self.kind = kind
    }
}

/// A motion as a function of a text, a position and a count, independent of caret, screen and history.
public struct TextMotion: Sendable {
    /// Returns the target of the motion from a position, made `count` times (at least 1); nil if there is none.
    public typealias Function = @Sendable (_ text: TextBuffer, _ position: ByteOffset, _ count: Int) -> ByteOffset?

    /// The part of the text that an operator applies to.
    public let kind: SpanKind
    private let function: Function

    public init(_ kind: SpanKind, _ function: @escaping Function) {
        self.kind = kind
        self.function = function
    }

    /// Creates a motion that is repeated step by step, as far as possible.
    public init(stepwise kind: SpanKind, _ step: @escaping @Sendable (TextBuffer, ByteOffset) -> ByteOffset) {
        self.init(kind) { text, position, count in
            var position = position
            for _ in 0..<count {
                let next = step(text, position)
                if next == position { break }
                position = next
            }
            return position
        }
    }

    /// The target of the motion from a position of a text; nil if there is none.
    public func target(in text: TextBuffer, from position: ByteOffset, count: Int = 1) -> ByteOffset? {
        function(text, position, count)
    }

    /// The span between a position and the target of the motion; nil if there is no target.
    public func span(in text: TextBuffer, from position: ByteOffset, count: Int = 1) -> TextSpan? {
        guard let target = function(text, position, count) else { return nil }
        let range = min(position, target)..<max(position, target)
        switch kind {
        case .exclusive: return TextSpan(range)
        case .inclusive: return TextSpan(range.lowerBound..<text.characterEnd(after: range.upperBound), .inclusive)
        case .lines:
            let lines = text.lineNumber(at: range.lowerBound)...text.lineNumber(at: range.upperBound)
            return TextSpan(text.range(of: lines), .lines)
        }
    }
}

// MARK: - Editor motions

extension TextMotion {
    /// To the previous or next character.
    public static let left = TextMotion(stepwise: .exclusive) { $0.characterStart(before: $1) }
    public static let right = TextMotion(stepwise: .exclusive) { $0.characterEnd(after: $1) }
    /// To the start of the current or previous word, or to the end of the current or next one.
    public static let wordLeft = TextMotion(stepwise: .exclusive) { $0.wordStart(before: $1) }
    public static let wordRight = TextMotion(stepwise: .exclusive) { $0.wordEnd(after: $1) }
    /// To the bounds of the line.
    public static let lineStart = TextMotion(.exclusive) { text, position, _ in
        text.lineStart(text.lineNumber(at: position))
    }
    public static let lineEnd = TextMotion(.exclusive) { text, position, _ in
        text.lineEnd(text.lineNumber(at: position))
    }
    /// To the line's first character that is not a space; if the position is there already, to the line's start.
    public static let smartLineStart = TextMotion(.exclusive) { text, position, _ in
        let line = text.lineNumber(at: position)
        let indent = text.indentEnd(of: line)
        return position == indent ? text.lineStart(line) : indent
    }
    /// To the previous or next blank line outside the paragraph.
    public static let paragraphUp = TextMotion(stepwise: .exclusive) { $0.paragraphStart(before: $1) }
    public static let paragraphDown = TextMotion(stepwise: .exclusive) { $0.paragraphEnd(after: $1) }
    /// To the bounds of the text.
    public static let textStart = TextMotion(.exclusive) { _, _, _ in 0 }
    public static let textEnd = TextMotion(.exclusive) { text, _, _ in text.end }

    /// The motion for deleting backwards: it stops at the start of the line, and from there goes only over the line
    /// break.
    var backToLineStart: TextMotion {
        TextMotion(.exclusive) { text, position, count in
            let start = text.lineStart(text.lineNumber(at: position))
            if position == start { return text.characterStart(before: position) }
            return target(in: text, from: position, count: count).map { max($0, start) }
        }
    }

    /// The motion for deleting forwards: it stops at the end of the line, and from there goes only over the line break.
    var onToLineEnd: TextMotion {
        TextMotion(.exclusive) { text, position, count in
            let end = text.lineEnd(text.lineNumber(at: position))
            if position == end { return text.characterEnd(after: position) }
            return target(in: text, from: position, count: count).map { min($0, end) }
        }
    }
}
