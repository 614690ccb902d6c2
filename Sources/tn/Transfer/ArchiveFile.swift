import Foundation
import NoteStore

/// The whole notebook as one JSON file: notes with their texts, folders, projects, tags and images.
///
/// Left out is what only the notebook's file has: earlier texts, and what can be undone.
struct ArchiveFile: Codable {
    /// Tells the file from others; `version` grows when a reader must know more.
    static let format = "tn-notebook"
    static let version = 1

    struct Container: Codable {
        var kind: String
        /// Names from the root; one for a tag.
        var path: [String]
        var color: UInt32
        var role: String?
        var projectType: String?
        var details: String
    }

    struct Note: Codable {
        var uuid, title, content: String
        var created, updated: String
        var starred: Bool
        /// Names of the folders from the root; of a note in Trash or Archive none.
        var folder: [String]
        var tags: [String]
        /// "live", "archive" or "trash".
        var place: String
    }

    struct Image: Codable {
        var uuid, mimeType, created: String
        /// As base 64.
        var data: Data
    }

    var format = Self.format
    var version = Self.version
    var containers: [Container] = []
    var notes: [Note] = []
    var images: [Image] = []

    // MARK: Writing

    init(of notebook: Notebook) throws {
        let all = try notebook.containers()
        let byID = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
        func names(_ id: ContainerID?) -> [String] {
            guard let id, let container = byID[id] else { return [] }
            return names(container.parent) + [container.name]
        }
        for container in all where !container.isSystemFolder && container.place == .live {
            containers.append(
                Container(
                    kind: container.kind.rawValue, path: names(container.id), color: container.colorRGBA,
                    role: container.role?.rawValue, projectType: container.projectType?.rawValue,
                    details: container.details))
        }
        var seen: Set<UUID> = []
        for id in try notebook.allNotes() {
            guard let note = try notebook.note(id) else { continue }
            let isLive = note.row.place == .live
            notes.append(
                Note(
                    uuid: id.description, title: note.title, content: note.content,
                    created: NoteOutput.timestamp(note.row.createdDate),
                    updated: NoteOutput.timestamp(note.row.updatedDate), starred: note.row.starred,
                    folder: isLive && note.row.folder != .inbox ? names(note.row.folder) : [], tags: note.row.tagNames,
                    place: isLive ? "live" : note.row.place == .archive ? "archive" : "trash"))
            for image in try notebook.images(of: id) where seen.insert(image.imageUUID).inserted {
                images.append(
                    Image(
                        uuid: image.imageUUID.uuidString, mimeType: image.mimeType.rawValue,
                        created: NoteOutput.timestamp(image.createdDate), data: image.imageData))
            }
        }
    }

    // MARK: Reading

    /// Makes the folders, projects and tags that are missing, with their colours.
    func makeContainers(in notebook: Notebook) throws {
        for container in containers {
            if container.kind == "tag", let name = container.path.first {
                let tag = try notebook.tag(named: name) ?? notebook.addTag(name)
                try paint(tag, container, in: notebook)
            } else {
                try makeFolder(container, in: notebook)
            }
        }
    }

    private func makeFolder(_ container: Container, in notebook: Notebook) throws {
        let path = Notebook.path(ofNames: container.path)
        if let found = notebook.existingContainer(path: path) { return try paint(found, container, in: notebook) }
        let name = container.path.last ?? ""
        if let type = container.projectType.flatMap(NoteContainer.ProjectType.init) {
            let project = try notebook.addProject(name, type: type, details: container.details)
            return try paint(project, container, in: notebook)
        }
        let parent = notebook.existingContainer(path: Notebook.path(ofNames: container.path.dropLast()))
        // A template's folder that was renamed is there under its first name.
        let twin = try container.role.flatMap(NoteContainer.Role.init).flatMap { role in
            try parent.map { try notebook.children(of: $0.id) }?.first { $0.role == role }
        }
        if let twin {
            try notebook.rename(twin.id, to: name)
            return try paint(twin, container, in: notebook)
        }
        try paint(try notebook.addFolder(name, in: parent?.id), container, in: notebook)
    }

    private func paint(_ made: NoteContainer, _ wanted: Container, in notebook: Notebook) throws {
        if made.colorRGBA != wanted.color { try notebook.setColor(made.id, wanted.color) }
    }

    /// Puts notes into Archive and Trash that were there.
    func putAway(in notebook: Notebook) throws {
        func ids(_ place: String) throws -> [NoteID] {
            try notes.filter { $0.place == place }.compactMap { NoteID($0.uuid) }.filter {
                try notebook.row($0)?.place == .live
            }
        }
        let (archived, trashed) = (try ids("archive"), try ids("trash"))
        if !archived.isEmpty { try notebook.archive(archived) }
        if !trashed.isEmpty { try notebook.moveToTrash(trashed) }
    }
}

extension Notebook {
    /// All notes wherever they are, Buffer left out.
    func allNotes() throws -> [NoteID] {
        var seen: Set<NoteID> = []
        return try containers().filter { $0.holdsNotes && !$0.isBuffer }.flatMap { try notes(in: $0.id) }
            .filter { seen.insert($0).inserted }
    }

    /// The notes of a list, by title.
    func notes(in container: ContainerID) throws -> [NoteID] {
        let query = ListQuery(container: container, sortBy: .title, sortOrder: .oldestFirst, starredFirst: false)
        return try rows(query, from: .start, limit: try count(query)).map(\.id)
    }

    /// The notes of a folder and of all below it.
    func notes(below folder: NoteContainer) throws -> [NoteID] {
        if folder.isQuery || folder.isProject { return try notes(in: folder.id) }
        return try notes(in: folder.id) + children(of: folder.id).flatMap { try notes(below: $0) }
    }
}
