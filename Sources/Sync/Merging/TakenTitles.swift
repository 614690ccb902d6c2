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
        let here = Self.titled(ours, unlike: [base, theirs])
        titledHere = Dictionary(uniqueKeysWithValues: here.map { ($0, Self.title(of: $0, in: theirs)) })
        titledThere = Self.titled(merged, unlike: [ours])
        (editedHere, editedThere) = (Self.edited(ours, since: base), Self.edited(theirs, since: base))
    }

    private static func edited(_ state: SyncState, since base: SyncState) -> [NoteID: ExactText] {
        state.notes.filter { $1.text != base.notes[$0]?.text }.mapValues(\.text)
    }

    /// Returns the notes outside the Trash with a title that they do not have in any of the other states, or have only
    /// in the Trash.
    private static func titled(_ state: SyncState, unlike others: [SyncState]) -> Set<NoteID> {
        Set(
            state.notes.keys.filter { id in
                guard let title = title(of: id, in: state) else { return false }
                return others.allSatisfy { self.title(of: id, in: $0) != title }
            })
    }

    /// Returns the folded title of a note, or `nil` if there is no such note outside the Trash.
    private static func title(of id: NoteID, in state: SyncState) -> String? {
        guard let note = state.notes[id], !state.isInTrash(note.folder) else { return nil }
        return Folding.key(note.title.string)
    }
}
