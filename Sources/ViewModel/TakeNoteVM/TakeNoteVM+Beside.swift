import NoteStore

/// A second note, which is shown beside the open one for reading.
///
/// Only the open note can be edited. The note beside has a session of its own among those of the notes left before, or
/// shares the session of the open note if it is the same one. So each note has one text and one way to be saved.
extension TakeNoteVM {
    /// The note that is shown beside the open one.
    public var noteBeside: NoteRow? { open.beside }

    /// The text of the note that is shown beside the open one.
    public var sessionBeside: EditorSession? {
        guard let beside = open.beside else { return nil }
        return session?.noteID == beside.id ? session : open.keptSession(of: beside.id)
    }

    /// Shows a note beside the open one.
    public func showBeside(_ note: NoteRow) {
        attempt(Texts.Attempt.open(note.title)) {
            if session?.noteID != note.id { open.keep(try session(for: note)) }
            open.show(beside: note)
        }
    }

    public func closeBeside() { open.show(beside: nil) }

    /// Opens the note beside, and shows the one that was open beside it.
    ///
    /// - Returns: whether the note that was beside is open now.
    public func exchangeWithNoteBeside() -> Bool {
        guard let beside = open.beside else { return false }
        guard beside.id != openNote?.id else { return true }
        var isOpen = false
        attempt(Texts.Attempt.open(beside.title)) {
            guard let row = try notebook.notes.row(beside.id) else {
                open.show(beside: nil)
                return say(Texts.noteIsGone, kind: .refused)
            }
            let left = openNote
            if noteList.index(of: row.id) == nil { open(row, by: .choice) } else { onNoteSelect(row) }
            isOpen = openNote?.id == row.id
            guard isOpen else { return }
            // A note that was created but never used is removed when it is left.
            open.show(beside: left.flatMap { open.keptSession(of: $0.id) == nil ? nil : $0 })
        }
        return isOpen
    }

    /// Updates the note beside from the notebook, as the open one is.
    ///
    /// - Parameter byAnother: whether another program changed the notebook; the user's own changes need no message.
    func refreshNoteBeside(byAnother: Bool) throws {
        guard let beside = open.beside else { return }
        guard let row = try notebook.notes.row(beside.id) else {
            // The open note stays even if another program deletes it; a note that is only read is closed.
            guard beside.id != openNote?.id else { return }
            open.show(beside: nil)
            if byAnother { sayNews(Texts.besideDeleted(beside.title), kind: .refused) }
            return
        }
        if byAnother, row.place == .trash, beside.place != .trash, row.id != openNote?.id {
            sayNews(Texts.besideTrashed(row.title), kind: .refused)
        }
        open.show(beside: row)
        guard let session = sessionBeside, session !== self.session, row.revision != session.stored.revision else {
            return
        }
        readText(of: row, into: session)
    }
}
