import Foundation
import NoteStore

/// The state that was read from a tree, with the path of each note, folder and file in it.
public struct Decoded: Sendable {
    public var state = SyncState()
    public var paths: [SyncID: TreePath] = [:]
    /// The notes whose files state no date, since another program has made them.
    var undated: Set<NoteID> = []
    /// The notes whose files another program has changed, although their dates say nothing of it.
    var editedByHand: Set<NoteID> = []
    /// The notes whose files have lost all of tn's lines, and are known by their paths.
    var stripped: Set<NoteID> = []
    /// The folders that have lost their files, and are known by their paths.
    var strippedFolders: Set<ContainerID> = []
    /// The notes whose files do not say all that the state does, and so have to be written.
    var unstated: Set<NoteID> = []
    /// The titles that follow from the notes' texts in the tree, which take long to derive.
    var derivedTitles: [NoteID: ExactText] = [:]

    public init() {}
}

/// Returns the state that a tree holds, whichever program has written it.
///
/// - Parameters:
///   - contents: The bytes of the notes, folders and lists by their object names. A note without bytes is kept unread.
///   - known: The objects by their paths at the last synchronisation, which distinguish a renamed file from a copied
///     one.
public func decode(
    _ tree: Tree, contents: [String: [UInt8]], known: [TreePath: SyncID] = [:]
) -> Decoded {
    decode(tree, contents: contents, known: known, ReadNotes())
}

/// - Parameter read: The files that were read so far, from other trees.
func decode(_ tree: Tree, contents: [String: [UInt8]], known: [TreePath: SyncID], _ read: ReadNotes) -> Decoded {
    var decoder = TreeDecoder(tree: tree, contents: contents, known: known, read: read)
    decoder.run()
    return decoder.decoded
}

/// The paths that the format defines.
package enum TreeLayout {
    static let inbox: TreePath = "Inbox"
    static let archive: TreePath = "Archive"
    static let trash: TreePath = ".trash"
    static let images: TreePath = "images"
    package static let files: TreePath = "files"
    static let readme: TreePath = "README.md"
    static let attributes: TreePath = ".gitattributes"
    /// The folded names that no folder at the top may have.
    static let reserved: Set<String> = [
        "inbox", "archive", ".trash", "images", "files", ".tn", ".git", "readme.md", ".gitattributes",
    ]
    /// The deepest nesting of folders; files that lie deeper are kept unread.
    static let maximumDepth = 200

    static let containers: [TreePath: ContainerID] = [inbox: .inbox, archive: .archive, trash: .trash]
    /// The containers that every notebook has, whose identities no folder and no tag may have.
    static let systemContainers: Set<ContainerID> = [.inbox, .starred, .allNotes, .trash, .archive, .buffer]

    /// Returns whether a folder at the top holds the notes of the Inbox, as “Inbox” and the top itself do.
    ///
    /// In a repository that tn did not make it may be written in any case. No folder of a notebook has this name.
    static func standsForInbox(_ path: TreePath) -> Bool {
        path.bytes.isEmpty || path.bytes.count == inbox.bytes.count && path.description.lowercased() == "inbox"
    }

    /// Returns the path of an attachment, such as `files/UUID/plan.pdf`.
    static func path(of uuid: UUID, _ file: SyncAttachment) -> TreePath {
        files.appending(uuid.uuidString).appending(TreeNames.file(file.name.string))
    }

    package enum Role: Equatable {
        case list, image(UUID, isJPEG: Bool), attachment(UUID), folder, note, other

        /// Whether the file lists folders, tags or the like, so that everything it does not mention counts as deleted.
        var isList: Bool { self == .list || self == .folder }
    }

    /// Returns the role of the file at a path, judged by its name alone.
    ///
    /// Names are compared by their bytes, since a name may begin with a combining character that joins the slash before
    /// it.
    package static func role(of path: TreePath, _ entry: TreeEntry) -> Role {
        guard entry.isFile, path.isText else { return .other }
        if path.isInside(ListFiles.folder) { return ListFiles.all.contains(path) ? .list : .other }
        let (depth, isHidden) = shape(of: path.bytes)
        if depth == 2, path.bytes.starts(with: "images/".utf8) { return image(named: path.name) ?? .other }
        if depth == 3, path.bytes.starts(with: "files/".utf8), let uuid = uuid(named: path.names[1]),
            !path.name.isEmpty
        {
            return .attachment(uuid)
        }
        if isHidden || depth > maximumDepth || path == readme { return .other }
        let name = path.name
        if name.elementsEqual(FolderFile.name.utf8) {
            return depth > 1 && containers[path.folder] == nil ? .folder : .other
        }
        let isNote = name.first != dot && name.suffix(3).elementsEqual(TreeNames.noteEnding.utf8)
        return isNote ? .note : .other
    }

    private static let dot = UInt8(ascii: ".")

    /// Returns the number of a path's components, and whether one of them has no name or is a folder whose name begins
    /// with a dot, except for that of the Trash.
    ///
    /// Every path of every tree is judged several times, so that no component is copied here.
    private static func shape(of path: [UInt8]) -> (depth: Int, isHidden: Bool) {
        var (depth, start, isHidden) = (0, 0, false)
        for end in 0...path.count where end == path.count || path[end] == UInt8(ascii: "/") {
            let isDotFolder = start < end && end < path.count && path[start] == dot
            let isTrash = isDotFolder && depth == 0 && path[start..<end].elementsEqual(trash.bytes)
            if start == end || isDotFolder && !isTrash { isHidden = true }
            (depth, start) = (depth + 1, end + 1)
        }
        return (depth, isHidden)
    }

    private static func image(named name: ArraySlice<UInt8>) -> Role? {
        let ending = name.suffix(4)
        guard name.count == 40, ending.elementsEqual(".png".utf8) || ending.elementsEqual(".jpg".utf8) else {
            return nil
        }
        return uuid(named: name.dropLast(4)).map { .image($0, isJPEG: ending.elementsEqual(".jpg".utf8)) }
    }

    private static func uuid(named name: ArraySlice<UInt8>) -> UUID? {
        let text = String(decoding: name, as: UTF8.self)
        return text == text.uppercased() ? UUID(uuidString: text) : nil
    }
}

extension NoteID {
    /// Creates the identity that every machine gives to a note whose file states none, or states that of another note.
    init(adoptedAt path: TreePath, _ entry: TreeEntry) {
        self.init(StableID.uuid("note", path.bytes, Array(entry.object.utf8)))
    }
}

private struct TreeDecoder {
    let tree: Tree
    let contents: [String: [UInt8]]
    let known: [TreePath: SyncID]
    let read: ReadNotes
    var decoded = Decoded()
    private var folderIDs: [TreePath: ContainerID] = [:]
    /// The folders by their folded paths, since a notebook has no two folders whose names differ in case alone.
    private var foldedFolderIDs: [String: ContainerID] = [:]
    private var tagIDs: [String: ContainerID] = [:]
    /// The paths at the last synchronisation, which only a renamed file needs.
    private lazy var formerPaths: [SyncID: TreePath] = Dictionary(known.map { ($1, $0) }) { min($0, $1) }

    init(tree: Tree, contents: [String: [UInt8]], known: [TreePath: SyncID], read: ReadNotes) {
        (self.tree, self.contents, self.known, self.read) = (tree, contents, known, read)
    }

    mutating func run() {
        var (folders, notes) = ([TreePath](), [TreePath]())
        var images: [(UUID, TreePath, SyncImage)] = []
        var attachments: [UUID: [TreePath]] = [:]
        let dates = bytes(at: ListFiles.images).map(ListFiles.imageDates) ?? [:]
        for (path, entry) in tree {
            switch TreeLayout.role(of: path, entry) {
            case .list: break
            case .image(let uuid, let isJPEG):
                images.append((uuid, path, SyncImage(object: entry.object, isJPEG: isJPEG, created: dates[uuid] ?? 0)))
            case .attachment(let uuid): attachments[uuid, default: []].append(path)
            case .folder: folders.append(path)
            case .note where contents[entry.object] != nil: notes.append(path)
            case .note, .other: decoded.state.files[path] = entry
            }
        }
        for (uuid, path, image) in images.sorted(by: { $0.1 < $1.1 }) {
            if decoded.state.images[uuid] == nil {
                decoded.state.images[uuid] = image
                decoded.paths[SyncID(.image, uuid)] = path
            } else {
                decoded.state.files[path] = tree[path]
            }
        }
        readAttachments(attachments)
        readDeletions()
        readFolders(folders.sorted())
        readLists()
        readNotes(notes.sorted())
    }

    private func bytes(at path: TreePath) -> [UInt8]? { tree[path].flatMap { contents[$0.object] } }

    /// Reads the attachments.
    ///
    /// A user may have renamed one, or put other files beside it, which do not take its place once tn's list lacks it.
    private mutating func readAttachments(_ found: [UUID: [TreePath]]) {
        let listed = bytes(at: ListFiles.attachments).map(ListFiles.attachments) ?? [:]
        for (uuid, paths) in found {
            let fact = listed[uuid]
            let paths = paths.sorted()
            let known = paths.first { path in
                fact.map { path.name.elementsEqual(TreeNames.file($0.name).utf8) } ?? false
            }
            let own = known ?? (fact == nil && tree[ListFiles.format] != nil ? nil : paths[0])
            for path in paths where path != own { decoded.state.files[path] = tree[path] }
            guard let own else { continue }
            let name = known == nil ? ExactText(bytes: own.name) : ExactText(fact?.name ?? "")
            decoded.state.attachments[uuid] = SyncAttachment(
                object: tree[own]?.object ?? "", name: name, created: fact?.created ?? 0)
            decoded.paths[SyncID(.file, uuid)] = own
        }
    }

    private mutating func readDeletions() {
        let gone = bytes(at: ListFiles.gone).map(ListFiles.gone) ?? [:]
        decoded.state.gone = gone.mapValues { successor in
            successor.flatMap { TreeLayout.systemContainers.contains(ContainerID($0)) ? nil : $0 }
        }
    }

    private mutating func readLists() {
        let tags = bytes(at: ListFiles.tags).map(ListFiles.tags) ?? [:]
        // No two containers of a notebook have the same identity.
        decoded.state.tags = tags.filter { id, _ in
            decoded.state.folders[id] == nil && !TreeLayout.systemContainers.contains(id)
        }
        decoded.state.searches = bytes(at: ListFiles.searches).map(ListFiles.searches) ?? [:]
        for (id, tag) in decoded.state.tags.sorted(by: { $0.key.uuid.precedes($1.key.uuid) }) {
            let key = Folding.key(tag.name.string)
            if tagIDs[key] == nil { tagIDs[key] = id }
        }
    }

    // MARK: - Folders

    private mutating func readFolders(_ paths: [TreePath]) {
        var found: [(path: TreePath, id: ContainerID, folder: SyncFolder)] = []
        for path in paths {
            guard let bytes = bytes(at: path), let (id, folder) = FolderFile.read(bytes, isAt: path),
                !TreeLayout.systemContainers.contains(id)
            else {
                decoded.state.files[path] = tree[path]
                continue
            }
            found.append((path, id, folder))
        }
        // If a folder was copied, the copy at the known path keeps the identity; if no path is known, the first copy
        // does.
        let groups = Dictionary(grouping: found, by: \.id)
        for (id, copies) in groups {
            let own = copies.first { known[$0.path] == .folder(id) } ?? copies[0]
            for copy in copies {
                let isOwn = copy.path == own.path
                let adopted = isOwn ? id : ContainerID(StableID.uuid("folder", copy.path.bytes))
                folderIDs[copy.path.folder] = adopted
                var folder = copy.folder
                let name = copy.path.folder.name
                if !TreeNames.isName(name, of: folder.name.string, id.uuid) || !isOwn {
                    folder.name = ExactText(bytes: name)
                    if !isOwn { folder.role = nil }
                }
                decoded.state.folders[adopted] = folder
                decoded.paths[.folder(adopted)] = copy.path
            }
        }
        let sorted = folderIDs.sorted { $0.key < $1.key }
        for (path, id) in sorted where foldedFolderIDs[Self.folded(path)] == nil {
            foldedFolderIDs[Self.folded(path)] = id
        }
        for (path, id) in sorted where !path.folder.bytes.isEmpty {
            let parent = container(at: path.folder)
            decoded.state.folders[id]?.parent = parent
        }
    }

    /// Returns the container for a folder of the tree.
    ///
    /// A folder that tn has not made gets an identity, which every machine derives alike.
    private mutating func container(at path: TreePath) -> ContainerID {
        if path.bytes.isEmpty { return .inbox }
        if let own = TreeLayout.containers[path] { return own }
        if let id = folderIDs[path] { return id }
        if let id = foldedFolderIDs[Self.folded(path)] {
            folderIDs[path] = id
            return id
        }
        if TreeLayout.standsForInbox(path) { return .inbox }
        let id = identity(ofFolderAt: path)
        (folderIDs[path], foldedFolderIDs[Self.folded(path)]) = (id, id)
        // It keeps its path, although it has no file yet.
        decoded.paths[.folder(id)] = path.appending(FolderFile.name)
        decoded.state.folders[id] = SyncFolder(name: ExactText(bytes: path.name))
        if !path.folder.bytes.isEmpty {
            let parent = container(at: path.folder)
            decoded.state.folders[id]?.parent = parent
        }
        return id
    }

    private static func folded(_ path: TreePath) -> String { Folding.key(path.description) }

    /// Returns the identity of a folder that has no file `.folder`.
    private mutating func identity(ofFolderAt path: TreePath) -> ContainerID {
        // If somebody has removed the file, the folder keeps the identity known at its path.
        if let former = known[path.appending(FolderFile.name)], former.kind == .folder,
            decoded.state.folders[ContainerID(former.uuid)] == nil, decoded.state.gone[former.uuid] == nil
        {
            decoded.strippedFolders.insert(ContainerID(former.uuid))
            return ContainerID(former.uuid)
        }
        var id = ContainerID(StableID.uuid("folder", path.bytes))
        // A folder was here before, and has another path now.
        while decoded.state.folders[id] != nil { id = ContainerID(StableID.uuid("folder", Array(id.description.utf8))) }
        return id
    }

    // MARK: - Notes

    private mutating func readNotes(_ paths: [TreePath]) {
        var found: [NoteID: [(path: TreePath, fields: NoteFields)]] = [:]
        var foreign: [(path: TreePath, fields: NoteFields)] = []
        for path in paths {
            guard let fields = tree[path].flatMap({ read.fields(of: $0.object, contents) }) else {
                decoded.state.files[path] = tree[path]
                continue
            }
            if let id = fields.id {
                found[id, default: []].append((path, fields))
            } else {
                foreign.append((path, fields))
            }
        }
        for (id, copies) in found.sorted(by: { $0.key.uuid.precedes($1.key.uuid) }) {
            let own = copies.first { known[$0.path] == .note(id) } ?? copies[0]
            add(id, own.path, own.fields)
            for copy in copies where copy.path != own.path { foreign.append(copy) }
        }
        for (path, fields) in foreign {
            // Every machine derives the same identity for a new file. A file that lost its identity line keeps the
            // identity known at its path.
            if fields.id == nil, case let id? = known[path], id.kind == .note, found[NoteID(id.uuid)] == nil {
                add(NoteID(id.uuid), path, fields)
                decoded.stripped.insert(NoteID(id.uuid))
                continue
            }
            guard let entry = tree[path] else { continue }
            var id = NoteID(adoptedAt: path, entry)
            // An identical file was here before, and its note has another path now.
            while decoded.state.notes[id] != nil { id = NoteID(StableID.uuid("note", Array(id.description.utf8))) }
            add(id, path, fields)
        }
    }

    private mutating func add(_ id: NoteID, _ path: TreePath, _ fields: NoteFields) {
        let derived = ExactText(Notebook.Sync.derivedTitle(of: fields.text.string))
        let title = fields.title ?? derived
        var note = SyncNote(
            title: title, defaultTitle: fields.title == nil || fields.follows ? title : fields.defaultTitle ?? derived,
            text: fields.text, folder: container(at: path.folder), tags: Set(fields.tags.map { tag($0) }),
            created: fields.created ?? fields.updated ?? 0, updated: fields.updated ?? fields.created ?? 0,
            starred: fields.starred, order: fields.order, summary: fields.summary.0, summaryHash: fields.summary.1,
            origin: fields.origin, former: fields.former, conflictOf: fields.conflictOf)
        rename(&note, id, path, isForeign: fields.id != id)
        let isStated = fields.id == id && fields.created != nil && fields.updated != nil
        if !isStated || note.title != title { decoded.unstated.insert(id) }
        if fields.created == nil, fields.updated == nil { decoded.undated.insert(id) }
        decoded.state.notes[id] = note
        decoded.derivedTitles[id] = derived
        decoded.paths[.note(id)] = path
    }

    /// Changes the note's title to its file's name if the file was renamed.
    private mutating func rename(_ note: inout SyncNote, _ id: NoteID, _ path: TreePath, isForeign: Bool) {
        let ending = TreeNames.noteEnding
        if TreeNames.isName(path.name, of: note.title.string, id.uuid, ending: ending) { return }
        let name = path.name.dropLast(ending.utf8.count)
        guard !isForeign else {
            if note.followsText, note.text.isEmpty {
                (note.title, note.defaultTitle) = (ExactText(bytes: name), "")
            } else if note.followsText {
                (note.defaultTitle, note.title) = (note.title, ExactText(bytes: name))
            }
            return
        }
        guard let former = formerPaths[.note(id)], former.name != path.name else { return }
        note.defaultTitle = note.followsText ? note.title : note.defaultTitle
        note.title = ExactText(bytes: name)
        if note.defaultTitle == note.title { note.defaultTitle = "" }
    }

    private mutating func tag(_ name: String) -> ContainerID {
        let key = Folding.key(name)
        if let id = tagIDs[key] { return id }
        let id = ContainerID(StableID.uuid("tag", Array(key.utf8)))
        tagIDs[key] = id
        decoded.state.tags[id] = SyncTag(name: ExactText(name))
        return id
    }
}
