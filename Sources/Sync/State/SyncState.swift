import Foundation
import NoteStore

/// The synchronised state of a notebook: all of it, or only those notes that one of the sides has changed.
///
/// Folders, tags and lists are always complete, since they are few and have rules that involve all of them.
public struct SyncState: Equatable, Sendable {
    public var notes: [NoteID: SyncNote] = [:]
    /// Folders and projects.
    public var folders: [ContainerID: SyncFolder] = [:]
    public var tags: [ContainerID: SyncTag] = [:]
    public var searches: [UUID: SyncSearch] = [:]
    public var images: [UUID: SyncImage] = [:]
    /// Files of every other kind that notes refer to.
    public var attachments: [UUID: SyncAttachment] = [:]
    /// The identities that were permanently deleted, each with its successor if another folder or tag replaced it.
    public var gone: [UUID: UUID?] = [:]
    /// Files that tn did not make, kept without being read.
    public var files: Tree = [:]

    public init() {}

    /// Returns a folder and its ancestors, innermost first, and stops if they form a cycle.
    package func chain(from id: ContainerID?) -> [ContainerID] {
        var chain: [ContainerID] = []
        var next = id
        while let here = next, !chain.contains(here) {
            chain.append(here)
            next = folders[here]?.parent
        }
        return chain
    }

    /// Returns whether a container is the Trash or inside it.
    package func isInTrash(_ id: ContainerID?) -> Bool { chain(from: id).contains(.trash) }

    /// Returns the project that a folder belongs to.
    func project(of id: ContainerID) -> ContainerID? { chain(from: id).first { folders[$0]?.isProject == true } }

    /// Brings a note back as another state has it, together with the folders around it.
    mutating func keep(_ id: NoteID, asIn other: SyncState) {
        guard let note = other.notes[id] else { return }
        (notes[id], gone[id.uuid]) = (note, nil)
        for folder in other.chain(from: note.folder) where folders[folder] == nil || isInTrash(folder) {
            guard let kept = other.folders[folder] else { continue }
            (folders[folder], gone[folder.uuid]) = (kept, nil)
        }
        if isInTrash(note.folder) { notes[id]?.folder = .inbox }
    }
}
