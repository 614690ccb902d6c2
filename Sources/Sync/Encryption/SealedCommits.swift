import NoteStore

/// Commits whose files only a holder of the key can read.
///
/// To the rest of the synchronisation they look like any others.
///
/// It translates between the clear trees that are synchronised and the encrypted trees in `store`. Each commit ends
/// with a keyed hash of its tree and its parents, so nobody without the key can drop a file, restore an older one or
/// truncate the history unnoticed. Commits made with an earlier key of the repository can be read; commits on top of
/// them are encrypted with the present key.
package final class SealedCommits: CommitStore {
    private let store: any CommitStore
    private let layout: SealedLayout
    /// The repository's key file, which is written into a commit whose tree has none.
    private let keyFile: WrappedKey
    /// The layouts of commits made with earlier keys, by the keys' names.
    private let earlierLayouts: [String: SealedLayout]
    /// The object names of encrypted blobs, by those of the clear blobs.
    private var sealedNames: [String: String] = [:]
    /// The blobs encrypted with an earlier key, by the object names of the clear blobs.
    private var earlierNames: [String: SealedBlob] = [:]
    private var listings: [String: Listing] = [:]

    /// An encrypted blob, and the layout that decrypts it.
    private struct SealedBlob {
        let name: String
        let layout: SealedLayout
    }

    /// A decrypted tree.
    private struct Listing {
        var tree: Tree = [:]
        var encryptedPaths: [TreePath: TreePath] = [:]
        /// Paths of files that were written without the key.
        var unauthenticated: [TreePath] = []
        var hasKey = false
        /// Whether the tree is encrypted with an earlier key.
        var isFormer = false
    }

    package init(_ store: any CommitStore, _ key: SyncKey, _ keyFile: WrappedKey) {
        (self.store, layout, self.keyFile) = (store, SealedLayout(key: key), keyFile)
        var layouts: [String: SealedLayout] = [:]
        for former in keyFile.earlierKeys(key) { layouts[former.name] = SealedLayout(key: former) }
        earlierLayouts = layouts
    }

    // MARK: - Reading

    private func listing(of commit: String) throws(GitError) -> Listing {
        if let known = listings[commit] { return known }
        var listing = Listing()
        let raw = try store.tree(of: commit)
        let layout = try layout(of: raw)
        (listing.hasKey, listing.isFormer) = (raw[SealedLayout.keyPath] != nil, layout.key != self.layout.key)
        for (encryptedPath, entry) in raw.sorted(by: { $0.key < $1.key }) where encryptedPath != SealedLayout.keyPath {
            guard entry.isFile, let (path, plain) = layout.entry(at: encryptedPath), listing.tree[path] == nil else {
                listing.unauthenticated.append(encryptedPath)
                continue
            }
            (listing.tree[path], listing.encryptedPaths[path]) = (plain, encryptedPath)
            if listing.isFormer {
                earlierNames[plain.object] = SealedBlob(name: entry.object, layout: layout)
            } else {
                sealedNames[plain.object] = entry.object
            }
        }
        keep(listing, of: commit)
        return listing
    }

    /// Returns the layout of a tree, which depends on the key file in it.
    private func layout(of raw: Tree) throws(GitError) -> SealedLayout {
        guard let entry = raw[SealedLayout.keyPath] else {
            if raw.isEmpty { return layout }
            throw .key(.isClear)
        }
        if entry.object == GitObject.name(ofBlob: keyFile.bytes) { return layout }
        let bytes = try store.contents(of: [entry.object])[entry.object] ?? []
        guard let id = WrappedKey(bytes)?.id else { throw .key(.otherKey) }
        if id == keyFile.id { return layout }
        guard let former = earlierLayouts[id] else { throw .key(.otherKey) }
        return former
    }

    package func tree(of commit: String) throws(GitError) -> Tree { try listing(of: commit).tree }

    package func changes(from one: String, to other: String) throws(GitError) -> TreeChange {
        let before = try listing(of: one)
        let known = listings[other]
        let after = if let known { known } else { try listing(of: other, after: before, from: one) }
        var change = TreeChange()
        for path in before.tree.keys where after.tree[path] == nil { change.entries[path] = .some(nil) }
        for (path, entry) in after.tree where before.tree[path] != entry { change.entries[path] = entry }
        return change
    }

    /// Returns the decrypted tree of a commit; decrypts only those names that an earlier commit does not have.
    private func listing(of commit: String, after before: Listing, from one: String) throws(GitError) -> Listing {
        let change = try store.changes(from: one, to: commit)
        // All names are read if the key file has changed, since the key may have too, or if a path has several names,
        // of which the first counts.
        guard change.entries[SealedLayout.keyPath] == nil, !before.isFormer, before.hasKey else {
            return try listing(of: commit)
        }
        var after = before
        let paths = Dictionary(before.encryptedPaths.map { ($1, $0) }) { first, _ in first }
        for encryptedPath in change.entries.keys {
            if let path = paths[encryptedPath] { (after.tree[path], after.encryptedPaths[path]) = (nil, nil) }
        }
        after.unauthenticated.removeAll { change.entries[$0] != nil }
        for case (let encryptedPath, let entry?) in change.entries {
            guard entry.isFile, let (path, plain) = layout.entry(at: encryptedPath) else {
                after.unauthenticated.append(encryptedPath)
                continue
            }
            guard after.tree[path] == nil else { return try listing(of: commit) }
            (after.tree[path], after.encryptedPaths[path]) = (plain, encryptedPath)
            sealedNames[plain.object] = entry.object
        }
        // A name that lost its path to another name may count now.
        if !after.unauthenticated.isEmpty { return try listing(of: commit) }
        keep(after, of: commit)
        return after
    }

    /// Returns nothing: with the key nobody deletes a note by hand, and what is deleted without it counts for nothing.
    package func deletions(from base: String?, to commit: String) -> [(path: TreePath, entry: TreeEntry)] { [] }

    private func keep(_ listing: Listing, of commit: String) {
        if listings.count >= Self.maximumListings { listings = [:] }
        listings[commit] = listing
    }

    /// The number of listings that are kept: twice the four trees at most that a synchronisation reads several times.
    private static let maximumListings = 8

    /// Returns the paths of files that were written without the key.
    func unauthenticated(of commit: String) throws(GitError) -> [TreePath] { try listing(of: commit).unauthenticated }

    private func sealed(_ object: String) -> SealedBlob? {
        sealedNames[object].map { SealedBlob(name: $0, layout: layout) } ?? earlierNames[object]
    }

    private func sealed(_ objects: Set<String>) -> [String: SealedBlob] {
        var blobs: [String: SealedBlob] = [:]
        for object in objects { blobs[object] = sealed(object) }
        return blobs
    }

    /// Returns the clear bytes of files, without those that were changed by somebody without the key.
    package func contents(of objects: Set<String>) throws(GitError) -> [String: [UInt8]] {
        let blobs = sealed(objects)
        return open(blobs, try store.contents(of: Set(blobs.values.map(\.name))))
    }

    package func contents(ofSized objects: Set<String>) throws(GitError) -> [String: [UInt8]] {
        let blobs = sealed(objects)
        return open(blobs, try store.contents(ofSized: Set(blobs.values.map(\.name))))
    }

    package func sizes(of objects: Set<String>) throws(GitError) -> [String: Int] {
        let blobs = sealed(objects)
        let sizes = try store.sizes(of: Set(blobs.values.map(\.name)))
        return blobs.compactMapValues { sizes[$0.name] }
    }

    private func open(_ blobs: [String: SealedBlob], _ raw: [String: [UInt8]]) -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for (object, blob) in blobs {
            guard let bytes = raw[blob.name], let opened = blob.layout.opened(bytes),
                GitObject.name(ofBlob: opened) == object
            else { continue }
            contents[object] = opened
        }
        return contents
    }

    // MARK: - Authenticity

    /// Makes sure that a commit was made with the key.
    ///
    /// - Throws: `isForged`, or `isClear` or `otherKey` if that is the reason.
    package func check(_ commit: String) throws(GitError) {
        if try store.text(of: commit).isSealed(layout.key) { return }
        _ = try layout(of: store.tree(of: commit))
        throw .key(.isForged)
    }

    /// Returns the newest commit made with the key in a history whose latest commits were not, or `nil` if there is
    /// none or more than one.
    package func lastChecked(before commit: String) throws(GitError) -> String? {
        var (waiting, seen, found) = ([commit], Set<String>(), [String]())
        while let next = waiting.popLast() {
            guard seen.count < Self.maximumForged, seen.insert(next).inserted else { continue }
            let text = try store.text(of: next)
            if text.isSealed(layout.key) { found.append(next) } else { waiting += text.parents }
        }
        var newest: [String] = []
        for one in found {
            var isOlder = false
            for other in found where other != one && !isOlder { isOlder = try store.isAncestor(one, of: other) }
            if !isOlder { newest.append(one) }
        }
        return newest.count == 1 ? newest[0] : nil
    }

    /// The most commits that are checked; each check runs git once.
    private static let maximumForged = 1000

    // MARK: - Writing

    private func seal(_ bytes: [UInt8]) throws(GitError) -> [UInt8] {
        guard let sealed = layout.sealed(bytes) else { throw .failed(Texts.Git.notEncrypted) }
        sealedNames[GitObject.name(ofBlob: bytes)] = GitObject.name(ofBlob: sealed)
        return sealed
    }

    package func store(_ contents: [[UInt8]]) throws(GitError) {
        var sealed: [[UInt8]] = []
        for bytes in contents { sealed.append(try seal(bytes)) }
        try store.store(sealed)
    }

    /// Makes an encrypted commit.
    ///
    /// Its clear metadata tells the host the time but not the author.
    package func commit(_ draft: Draft, _ change: TreeChange) throws(GitError) -> String {
        var before = try draft.parents.first.map { parent throws(GitError) in try listing(of: parent) } ?? Listing()
        var (sealed, entries) = (TreeChange(), change.entries)
        if before.isFormer {
            // An earlier key may have leaked, so nothing stays encrypted with it.
            try encryptAnew(Set(before.tree.values.map(\.object)))
            for encryptedPath in before.encryptedPaths.values { sealed.entries[encryptedPath] = .some(nil) }
            entries = before.tree.mapValues { .some($0) }.merging(entries) { $1 }
            (before.encryptedPaths, before.hasKey) = ([:], false)
        }
        for path in entries.keys {
            if let encryptedPath = before.encryptedPaths[path] { sealed.entries[encryptedPath] = .some(nil) }
        }
        for case (let path, let entry?) in entries {
            if let bytes = change.contents[entry.object] {
                let bytes = try seal(bytes)
                sealed.contents[GitObject.name(ofBlob: bytes)] = bytes
            }
            guard let object = sealedNames[entry.object], let encryptedPath = layout.encryptedPath(of: path, entry)
            else {
                throw .failed(Texts.Git.notEncrypted)
            }
            sealed.entries[encryptedPath] = TreeEntry(object: object)
        }
        return try commit(draft, sealed: sealed, withKey: !before.hasKey)
    }

    /// Makes a commit in which the key is encrypted with another passphrase.
    func commitKey(_ draft: Draft) throws(GitError) -> String {
        try commit(draft, sealed: TreeChange(), withKey: true)
    }

    private func commit(_ draft: Draft, sealed: TreeChange, withKey: Bool) throws(GitError) -> String {
        var sealed = sealed
        if withKey {
            let entry = TreeEntry(object: GitObject.name(ofBlob: keyFile.bytes))
            (sealed.entries[SealedLayout.keyPath], sealed.contents[entry.object]) = (entry, keyFile.bytes)
        }
        let plain = try store.commit(
            Draft(parents: draft.parents, message: "Notes\n", author: "tn", date: draft.date), sealed)
        return try store.commit(store.text(of: plain).sealed(layout.key))
    }

    /// Re-encrypts with the present key the blobs that only exist under an earlier one, a few megabytes at a time.
    private func encryptAnew(_ objects: Set<String>) throws(GitError) {
        let former = objects.filter { sealedNames[$0] == nil }.sorted()
        let reader = ObjectReader(self, former)
        var (waiting, size) = ([[UInt8]](), 0)
        for object in former {
            guard let bytes = try reader.bytes(object) else { throw .failed(Texts.Git.notRead) }
            waiting.append(bytes)
            size += bytes.count
            if size > 32_000_000 {
                try store(waiting)
                (waiting, size) = ([], 0)
            }
        }
        try store(waiting)
    }

    // MARK: - Forwarded to the store

    package func has(_ commit: String) -> Bool { store.has(commit) }
    package func isDamaged() throws(GitError) -> Bool { try store.isDamaged() }
    package func isAncestor(_ one: String, of other: String) throws(GitError) -> Bool {
        try store.isAncestor(one, of: other)
    }

    /// Returns the merge base, or `nil` if it was made without any of the keys: a file missing from it must not count
    /// as deleted.
    package func mergeBase(_ one: String, _ other: String) throws(GitError) -> String? {
        guard let base = try store.mergeBase(one, other) else { return nil }
        let text = try store.text(of: base)
        let keys = [layout.key] + earlierLayouts.values.map(\.key)
        return keys.contains { text.isSealed($0) } ? base : nil
    }

    package func ancestry(of commit: String, to other: String) throws(GitError) -> Ancestry? {
        try store.ancestry(of: commit, to: other)
    }
    /// Nobody but tn can make a commit with the key.
    package func facts(of commit: String) throws(GitError) -> CommitFacts {
        CommitFacts(date: try store.facts(of: commit).date, isOwn: true)
    }
    package func lastOwn(upTo commit: String) -> String? { commit }
    package func text(of commit: String) throws(GitError) -> CommitText { try store.text(of: commit) }
    package func commit(_ text: CommitText) throws(GitError) -> String { try store.commit(text) }
    package func keep(_ commit: String, as name: String) throws(GitError) { try store.keep(commit, as: name) }
    package func fetch(_ url: String) throws(GitError) -> String? { try store.fetch(url) }
    package func push(_ commit: String, to url: String) throws(GitError) { try store.push(commit, to: url) }
}
