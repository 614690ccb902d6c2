import NoteStore
import TextEditing

/// The text's state in the notebook, and how both are kept equal.
extension EditorSession {
    /// The data of a save: a snapshot of the text, and the base that it was made from.
    struct Snapshot: Sendable {
        let id: NoteID
        let buffer: TextBuffer
        let base: EditJournal.Base
        /// The number of words, if they were counted as they were typed.
        let wordCount: Int?
        /// The texts of saves that failed, one of which the notebook may have all the same.
        let attempts: [TextBuffer]

        /// Returns the base of the text at this moment: the text of a save that failed, if the notebook has it.
        ///
        /// A save may fail once its transaction is committed. With the base of that save, the notebook's text would
        /// count as another program's, and what was typed would stand twice.
        func presentBase(in notebook: Notebook) throws -> EditJournal.Base {
            guard !attempts.isEmpty, let note = try notebook.notes.load(id),
                let saved = attempts.last(where: { note.content.hasSameBytes(as: $0.string()) })
            else { return base }
            return EditJournal.Base(revision: note.row.revision, buffer: saved)
        }
    }

    func beginSaving() -> Snapshot {
        savedText = editor.revision
        saveState = .saving
        typedSinceSnapshot = []
        return Snapshot(
            id: noteID, buffer: editor.buffer, base: stored, wordCount: statistics?.words, attempts: failedTexts)
    }

    /// Records that the text of the snapshot is in the notebook.
    func saved(_ snapshot: Snapshot, as row: NoteRow) {
        stored = EditJournal.Base(revision: row.revision, buffer: snapshot.buffer)
        storedWordCount = row.wordCount
        saveState = savedText == editor.revision ? .saved : .unsaved
        (typedSinceSnapshot, failedTexts) = (nil, [])
    }

    /// Merges a change that was made elsewhere while the snapshot was saved.
    ///
    /// `text`, made from the snapshot, is in the notebook; what was typed since the snapshot is applied on top of it.
    ///
    /// - Returns: the typed changes that are not in the notebook, as an edit of the text in the notebook.
    func merged(_ text: OutsideText, as row: NoteRow) -> Edit {
        let typed = (typedSinceSnapshot ?? []).reduce(Edit()) { $0.composed(with: $1) }
        (typedSinceSnapshot, failedTexts) = (nil, [])
        take(text.edit.transformed(over: typed, tie: .after))
        stored = EditJournal.Base(revision: row.revision, buffer: text.buffer)
        storedWordCount = row.wordCount
        let pending = typed.transformed(over: text.edit, tie: .before)
        // A revision before the current one marks the text as unsaved.
        savedText = pending.isEmpty ? editor.revision : editor.revision - 1
        saveState = pending.isEmpty ? .saved : .unsaved
        return pending
    }

    /// Records that the snapshot could not be saved.
    ///
    /// - Parameter base: The base on which it was to be saved, or `nil` if the attempt ended before it wrote anything.
    func failedToSave(_ snapshot: Snapshot, on base: EditJournal.Base?, _ reason: String) {
        // The notebook has either the text of that base or that of the snapshot.
        if let base {
            failedTexts = (base.revision == snapshot.base.revision ? [] : [base.buffer]) + [snapshot.buffer]
        }
        typedSinceSnapshot = nil
        saveState = .failing(reason)
    }

    /// Applies a text that another program saved.
    ///
    /// The session must have nothing unsaved, and the edit must have been made from its current text.
    func take(_ text: OutsideText, row: NoteRow) {
        take(text.edit)
        stored = EditJournal.Base(revision: row.revision, buffer: editor.buffer)
        storedWordCount = row.wordCount
        savedText = editor.revision
        saveState = .saved
    }

    /// Applies an edit of another program: the user's caret and undo history stay.
    private func take(_ edit: Edit) {
        if !edit.isEmpty {
            follow(editor.apply(edit, kind: .external))
            vim?.changed(edit, false)
        }
        revealCaret()
    }

    /// Whether the text is empty and nothing was ever typed in it.
    var isUntouched: Bool { editor.buffer.utf8Count == 0 && editor.revision == 0 && !editor.history.canUndo }

    /// The undo history to store with the note, and the text that it belongs to; nil if there is none to store.
    var historyToKeep: (history: UndoHistory, text: TextBuffer)? {
        savedText == editor.revision && editor.revision > 0 ? (editor.history, editor.buffer) : nil
    }
}
