import Foundation

/// A node of the notebook's tree: anything that a note can be in.
public struct NoteContainer: Identifiable, Equatable, Sendable {
    /// The raw value is what the `kind` column stores.
    public enum Kind: String, Sendable, Codable {
        case inbox, starred, allNotes, trash, archive, buffer, folder, project, tag
    }

    /// The role of a template folder in a project, whatever its current name; the raw value is stored.
    public enum Role: String, Sendable, Codable, CaseIterable {
        case work, all, draft, ready, setAside, published, collections, submissions, research
        case publications, magazines, competitions, commissions, other
    }

    public enum ProjectType: String, Sendable, Codable, CaseIterable { case poetry, prose, drama }

    public let id: ContainerID
    public var kind: Kind
    public var name: String
    public var parent: ContainerID?
    public var createdDate: Date
    /// Red, green, blue, alpha from the highest byte down.
    public var colorRGBA: UInt32
    /// An SF Symbol name; the interface maps it to a glyph.
    public var symbol: String
    public var sortOrder: Int64
    public var role: Role?
    public var projectType: ProjectType?
    public var details: String
    /// `.trash` for everything under Trash, otherwise `.live`.
    public var place: Place
    /// The number of notes in its list.
    public var noteCount: Int
    /// Whether it is a tag that exists only because it occurs in texts.
    public var isOnlyInTexts: Bool
    let key: Int64

    /// TakeNote pink.
    public static let defaultColor: UInt32 = 0xFF26_B9FF

    public var isInbox: Bool { kind == .inbox }
    public var isStarred: Bool { kind == .starred }
    public var isAllNotes: Bool { kind == .allNotes }
    public var isTrash: Bool { kind == .trash }
    public var isArchive: Bool { kind == .archive }
    public var isBuffer: Bool { kind == .buffer }
    public var isTag: Bool { kind == .tag }
    public var isProject: Bool { kind == .project }
    public var isFolder: Bool { kind == .folder }
    public var isInTrash: Bool { place == .trash }

    public var isSystemFolder: Bool { kind.isSystem }

    /// Whether notes can be put into this container.
    public var holdsNotes: Bool { kind.holdsNotes(as: role) }

    /// Whether a note can be created in this container, or pasted into it: the Inbox, and live folders that hold notes.
    public var takesNewNotes: Bool { isInbox || isFolder && holdsNotes && !isInTrash }

    /// Whether folders can be put into this container.
    public var holdsFolders: Bool { kind.holdsFolders(as: role) }

    /// Whether its list is computed from notes in other containers.
    public var isQuery: Bool {
        kind == .starred || kind == .allNotes || kind == .tag || kind == .project || role == .all
    }
}

extension NoteContainer.Kind {
    public var isSystem: Bool {
        switch self {
        case .inbox, .starred, .allNotes, .trash, .archive, .buffer: true
        case .folder, .project, .tag: false
        }
    }

    /// Whether notes can be put into a container of this kind that has this role in a project.
    func holdsNotes(as role: NoteContainer.Role?) -> Bool {
        switch self {
        case .inbox, .trash, .archive, .buffer, .folder: role?.holdsNotes != false
        case .starred, .allNotes, .project, .tag: false
        }
    }

    /// Whether folders can be put into a container of this kind that has this role in a project.
    func holdsFolders(as role: NoteContainer.Role?) -> Bool {
        (self == .folder || self == .project) && role?.holdsFolders != false
    }

    /// The app's symbol for a container of this kind.
    public var symbol: String {
        switch self {
        case .inbox: "tray"
        case .starred: "star.fill"
        case .allNotes: "text.pad.header"
        case .trash: "trash"
        case .archive: "archivebox"
        case .buffer, .folder, .project: "folder"
        case .tag: "tag.fill"
        }
    }
}

extension NoteContainer.Role {
    var holdsNotes: Bool {
        switch self {
        case .work, .publications, .all: false
        default: true
        }
    }

    var holdsFolders: Bool {
        switch self {
        case .all, .draft, .ready, .setAside, .published: false
        default: true
        }
    }
}
