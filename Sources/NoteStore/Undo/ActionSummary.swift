import Foundation

/// A summary of an action, which the interface puts into words ("Undo: move 3 notes to Trash").
public struct ActionSummary: Equatable, Sendable, Codable {
    /// The raw value is stored.
    public enum Kind: String, Sendable, Codable {
        case star, unstar, rename, move, trash, restore, archive, unarchive, tag, untag, cut, paste, copy, merge
        case addFolder, addProject, addTag, renameFolder, moveFolder, trashFolder, restoreFolder, recolor, deleteTag
        case restoreVersion, replaceText, reorder, changeSymbol
        case addSearch, renameSearch, deleteSearch
        case importNotes, addNote
        /// Stored as `renameFolder`, and told by what was renamed.
        case renameTag
    }

    /// The number of the action in the notebook.
    public let id: Int64
    public let kind: Kind
    /// The title or name of the first object that the action changed.
    public let subject: String
    /// The number of objects that the action changed; for an import, of notes.
    public let count: Int
    public let date: Date
    /// The notes that the action changed.
    public let notes: [NoteID]
    /// The folders, projects and tags that the action changed.
    public let containers: [ContainerID]
    /// The number of everything that the action changed: with a tag, also the notes whose texts have it.
    public var totalCount: Int { containers.isEmpty ? count : max(count, containers.count + notes.count) }
    /// Whether this program did it, since the notebook was opened.
    public let isOwn: Bool
    /// Whether everything that the action changed has been deleted for ever, so that undoing or redoing it changes
    /// nothing.
    public internal(set) var isGone = false
}
