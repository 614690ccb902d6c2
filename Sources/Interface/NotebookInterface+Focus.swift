import ViewModel

/// Which pane has the keys, and what follows from it.
extension NotebookInterface {
    /// Gives the keys to a pane: the one way in which they go anywhere.
    ///
    /// The search field and the find bar close behind them; to the editor they go only together with its text, so that
    /// nothing is marked and what is typed is seen.
    func focus(_ pane: PaneID) {
        if pane == .editor { model.clearMarks() }
        if pane != .editor, state.findBar != nil { closeFind() }
        state.searchField = nil
        model.keepHit()
        state.giveKeys(to: pane)
        model.isWriting = pane == .editor
    }

    /// Gives the keys to the search field, which is the list's.
    func focusSearchField() {
        focus(.list)
        state.searchField = LineField(model.noteSearchText)
    }

    /// The text that stands in the editor pane: what is typed goes into it or nowhere.
    var textOnScreen: EditorSession? { model.showMultiNoteView ? nil : model.session }

    /// Whether there is a text to write in.
    var canWrite: Availability {
        guard model.session != nil else { return .unavailable(Texts.noNoteOpen) }
        return .when(
            textOnScreen != nil, else: Texts.notesAreMarked(unmark: key(for: "cursor.leave", in: .list)?.label))
    }

    /// Has the list keep the keys when the marked notes have taken the text's place.
    func leaveHiddenText() {
        if state.focus == .editor, model.showMultiNoteView { focus(.list) }
    }
}
