import NoteStore

extension SyncUpdate {
    /// Adds which titles and texts each side has changed, so that links of one side stay with their notes where the
    /// other side took a title.
    ///
    /// - Parameters:
    ///   - base: The common ancestor.
    ///   - ours: The notebook's state.
    ///   - theirs: The remote's state.
    ///   - merged: The state that is written.
    mutating func addTitles(base: SyncState, _ ours: SyncState, _ theirs: SyncState, merged: SyncState) {
        titledHere = Self.titled(ours, unlike: [base, theirs])
        titledThere = Self.titled(merged, unlike: [ours])
        (editedHere, editedThere) = (Self.edited(ours, since: base), Self.edited(theirs, since: base))
    }

    private static func edited(_ state: SyncState, since base: SyncState) -> [NoteID: ExactText] {
        state.notes.filter { $1.text != base.notes[$0]?.text }.mapValues(\.text)
    }

    /// Returns the notes outside the Trash with a title that they do not have in any of the other states.
    private static func titled(_ state: SyncState, unlike others: [SyncState]) -> Set<NoteID> {
        let notes = state.notes.filter { id, note in
            let key = Folding.key(note.title.string)
            let isNew = others.allSatisfy { $0.notes[id].map { Folding.key($0.title.string) != key } ?? true }
            return isNew && !state.isInTrash(note.folder)
        }
        return Set(notes.keys)
    }
}
