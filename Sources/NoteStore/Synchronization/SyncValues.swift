import Foundation

/// A note without the values of a single machine, such as its revision and its versions.
public struct SyncNote: Equatable, Sendable {
    public var title: ExactText
    /// The default title, equal to the title while the title follows the text.
    public var defaultTitle: ExactText
    public var text: ExactText
    /// The folder of the note: the Inbox, the Archive, the Trash or a folder; for a note in the Buffer, where it was
    /// cut.
    public var folder: ContainerID
    public var tags: Set<ContainerID>
    /// The dates in milliseconds since 1970.
    public var created, updated: Int64
    public var starred: Bool
    public var order: Int64
    public var summary: ExactText
    public var summaryHash: ExactText
    public var origin: SyncOrigin?
    /// The folded former titles, each with the time when the note lost it.
    public var former: [ExactText: Int64]
    /// The note with which this one's text was in conflict.
    public var conflictOf: NoteID?

    public init(
        title: ExactText, defaultTitle: ExactText, text: ExactText, folder: ContainerID = .inbox,
        tags: Set<ContainerID> = [], created: Int64 = 0, updated: Int64 = 0, starred: Bool = false, order: Int64 = 0,
        summary: ExactText = "", summaryHash: ExactText = "", origin: SyncOrigin? = nil,
        former: [ExactText: Int64] = [:], conflictOf: NoteID? = nil
    ) {
        (self.title, self.defaultTitle, self.text) = (title, defaultTitle, text)
        (self.folder, self.tags, self.created, self.updated) = (folder, tags, created, updated)
        (self.starred, self.order, self.summary, self.summaryHash) = (starred, order, summary, summaryHash)
        (self.origin, self.former, self.conflictOf) = (origin, former, conflictOf)
    }

    public var followsText: Bool { title == defaultTitle }
}

/// The origin of a note or folder that is in Trash or Archive.
public struct SyncOrigin: Equatable, Sendable {
    public var container: ContainerID?
    /// The names in its path, as the notebook stores them: a JSON array.
    public var path: ExactText?
    /// Whether a note in Trash was in Archive before.
    public var wasArchived: Bool
    public var moved: Int64?

    public init(container: ContainerID?, path: ExactText?, wasArchived: Bool = false, moved: Int64?) {
        (self.container, self.path, self.wasArchived, self.moved) = (container, path, wasArchived, moved)
    }
}

/// A folder or project without the values of a single machine.
public struct SyncFolder: Equatable, Sendable {
    public var isProject: Bool
    public var name: ExactText
    /// The parent folder; nil for the top level.
    public var parent: ContainerID?
    public var created: Int64
    /// The time when its name, parent or appearance last changed.
    public var updated: Int64
    public var color: UInt32
    public var symbol: ExactText
    public var order: Int64
    public var role: NoteContainer.Role?
    public var projectType: NoteContainer.ProjectType?
    public var details: ExactText
    public var origin: SyncOrigin?

    public init(
        isProject: Bool = false, name: ExactText, parent: ContainerID? = nil, created: Int64 = 0, updated: Int64 = 0,
        color: UInt32 = NoteContainer.defaultColor, symbol: ExactText = "folder", order: Int64 = 0,
        role: NoteContainer.Role? = nil, projectType: NoteContainer.ProjectType? = nil, details: ExactText = "",
        origin: SyncOrigin? = nil
    ) {
        (self.isProject, self.name, self.parent, self.created) = (isProject, name, parent, created)
        (self.updated, self.color, self.symbol, self.order) = (updated, color, symbol, order)
        (self.role, self.projectType, self.details, self.origin) = (role, projectType, details, origin)
    }

    public var holdsFolders: Bool { role?.holdsFolders != false }
    public var holdsNotes: Bool { !isProject && role?.holdsNotes != false }
}

/// A tag without the values of a single machine.
public struct SyncTag: Equatable, Sendable {
    public var name: ExactText
    public var created: Int64
    public var updated: Int64
    public var color: UInt32
    public var symbol: ExactText
    public var order: Int64

    public init(
        name: ExactText, created: Int64 = 0, updated: Int64 = 0, color: UInt32 = NoteContainer.defaultColor,
        symbol: ExactText = "tag.fill", order: Int64 = 0
    ) {
        (self.name, self.created, self.updated) = (name, created, updated)
        (self.color, self.symbol, self.order) = (color, symbol, order)
    }
}

/// A saved search without the values of a single machine.
public struct SyncSearch: Equatable, Sendable {
    public var name: ExactText
    public var query: ExactText
    public var created: Int64

    public init(name: ExactText, query: ExactText, created: Int64 = 0) {
        (self.name, self.query, self.created) = (name, query, created)
    }
}

/// The facts of an image that are the same on every machine; its bytes are read when they are needed.
public struct SyncImage: Equatable, Sendable {
    /// The git object name of its bytes, in hexadecimal.
    public var object: String
    public var isJPEG: Bool
    public var created: Int64

    public init(object: String, isJPEG: Bool, created: Int64) {
        (self.object, self.isJPEG, self.created) = (object, isJPEG, created)
    }
}

/// The kind of a thing that is synchronised; the raw value is what `sync_mark.kind` and `sync_file.kind` store.
public enum SyncKind: String, Sendable, Codable { case note, folder, tag, search, image, file }

/// The key of a synchronised thing: its kind and its identity.
public struct SyncID: Hashable, Sendable, Comparable {
    public var kind: SyncKind
    public var uuid: UUID

    public init(_ kind: SyncKind, _ uuid: UUID) { (self.kind, self.uuid) = (kind, uuid) }
    public static func note(_ id: NoteID) -> SyncID { SyncID(.note, id.uuid) }
    public static func folder(_ id: ContainerID) -> SyncID { SyncID(.folder, id.uuid) }

    public static func < (one: Self, other: Self) -> Bool {
        if one.kind != other.kind { return one.kind.rawValue < other.kind.rawValue }
        return one.uuid.precedes(other.uuid)
    }
}
