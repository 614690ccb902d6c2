import TextEditing

/// Several carets in the text; every key that types, deletes or moves does so at each of them.
extension EditorSession {
    /// Adds a caret in the row above the first one, or below the last one; false where the text has no such row.
    public func addCaret(below: Bool) -> Bool {
        let isAdded = editor.addCaret(below: below, layout: &layout)
        revealCaret()
        return isAdded
    }

    /// Selects the word at the caret, or adds a caret at the next occurrence of the selected text.
    public func addCaretAtNextMatch() -> TextEditor.AddedMatches {
        defer { revealCaret() }
        return editor.addCaretAtNextMatch()
    }

    /// Selects every occurrence of the selected text, or of the word at the caret.
    public func putCaretsAtAllMatches() -> TextEditor.AddedMatches {
        defer { revealCaret() }
        return editor.putCaretsAtAllMatches()
    }

    /// Puts a caret at the end of every selected line.
    public func putCaretsAtLineEnds() {
        editor.putCaretsAtLineEnds()
        revealCaret()
    }

    /// Removes all carets but the main one, which the pane scrolls to.
    public func leaveOneCaret() {
        editor.leaveOneCaret()
        revealCaret()
    }

    /// The number of carets.
    public var caretCount: Int {
        _ = revision
        return editor.otherSelections.count + 1
    }

    /// Whether there are carets besides the main one.
    ///
    /// It is not observed, since code that draws the carets observes `revision`.
    public var hasOtherCarets: Bool { editor.hasSeveralCarets }

    /// The selections of the other carets that overlap or touch a range.
    public func otherSelections(touching range: Range<ByteOffset>) -> [Selection] {
        editor.otherSelections(touching: range)
    }

    /// Updates `hasSeveralCarets`, which panes observe.
    func updateSeveralCarets() {
        if hasSeveralCarets != editor.hasSeveralCarets { hasSeveralCarets = editor.hasSeveralCarets }
    }
}
