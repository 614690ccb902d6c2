/// A position in a text: a line and a byte in it, both 0-based.
public struct LinePosition: Hashable, Comparable, Sendable {
    public var line: Int
    /// Bytes of UTF-8 from the start of the line.
    public var byte: Int

    public init(line: Int, byte: Int) {
        self.line = line
        self.byte = byte
    }

    public static func < (left: LinePosition, right: LinePosition) -> Bool {
        (left.line, left.byte) < (right.line, right.byte)
    }
}

/// The change that a key with a special meaning in Markdown makes, and the caret position after it.
public struct AssistantEdit: Hashable, Sendable {
    public struct Replacement: Hashable, Sendable {
        public var start: LinePosition
        /// Exclusive.
        public var end: LinePosition
        public var text: String
    }

    /// In ascending order and not overlapping; positions are those of the old text.
    public var replacements: [Replacement] = []
    /// A position in the new text.
    public var caret: LinePosition
    /// The other end of a selection, in the new text; equal to `caret` for none.
    public var anchor: LinePosition

    init(caret: LinePosition) {
        self.caret = caret
        anchor = caret
    }

    mutating func replace(_ line: Int, _ range: Range<Int>, with text: String) {
        replacements.append(
            Replacement(
                start: LinePosition(line: line, byte: range.lowerBound),
                end: LinePosition(line: line, byte: range.upperBound), text: text))
    }
}
