/// A caret, or the range between the anchor of a selection and its caret.
public struct Selection: Hashable, Codable, Sendable {
    /// The end at which the selection was begun; equal to `head` if nothing is selected.
    public var anchor: ByteOffset
    /// The caret.
    public var head: ByteOffset

    /// A selection from `anchor` to the caret at `head`.
    public init(anchor: ByteOffset, head: ByteOffset) {
        self.anchor = anchor
        self.head = head
    }

    /// A caret without selected text.
    public init(_ caret: ByteOffset) { self.init(anchor: caret, head: caret) }

    /// A selection of `range` with the caret at its end.
    public init(_ range: Range<ByteOffset>) { self.init(anchor: range.lowerBound, head: range.upperBound) }

    /// Whether nothing is selected.
    public var isEmpty: Bool { anchor == head }
    /// Whether the caret is before the anchor.
    public var isReversed: Bool { head < anchor }
    /// The selected range.
    public var range: Range<ByteOffset> { min(anchor, head)..<max(anchor, head) }
}
