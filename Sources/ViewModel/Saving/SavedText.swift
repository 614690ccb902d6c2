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
    /// - Parameter position: the journal's position for this text, stored in the same transaction.
    /// - Throws: the notebook's write errors.
    init(
        _ snapshot: EditorSession.Snapshot, _ scope: SaveScope, _ position: JournalPosition?, in notebook: Notebook
    ) throws {
        guard let before = try notebook.notes.row(snapshot.id) else {
            row = try notebook.notes.create(
                NewNote(text: snapshot.buffer.string(), id: snapshot.id), position: position)
            merged = nil
            notice = Notice(Texts.keptAfterDeletion(row.title), kind: .refused)
            return
        }
        let outcome = try notebook.notes.save(
            snapshot.id, text: snapshot.buffer, baseRevision: snapshot.base.revision, base: snapshot.base.buffer,
            wordCount: snapshot.wordCount, scope: scope, position: position)
        var told: Notice?
        var saved: NoteRow
        switch outcome {
        case .saved(let row):
            (saved, merged) = (row, nil)
        case .merged(let row, let text):
            (saved, merged) = (row, OutsideText(text, from: snapshot.buffer))
            told = Notice(Texts.mergedWithOther)
        case .conflict(let row, let text, let copy):
            (saved, merged) = (row, OutsideText(text, from: snapshot.buffer))
            let time = Zone.system.civilTime(before.updatedDate).time
            told = Notice(Texts.conflict(row.title, time, copy.title), kind: .refused)
        }
        if saved.place == .trash {
            try notebook.trash.restore([snapshot.id])
            saved = try notebook.notes.row(snapshot.id) ?? saved
            told = told ?? Notice(Texts.backFromTrash(saved.title))
        }
        (row, notice) = (saved, told)
    }
}
