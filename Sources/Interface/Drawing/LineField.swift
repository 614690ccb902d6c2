import TextEditing

/// A one-line text input with its caret.
struct LineField: Equatable, Sendable {
    private(set) var text: String
    private(set) var caret: String.Index
    /// Whether the whole text is selected, with the caret at its end: the next typing or deletion replaces it.
    private(set) var isSelected = false

    init(_ text: String = "") {
        self.text = text
        caret = text.endIndex
    }

    /// The text left of the caret.
    var head: Substring { text[..<caret] }

    mutating func selectAll() {
        moveToEnd()
        isSelected = !text.isEmpty
    }

    /// Inserts a text at the caret, or replaces the selection; line breaks become spaces, since this is one line.
    mutating func insert(_ typed: String) {
        removeSelected()
        let line = typed.split(whereSeparator: \.isNewline).joined(separator: " ")
        let end = text.utf8.distance(from: text.startIndex, to: caret) + line.utf8.count
        text.insert(contentsOf: line, at: caret)
        // Counting the characters before the caret would make the work for a long text quadratic.
        let position = text.utf8.index(text.startIndex, offsetBy: end)
        caret = position < text.endIndex ? text.boundary(atOrAfter: position) : position
    }

    /// Moves the caret or deletes text; actions without a meaning in one line do nothing.
    ///
    /// A motion starts at the caret, whatever is selected; a deletion removes the selection, if there is one.
    mutating func perform(_ action: EditingAction) {
        let buffer = TextBuffer(text)
        let position = ByteOffset(text.utf8.distance(from: text.startIndex, to: caret))
        switch action {
        case .move(let motion):
            guard let target = motion.inText?.target(in: buffer, from: position) else { return }
            caret = text.utf8.index(text.startIndex, offsetBy: target.rawValue)
            isSelected = false
        case .delete(let deletion):
            guard !removeSelected(), let span = deletion.motion.span(in: buffer, from: position) else { return }
            text = buffer.string(in: 0..<span.range.lowerBound) + buffer.string(in: span.range.upperBound..<buffer.end)
            caret = text.utf8.index(text.startIndex, offsetBy: span.range.lowerBound.rawValue)
        default: break
        }
    }

    mutating func moveToEnd() { moveCaret(to: text.endIndex) }

    mutating func moveCaret(to index: String.Index) {
        caret = index
        isSelected = false
    }

    /// Removes the selection, and returns whether there was one.
    @discardableResult
    private mutating func removeSelected() -> Bool {
        guard isSelected else { return false }
        self = LineField()
        return true
    }
}

extension String {
    /// Returns the first character boundary at or after an index: the text after the index may combine with the
    /// character before it.
    fileprivate func boundary(atOrAfter position: Index) -> Index {
        let after = index(after: position)
        return index(before: after) == position ? position : after
    }
}
