extension TextEditor {
    /// Deletes the selection, or the character before the caret.
    @discardableResult
    public mutating func deleteBackward() -> Edit? {
        delete(from: buffer.characterStart(before: caret), to: caret, kind: .deleting)
    }

    /// Deletes the selection, or the character after the caret.
    @discardableResult
    public mutating func deleteForward() -> Edit? {
        delete(from: caret, to: buffer.characterEnd(after: caret), kind: .deleting)
    }

    /// Deletes the selection, or back to the start of the word.
    @discardableResult
    public mutating func deleteWordBackward() -> Edit? {
        delete(from: buffer.wordStart(before: caret), to: caret, kind: .command)
    }

    /// Deletes the selection, or on to the end of the word.
    @discardableResult
    public mutating func deleteWordForward() -> Edit? {
        delete(from: caret, to: buffer.wordEnd(after: caret), kind: .command)
    }

    /// Deletes the selection, or back to the start of the line; at the start, the line break before it.
    @discardableResult
    public mutating func deleteToLineStart() -> Edit? {
        let start = buffer.lineStart(buffer.lineNumber(at: caret))
        return delete(from: start == caret ? buffer.characterStart(before: caret) : start, to: caret, kind: .command)
    }

    /// Deletes the selection, or on to the end of the line; at the end, the line break after it.
    @discardableResult
    public mutating func deleteToLineEnd() -> Edit? {
        let end = buffer.lineEnd(buffer.lineNumber(at: caret))
        return delete(from: caret, to: end == caret ? buffer.characterEnd(after: caret) : end, kind: .command)
    }

    private mutating func delete(from start: ByteOffset, to end: ByteOffset, kind: EditKind) -> Edit? {
        if !selection.isEmpty { return replace(selection.range, with: "", kind: .command) }
        return replace(start..<end, with: "", kind: kind)
    }
}
