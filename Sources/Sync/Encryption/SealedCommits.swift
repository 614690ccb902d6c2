import NoteStore

/// Commits whose files only who has the key can read; to the rest of the synchronisation they look like any others.
///
/// It translates between the trees that are synchronised and the encrypted ones that lie in `store`.
final class SealedCommits: CommitStore {
    private let store: any CommitStore
    private let layout: SealedLayout
    /// The key's file, for a repository that has none yet.
    private let keyFile: WrappedKey
    /// What the encrypted bytes of bytes are called.
    private var sealedNames: [String: String] = [:]
    private var listings: [String: Listing] = [:]

    /// An encrypted tree, understood.
    private struct Listing {
        var tree: Tree = [:]
        var places: [TreePath: TreePath] = [:]
        /// What nobody with the key has put there.
        var strangers: [TreePath] = []
        var hasKey = false
    }

    init(_ store: any CommitStore, _ key: SyncKey, _ keyFile: WrappedKey) {
        (self.store, layout, self.keyFile) = (store, SealedLayout(key: key), keyFile)
    }

    // MARK: - Reading

    private func listing(of commit: String) throws(GitError) -> Listing {
        if let known = listings[commit] { return known }
        var listing = Listing()
        let raw = try store.tree(of: commit)
        if let entry = raw[SealedLayout.keyPath] {
            try check(entry)
            listing.hasKey = true
        } else if !raw.isEmpty {
            throw .key(.isClear)
        }
        for (place, entry) in raw.sorted(by: { $0.key < $1.key }) where place != SealedLayout.keyPath {
            guard entry.isFile, let (path, plain) = layout.entry(at: place), listing.tree[path] == nil else {
                listing.strangers.append(place)
                continue
            }
            // Bytes that were put in others' place, or spoilt, are found where the right ones are known.
            if let known = sealedNames[plain.object], known != entry.object,
                try opened(entry.object, as: plain.object) == nil
            {
                // Without it everything that it lists would count as deleted.
                if TreeLayout.role(of: path, plain).isList { throw .key(.isSpoilt(path.description)) }
                listing.strangers.append(place)
                continue
            }
            (listing.tree[path], listing.places[path]) = (plain, place)
            sealedNames[plain.object] = entry.object
        }
        // A synchronisation looks at four trees at most, again and again.
        if listings.count > 8 { listings = [:] }
        listings[commit] = listing
        return listing
    }

    /// Makes sure that a repository is encrypted with this key.
    private func check(_ entry: TreeEntry) throws(GitError) {
        if entry.object == GitObject.name(ofBlob: keyFile.bytes) { return }
        let bytes = try store.contents(of: [entry.object])[entry.object] ?? []
        guard WrappedKey(bytes)?.id == keyFile.id else { throw .key(.otherKey) }
    }

    func tree(of commit: String) throws(GitError) -> Tree { try listing(of: commit).tree }

    /// Files that nobody with the key has written.
    func strangers(of commit: String) throws(GitError) -> [TreePath] { try listing(of: commit).strangers }

    /// What encrypted bytes are, if they are these.
    private func opened(_ name: String, as object: String) throws(GitError) -> [UInt8]? {
        guard let bytes = try store.contents(of: [name])[name], let opened = layout.opened(bytes) else { return nil }
        return GitObject.name(ofBlob: opened) == object ? opened : nil
    }

    /// The bytes of files; what was changed without the key is left out.
    func contents(of objects: Set<String>) throws(GitError) -> [String: [UInt8]] {
        let sealed = sealed(objects)
        return open(sealed, try store.contents(of: Set(sealed.values)))
    }

    func contents(ofSized objects: Set<String>) throws(GitError) -> [String: [UInt8]] {
        let sealed = sealed(objects)
        return open(sealed, try store.contents(ofSized: Set(sealed.values)))
    }

    func sizes(of objects: Set<String>) throws(GitError) -> [String: Int] {
        let sealed = sealed(objects)
        let sizes = try store.sizes(of: Set(sealed.values))
        return sealed.compactMapValues { sizes[$0] }
    }

    private func sealed(_ objects: Set<String>) -> [String: String] {
        var sealed: [String: String] = [:]
        for object in objects { sealed[object] = sealedNames[object] }
        return sealed
    }

    private func open(_ sealed: [String: String], _ raw: [String: [UInt8]]) -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for (object, name) in sealed {
            guard let bytes = raw[name], let opened = layout.opened(bytes), GitObject.name(ofBlob: opened) == object
            else { continue }
            contents[object] = opened
        }
        return contents
    }

    // MARK: - Writing

    private func seal(_ bytes: [UInt8]) throws(GitError) -> [UInt8] {
        guard let sealed = layout.sealed(bytes) else { throw .failed("a file could not be encrypted") }
        sealedNames[GitObject.name(ofBlob: bytes)] = GitObject.name(ofBlob: sealed)
        return sealed
    }

    func store(_ contents: [[UInt8]]) throws(GitError) {
        var sealed: [[UInt8]] = []
        for bytes in contents { sealed.append(try seal(bytes)) }
        try store.store(sealed)
    }

    /// The host learns when something was sent, not by whom.
    func commit(_ draft: Draft, _ change: TreeChange) throws(GitError) -> String {
        let before = try draft.parents.first.map { parent throws(GitError) in try listing(of: parent) } ?? Listing()
        var sealed = TreeChange()
        for path in change.entries.keys { if let place = before.places[path] { sealed.entries[place] = .some(nil) } }
        for case (let path, let entry?) in change.entries {
            if let bytes = change.contents[entry.object] {
                let bytes = try seal(bytes)
                sealed.contents[GitObject.name(ofBlob: bytes)] = bytes
            }
            guard let object = sealedNames[entry.object], let place = layout.place(of: path, entry) else {
                throw .failed("a file could not be encrypted")
            }
            sealed.entries[place] = TreeEntry(object: object)
        }
        if !before.hasKey {
            let entry = TreeEntry(object: GitObject.name(ofBlob: keyFile.bytes))
            (sealed.entries[SealedLayout.keyPath], sealed.contents[entry.object]) = (entry, keyFile.bytes)
        }
        return try store.commit(
            Draft(parents: draft.parents, message: "Notes", author: "tn", date: draft.date), sealed)
    }

    // MARK: - What is the same

    func has(_ commit: String) -> Bool { store.has(commit) }
    func isAncestor(_ one: String, of other: String) throws(GitError) -> Bool { try store.isAncestor(one, of: other) }
    func mergeBase(_ one: String, _ other: String) throws(GitError) -> String? { try store.mergeBase(one, other) }
    func date(of commit: String) throws(GitError) -> Int64 { try store.date(of: commit) }
    func keep(_ commit: String, as name: String) throws(GitError) { try store.keep(commit, as: name) }
    func fetch(_ url: String) throws(GitError) -> String? { try store.fetch(url) }
    func push(_ commit: String, to url: String) throws(GitError) { try store.push(commit, to: url) }
}
