import NoteStore
import TextEditing

/// Changes by other programs, and by commands on the whole notebook, that affect the open note.
extension TakeNoteVM {
    /// Updates the open note from the notebook: its row, and its text if that changed elsewhere.
    ///
    /// It stays the open note even if it was moved or deleted.
    func refreshOpenNote() throws {
        guard let open = openNote else { return }
        guard let row = try notebook.notes.row(open.id) else {
            guard self.open.recordDeletion() else { return }
            return say(Texts.deletedElsewhere(open.title), kind: .trouble)
        }
        if row.place == .trash, open.place != .trash {
            sayNews(Texts.trashedElsewhere(row.title), kind: .refused)
        }
        self.open.update(row)
        reloadBacklinks()
        if let session, row.revision != session.stored.revision { readText(of: row, into: session) }
    }

    /// Updates a session with the text that changed in the notebook, unless the session has unsaved text.
    ///
    /// Long texts are read and compared in the background; text typed in the meantime is merged when it is saved.
    func readText(of row: NoteRow, into session: EditorSession) {
        guard !saver.isSaving(session), !session.isComparing else { return }
        let snapshot = session.buffer
        let (notebook, revision) = (notebook, session.textRevision)
        guard max(row.size, snapshot.utf8Count) > Self.quicklyCompared else {
            attempt(Texts.Attempt.read(row.title)) {
                guard let text = try notebook.notes.text(row.id) else { return }
                session.take(OutsideText(text, from: snapshot), row: row)
            }
            return
        }
        session.isComparing = true
        inBackground {
            Result { try notebook.notes.text(row.id).map { OutsideText($0, from: snapshot) } }
        } then: { [weak self, weak session] result in
            guard let self, let session else { return }
            session.isComparing = false
            attempt(Texts.Attempt.read(row.title)) {
                if let text = try result.get(), session.textRevision == revision, !saver.isSaving(session) {
                    session.take(text, row: row)
                }
                // The note may have changed again, or the user may have typed in it.
                try refreshOpenNote()
                try refreshNoteBeside(byAnother: true)
            }
        }
    }

    /// The size in bytes up to which texts are compared at once, which takes a millisecond or two.
    static let quicklyCompared = 32 << 10
}
