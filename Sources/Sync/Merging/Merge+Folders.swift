import Foundation
import NoteStore
import TextPrimitives

extension Merge {
    /// Merges folders and projects one by one.
    ///
    /// `settled` breaks cycles and renames duplicates afterwards.
    mutating func mergeFolders() {
        let kept = keptFolders()
        for id in Set(one.folders.keys).union(other.folders.keys).union(base.folders.keys) {
            merged.folders[id] = folder(id, kept)
        }
        for id in merged.folders.keys { merged.gone[id.uuid] = nil }
    }

    private func folder(_ id: ContainerID, _ kept: Set<ContainerID>) -> SyncFolder? {
        let before = base.folders[id]
        switch (one.folders[id], other.folders[id]) {
        case (let left?, let right?):
            var folder = Self.merge(before, left, right)
            let isTrashed = (one: one.isInTrash(id), other: other.isInTrash(id))
            if isTrashed.one != isTrashed.other, before.map({ _ in !base.isInTrash(id) }) ?? true {
                let (live, trashed) = isTrashed.one ? (right, left) : (left, right)
                if kept.contains(id) {
                    (folder.parent, folder.origin) = (live.parent, live.origin)
                } else {
                    setLocation(of: &folder, asIn: trashed, id, kept)
                }
            }
            return folder
        case (let only?, nil): return alone(id, only, before, in: other, kept)
        case (nil, let only?): return alone(id, only, before, in: one, kept)
        case (nil, nil): return nil
        }
    }

    /// Returns the merged folder that only one side has: either it is new there, or the side `absent` has removed it.
    private func alone(
        _ id: ContainerID, _ folder: SyncFolder, _ before: SyncFolder?, in absent: SyncState, _ kept: Set<ContainerID>
    ) -> SyncFolder? {
        if absent.gone[id.uuid] != nil {
            if base.gone[id.uuid] != nil || kept.contains(id) { return folder }
            return before == nil ? folder : nil
        }
        guard before != nil, !kept.contains(id) else { return folder }
        var folder = folder
        trash(&folder, id, among: absent)
        return folder
    }

    /// Moves a folder that is missing from a tree to the Trash, unless it moves there with its parent.
    private func trash(_ folder: inout SyncFolder, _ id: ContainerID, among state: SyncState) {
        if folder.parent == .trash { return }
        if let parent = folder.parent, state.folders[parent] == nil, state.gone[parent.uuid] == nil { return }
        folder.origin = SyncOrigin(container: folder.parent, path: path(of: folder.parent), moved: folder.updated)
        folder.parent = .trash
    }

    /// Moves a folder that one side trashed to its location on that side, or directly into the Trash if its parent is
    /// kept.
    private func setLocation(
        of folder: inout SyncFolder, asIn trashed: SyncFolder, _ id: ContainerID, _ kept: Set<ContainerID>
    ) {
        (folder.parent, folder.origin) = (trashed.parent, trashed.origin)
        guard let parent = trashed.parent, kept.contains(parent) else { return }
        folder.origin = SyncOrigin(container: parent, path: path(of: parent), moved: trashed.updated)
        folder.parent = .trash
    }

    /// Returns the path of a folder as the notebook stores it.
    func path(of folder: ContainerID?) -> ExactText {
        let known = [one, other, base].filter { state in
            folder.map { state.folders[$0] != nil || PathText.systemNames[$0] != nil } ?? true
        }
        let live = known.filter { !$0.isInTrash(folder) }
        // The sides may know different paths, of which every machine chooses the same one.
        let ways = (live.isEmpty ? known : live).map { source in
            PathText.json(
                source.chain(from: folder).reversed().compactMap { id in
                    source.folders[id]?.name.string ?? PathText.systemNames[id]
                })
        }
        return ways.min() ?? "[]"
    }

    // MARK: - Folders kept from the Trash

    /// Returns the folders that are kept although a side trashed or deleted them, since the other side added or edited
    /// something in them.
    private func keptFolders() -> Set<ContainerID> {
        var kept: Set<ContainerID> = []
        for (mine, theirs) in [(one, other), (other, one)] {
            var used: Set<ContainerID?> = []
            for (id, note) in mine.notes where isEdited(note, base.notes[id]) { used.insert(note.folder) }
            for (id, folder) in mine.folders where isEdited(folder, base.folders[id]) { used.insert(id) }
            for folder in used where !mine.isInTrash(folder) {
                for id in mine.chain(from: folder) where mine.folders[id] != nil {
                    if theirs.folders[id] == nil ? hasBase : theirs.isInTrash(id) { kept.insert(id) }
                }
            }
        }
        return kept
    }

    /// Returns whether a note's text, title or folder changed; stars and tags do not count.
    func isEdited(_ note: SyncNote, _ before: SyncNote?) -> Bool {
        guard let before else { return true }
        return note.text != before.text || note.title != before.title || note.folder != before.folder
    }

    private func isEdited(_ folder: SyncFolder, _ before: SyncFolder?) -> Bool {
        guard let before else { return true }
        return folder.name != before.name || folder.parent != before.parent || folder.details != before.details
    }

    // MARK: - Both sides

    private static func merge(_ base: SyncFolder?, _ one: SyncFolder, _ other: SyncFolder) -> SyncFolder {
        let isOneLater = isLater(one, other)
        func choose<Value: Equatable>(_ path: KeyPath<SyncFolder, Value>) -> Value {
            pick(base?[keyPath: path], one[keyPath: path], other[keyPath: path]) { isOneLater ? $0 : $1 }
        }
        var folder = isOneLater ? one : other
        folder.name = choose(\.name)
        folder.color = choose(\.color)
        folder.symbol = choose(\.symbol)
        folder.order = choose(\.order)
        folder.role = choose(\.role)
        folder.projectType = choose(\.projectType)
        folder.details = choose(\.details)
        folder.isProject = one.isProject || other.isProject
        folder.created = pick(base?.created, one.created, other.created, choose: min)
        folder.updated = max(one.updated, other.updated)
        if let base, one.parent == base.parent, one.origin == base.origin {
            (folder.parent, folder.origin) = (other.parent, other.origin)
        } else if let base, other.parent == base.parent, other.origin == base.origin {
            (folder.parent, folder.origin) = (one.parent, one.origin)
        } else {
            let later = isOneLater ? one : other
            (folder.parent, folder.origin) = (later.parent, later.origin)
        }
        return folder
    }

    private static func isLater(_ one: SyncFolder, _ other: SyncFolder) -> Bool {
        if one.updated != other.updated { return one.updated > other.updated }
        let texts = [one, other].map {
            ExactText(FolderFile.text(.init(UUID.zero), $0) + ($0.parent?.description ?? ""))
        }
        return texts[0] > texts[1]
    }
}

extension UUID {
    static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

/// The paths of folders in the form that the notebook stores.
enum PathText {
    static let systemNames: [ContainerID: String] = [.inbox: "Inbox", .archive: "Archive", .trash: "Trash"]

    static func json(_ names: [String]) -> ExactText {
        ExactText("[" + names.map { DoubleQuoted.text($0) }.joined(separator: ",") + "]")
    }
}
