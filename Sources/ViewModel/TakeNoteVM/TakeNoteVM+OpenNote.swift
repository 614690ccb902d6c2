import NoteStore
import TextEditing

/// A user action that opens a note.
///
/// Only these open a note: a reload, a ranking of hits, a move or a change from outside never does.
enum OpeningCause {
    /// The user chose the note: in the list, as a hit, by a link, by its name, by creating it, by going back.
    case choice
    /// The user chose or changed the list, and its cursor is now on the note.
    ///
    /// While the text has the focus, the open note stays.
    case listChange
    /// The note is the selected hit of the text being typed into the search field.
    ///
    /// It opens only while the typed text goes into that field.
    case searching
}

/// The functions that open a note in the editor.
extension TakeNoteVM {
    /// Opens the note under the list's cursor, or closes the open one if the list is empty, if the action calls for it.
    func openNoteUnderCursor(by act: OpeningCause) {
        if let note = noteUnderCursor { open(note, by: act) } else if opens(act) { closeNote() }
    }

    /// Opens a note in the editor; the previous one is saved, and keeps its undo history for a return to it.
    func open(_ note: NoteRow, by act: OpeningCause) {
        guard opens(act) else { return }
        if act == .choice { search.keepHit() }
        guard open.row?.id != note.id || session == nil else { return open.update(note) }
        attempt(Texts.Attempt.open(note.title)) {
            let next = try session(for: note)
            session?.hideHits()
            let isRemoved = leaveNote()
            open.show(note, in: next)
            if isRemoved { try reloadLists() }
            showHits()
            readAhead()
            reloadBacklinks()
        }
    }

    private func opens(_ act: OpeningCause) -> Bool {
        switch act {
        case .choice: true
        case .listChange: !isWriting
        case .searching: !isWriting && search.followsHits
        }
    }

    /// Opens the note now under the list's cursor after an action of the user has removed the open one from the list.
    ///
    /// - Parameter notes: the notes that the action changed.
    func openNext(from notes: [NoteID]) {
        guard let id = openNote?.id, notes.contains(id) else { return }
        guard !search.isActive else { return search.recordRemoval(id) }
        if list.notes.index(of: id) == nil { openNoteUnderCursor(by: .listChange) }
    }

    func closeNote() {
        if leaveNote() { attempt(Texts.Attempt.readNotebook) { try reloadLists() } }
        reloadBacklinks()
    }

    /// Closes the open note; it is saved in the background, and its session is kept for a while.
    ///
    /// - Returns: whether the note was removed, so that the lists must be read again.
    private func leaveNote() -> Bool {
        if removeUntouchedNote() { return true }
        guard let left = open.leave() else { return false }
        saver.saveClosing(left)
        if left.textRevision > 0 { automaticSummaries.noteLeft(left.noteID) }
        open.forgetOldSessions { $0.saveState == .saved && !saver.isBusy(with: $0) }
        return false
    }

    /// Removes the open note if it was just created and not used, so that empty notes do not accumulate.
    ///
    /// If it cannot be removed now it stays, which loses nothing.
    ///
    /// - Returns: whether it was removed.
    @discardableResult
    func removeUntouchedNote() -> Bool {
        guard let made = open.made, let session, session.noteID == made.id, session.isUntouched, backlinks.isEmpty,
            !copied.ids.contains(made.id), (try? notebook.notes.discard(made)) == true  // on failure it stays
        else { return false }
        if open.beside?.id == made.id { open.show(beside: nil) }
        open.drop()
        history.forget(made.id)
        return true
    }

    /// Returns the session for a note: its kept one if that is unsaved or up to date, otherwise a new one.
    ///
    /// A note has one session at a time, so that typed text is never in a session that is not shown.
    func session(for note: NoteRow) throws -> EditorSession {
        if let known = open.takeSession(of: note.id),
            known.stored.revision == note.revision || known.saveState != .saved || saver.isBusy(with: known)
        {
            return known
        }
        let text = try notebook.notes.text(note.id) ?? ""
        let session = EditorSession(
            note: note, text: text, history: history(of: note, text: text), configuration: configuration,
            scheduler: scheduler, hasMoreToRead: { [weak self] in self?.readAhead() }
        ) { [saver, weak self] session, edit in
            saver.textChanged(in: session, by: edit)
            self?.readAhead()
        }
        session.allowsChange = { [weak self, weak session] in self?.allowsChange(of: session) ?? true }
        return session
    }

    /// The stored undo history for exactly this text, or an empty one.
    private func history(of note: NoteRow, text: String) -> UndoHistory {
        // Without it there is less to undo, but the note opens.
        guard let data = try? notebook.notes.undoHistory(of: note.id, text: text),
            let history = UndoHistory(encoded: data)
        else { return UndoHistory() }
        return history
    }

    /// Highlights the open text to its end, a little in each idle moment.
    ///
    /// While a search waits for its matches, there is almost no pause between these moments.
    private func readAhead() {
        readAheadTimer?.cancel()
        let pause = session?.isSearching == true ? 1 : 50
        readAheadTimer = scheduler.schedule(after: .milliseconds(pause)) { [weak self] in
            guard let self, session?.readAhead() == true else { return }
            readAhead()
        }
    }
}
