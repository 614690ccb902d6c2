import NoteStore
import TextEditing

/// What the notebook holds of the text, and how the two are brought together.
extension EditorSession {
    /// What is saved: a snapshot of the text, and what it was made from.
    struct Snapshot: Sendable {
        let id: NoteID
        let buffer: TextBuffer
        let base: EditJournal.Base
    }

    func beginSaving() -> Snapshot {
        savedText = editor.revision
        saveState = .saving
        return Snapshot(id: noteID, buffer: editor.buffer, base: stored)
    }

    /// The text is in the notebook as it was in the snapshot.
    func saved(_ snapshot: Snapshot, as row: NoteRow) {
        stored = EditJournal.Base(revision: row.revision, buffer: snapshot.buffer)
        storedWordCount = row.wordCount
        saveState = savedText == editor.revision ? .saved : .unsaved
    }

    /// The note was changed elsewhere too, and `text` is in the notebook: what was typed since goes on top of it.
    ///
    /// - Returns: what is typed and not in the notebook, as an edit of `text`; nil when that cannot be told, because
    ///   the same words were typed over meanwhile: then nothing has changed and the next save merges anew.
    func merged(_ snapshot: Snapshot, as row: NoteRow, text: String) -> Edit? {
        let merge = ThreeWayMerge.merge(
            base: snapshot.buffer.string(), ours: editor.buffer.string(), theirs: text)
        guard case .merged(let whole) = merge else {
            saveState = .unsaved
            return nil
        }
        replaceText(by: whole)
        stored = EditJournal.Base(revision: row.revision, buffer: TextBuffer(text))
        storedWordCount = row.wordCount
        savedText = editor.revision
        saveState = whole == text ? .saved : .unsaved
        return Edit(from: text, to: whole)
    }

    func failedToSave(_ reason: String) {
        saveState = .failing(reason)
    }

    /// Takes over a text that another program saved, when there is nothing of ours to save.
    func textChangedOutside(to text: String, row: NoteRow) {
        replaceText(by: text)
        stored = EditJournal.Base(revision: row.revision, buffer: editor.buffer)
        storedWordCount = row.wordCount
        savedText = editor.revision
        saveState = .saved
    }

    /// Replaces what differs, so that caret and undo history stay.
    private func replaceText(by text: String) {
        let edit = Edit(from: editor.buffer.string(), to: text)
        if !edit.isEmpty { follow(editor.apply(edit)) }
        revealCaret()
    }

    /// The undo history as it is kept with the note, and the text that it is good for; nil when there is none to keep.
    var historyToKeep: (history: UndoHistory, text: TextBuffer)? {
        savedText == editor.revision && editor.revision > 0 ? (editor.history, editor.buffer) : nil
    }
}
