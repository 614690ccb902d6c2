import NoteStore

/// The checks of what came from the remote, before anything is written.
extension Round {
    /// Returns whether the clear tree holds the key file of an encrypted repository.
    func hasKey(_ tree: Tree) throws -> Bool {
        guard let entry = tree[SealedLayout.keyPath] else { return false }
        return WrappedKey(try store.contents(of: [entry.object])[entry.object] ?? []) != nil
    }

    func checkFormat(_ tree: Tree) throws {
        if head == nil || !synchronizer.distrustsOtherKey, try hasKey(tree) { throw SyncError.key(.isEncrypted) }
        guard let entry = tree[ListFiles.format] else {
            let count = tree.keys.count { $0 != TreeLayout.readme && $0 != TreeLayout.attributes }
            if head == nil, !synchronizer.takesForeign, count > 0 { throw SyncError.foreign(files: count) }
            return
        }
        if entry.object == Self.usualFormat { return }
        // If the file cannot be read, that is told with the other lists.
        guard let bytes = try store.contents(of: [entry.object])[entry.object] else { return }
        guard let version = ListFiles.version(bytes) else {
            throw SyncError.unknownFormat(ListFiles.firstWords(bytes))
        }
        if version > ListFiles.version { throw SyncError.newerFormat(version) }
    }

    /// Throws if a list of the remote's tree could not be read.
    func checkLists(of tree: Tree, _ compared: ComparedTrees, _ contents: [String: [UInt8]]) throws {
        let unread = compared.structure.first { path in
            tree[path].map { TreeLayout.role(of: path, $0).isList && contents[$0.object] == nil } ?? false
        }
        if let unread { throw SyncError.key(.isUnreadable(unread.description)) }
    }

    /// The object name of the file that states the format, as this version writes it.
    private static let usualFormat = GitObject.name(ofBlob: Array(ListFiles.formatText.utf8))

    /// Throws if the merge would move very many notes to the Trash at once, which may not be intended.
    ///
    /// With `join` they are kept instead. A first synchronisation may do so too, if an earlier one was cut off.
    mutating func checkLoss() throws {
        guard synchronizer.choice != .adopt else { return }
        let lost = ours.state.notes.filter { id, note in
            !ours.state.isInTrash(note.folder) && merged.notes[id].map { merged.isInTrash($0.folder) } ?? true
        }
        guard lost.count > Self.minimumLoss else { return }
        let all = localTree.count { TreeLayout.role(of: $0, $1) == .note }
        guard lost.count * 5 > all else { return }
        if synchronizer.choice == .none { throw SyncError.trashesMany(count: lost.count, of: all) }
        for id in lost.keys { merged.keep(id, asIn: ours.state) }
        merged = Sync.merge(base: ours.state, merged, merged)
    }

    /// Keeps the images and attachments whose files the remote lacks, but to which a note refers that is unchanged on
    /// both sides.
    ///
    /// Somebody has removed them by hand, since tn removes only what no note needs.
    mutating func keepReferences() throws {
        let images = ours.state.images.filter { merged.images[$0.key] == nil }
        let files = ours.state.attachments.filter { merged.attachments[$0.key] == nil }
        if images.isEmpty, files.isEmpty { return }
        let changed = Set(ours.state.notes.keys).union(merged.notes.keys)
        let used = try notebook.sync.referenced(Set(images.keys).union(files.keys), besidesBy: changed)
        merged.images.merge(images.filter { used.contains($0.key) }) { first, _ in first }
        merged.attachments.merge(files.filter { used.contains($0.key) }) { first, _ in first }
    }

    /// The number of notes that may always be moved to the Trash at once; above it, a fifth of all notes is very many.
    ///
    /// Both are chosen by eye: tidying up moves a folder of some dozens, a wrong repository moves nearly everything.
    private static let minimumLoss = 50

    /// Returns the notebook's state that an earlier attempt has sent, if that attempt was ended before it recorded the
    /// commit.
    ///
    /// What was typed since continues that state. With the head as the base, both sides would have inserted the text that
    /// was sent, and it would stand twice.
    func stateSent(in remote: String, since head: String?) throws -> String? {
        guard let commit = try notebook.settings.value(Notebook.Sync.Key.sent),
            try store.ancestry(of: commit, to: remote)?.isAncestor == true
        else { return nil }
        // The second parent of a merge is the commit of this notebook's state.
        let parents = try store.text(of: commit).parents
        let own = parents.count > 1 ? parents[1] : commit
        return try store.text(of: own).parents == [head].compactMap { $0 } ? own : nil
    }
}
