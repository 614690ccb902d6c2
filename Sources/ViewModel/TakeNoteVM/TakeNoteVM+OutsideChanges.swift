import NoteStore
import TextEditing

/// What other programs, and commands on the whole notebook, do to the open note.
extension TakeNoteVM {
    /// Brings the open note in line with the notebook: its row, and its text where that changed elsewhere.
    ///
    /// It stays the open note whatever has become of it.
    func refreshOpenNote() throws {
        guard let open = openNote else { return }
        guard let row = try notebook.notes.row(open.id) else {
            guard self.open.noteGone() else { return }
            return say(Texts.deletedElsewhere(open.title), kind: .trouble)
        }
        if row.place == .trash, open.place != .trash {
            say(Texts.trashedElsewhere(row.title), kind: .refused)
        }
        self.open.update(row)
        reloadBacklinks()
        if let session, row.revision != session.stored.revision { takeIn(row, into: session) }
    }

    /// Takes a text that changed in the notebook into its session, when there is nothing of ours to save.
    ///
    /// Long texts are read and compared behind the main actor; what was typed meanwhile is merged when it is saved.
    private func takeIn(_ row: NoteRow, into session: EditorSession) {
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
            // A text that cannot be read now is read at the next change; the screen keeps what it has.
            (try? notebook.notes.text(row.id)).flatMap { $0 }.map { OutsideText($0, from: snapshot) }
        } then: { [weak self, weak session] text in
            guard let self, let session else { return }
            session.isComparing = false
            if let text, session.textRevision == revision, !saver.isSaving(session) { session.take(text, row: row) }
            // The note may have changed again, or been typed in.
            attempt(Texts.Attempt.read(row.title)) { try refreshOpenNote() }
        }
    }

    /// Bytes up to which texts are compared at once: a millisecond or two.
    static let quicklyCompared = 32 << 10
}
