/// A position in a text: a line and a byte offset in it, both counted from 0.
public struct LinePosition: Hashable, Comparable, Sendable {
    public var line: Int
    /// The offset in UTF-8 bytes from the start of the line.
    public var byte: Int

    public init(line: Int, byte: Int) {
        self.line = line
        self.byte = byte
    }

    public static func < (left: LinePosition, right: LinePosition) -> Bool {
        (left.line, left.byte) < (right.line, right.byte)
    }
}

/// The change to make for a key that has a special meaning in Markdown, and the caret position after it.
public struct AssistantEdit: Hashable, Sendable {
    public struct Replacement: Hashable, Sendable {
        public var start: LinePosition
        /// The end of the replaced text, exclusive.
        public var end: LinePosition
        public var text: String
    }

    /// The replacements in ascending order, not overlapping; their positions are those of the old text.
    public var replacements: [Replacement] = []
    /// The caret's position in the new text.
    public var caret: LinePosition
    /// The position of the other end of a selection in the new text; equal to `caret` if nothing is selected.
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
