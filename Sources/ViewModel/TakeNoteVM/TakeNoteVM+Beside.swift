import NoteStore

/// A second note, which is read beside the open one.
///
/// Only the open note is written. The note beside has a session of its own among those of the notes that were left, or
/// shares that of the open note if it is the same one, so that there is one text of each note and one way to save it.
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
            // A note that was made and never used is gone now that it was left.
            open.show(beside: left.flatMap { open.keptSession(of: $0.id) == nil ? nil : $0 })
        }
        return isOpen
    }

    /// Updates the note beside from the notebook, as the open one is.
    ///
    /// - Parameter byAnother: whether another program changed the notebook; what the user did here is known.
    func refreshNoteBeside(byAnother: Bool) throws {
        guard let beside = open.beside else { return }
        guard let row = try notebook.notes.row(beside.id) else {
            // The open note stays, whatever another program does; one that is only read goes.
            guard beside.id != openNote?.id else { return }
            open.show(beside: nil)
            if byAnother { say(Texts.besideDeleted(beside.title), kind: .refused) }
            return
        }
        if byAnother, row.place == .trash, beside.place != .trash, row.id != openNote?.id {
            say(Texts.besideTrashed(row.title), kind: .refused)
        }
        open.show(beside: row)
        guard let session = sessionBeside, session !== self.session, row.revision != session.stored.revision else {
            return
        }
        readText(of: row, into: session)
    }
}
