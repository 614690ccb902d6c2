import NoteStore
import TextEditing

/// What came of saving a text, worked out behind the main actor.
struct SavedText: Sendable {
    /// The note as it is in the notebook now.
    let row: NoteRow
    /// The text in the notebook where that is another one than was saved, and how the two differ.
    let merged: OutsideText?
    /// What the user should know of it.
    let notice: Notice?

    /// Saves the text of a snapshot.
    ///
    /// What was typed does not vanish with its note: one that somebody removed for ever is made again, and one that
    /// somebody put into the Trash comes out of it.
    ///
    /// - Parameter position: how far the program's journal has got with this text, kept in the same transaction.
    /// - Throws: what the notebook's writing throws.
    init(
        _ snapshot: EditorSession.Snapshot, _ scope: SaveScope, _ position: JournalPosition?, in notebook: Notebook
    ) throws {
        guard try notebook.notes.row(snapshot.id) != nil else {
            row = try notebook.notes.create(
                NewNote(text: snapshot.buffer.string(), id: snapshot.id), position: position)
            merged = nil
            notice = Notice(Texts.keptAfterDeletion(row.title), kind: .refused)
            return
        }
        let outcome = try notebook.notes.save(
            snapshot.id, text: snapshot.buffer, baseRevision: snapshot.base.revision, base: snapshot.base.buffer,
            scope: scope, position: position)
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
            told = Notice(Texts.conflict(copy.title), kind: .refused)
        }
        if saved.place == .trash {
            try notebook.trash.restore([snapshot.id])
            saved = try notebook.notes.row(snapshot.id) ?? saved
            told = told ?? Notice(Texts.backFromTrash(saved.title))
        }
        (row, notice) = (saved, told)
    }
}
