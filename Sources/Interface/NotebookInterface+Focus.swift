import ViewModel

/// The keyboard focus of the panes, and its consequences.
extension NotebookInterface {
    /// Moves the keyboard focus to a pane; every change of focus goes through here.
    ///
    /// The search field closes, and so does the find bar unless the editor gets the focus. The marks of notes are
    /// removed when the editor gets the focus, so that its text is on the screen and typed text is visible.
    func focus(_ pane: PaneID) {
        // The note beside is shown only for reading, and cannot have the focus.
        let pane = pane == .beside ? .editor : pane
        if pane == .editor { model.clearMarks() }
        if pane != .editor, state.findBar != nil { closeFind() }
        if pane != .editor { vim?.leave() }
        state.searchField = nil
        model.keepHit()
        state.giveKeys(to: pane)
        model.isWriting = pane == .editor
    }

    /// Focuses the editor for a note that was just made: it is written, also where notes are read otherwise.
    func focusNewNote() {
        if state.isPreviewing {
            if state.findBar != nil { closeFind() }
            note.preview.reset()
            state.isPreviewing = false
        }
        focus(.editor)
        vim?.beginTyping()
    }

    /// Opens the search field, which belongs to the list, and focuses it.
    func focusSearchField() {
        focus(.list)
        state.searchField = LineField(model.noteSearchText)
        model.prepareSearch()
    }

    /// The text shown in the editor pane; typed text goes only into this one.
    var textOnScreen: EditorSession? { model.showMultiNoteView ? nil : model.session }

    /// Whether a text is open and shown, so that the user can write in it.
    var canWrite: Availability {
        guard model.session != nil else { return .unavailable(Texts.noNoteOpen) }
        return .when(
            textOnScreen != nil, else: Texts.notesAreMarked(unmark: keyLabel(for: "cursor.leave", in: .list)))
    }

    /// Whether the text on the screen can be changed at the caret; while it is read, nobody sees the caret.
    var canEdit: Availability {
        when(
            canWrite, model.canChangeText,
            .when(!state.isPreviewing, else: Texts.isRead(write: keyLabel(for: "note.preview", in: .preview))))
    }

    /// Closes the search field when a command has ended its search by opening a note elsewhere.
    func leaveEndedSearch() {
        if state.searchField?.text.isEmpty == false, model.noteSearchText.isEmpty { focus(.list) }
    }

    /// Moves the focus to the text that a command of the palette has changed while another pane had the focus: it is
    /// seen there also on a small screen, and can be undone.
    func goToText(of session: EditorSession?, changedSince revision: Int?) {
        guard let session, session === textOnScreen, session.textRevision != revision, overlays.isEmpty,
            state.focus != .editor
        else { return }
        focus(.editor)
    }

    /// Moves the focus to the list when the marked notes are shown instead of the text.
    func leaveHiddenText() {
        if state.focus == .editor, model.showMultiNoteView { focus(.list) }
    }
}
