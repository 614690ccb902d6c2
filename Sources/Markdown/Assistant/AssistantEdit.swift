/// A place in a text: a line and a byte in it, both 0-based.
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

/// What to change for a key that means something special in Markdown, and where the caret is then.
public struct AssistantEdit: Hashable, Sendable {
    public struct Replacement: Hashable, Sendable {
        public var start: LinePosition
        /// Exclusive.
        public var end: LinePosition
        public var text: String
    }

    /// In ascending order, not overlapping, in places of the old text.
    public var replacements: [Replacement] = []
    /// In the new text.
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
