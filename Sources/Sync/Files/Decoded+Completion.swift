import NoteStore

extension Decoded {
    /// Gives notes what their files do not say, since other programs have written them.
    ///
    /// A note that was edited by hand counts as changed when that was committed, so that lists show it first and the
    /// later one of two edits takes precedence. Its date never moves back: the clock of the other machine may be wrong.
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
        for id in editedByHand {
            guard let note = state.notes[id], note.updated < date else { continue }
            state.notes[id]?.updated = date
            unstated.insert(id)
        }
    }

    /// Gives folders what their files said before somebody removed them.
    ///
    /// - Parameter base: The state before.
    mutating func completeFolders(from base: SyncState) {
        for id in strippedFolders {
            guard let found = state.folders[id], var folder = base.folders[id] else { continue }
            folder.parent = found.parent
            if !TreeNames.isName(found.name.string.utf8, of: folder.name.string, id.uuid) { folder.name = found.name }
            state.folders[id] = folder
        }
    }

    /// Gives notes the tags that other programs have added to the front matter of their texts, and takes those that they
    /// have removed there.
    ///
    /// A file that tn has written lists the note's tags itself, whatever its text contains.
    ///
    /// - Parameter base: The state before.
    mutating func followFrontMatter(since base: SyncState) {
        var ids: [String: ContainerID]?
        for id in state.notes.keys.sorted(by: { $0.uuid.precedes($1.uuid) }) {
            guard let note = state.notes[id] else { continue }
            let before = base.notes[id]
            let isForeign = undated.contains(id) || editedByHand.contains(id) && before?.tags == note.tags
            guard isForeign, before?.text != note.text else { continue }
            let (old, new) = (Self.tagNames(in: before?.text), Self.tagNames(in: note.text))
            if old.keys == new.keys { continue }
            var known = ids ?? tagsByName()
            for (key, name) in new where old[key] == nil {
                let tag = known[key] ?? ContainerID(StableID.uuid("tag", Array(key.utf8)))
                if known.updateValue(tag, forKey: key) == nil { state.tags[tag] = SyncTag(name: ExactText(name)) }
                state.notes[id]?.tags.insert(tag)
            }
            for key in old.keys where new[key] == nil {
                if let tag = known[key] { state.notes[id]?.tags.remove(tag) }
            }
            ids = known
            unstated.insert(id)
        }
    }

    private func tagsByName() -> [String: ContainerID] {
        Dictionary(state.tags.map { (Folding.key($1.name.string), $0) }) { $0.uuid.precedes($1.uuid) ? $0 : $1 }
    }

    /// Returns the names of the tags in a text's front matter by their folded forms.
    private static func tagNames(in text: ExactText?) -> [String: String] {
        let names = text.flatMap { NoteFrontMatter(of: $0.string)?.tags } ?? []
        return Dictionary(names.map { (Folding.key($0), $0) }) { first, _ in first }.filter { !$0.key.isEmpty }
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
