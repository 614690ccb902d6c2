import Foundation
import NoteStore

/// One attempt at a synchronisation, with its intermediate results.
struct Round {
    let synchronizer: Synchronizer
    let notebook: Notebook
    let store: any CommitStore
    /// The commit of the last synchronisation, or `nil` before the first one.
    let head: String?
    /// The remote's commit, or `nil` if the remote is empty.
    private var remote: String?
    /// The remote's newest commit if it was made without the key: the result becomes its child but takes nothing from
    /// it.
    private var forgedRemote: String?
    private var snapshot: SyncSnapshot
    var files: [SyncID: SyncFile] = [:]

    /// The notes' files that were read, which several trees have in common.
    let readNotes = ReadNotes()

    // The notebook's state, as a change of the head's tree.
    var headTree: Tree = [:]
    var local = Encoded()
    private(set) var localTree: Tree = [:]
    private(set) var remoteChange = TreeChange()

    // The merge.
    private(set) var base: String?
    private(set) var ours = Decoded()
    private var remoteState = SyncState()
    private var baseState = SyncState()
    var merged = SyncState()
    private(set) var result = Encoded()
    private var report = SyncReport()
    private var removed: Set<SyncID> = []
    /// Images and files whose bytes were received.
    private var received: Set<SyncID> = []
    /// Whether texts were changed so that their links stay with their notes; another round sends them.
    private(set) var hasKeptLinks = false

    /// - Parameter ancestry: How the head is related to the remote's commit.
    init(_ synchronizer: Synchronizer, head: String?, remote: String?, _ ancestry: Ancestry) throws {
        self.synchronizer = synchronizer
        (notebook, store, self.head, self.remote) = (synchronizer.notebook, synchronizer.store, head, remote)
        remoteFacts = ancestry.facts
        snapshot = try notebook.sync.snapshot(all: head == nil, largest: synchronizer.maximumFileSize)
        // Only a merge needs those of all notes.
        if head != nil { files = try notebook.sync.files(ofNotes: snapshot.changed) }
        try chooseBase(ancestry)
    }

    /// Whether the remote has nothing new: its commit is the head or an ancestor of it, or it is empty.
    private(set) var remoteIsBehind = false
    /// Whether the remote's history does not continue from the head.
    private(set) var isRewritten = false

    private mutating func chooseBase(_ ancestry: Ancestry) throws {
        base = head
        if remote != nil, ancestry.isDescendant { return remoteIsBehind = true }
        try checkRemote()
        guard let remote else { return remoteIsBehind = true }
        guard let head else { return }
        // The commit that counts may not be the newest one.
        let known = forgedRemote == nil ? ancestry : try store.ancestry(of: head, to: remote) ?? Ancestry()
        if known.isDescendant { return remoteIsBehind = true }
        let isRestored = try notebook.settings.value(Notebook.Sync.Key.restored) != nil
        if !isRestored && known.isAncestor {
            base = try stateSent(in: remote, since: head) ?? head
            return
        }
        isRewritten = true
        switch synchronizer.choice {
        case .none where isRestored: throw SyncError.restored(url: synchronizer.url)
        case .none: throw SyncError.rewritten(url: synchronizer.url)
        // In a restored backup a missing note was not deleted, and an unchanged one may be old, so the head cannot be
        // the base.
        case .join: base = try isRestored ? nil : store.mergeBase(head, remote)
        case .adopt: break
        }
    }

    /// Checks that the newest commit of an encrypted repository was made with the key.
    ///
    /// With `join` the newest commit made with the key replaces one that was not.
    private mutating func checkRemote() throws {
        guard let newest = remote, try isForged(newest) else { return }
        // If no checked commit is found among many forged ones, this machine's own last commit still is one.
        guard synchronizer.choice == .join, let last = try store.lastChecked(before: newest) ?? head else {
            throw SyncError.key(.isForged)
        }
        (remote, forgedRemote, remoteFacts) = (last, newest, nil)
    }

    private func isForged(_ commit: String) throws -> Bool {
        do {
            try store.check(commit)
            return false
        } catch {
            switch error {
            case .key(.isForged): return true
            // A device that joins may have mistaken an unencrypted repository for this one; for any other device it is
            // a forgery.
            case .key(.isClear) where head != nil: return true
            case .key(.otherKey) where head != nil && synchronizer.distrustsOtherKey: return true
            default: throw error
            }
        }
    }

    // MARK: - Export

    /// Applies the notebook's state to the head's tree.
    mutating func export() throws {
        var state = SyncState()
        state.notes = snapshot.notes
        (state.folders, state.tags, state.searches) = (snapshot.folders, snapshot.tags, snapshot.searches)
        (state.images, state.attachments, state.gone) = (snapshot.images, snapshot.attachments, snapshot.gone)
        var before = Decoded()
        if let head {
            headTree = try store.tree(of: head)
            // Notes that did not change keep their paths.
            for (id, file) in files where id.kind != .note || snapshot.changed.contains(id) {
                before.paths[id] = TreePath(file.path)
            }
        }
        local = encode(state, over: headTree, before)
        if head == nil, remote != nil { dropOwnFiles() }
        try storeFiles(state)
        localTree = local.change.applied(to: headTree)
        // A moved note also deletes its former path, which does not count as another note.
        report.sent = local.change.entries.count { path, entry in
            entry.map { TreeLayout.role(of: path, $0) == .note } ?? false
        }
    }

    /// Leaves out the README and the attributes, since the remote already has some.
    private mutating func dropOwnFiles() {
        for path in [TreeLayout.readme, TreeLayout.attributes] { local.change.entries[path] = nil }
    }

    /// Stores the bytes of new images and files, a few megabytes at a time.
    private mutating func storeFiles(_ state: SyncState) throws {
        let objects = Set(local.change.entries.values.compactMap { $0?.object })
        let all =
            state.images.map { (SyncID(.image, $0), $1.object) }
            + state.attachments.map { (SyncID(.file, $0), $1.object) }
        var (waiting, size) = ([String: [UInt8]](), 0)
        for (id, object) in all where files[id] == nil && objects.contains(object) && waiting[object] == nil {
            let data = try id.kind == .image ? notebook.sync.imageData(id.uuid) : notebook.sync.attachmentData(id.uuid)
            // One that was replaced meanwhile is marked as changed and follows with the next synchronisation.
            guard let bytes = data, GitObject.name(ofBlob: bytes) == object else { continue }
            waiting[object] = bytes
            size += bytes.count
            if size > 32_000_000 {
                try store.store(Array(waiting.values))
                (waiting, size) = ([:], 0)
            }
        }
        // The last ones are written together with the commit, which saves one start of git.
        local.change.contents.merge(waiting) { first, _ in first }
    }

    private func draft(_ message: String, on parents: [String], date: Int64) -> Draft {
        Draft(parents: parents, message: message, author: synchronizer.name, date: date)
    }

    /// Returns the commit to make of the notebook's state.
    private func localDraft() -> Draft {
        draft(
            Texts.message(sent: report.sent, name: synchronizer.name),
            on: [head, remoteIsBehind ? forgedRemote : nil].compactMap { $0 },
            date: Int64(synchronizer.now().timeIntervalSince1970))
    }

    private func localCommit() throws -> String? {
        if local.change.isEmpty, forgedRemote == nil { return head }
        return try store.commit(localDraft(), local.change)
    }

    /// Pushes the notebook's state without a merge, since the remote has nothing new.
    mutating func send() throws -> SyncReport {
        guard let commit = try localCommit() else { return report }
        try synchronizer.step(3)
        if commit != remote {
            if forgedRemote == nil { try notebook.sync.willSend(commit) }
            try store.push(commit, to: synchronizer.url)
        }
        try synchronizer.step(4)
        result = local
        removed = Set(snapshot.changed.filter { local.paths[$0] == nil })
        try record(commit)
        return report
    }

    /// Returns whether the notebook has the object itself, since some images and files stay in the tree only.
    private func isHere(_ id: SyncID) -> Bool {
        switch id.kind {
        case .image: snapshot.images[id.uuid] != nil || received.contains(id)
        case .file: snapshot.attachments[id.uuid] != nil || received.contains(id)
        case .note, .folder, .tag, .search: true
        }
    }

    /// Records the commit that the notebook is synchronised with.
    private func record(_ commit: String) throws {
        try store.keep(commit, as: "head")
        var step = SyncStep(head: commit, seq: snapshot.seq)
        step.removed = removed
        for (id, path) in result.paths {
            guard isHere(id) else {
                step.removed.insert(id)
                continue
            }
            let file = SyncFile(path: path.bytes, object: result.objects[id] ?? "")
            if files[id] != file { step.files[id] = file }
        }
        for (old, new) in result.moves { step.moves[old.bytes] = new.bytes }
        (step.isWhole, step.growth) = (head == nil, growth)
        try synchronizer.step(5)
        try notebook.sync.finish(step)
    }

    // MARK: - Import

    /// Merges the notebook's state with the remote's.
    mutating func merge() throws {
        guard let remote else { return }
        if head != nil { files = try notebook.sync.files() }
        remoteChange = try change(to: remote)
        let remoteTree = remoteChange.applied(to: headTree)
        try checkFormat(remoteTree)
        let baseTree = try base.map { try $0 == head ? headTree : store.tree(of: $0) }
        let readTree = Self.withLists(remoteTree, of: baseTree)
        let known = Dictionary(files.map { (TreePath($1.path), $0) }) { first, _ in first }
        let written = try writtenNotes(inCommon: remote)
        let compared = compared(baseTree, readTree, written)
        var relevant = compared.differing
        // If the base is not the head, unchanged files are read too: their paths have to be recorded.
        relevant.formUnion(local.change.entries.keys)
        let unknownNotes = unknownNotes(besides: known)
        relevant.formUnion(unknownNotes)
        let contents = try readContents(&relevant, compared)
        try checkLists(of: remoteTree, compared, contents)
        func decoded(_ tree: Tree, _ known: [TreePath: SyncID], without left: Set<TreePath> = []) -> Decoded {
            let part = compared.part(of: tree, relevant, without: left)
            return decode(part, contents: contents, known: known, readNotes)
        }
        ours = decoded(localTree, [:], without: unknownNotes)
        var theirs = decoded(readTree, known)
        let ancestor =
            synchronizer.choice == .adopt && isRewritten
            ? ours : baseTree.map { decoded($0, known, without: unknownNotes) }
        baseState = ancestor?.state ?? SyncState()
        for one in written.reversed() {
            let state = decoded(one.tree, known, without: unknownNotes).state
            one.replaceNotes(of: &baseState, from: state, first: ancestor == nil ? ours.state : nil)
        }
        try complete(&theirs, in: remoteTree, of: remote)
        remoteState = theirs.state
        let last = try lastNotes(baseState, ours.state, missingFrom: theirs.state, until: remote, known)
        merged = Sync.merge(base: baseState, ours.state, theirs.state, isFirst: ancestor == nil, last: last)
        try checkLoss()
        try keepReferences()
        result = encode(merged, over: remoteTree, theirs, contents: contents)
        result.change.contents.merge(local.change.contents) { first, _ in first }
        // The key file of an encrypted repository is removed, since it would stop the next synchronisation.
        if try hasKey(remoteTree) { result.change.entries[SealedLayout.keyPath] = .some(nil) }
        removed = Set([theirs, ours, ancestor].compactMap { $0?.paths.keys }.joined())
            .filter { result.paths[$0] == nil }
    }

    /// Adds to the remote's state what its files lack, from the base's state and from the commit.
    private mutating func complete(_ theirs: inout Decoded, in tree: Tree, of remote: String) throws {
        theirs.completeFolders(from: baseState)
        theirs.editedByHand = try notesEditedByHand(in: theirs, tree, until: remote)
        if !theirs.undated.isEmpty || !theirs.editedByHand.isEmpty {
            let date = TimeText.milliseconds(ofCommitAt: try facts(of: remote).date)
            theirs.complete(from: baseState, date: date)
        }
        theirs.followFrontMatter(since: baseState)
    }

    /// The facts about the remote's commit, once they were read.
    private var remoteFacts: CommitFacts?

    mutating func facts(of remote: String) throws -> CommitFacts {
        if let remoteFacts { return remoteFacts }
        let facts = try store.facts(of: remote)
        remoteFacts = facts
        return facts
    }

    // MARK: - Finishing

    /// Pushes the merge, unless it equals the remote's state, and writes it into the notebook.
    mutating func finish() throws -> SyncReport {
        guard let remote else { return report }
        var commit = remote
        var update = makeUpdate()
        try synchronizer.step(3)
        if !result.change.isEmpty || forgedRemote != nil {
            let parents = [remote] + (forgedRemote.map { [$0] } ?? [])
            let date = try facts(of: remote).date
            if local.change.isEmpty {
                commit = try store.commit(draft(Texts.tidied, on: parents, date: date), result.change)
            } else {
                // The local commit becomes a parent so that the merged texts stay in the history, even those that the
                // notebook drops.
                let localDraft = localDraft()
                commit = try store.commit(
                    localDraft, local.change,
                    then: draft(Texts.merged, on: parents, date: max(date, localDraft.date)), result.change)
                if forgedRemote == nil { try notebook.sync.willSend(commit) }
            }
            try rememberLinks(update, commit)
            try store.push(commit, to: synchronizer.url)
        } else {
            report.sent = 0
            try rememberLinks(update, commit)
        }
        try synchronizer.step(4)
        update.commit = commit
        try write(update)
        try record(commit)
        return report
    }

    private func rememberLinks(_ update: SyncUpdate, _ commit: String) throws {
        try notebook.sync.rememberLinks(of: update, commit: commit) { earlier in
            try remote.map { try store.isAncestor(earlier, of: $0) } ?? false
        }
    }

    /// Returns what the merge changes in the notebook, and counts it in the report.
    private mutating func makeUpdate() -> SyncUpdate {
        var update = SyncUpdate()
        for id in Set(ours.state.notes.keys).union(merged.notes.keys) {
            let (old, new) = (ours.state.notes[id], merged.notes[id])
            if old != new { update.notes[id] = .init(old: old, new: new) }
            // A conflict that was settled on another machine arrives in the Trash and does not count.
            if let new, new.conflictOf != nil, old == nil, !merged.isInTrash(new.folder) { report.conflicts += 1 }
        }
        report.received = update.notes.count
        (update.folders, update.tags, update.searches) = (merged.folders, merged.tags, merged.searches)
        (update.images, update.gone, update.seq) = (merged.images, merged.gone, snapshot.seq)
        let old = ours.state
        update.removedImages = Set(old.images.keys).subtracting(merged.images.keys)
        for id in Set(old.attachments.keys).union(merged.attachments.keys)
        where old.attachments[id] != merged.attachments[id] {
            update.attachments[id] = .init(old: old.attachments[id], new: merged.attachments[id])
        }
        update.changesContainers =
            old.folders != merged.folders || old.tags != merged.tags || old.searches != merged.searches
            || old.images != merged.images || old.gone != merged.gone || old.attachments != merged.attachments
        // A machine that merges nothing leaves the links to the one that did, or else they would never come to rest.
        if !local.change.isEmpty || !result.change.isEmpty {
            update.addTitles(base: baseState, ours.state, remoteState, merged: merged)
        }
        return update
    }

    private mutating func write(_ update: SyncUpdate) throws {
        let merged = merged
        let images = ObjectReader(
            store, update.images.compactMap { snapshot.images[$0.key] == nil ? $0.value.object : nil })
        let files = ObjectReader(
            store, update.attachments.values.compactMap { $0.old?.object == $0.new?.object ? nil : $0.new?.object })
        var received: Set<SyncID> = []
        let isDone = try notebook.sync.apply(
            update,
            images: { uuid in
                guard let object = merged.images[uuid]?.object, let bytes = try images.bytes(object),
                    Notebook.Sync.isImage(bytes)
                else { return nil }
                received.insert(SyncID(.image, uuid))
                return bytes
            },
            files: { uuid in
                guard let object = merged.attachments[uuid]?.object else { return nil }
                let bytes = try files.bytes(object)
                if bytes != nil { received.insert(SyncID(.file, uuid)) }
                return bytes
            },
            merging: { id, old, present, wanted in
                func state(_ note: SyncNote?) -> SyncState {
                    var state = merged
                    state.notes = note.map { [id: $0] } ?? [:]
                    return state
                }
                let notes = Sync.merge(base: state(old), state(present), state(wanted)).notes
                return notes.map { ($0.key, $0.value) }
            }, notesAtOnce: synchronizer.notesAtOnce, wrote: synchronizer.wrote)
        self.received = received
        // A folder was changed meanwhile, so the synchronisation starts again.
        if !isDone { throw GitError.moved }
        hasKeptLinks = try notebook.sync.keepLinks()
    }
}
