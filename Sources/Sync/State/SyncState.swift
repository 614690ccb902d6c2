import Foundation
import NoteStore

/// What is synchronised, as a value: the whole notebook, or those of its notes that some side has changed.
///
/// Folders, tags and lists are always complete, since they are few and rules reach across them.
public struct SyncState: Equatable, Sendable {
    public var notes: [NoteID: SyncNote] = [:]
    /// Folders and projects.
    public var folders: [ContainerID: SyncFolder] = [:]
    public var tags: [ContainerID: SyncTag] = [:]
    public var searches: [UUID: SyncSearch] = [:]
    public var images: [UUID: SyncImage] = [:]
    /// Files of every other kind that notes refer to.
    public var attachments: [UUID: SyncAttachment] = [:]
    /// What was deleted for ever, with the folder that took its place if one did.
    public var gone: [UUID: UUID?] = [:]
    /// Files that are not the notebook's, carried unopened.
    public var files: Tree = [:]

    public init() {}

    /// The folders from one upwards, itself first; ends before a folder that was met already.
    func chain(from id: ContainerID?) -> [ContainerID] {
        var chain: [ContainerID] = []
        var next = id
        while let here = next, !chain.contains(here) {
            chain.append(here)
            next = folders[here]?.parent
        }
        return chain
    }

    /// Whether a container is the Trash or in it.
    func isInTrash(_ id: ContainerID?) -> Bool { chain(from: id).contains(.trash) }

    /// The project that a folder belongs to.
    func project(of id: ContainerID) -> ContainerID? { chain(from: id).first { folders[$0]?.isProject == true } }
}
