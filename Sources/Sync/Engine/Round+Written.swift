import NoteStore

/// What an earlier attempt has written into the notebook, if it was ended before it recorded its commit.
struct WrittenNotes {
    let notes: Notebook.Sync.Written
    let tree: Tree
    /// How the tree differs from the head's; empty before the first synchronisation.
    let change: TreeChange

    /// Replaces the notes of the base that were written, by their state in this tree, together with the folders.
    ///
    /// What was typed since continues these texts. With the head's notes as the base, both sides would have inserted
    /// what was received, and it would stand twice. Before the first synchronisation the base stays without folders,
    /// since all folders count as new then. So do the notes in a folder that was in the Trash: the base would not tell
    /// that they were there too, and they would stay in the Trash without the folder if that was restored. A note that
    /// was deleted while no synchronisation was on left nothing that tells so, and counts as new too: it comes back, or
    /// else it would go to the Trash on every machine.
    ///
    /// - Parameter ours: The notebook's state if this is the first synchronisation, otherwise nil.
    func replaceNotes(of base: inout SyncState, from state: SyncState, first ours: SyncState?) {
        // A note or folder that the commit lacks may still be here, since what it deletes is removed last.
        for (id, note) in state.notes where notes.includes(id) {
            if let ours {
                if note.folder != .trash, state.isInTrash(note.folder) { continue }
                if ours.notes[id] == nil, ours.gone[id.uuid] == nil { continue }
            }
            base.notes[id] = note
        }
        if ours == nil { base.folders.merge(state.folders) { $1 } }
    }
}

extension Round {
    /// Returns what earlier attempts have written of commits whose states the notebook has in common with the remote,
    /// the latest first.
    ///
    /// If the remote was set back behind a commit, the newest state that both have counts. Before the first
    /// synchronisation, all notes of a state that was sent count too, since there is no other base.
    func writtenNotes(inCommon remote: String) throws -> [WrittenNotes] {
        guard head == nil || base != nil, !isRewritten || synchronizer.choice == .join else { return [] }
        let sent = try head == nil ? stateSent(in: remote, since: nil) : isRewritten || base == head ? nil : base
        var found = try notebook.sync.written().compactMap { written -> WrittenNotes? in
            guard store.has(written.commit) else { return nil }
            // A state that was sent later contains these notes and what was typed since.
            if let sent, try !store.isAncestor(sent, of: written.commit) { return nil }
            if try store.isAncestor(written.commit, of: remote) { return try notes(written, asIn: written.commit) }
            return try store.mergeBase(written.commit, remote).map { try notes(written, asIn: $0) }
        }
        if head == nil, let sent { found.append(try notes(.all(of: sent), asIn: sent)) }
        return found
    }

    private func notes(_ written: Notebook.Sync.Written, asIn commit: String) throws -> WrittenNotes {
        let change = try head.map { try store.changes(from: $0, to: commit) }
        return WrittenNotes(notes: written, tree: try store.tree(of: commit), change: change ?? TreeChange())
    }
}
