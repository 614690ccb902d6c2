extension TextEditor {
    /// Deletes the selection, or the character before the caret.
    @discardableResult
    public mutating func deleteBackward() -> Edit? {
        if selection.isEmpty, openPairs.last == caret, isInsideEmptyPair {
            // Both halves of a pair that was just typed go together.
            openPairs.removeLast()
            return replace(caret - 1..<caret + 1, with: "", kind: .deleting)
        }
        return delete(from: buffer.characterStart(before: caret), to: caret, kind: .deleting)
    }

    /// Deletes the selection, or the character after the caret.
    @discardableResult
    public mutating func deleteForward() -> Edit? {
        delete(from: caret, to: buffer.characterEnd(after: caret), kind: .deleting)
    }

    /// Deletes the selection, or back to the start of the word; a line's indent or the break before it for itself.
    @discardableResult
    public mutating func deleteWordBackward() -> Edit? {
        let start = buffer.lineStart(buffer.lineNumber(at: caret))
        let target = start == caret ? buffer.characterStart(before: caret) : max(start, buffer.wordStart(before: caret))
        return delete(from: target, to: caret, kind: .command)
    }

    /// Deletes the selection, or on to the end of the word; the line break at the end of a line for itself.
    @discardableResult
    public mutating func deleteWordForward() -> Edit? {
        let end = buffer.lineEnd(buffer.lineNumber(at: caret))
        let target = end == caret ? buffer.characterEnd(after: caret) : min(end, buffer.wordEnd(after: caret))
        return delete(from: caret, to: target, kind: .command)
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
