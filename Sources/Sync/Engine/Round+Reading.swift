import Foundation
import NoteStore

/// The choice of the files that have to be read from the trees.
extension Round {
    /// Compares the trees of a merge.
    ///
    /// If the base is the head, what may differ is known without reading the trees.
    func compared(_ baseTree: Tree?, _ remoteTree: Tree, _ written: [WrittenNotes]) -> ComparedTrees {
        let trees = [baseTree, localTree, remoteTree].compactMap { $0 } + written.map(\.tree)
        guard head != nil, base == head else { return ComparedTrees(trees) }
        let changes = [local.change, remoteChange] + written.map(\.change)
        let changed = Set(changes.flatMap(\.entries.keys)).union(ListFiles.all)
        return ComparedTrees(trees, changed: changed)
    }

    /// Reads the files that have to be decoded: those that differ, all folders and lists, and all notes of a project in
    /// which something differs, since titles in a project are unique.
    func readContents(_ relevant: inout Set<TreePath>, _ compared: ComparedTrees) throws -> [String: [UInt8]] {
        var contents = local.change.contents
        func read(_ wanted: Set<String>) throws {
            let missing = wanted.subtracting(contents.keys)
            contents.merge(try store.contents(of: missing)) { first, _ in first }
        }
        var wanted: Set<String> = []
        for (path, entry) in compared.entries(at: compared.structure.union(relevant)) {
            let role = TreeLayout.role(of: path, entry)
            if role.isList || role == .note && relevant.contains(path) { wanted.insert(entry.object) }
        }
        try read(wanted)
        try read(Self.addRenamed(compared, contents, to: &relevant))
        try read(addOriginals(compared.trees, contents, to: &relevant))
        try read(Self.addProjects(compared, contents, to: &relevant))
        return contents
    }

    /// Adds all notes of the projects in which something differs.
    ///
    /// - Returns: The object names of their bytes.
    private static func addProjects(
        _ compared: ComparedTrees, _ contents: [String: [UInt8]], to relevant: inout Set<TreePath>
    ) -> Set<String> {
        let projects = compared.entries(at: compared.structure).compactMap { path, entry -> TreePath? in
            guard path.name.elementsEqual(FolderFile.name.utf8), let bytes = contents[entry.object],
                let folder = FolderFile.read(bytes, isAt: path), folder.folder.isProject
            else { return nil }
            return path.folder
        }
        let touched = Set(projects).filter { project in relevant.contains { $0.isInside(project) } }
        var objects: Set<String> = []
        if touched.isEmpty { return objects }
        for tree in compared.trees {
            for (path, entry) in tree where TreeLayout.role(of: path, entry) == .note {
                guard touched.contains(where: { path.isInside($0) }) else { continue }
                relevant.insert(path)
                objects.insert(entry.object)
            }
        }
        return objects
    }

    /// Adds the notes whose files are the same in all trees but whose meaning differs, since their path belongs to
    /// another folder or a tag's name to another tag.
    ///
    /// - Returns: The object names of their bytes.
    private static func addRenamed(
        _ compared: ComparedTrees, _ contents: [String: [UInt8]], to relevant: inout Set<TreePath>
    ) -> Set<String> {
        let trees = compared.trees
        var folders: [TreePath: Set<ContainerID?>] = [:]
        var tags: [String: Set<ContainerID>] = [:]
        for (path, entry) in compared.entries(at: compared.structure)
        where TreeLayout.role(of: path, entry) == .folder {
            let id = contents[entry.object].flatMap { FolderFile.read($0, isAt: path)?.id }
            folders[path.folder, default: []].insert(id)
        }
        for tree in trees {
            let list = tree[ListFiles.tags].flatMap { contents[$0.object] }.map(ListFiles.tags) ?? [:]
            for (id, tag) in list { tags[Folding.key(tag.name.string), default: []].insert(id) }
        }
        for tree in trees {
            for path in folders.keys where tree[path.appending(FolderFile.name)]?.isFile != true {
                folders[path, default: []].insert(nil)
            }
        }
        let changed = Set(folders.filter { $0.value.count > 1 }.keys)
        let isAnyTagChanged = tags.contains { $0.value.count > 1 }
        var objects: Set<String> = []
        if changed.isEmpty, !isAnyTagChanged { return objects }
        for tree in trees {
            for (path, entry) in tree where TreeLayout.role(of: path, entry) == .note {
                guard isAnyTagChanged || changed.contains(path.folder) else { continue }
                relevant.insert(path)
                objects.insert(entry.object)
            }
        }
        return objects
    }

    /// Returns a tree with the lists of an earlier one if somebody has removed the folder with all lists by hand, or put
    /// something else in the place of a list.
    ///
    /// tn removes an empty list, but never the file that states the format.
    static func withLists(_ tree: Tree, of base: Tree?) -> Tree {
        guard let base else { return tree }
        let isRemoved = tree[ListFiles.format] == nil
        var restored = tree
        for path in ListFiles.all where tree[path].map({ !$0.isFile }) ?? isRemoved { restored[path] = base[path] }
        return restored
    }

    /// Returns how the remote's tree differs from the head's; little changes between two synchronisations.
    func change(to remote: String) throws -> TreeChange {
        if let head { return try store.changes(from: head, to: remote) }
        var change = TreeChange()
        change.entries = try store.tree(of: remote).mapValues(Optional.some)
        return change
    }

    /// The number of notes, images and attached files by which the new commit's tree exceeds the head's.
    var growth: Int {
        func count(_ path: TreePath, _ entry: TreeEntry?) -> Int {
            guard let entry else { return 0 }
            switch TreeLayout.role(of: path, entry) {
            case .note, .image, .attachment: return 1
            case .list, .folder, .other: return 0
            }
        }
        // Each change applies to the tree that the previous one has left.
        let changes = remoteIsBehind ? [local.change] : [remoteChange, result.change]
        return Set(changes.flatMap(\.entries.keys)).reduce(0) { growth, path in
            let entry = changes.reversed().lazy.compactMap { $0.entries[path] }.first ?? nil
            return growth + count(path, entry) - count(path, headTree[path])
        }
    }

    /// Returns the paths of notes in the head's tree that the notebook does not know.
    ///
    /// There should be none. If there is one, its text is imported.
    ///
    /// - Parameter known: The notebook's objects by their paths.
    func unknownNotes(besides known: [TreePath: SyncID]) -> Set<TreePath> {
        let unknownNotes = headTree.filter {
            known[$0.key]?.kind != .note && TreeLayout.role(of: $0.key, $0.value) == .note
        }.keys
        // A file whose folder was moved on this machine has another path in the local tree.
        return Set(unknownNotes).union(unknownNotes.compactMap { local.moves[$0] })
    }

    /// Returns the notes whose texts or file names other programs have changed since tn's last commit in the remote,
    /// without a change of their dates.
    ///
    /// Only that commit and the remote's newest one are compared, so that every machine finds the same notes. There are
    /// none if tn has made the newest one: the machine that did so has found them.
    mutating func notesEditedByHand(
        in theirs: Decoded, _ tree: Tree, until remote: String
    ) throws -> Set<NoteID> {
        if try facts(of: remote).isOwn { return [] }
        guard let own = try store.lastOwn(upTo: remote) else { return [] }
        let before = try store.tree(of: own)
        let changed = ComparedTrees.differing([before, tree])
        let former = before.filter { changed.contains($0) && TreeLayout.role(of: $0, $1) == .note }
        let contents = try store.contents(of: Set(former.values.map(\.object)))
        var edited: Set<NoteID> = []
        for (path, entry) in former {
            guard let fields = contents[entry.object].flatMap({ NoteFields($0) }), let id = fields.id,
                let note = theirs.state.notes[id], let present = theirs.paths[.note(id)], changed.contains(present),
                note.updated == fields.updated
            else { continue }
            if note.text != fields.text || !present.name.elementsEqual(path.name) { edited.insert(id) }
        }
        return edited
    }

    /// Returns the notes that the remote lacks although nobody deleted them for good, as they last were there.
    ///
    /// Somebody has deleted their files by hand, perhaps after another machine wrote a text that this one never had.
    /// This machine may have a note that the base lacks: it received the note, and was killed before it recorded that.
    func lastNotes(
        _ before: SyncState, _ ours: SyncState, missingFrom theirs: SyncState, until remote: String,
        _ known: [TreePath: SyncID]
    ) throws -> [NoteID: SyncNote] {
        let all = Set(before.notes.keys).union(ours.notes.keys).union(ours.gone.keys.map { NoteID($0) })
        var missing = all.filter { theirs.notes[$0] == nil && theirs.gone[$0.uuid] == nil }
        guard !missing.isEmpty else { return [:] }
        var last: [NoteID: SyncNote] = [:]
        var deletions = try store.deletions(from: base, to: remote)
            .filter { TreeLayout.role(of: $0.path, $0.entry) == .note }[...]
        while !missing.isEmpty, !deletions.isEmpty {
            let contents = try store.contents(of: Set(deletions.prefix(Self.deletionsReadAtOnce).map(\.entry.object)))
            for (path, entry) in deletions.prefix(Self.deletionsReadAtOnce) {
                // The newest one counts: an older one of the same note was moved, not deleted.
                for (id, note) in decode([path: entry], contents: contents, known: known).state.notes {
                    if missing.remove(id) != nil { last[id] = note }
                }
            }
            deletions = deletions.dropFirst(Self.deletionsReadAtOnce)
        }
        return last
    }

    /// The number of deleted files whose bytes are in memory at the same time.
    private static let deletionsReadAtOnce = 1000

    /// Adds the original files of notes that somebody has copied, since only both together tell which one is the note,
    /// and the notes that hold the same texts since they lost in a conflict.
    ///
    /// - Returns: The object names of their bytes.
    private func addOriginals(
        _ trees: [Tree], _ contents: [String: [UInt8]], to relevant: inout Set<TreePath>
    ) -> Set<String> {
        var objects: Set<String> = []
        if files.isEmpty { return objects }
        let mayBeDerived = files.keys.contains { $0.kind == .note && StableID.isDerived($0.uuid) }
        for path in relevant {
            for tree in trees {
                guard let entry = tree[path], TreeLayout.role(of: path, entry) == .note,
                    let fields = readNotes.fields(of: entry.object, contents)
                else { continue }
                var ids = [fields.id]
                if mayBeDerived {
                    ids += [NoteID(adoptedAt: path, entry), fields.id.map { Merge.copyID(of: $0, fields.text) }]
                }
                for case let id? in ids {
                    guard let own = files[.note(id)].map({ TreePath($0.path) }), relevant.insert(own).inserted
                    else { continue }
                    objects.formUnion(trees.compactMap { $0[own]?.object })
                }
            }
        }
        return objects
    }
}
