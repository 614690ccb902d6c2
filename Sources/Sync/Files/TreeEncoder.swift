import Foundation
import NoteStore

/// The change that makes a tree hold a state.
public struct Encoded: Sendable {
    public var change = TreeChange()
    /// The new paths of the state's notes, folders and files.
    public var paths: [SyncID: TreePath] = [:]
    public var objects: [SyncID: String] = [:]
    /// The new paths of files outside the state, which moved with their folder.
    public var moves: [TreePath: TreePath] = [:]
}

/// Returns the changes that make a tree hold a state.
///
/// A file keeps its path and its bytes as long as its meaning stays the same. Files that are neither in the state nor
/// in `before` keep their paths too, or move with their folder.
///
/// - Parameters:
///   - before: The state that was read from this tree, with its paths.
///   - contents: The bytes of files by their object names, as far as they are known.
public func encode(
    _ state: SyncState, over tree: Tree, _ before: Decoded, contents: [String: [UInt8]] = [:]
) -> Encoded {
    var encoder = TreeEncoder(state: state, tree: tree, before: before, contents: contents)
    return encoder.run()
}

private struct TreeEncoder {
    let state: SyncState
    let tree: Tree
    let before: Decoded
    let contents: [String: [UInt8]]
    private var encoded = Encoded()
    /// The folded names in use in each folder of the new tree.
    private var taken: [TreePath: Set<String>] = [:]
    private var folders: [ContainerID: TreePath] = [:]
    /// The former paths of folders.
    private var formerFolders: [ContainerID: TreePath] = [:]
    private var containers: [TreePath: ContainerID] = [:]

    init(state: SyncState, tree: Tree, before: Decoded, contents: [String: [UInt8]]) {
        (self.state, self.tree, self.before, self.contents) = (state, tree, before, contents)
    }

    mutating func run() -> Encoded {
        for (id, path) in before.paths where id.kind == .folder {
            formerFolders[ContainerID(id.uuid)] = path.folder
            containers[path.folder] = ContainerID(id.uuid)
        }
        noteTakenNames()
        placeFolders()
        moveOthers()
        writeFolders()
        writeNotes()
        writeImages()
        writeAttachments()
        writeLists()
        writeFiles()
        for (id, path) in before.paths where encoded.paths[id] != path { delete(path) }
        return encoded
    }

    // MARK: - Changes

    private mutating func put(_ path: TreePath, _ bytes: [UInt8], _ id: SyncID? = nil) {
        // Where the file has these bytes already, their hash is known.
        let present = tree[path]?.object
        let object = present.flatMap { contents[$0] == bytes ? $0 : nil } ?? GitObject.name(ofBlob: bytes)
        if present != object { encoded.change.contents[object] = bytes }
        let former = id.flatMap { before.paths[$0] }.flatMap { tree[$0] } ?? tree[path]
        // Somebody may have put a symbolic link there, which would never be read as a file.
        let mode = former.flatMap { $0.isFile ? $0.mode : nil } ?? "100644"
        put(path, TreeEntry(mode: mode, object: object), id)
    }

    private mutating func put(_ path: TreePath, _ entry: TreeEntry, _ id: SyncID? = nil) {
        if let id { (encoded.paths[id], encoded.objects[id]) = (path, entry.object) }
        if tree[path] == entry {
            encoded.change.entries[path] = nil
        } else {
            encoded.change.entries[path] = .some(entry)
        }
        written.insert(path)
    }

    private mutating func delete(_ path: TreePath) {
        if !written.contains(path), tree[path] != nil { encoded.change.entries[path] = .some(nil) }
    }

    /// The paths that were already written, which must not be deleted again.
    private var written: Set<TreePath> = []

    // MARK: - Names

    /// Collects the names of all files outside the state, by their former folders.
    private mutating func noteTakenNames() {
        let own = Set(before.paths.values)
        let formerOnes = Set(formerFolders.values)
        let formerKeys = Set(formerOnes.map { Folding.key($0.description) })
        func take(_ path: TreePath) {
            // Each component of the path, up to the nearest folder of the notebook, takes a name in its parent folder.
            // Beside such a folder there may be another one whose name differs in case alone.
            var here = path.folder
            let isKnown = names[here] != nil  // with all folders above it
            names[here, default: []].append(Self.key(path.name))
            if isKnown { return }
            while !here.bytes.isEmpty, !formerOnes.contains(here), !formerKeys.contains(Folding.key(here.description)) {
                names[here.folder, default: []].append(Self.key(here.name))
                here = here.folder
            }
        }
        // A set that is made of an array has its final capacity at once.
        var names: [TreePath: [String]] = [:]
        for path in tree.keys where !own.contains(path) && (before.state.files[path] == nil || state.files[path] != nil)
        {
            take(path)
        }
        for path in state.files.keys where tree[path] == nil { take(path) }
        taken = names.mapValues { Set($0) }
        taken[TreePath([]), default: []].formUnion(TreeLayout.reserved)
    }

    private static func key(_ name: some Collection<UInt8>) -> String {
        Folding.key(String(decoding: name, as: UTF8.self))
    }

    // MARK: - Folders

    private mutating func placeFolders() {
        for (path, id) in TreeLayout.containers { folders[id] = path }
        var children: [ContainerID?: [ContainerID]] = [:]
        for (id, folder) in state.folders { children[folder.parent, default: []].append(id) }
        // A folder's path has to be known before those of its subfolders.
        var waiting: [(ContainerID?, TreePath)] = [(nil, TreePath([])), (.trash, TreeLayout.trash)]
        while let (parent, path) = waiting.popLast() {
            let ids = (children[parent] ?? []).sorted { $0.uuid.precedes($1.uuid) }
            placeFolders(ids, in: parent, path)
            waiting += ids.compactMap { id in folders[id].map { (id, $0) } }
        }
    }

    private mutating func placeFolders(_ ids: [ContainerID], in parent: ContainerID?, _ path: TreePath) {
        // Files outside the state move with the folder and keep their names there.
        var names = (parent.flatMap { formerFolders[$0] } ?? path).bytes == path.bytes ? taken[path] ?? [] : []
        if let former = parent.flatMap({ formerFolders[$0] }) { names.formUnion(taken[former] ?? []) }
        var new: [ContainerID] = []
        for id in ids {
            guard let folder = state.folders[id] else { continue }
            if let former = formerFolders[id], isFolder(former.folder, parent),
                TreeNames.isName(former.name, of: folder.name.string, id.uuid),
                names.insert(Self.key(former.name)).inserted
            {
                folders[id] = path.appending(former.name)
            } else {
                new.append(id)
            }
        }
        for id in new {
            guard let folder = state.folders[id] else { continue }
            let name = TreeNames.name(folder.name.string, id.uuid) { names.contains(Folding.key($0)) }
            names.insert(Folding.key(name))
            folders[id] = path.appending(name)
        }
        taken[path] = names
    }

    /// Returns whether a path of the former tree belonged to this container.
    private func isFolder(_ path: TreePath, _ container: ContainerID?) -> Bool {
        if path.bytes.isEmpty { return container == nil }
        if let own = TreeLayout.containers[path] { return own == container }
        return containers[path] == container && container != nil
    }

    /// Moves files outside the state together with their folders.
    private mutating func moveOthers() {
        let moved = formerFolders.filter { id, path in folders[id] != nil && folders[id] != path }
        guard !moved.isEmpty else { return }
        let own = Set(before.paths.values)
        for (path, entry) in tree where !own.contains(path) && before.state.files[path] == nil {
            guard let new = newPath(of: path), new != path else { continue }
            encoded.moves[path] = new
            put(new, entry)
        }
        for path in encoded.moves.keys { delete(path) }
    }

    /// Returns the new path of a file whose folder moves, or `nil` if it has none.
    private func newPath(of path: TreePath) -> TreePath? {
        var folder = path.folder
        while !folder.bytes.isEmpty {
            if let id = containers[folder] {
                guard let new = folders[id] else { return nil }
                return TreePath(new.bytes + path.bytes[folder.bytes.count...])
            }
            folder = folder.folder
        }
        return nil
    }

    private mutating func writeFolders() {
        for (id, folder) in state.folders {
            guard let path = folders[id] else { continue }
            put(path.appending(FolderFile.name), Array(FolderFile.text(id, folder).utf8), .folder(id))
        }
    }

    // MARK: - Notes

    private mutating func writeNotes() {
        let names = state.tags.mapValues(\.name)
        var new: [NoteID] = []
        for id in state.notes.keys.sorted(by: { $0.uuid.precedes($1.uuid) }) {
            guard let note = state.notes[id] else { continue }
            if let path = keptPath(of: id, note) {
                taken[path.folder, default: []].insert(Self.key(path.name))
                write(id, note, at: path, names)
            } else {
                new.append(id)
            }
        }
        // Some file systems hold folders whose names differ in case alone for one.
        let inboxes = taken.keys.filter { $0 != TreeLayout.inbox && TreeLayout.standsForInbox($0) && !$0.bytes.isEmpty }
        for id in new {
            guard let note = state.notes[id] else { continue }
            let folder = folders[note.folder] ?? TreeLayout.inbox
            let former = formerFolders[note.folder].map { [$0] } ?? []
            let places = [folder] + former + (folder == TreeLayout.inbox ? inboxes : [])
            let name = TreeNames.name(note.title.string, id.uuid, ending: TreeNames.noteEnding) { name in
                let key = Folding.key(name)
                return places.contains { taken[$0]?.contains(key) == true }
            }
            taken[folder, default: []].insert(Folding.key(name))
            write(id, note, at: folder.appending(name), names)
        }
    }

    /// Returns the path of a note that keeps its file name, since it is in the same folder and the name still fits its
    /// title.
    private func keptPath(of id: NoteID, _ note: SyncNote) -> TreePath? {
        guard let former = before.paths[.note(id)], let folder = folders[note.folder],
            TreeNames.isName(former.name, of: note.title.string, id.uuid, ending: TreeNames.noteEnding)
        else { return nil }
        let isInInbox = note.folder == .inbox && TreeLayout.standsForInbox(former.folder)
        guard isInInbox || isFolder(former.folder, note.folder) else { return nil }
        let path = isInInbox ? former : folder.appending(former.name)
        if taken[path.folder]?.contains(Self.key(path.name)) == true { return nil }
        return path
    }

    private mutating func write(
        _ id: NoteID, _ note: SyncNote, at path: TreePath, _ names: [ContainerID: ExactText]
    ) {
        if states(id, note, at: path), let entry = tree[path] { return put(path, entry, .note(id)) }
        let derived = before.state.notes[id]?.text == note.text ? before.derivedTitles[id] : nil
        put(path, NoteDocument(note, id: id, tagNames: names, derivedTitle: derived).bytes, .note(id))
    }

    /// Returns whether the file at a path says of the note what it is to say, in whichever words.
    private func states(_ id: NoteID, _ note: SyncNote, at path: TreePath) -> Bool {
        before.paths[.note(id)] == path && before.state.notes[id] == note && !before.unstated.contains(id)
            && note.tags.allSatisfy { tag in
                state.tags[tag].map { $0.name == before.state.tags[tag]?.name } ?? false
            }
    }

    // MARK: - Other files

    private mutating func writeImages() {
        for (uuid, image) in state.images {
            let path = TreeLayout.images.appending("\(uuid.uuidString).\(image.isJPEG ? "jpg" : "png")")
            put(path, TreeEntry(object: image.object), SyncID(.image, uuid))
        }
    }

    private mutating func writeAttachments() {
        for (uuid, file) in state.attachments {
            let id = SyncID(.file, uuid)
            let path = TreeLayout.path(of: uuid, file)
            let mode = before.paths[id].flatMap { tree[$0]?.mode } ?? "100644"
            put(path, TreeEntry(mode: mode, object: file.object), id)
        }
    }

    private mutating func writeLists() {
        put(ListFiles.format, Array(ListFiles.formatText.utf8))
        let lists = [
            (ListFiles.tags, ListFiles.text(tags: state.tags)),
            (ListFiles.searches, ListFiles.text(searches: state.searches)),
            (ListFiles.images, ListFiles.text(images: state.images)),
            (ListFiles.attachments, ListFiles.text(attachments: state.attachments)),
            (ListFiles.gone, ListFiles.text(gone: state.gone)),
        ]
        for (path, text) in lists {
            if !text.isEmpty { put(path, Array(text.utf8)) } else { delete(path) }
        }
        if tree[TreeLayout.attributes] == nil, state.files[TreeLayout.attributes] == nil {
            put(TreeLayout.attributes, Array("* -text\n".utf8))
        }
        if tree[TreeLayout.readme] == nil, state.files[TreeLayout.readme] == nil {
            put(TreeLayout.readme, Array(Texts.readme.utf8))
        }
    }

    private mutating func writeFiles() {
        for (path, entry) in state.files where !written.contains(path) {
            // A file moves together with its folder.
            let new = newPath(of: path).flatMap { tree[$0] == nil && !written.contains($0) ? $0 : nil } ?? path
            put(new, entry)
        }
        for path in before.state.files.keys { delete(path) }
    }
}
