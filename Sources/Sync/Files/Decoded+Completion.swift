import NoteStore

extension Decoded {
    /// Gives notes what their files do not say, since other programs have written them.
    ///
    /// - Parameters:
    ///   - base: The state before.
    ///   - date: The date of the commit in milliseconds, which is the same on every machine.
    mutating func complete(from base: SyncState, date: Int64) {
        for id in stripped {
            guard let note = state.notes[id], let before = base.notes[id] else { continue }
            state.notes[id] = Self.restored(note, before)
        }
        for id in undated {
            if state.notes[id]?.created == 0 { state.notes[id]?.created = date }
            state.notes[id]?.updated = date
        }
    }

    /// Returns a note with a new text and place, and otherwise with what tn's lines said before somebody removed them.
    private static func restored(_ note: SyncNote, _ before: SyncNote) -> SyncNote {
        var restored = before
        (restored.text, restored.folder) = (note.text, note.folder)
        restored.tags.formUnion(note.tags)
        if before.followsText {
            restored.title = ExactText(Notebook.Sync.derivedTitle(of: note.text.string))
            restored.defaultTitle = restored.title
        }
        return restored
    }
}
