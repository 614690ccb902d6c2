import NoteStore

/// What an earlier attempt has written into the notebook, if it was ended before it recorded its commit.
struct WrittenNotes {
    let notes: Notebook.Sync.Written
    let tree: Tree
    /// How the tree differs from the head's.
    let change: TreeChange

    /// Replaces the notes of the base that were written, by their state in this tree, together with the folders.
    ///
    /// What was typed since continues these texts. With the head's notes as the base, both sides would have inserted what
    /// was received, and it would stand twice.
    func replaceNotes(of base: inout SyncState, from state: SyncState) {
        // A note or folder that the commit lacks may still be here, since what it deletes is removed last.
        for (id, note) in state.notes where notes.includes(id) { base.notes[id] = note }
        base.folders.merge(state.folders) { $1 }
    }
}

extension Round {
    /// Returns what earlier attempts have written of commits whose states the notebook has in common with the remote,
    /// the latest first.
    ///
    /// If the remote was set back behind a commit, the newest state that both have counts.
    func writtenNotes(inCommon remote: String) throws -> [WrittenNotes] {
        guard let head, base != nil, !isRewritten || synchronizer.choice == .join else { return [] }
        return try notebook.sync.written().compactMap { written in
            guard store.has(written.commit), try !isSentSince(written.commit) else { return nil }
            let isWhole = try store.isAncestor(written.commit, of: remote)
            guard let common = isWhole ? written.commit : try store.mergeBase(written.commit, remote) else { return nil }
            return WrittenNotes(
                notes: written, tree: try store.tree(of: common), change: try store.changes(from: head, to: common))
        }
    }

    /// Returns whether the base is a state of the notebook that was sent after notes of this commit were written.
    private func isSentSince(_ commit: String) throws -> Bool {
        guard base != head, !isRewritten, let sent = try notebook.settings.value(Notebook.Sync.Key.sent) else {
            return false
        }
        return try !store.isAncestor(sent, of: commit)
    }
}
