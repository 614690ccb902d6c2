import Foundation
import NoteStore

extension Merge {
    /// Returns the state with its contradictions resolved: cycles, duplicate names and missing folders.
    ///
    /// A state without contradictions is returned unchanged.
    static func settled(_ state: SyncState, base: SyncState) -> SyncState {
        var settling = Settling(state: state, base: base)
        settling.cleanNames()
        settling.breakCycles()
        settling.findParents()
        settling.uniteDuplicates()
        settling.renameFolders()
        settling.dropTakenRoles()
        settling.uniteTags()
        settling.renameSearches()
        settling.placeNotes()
        settling.dropLostOrigins()
        settling.renameNotes()
        return settling.state
    }

    /// Returns the final successor of every folder and tag that was replaced by its duplicate.
    static func successors(in states: [SyncState], except restored: Set<UUID> = []) -> [UUID: UUID] {
        var next: [UUID: UUID] = [:]
        for state in states {
            for case (let id, let successor?) in state.gone
            where !restored.contains(id) && successor != id && next[id].map({ successor.precedes($0) }) ?? true {
                next[id] = successor
            }
        }
        return next.mapValues { first in
            var (last, seen) = (first, Set<UUID>())
            while let following = next[last], seen.insert(last).inserted { last = following }
            return last
        }
    }
}

extension SyncState {
    /// Returns the state with folders and tags replaced by their successors.
    func replacing(_ successors: [UUID: UUID]) -> SyncState {
        if successors.isEmpty { return self }
        func id(_ id: ContainerID) -> ContainerID { successors[id.uuid].map { ContainerID($0) } ?? id }
        var state = self
        for old in folders.keys where successors[old.uuid] != nil {
            if let folder = state.folders.removeValue(forKey: old), state.folders[id(old)] == nil,
                folders[id(old)] == nil
            {
                state.folders[id(old)] = folder
            }
        }
        for old in tags.keys where successors[old.uuid] != nil {
            if let tag = state.tags.removeValue(forKey: old), state.tags[id(old)] == nil { state.tags[id(old)] = tag }
        }
        for key in state.folders.keys {
            if let parent = state.folders[key]?.parent { state.folders[key]?.parent = id(parent) }
            if let origin = state.folders[key]?.origin?.container {
                state.folders[key]?.origin?.container = id(origin)
            }
        }
        for key in state.notes.keys {
            guard let note = state.notes[key] else { continue }
            if id(note.folder) != note.folder { state.notes[key]?.folder = id(note.folder) }
            if let origin = note.origin?.container, id(origin) != origin {
                state.notes[key]?.origin?.container = id(origin)
            }
            if note.tags.contains(where: { successors[$0.uuid] != nil }) {
                state.notes[key]?.tags = Set(note.tags.map(id))
            }
        }
        return state
    }
}

/// Resolves the contradictions of a merged state.
private struct Settling {
    var state: SyncState
    let base: SyncState

    /// The folded names that the notebook reserves at the top.
    private static let systemKeys: Set<String> = ["inbox", "starred", "all notes", "trash", "archive", "buffer"]

    private var folderIDs: [ContainerID] { state.folders.keys.sorted { $0.uuid.precedes($1.uuid) } }

    mutating func cleanNames() {
        for (id, folder) in state.folders { state.folders[id]?.name = Self.clean(folder.name) }
        for (id, tag) in state.tags { state.tags[id]?.name = Self.clean(tag.name) }
        for (id, file) in state.attachments {
            state.attachments[id]?.name = ExactText(Notebook.Sync.safeFileName(file.name.string))
        }
    }

    private static func clean(_ name: ExactText) -> ExactText {
        let text = name.string.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.utf8.count == name.string.utf8.count { return text.isEmpty ? "Untitled" : name }
        return text.isEmpty ? "Untitled" : ExactText(text)
    }

    // MARK: - The tree

    mutating func breakCycles() {
        while let cycle = firstCycle() {
            let moved = cycle.filter { state.folders[$0]?.parent != base.folders[$0]?.parent }
            let id = (moved.isEmpty ? cycle : moved).min { $0.uuid.precedes($1.uuid) }
            guard let id else { return }
            let parent = moved.isEmpty ? nil : base.folders[id]?.parent
            state.folders[id]?.parent = parent
        }
    }

    private func firstCycle() -> [ContainerID]? {
        var known: Set<ContainerID> = []
        for start in folderIDs where !known.contains(start) {
            var (way, next) = ([ContainerID](), ContainerID?.some(start))
            while let here = next, !known.contains(here) {
                if let index = way.firstIndex(of: here) { return Array(way[index...]) }
                way.append(here)
                next = state.folders[here]?.parent
            }
            known.formUnion(way)
        }
        return nil
    }

    /// Gives each folder an existing parent that may contain folders.
    mutating func findParents() {
        for id in folderIDs {
            guard let folder = state.folders[id] else { continue }
            var parent = folder.parent
            if folder.isProject, parent != .trash { parent = nil }
            while let above = parent, above != .trash {
                guard let holder = state.folders[above] else {
                    parent = nil
                    break
                }
                if holder.holdsFolders { break }
                parent = holder.parent
            }
            if parent != folder.parent { state.folders[id]?.parent = parent }
        }
    }

    private struct SiblingKey: Hashable {
        let parent: ContainerID?
        let key: String
    }

    /// Returns groups of folders with the same parent and folded name, each sorted by identity.
    ///
    /// Folders directly in the Trash may have equal names and are left out.
    private func siblings() -> [[ContainerID]] {
        var groups: [SiblingKey: [ContainerID]] = [:]
        for id in folderIDs {
            guard let folder = state.folders[id], folder.parent != .trash else { continue }
            groups[SiblingKey(parent: folder.parent, key: Folding.key(folder.name.string)), default: []].append(id)
        }
        return groups.values.filter { $0.count > 1 }.sorted { $0[0].uuid.precedes($1[0].uuid) }
    }

    /// Unites folders of the same kind, parent and name that were created on different machines.
    mutating func uniteDuplicates() {
        while true {
            var successors: [UUID: UUID] = [:]
            for group in siblings() {
                let new = group.filter { base.folders[$0] == nil }
                guard let first = new.first, let kept = state.folders[first] else { continue }
                for id in new.dropFirst() where state.folders[id]?.isProject == kept.isProject {
                    successors[id.uuid] = first.uuid
                }
            }
            if successors.isEmpty { return }
            for (id, successor) in successors { state.gone[id] = .some(successor) }
            state = state.replacing(successors)
        }
    }

    mutating func renameFolders() {
        var groups: [ContainerID?: [ContainerID]] = [:]
        for id in folderIDs where state.folders[id]?.parent != .trash {
            groups[state.folders[id]?.parent, default: []].append(id)
        }
        for (parent, ids) in groups {
            var taken = parent == nil ? Self.systemKeys : []
            for (id, name) in freeNames(ids, &taken, { state.folders[$0]?.name }) { state.folders[id]?.name = name }
        }
    }

    /// Returns new names, with the first free number, for objects whose name is taken.
    ///
    /// Of objects with equal names, the one with the smallest identity keeps it.
    private func freeNames<ID>(_ ids: [ID], _ taken: inout Set<String>, _ name: (ID) -> ExactText?) -> [(ID, ExactText)]
    {
        var waiting: [(ID, ExactText)] = []
        for id in ids {
            guard let name = name(id) else { continue }
            if !taken.insert(Folding.key(name.string)).inserted { waiting.append((id, name)) }
        }
        return waiting.map { id, name in
            var number = 2
            while !taken.insert(Folding.key("\(name.string) \(number)")).inserted { number += 1 }
            return (id, ExactText("\(name.string) \(number)"))
        }
    }

    mutating func dropTakenRoles() {
        var taken: Set<[String]> = []
        for id in folderIDs {
            guard let folder = state.folders[id], let role = folder.role, folder.parent != .trash else { continue }
            if !taken.insert([folder.parent?.description ?? "", role.rawValue]).inserted {
                state.folders[id]?.role = nil
            }
        }
    }

    // MARK: - Tags and searches

    mutating func uniteTags() {
        let ids = state.tags.keys.sorted { $0.uuid.precedes($1.uuid) }
        var groups: [String: [ContainerID]] = [:]
        for id in ids { groups[Folding.key(state.tags[id]?.name.string ?? ""), default: []].append(id) }
        var successors: [UUID: UUID] = [:]
        for group in groups.values where group.count > 1 {
            let new = group.filter { base.tags[$0] == nil }
            guard let first = new.first else { continue }
            for id in new.dropFirst() { successors[id.uuid] = first.uuid }
        }
        for (id, successor) in successors { state.gone[id] = .some(successor) }
        state = state.replacing(successors)
        var taken: Set<String> = []
        let left = state.tags.keys.sorted { $0.uuid.precedes($1.uuid) }
        for (id, name) in freeNames(left, &taken, { state.tags[$0]?.name }) { state.tags[id]?.name = name }
        for (id, note) in state.notes where !note.tags.allSatisfy({ state.tags[$0] != nil }) {
            state.notes[id]?.tags = note.tags.filter { state.tags[$0] != nil }
        }
    }

    mutating func renameSearches() {
        var taken: Set<String> = []
        let ids = state.searches.keys.sorted { $0.precedes($1) }
        for (id, name) in freeNames(ids, &taken, { state.searches[$0]?.name }) { state.searches[id]?.name = name }
    }

    // MARK: - Notes

    /// Moves notes whose folder is missing or cannot contain notes to the Inbox.
    mutating func placeNotes() {
        for (id, note) in state.notes where ![.inbox, .archive, .trash].contains(note.folder) {
            guard let folder = state.folders[note.folder], folder.holdsNotes else {
                state.notes[id]?.folder = .inbox
                state.notes[id]?.origin = nil
                continue
            }
        }
    }

    /// Removes the origins that a notebook cannot store: of live notes, and in folders that do not exist any more.
    ///
    /// A machine that deletes a folder for ever cannot know all notes and folders that others have trashed out of it.
    mutating func dropLostOrigins() {
        func known(_ origin: SyncOrigin) -> SyncOrigin? {
            guard let id = origin.container, state.folders[id] == nil, !TreeLayout.systemContainers.contains(id) else {
                return origin
            }
            let known = SyncOrigin(
                container: nil, path: origin.path, wasArchived: origin.wasArchived, moved: origin.moved)
            return known == SyncOrigin(container: nil, path: nil, moved: nil) ? nil : known
        }
        for (id, note) in state.notes {
            guard let origin = note.origin else { continue }
            let isAway = note.folder == .archive || state.isInTrash(note.folder)
            let kept = isAway ? known(origin) : nil
            if kept != origin { state.notes[id]?.origin = kept }
        }
        for (id, folder) in state.folders {
            guard let origin = folder.origin else { continue }
            let kept = known(origin)
            if kept != origin { state.folders[id]?.origin = kept }
        }
    }

    /// Makes the titles unique in each folder of a project.
    mutating func renameNotes() {
        var groups: [ContainerID: [NoteID]] = [:]
        for (id, note) in state.notes where state.folders[note.folder] != nil {
            groups[note.folder, default: []].append(id)
        }
        for (folder, ids) in groups where ids.count > 1 && state.project(of: folder) != nil && !state.isInTrash(folder)
        {
            var taken: Set<String> = []
            let sorted = ids.sorted { $0.uuid.precedes($1.uuid) }
            for (id, title) in freeNames(sorted, &taken, { state.notes[$0]?.title }) {
                guard let note = state.notes[id] else { continue }
                state.notes[id]?.title = title
                state.notes[id]?.defaultTitle =
                    note.followsText ? title : note.defaultTitle == title ? "" : note.defaultTitle
            }
        }
    }
}
