import NoteStore
import TextEditing

/// What the user did that opens a note.
///
/// Nothing else opens one: no reading anew, no ranking of hits, no move, no change from outside.
enum OpeningAct {
    /// The note itself was chosen: in the list, by Enter on a hit, by a link, by its name, by making it, by going back.
    case choice
    /// The list was chosen or changed by a command of the user, and its cursor stands on the note now.
    ///
    /// While the text has the keys, the open note stays.
    case listChange
    /// The note is the selected hit of what is being typed into the search field.
    ///
    /// It opens only as long as what is typed goes there.
    case searching
}

/// The doors through which a note comes into the editor.
extension TakeNoteVM {
    /// Opens the note that the list's cursor is on, or none in an empty list, as far as the act of the user asks for it.
    func openNoteUnderCursor(by act: OpeningAct) {
        if let note = noteUnderCursor { open(note, by: act) } else if opens(act) { closeNote() }
    }

    /// Puts a note into the editor; the one before is saved, and can be come back to with its undo history.
    func open(_ note: NoteRow, by act: OpeningAct) {
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

    private func opens(_ act: OpeningAct) -> Bool {
        switch act {
        case .choice: true
        case .listChange: !isWriting
        case .searching: !isWriting && search.followsHits
        }
    }

    /// Opens the next note of the list after a command of the user has taken the open one away from it.
    ///
    /// - Parameter notes: those that the command acted on.
    func stepOn(from notes: [NoteID]) {
        guard let id = openNote?.id, notes.contains(id) else { return }
        guard !search.isActive else { return search.noteTakenAway(id) }
        if list.notes.index(of: id) == nil { openNoteUnderCursor(by: .listChange) }
    }

    func closeNote() {
        if leaveNote() { attempt(Texts.Attempt.readNotebook) { try reloadLists() } }
        reloadBacklinks()
    }

    /// Leaves the open note: it is saved behind the scenes, and its session is kept for a while.
    ///
    /// - Returns: whether it was removed, so that the lists are to be read anew.
    private func leaveNote() -> Bool {
        if removeUntouchedNote() { return true }
        guard let left = open.leave() else { return false }
        saver.noteLeft(left)
        open.forgetOldSessions { $0.saveState == .saved && !saver.isBusy(with: $0) }
        return false
    }

    /// Removes the open note if it was made a moment ago and nothing was done with it: empty notes would pile up.
    ///
    /// One that cannot be removed now stays, which loses nothing.
    ///
    /// - Returns: whether it was removed.
    @discardableResult
    func removeUntouchedNote() -> Bool {
        guard let made = open.made, let session, session.noteID == made.id, session.isUntouched, backlinks.isEmpty,
            !copied.ids.contains(made.id), (try? notebook.notes.discard(made)) == true  // it stays, see above
        else { return false }
        open.drop()
        return true
    }

    /// The session of a note: the one that its text is being saved from, else the one it was left in if the text is still
    /// the same, else a new one.
    ///
    /// A note has one at a time, so that nothing that was typed is in a text that nobody sees.
    private func session(for note: NoteRow) throws -> EditorSession {
        if let known = open.takeSession(of: note.id),
            known.stored.revision == note.revision || known.saveState != .saved || saver.isBusy(with: known)
        {
            return known
        }
        let text = try notebook.notes.text(note.id) ?? ""
        return EditorSession(
            note: note, text: text, history: history(of: note, text: text), configuration: configuration,
            scheduler: scheduler, hasMoreToRead: { [weak self] in self?.readAhead() }
        ) { [saver, weak self] session, edit in
            saver.textChanged(in: session, by: edit)
            self?.readAhead()
        }
    }

    /// The undo history that was kept for this very text, else an empty one.
    private func history(of note: NoteRow, text: String) -> UndoHistory {
        // Less to undo; the note opens all the same.
        guard let data = try? notebook.notes.undoHistory(of: note.id, text: text),
            let history = UndoHistory(encoded: data)
        else { return UndoHistory() }
        return history
    }

    /// Has the open text highlighted to its end, a little in each idle moment.
    ///
    /// What is looked for is waited for: there the moments follow each other with hardly a pause.
    private func readAhead() {
        readAheadTimer?.cancel()
        let pause = session?.isSearching == true ? 1 : 50
        readAheadTimer = scheduler.schedule(after: .milliseconds(pause)) { [weak self] in
            guard let self, session?.readAhead() == true else { return }
            readAhead()
        }
    }
}
