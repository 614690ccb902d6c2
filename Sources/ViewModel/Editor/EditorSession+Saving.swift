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
        typedSinceSnapshot = []
        return Snapshot(id: noteID, buffer: editor.buffer, base: stored)
    }

    /// The text is in the notebook as it was in the snapshot.
    func saved(_ snapshot: Snapshot, as row: NoteRow) {
        stored = EditJournal.Base(revision: row.revision, buffer: snapshot.buffer)
        storedWordCount = row.wordCount
        saveState = savedText == editor.revision ? .saved : .unsaved
        typedSinceSnapshot = nil
    }

    /// The note was changed elsewhere too, and `text`, which was made of the snapshot, is in the notebook: what was typed
    /// since goes on top of it.
    ///
    /// - Returns: what is typed and not in the notebook, as an edit of the text in the notebook.
    func merged(_ text: OutsideText, as row: NoteRow) -> Edit {
        let typed = (typedSinceSnapshot ?? []).reduce(Edit()) { $0.composed(with: $1) }
        typedSinceSnapshot = nil
        take(text.edit.transformed(over: typed, tie: .after))
        stored = EditJournal.Base(revision: row.revision, buffer: text.buffer)
        storedWordCount = row.wordCount
        let pending = typed.transformed(over: text.edit, tie: .before)
        // An earlier revision than the present one stands for a text that is not saved.
        savedText = pending.isEmpty ? editor.revision : editor.revision - 1
        saveState = pending.isEmpty ? .saved : .unsaved
        return pending
    }

    func failedToSave(_ reason: String) {
        typedSinceSnapshot = nil
        saveState = .failing(reason)
    }

    /// Takes over a text that another program saved, when there is nothing of ours to save and it was made of the text as
    /// it is.
    func take(_ text: OutsideText, row: NoteRow) {
        take(text.edit)
        stored = EditJournal.Base(revision: row.revision, buffer: editor.buffer)
        storedWordCount = row.wordCount
        savedText = editor.revision
        saveState = .saved
    }

    /// Makes an edit of somebody else's: caret and undo history stay the user's.
    private func take(_ edit: Edit) {
        if !edit.isEmpty { follow(editor.apply(edit, kind: .external)) }
        revealCaret()
    }

    /// Whether the text is empty and nothing was ever typed in it.
    var isUntouched: Bool { editor.buffer.utf8Count == 0 && editor.revision == 0 && !editor.history.canUndo }

    /// The undo history as it is kept with the note, and the text that it is good for; nil when there is none to keep.
    var historyToKeep: (history: UndoHistory, text: TextBuffer)? {
        savedText == editor.revision && editor.revision > 0 ? (editor.history, editor.buffer) : nil
    }
}
