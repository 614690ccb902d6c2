import NoteStore
import TextEditing

/// The result of saving a text, computed in the background.
struct SavedText: Sendable {
    /// The note as it is in the notebook now.
    let row: NoteRow
    /// The text in the notebook if it differs from the saved one, with the difference; nil otherwise.
    let merged: OutsideText?
    /// A notice for the user, if there is something to report.
    let notice: Notice?

    /// Saves the text of a snapshot.
    ///
    /// Typed text never disappears with its note: a note that was deleted for ever is created again, and one that was
    /// moved to the Trash is restored.
    ///
    /// - Parameters:
    ///   - base: the text that the snapshot continues, as far as it is in the notebook.
    ///   - position: the journal's position for this text, stored in the same transaction.
    /// - Throws: the notebook's write errors.
    init(
        _ snapshot: EditorSession.Snapshot, on base: EditJournal.Base, _ scope: SaveScope,
        _ position: JournalPosition?, in notebook: Notebook
    ) throws {
        guard let before = try notebook.notes.row(snapshot.id) else {
            row = try notebook.notes.create(
                NewNote(text: snapshot.buffer.string(), id: snapshot.id), position: position)
            merged = nil
            notice = Notice(Texts.keptAfterDeletion(row.title), kind: .refused)
            return
        }
        // The note leaves the Trash first: if that fails, the next save must not find this text in it.
        if before.place == .trash { try notebook.trash.restore([snapshot.id]) }
        let outcome = try notebook.notes.save(
            snapshot.id, text: snapshot.buffer, baseRevision: base.revision, base: base.buffer,
            wordCount: snapshot.wordCount, scope: scope, position: position)
        switch outcome {
        case .saved(let saved):
            (row, merged) = (saved, nil)
            notice = before.place == .trash ? Notice(Texts.backFromTrash(saved.title)) : nil
        case .merged(let saved, let text):
            (row, merged) = (saved, OutsideText(text, from: snapshot.buffer))
            notice = Notice(Texts.mergedWithOther)
        case .conflict(let saved, let text, let copy):
            (row, merged) = (saved, OutsideText(text, from: snapshot.buffer))
            let time = Zone.system.civilTime(before.updatedDate).time
            notice = Notice(Texts.conflict(saved.title, time, copy.title), kind: .refused)
        }
    }
}
