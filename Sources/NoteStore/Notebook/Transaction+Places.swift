import Foundation
import GRDB

extension Transaction {
    /// The folder to which a note returns, and whether it is another one than its origin.
    struct Return {
        let folder: ContainerHead
        /// `.archive` for a note that was in Archive.
        var place: Place = .live
        var isElsewhere = false
    }

    // MARK: - Moving

    /// Moves a note into a folder; a title that clashes gets a number.
    func move(_ head: NoteHead, to folder: ContainerHead, touching: Bool = true) throws {
        guard folder.holdsNotes else { throw StoreError.cannotHoldNotes(container: folder.name) }
        let unique = folder.project != nil && folder.place == .live
        let title = try freeTitle(head.title, in: folder, except: head.key)
        // A title is compared with those in the note's folder, so the note must leave its folder before it takes
        // another title.
        try run(
            """
            UPDATE note SET folder = ?1, place = ?2, uniqueTitle = 0, updatedDate = iif(?3, ?4, updatedDate)
            WHERE id = ?5
            """,
            [folder.key, folder.notePlace.rawValue, touching, now, head.key])
        if title != head.title { try retitle(head, title, follow: head.title == head.defaultTitle) }
        if unique { try run("UPDATE note SET uniqueTitle = 1 WHERE id = ?", [head.key]) }
        change.notes?.insert(head.id)
        change.containers = true
    }

    /// Moves a note to Trash, Archive or Buffer and remembers its origin.
    func putAway(_ head: NoteHead, into system: Int64, owner: String? = nil) throws {
        var origin = head.folder
        var path = try head.folder.map { try self.path(of: $0) }.map(Self.encode)
        let wasArchived = head.place == .archive
        if wasArchived || head.place == .buffer {
            // The note keeps the origin that it already has.
            origin = head.origin
            path = head.originPath
        }
        try run(
            """
            UPDATE note SET origin = ?, originPath = ?, originPlace = ?, movedDate = ?, owner = ? WHERE id = ?
            """,
            [origin, path, wasArchived ? 1 : head.place == .buffer ? head.originPlace : 0, now, owner, head.key])
        try move(head, to: containerHead(key: system), touching: false)
    }

    /// Moves a note back from Trash, Archive or Buffer; returns whether its new folder is not the one it came from.
    func putBack(_ head: NoteHead) throws -> Bool {
        if head.place == .trash {
            restored[head.key] = try value("SELECT movedDate FROM note WHERE id = ?", [head.key]) ?? .min
        }
        if head.place != .archive, head.originPlace == 1 {
            try move(head, to: containerHead(key: SystemKey.archive), touching: false)
            try run("UPDATE note SET originPlace = 0, owner = NULL WHERE id = ?", [head.key])
            return false
        }
        let target = try returnFolder(of: head)
        try move(head, to: target.folder, touching: false)
        try forgetOrigin(head.key)
        return target.isElsewhere
    }

    /// Returns the origin if it is live, otherwise a folder made again at its path, otherwise Inbox.
    private func returnFolder(of head: NoteHead) throws -> Return {
        // A note in a trashed folder has no origin of its own, so the folder's path counts.
        let isInside = head.place == .trash && head.folder != SystemKey.trash
        let origin = isInside ? head.folder : head.origin
        if let origin, let folder = try containerHeadIfThere(key: origin), folder.place == .live, folder.holdsNotes,
            folder.kind == .folder || folder.kind == .inbox
        {
            return Return(folder: folder)
        }
        let path = isInside ? try head.folder.map { try self.path(of: $0) } : head.originPath.map(Self.decode)
        if let path, !path.isEmpty, let folder = try remake(path) { return Return(folder: folder, isElsewhere: true) }
        return Return(folder: try containerHead(key: SystemKey.inbox), isElsewhere: true)
    }

    // MARK: - Paths

    /// Returns the names in the path of a container; for one in Trash, in the path that it had before.
    func path(of key: Int64) throws -> [String] {
        var names: [String] = []
        var current: Int64? = key
        // Another program may have put folders into a cycle.
        var seen: Set<Int64> = []
        while let here = current, seen.insert(here).inserted {
            // Another program may have removed a folder and left what was in it.
            guard let head = try containerHeadIfThere(key: here) else { return names }
            names.insert(head.name, at: 0)
            if head.parent == SystemKey.trash { return (head.originPath.map(Self.decode) ?? []) + names }
            current = head.parent
        }
        return names
    }

    static func encode(_ path: [String]) -> String {
        let data = try? JSONEncoder().encode(path)  // strings always have a JSON form
        return data.map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    }

    static func decode(_ path: String) -> [String] {
        (try? JSONDecoder().decode([String].self, from: Data(path.utf8))) ?? []  // by another tool: no path
    }

    /// Finds the live folder at this path and makes missing folders; `nil` if a rule forbids it.
    func remake(_ path: [String]) throws -> ContainerHead? {
        var parent: ContainerHead?
        for name in path {
            if let found = try child(named: name, of: parent?.key) {
                parent = found
            } else {
                if let parent, !parent.holdsFolders { return nil }
                parent = try insertContainer(.folder, name: name, parent: parent?.key)
            }
        }
        guard let parent, parent.holdsNotes else { return nil }
        return parent
    }

    /// Returns the folder, project or (at the root) system container with this name.
    func child(named name: String, of parent: Int64?) throws -> ContainerHead? {
        try row(
            "\(ContainerHead.selection) WHERE +parent IS ? AND nameKey = ? AND kind <> 'tag'",
            [parent, Folding.key(name)]
        ).map(ContainerHead.init)
    }

    // MARK: - Folders and projects

    /// Moves a folder or project with everything below it to Trash.
    func putAway(_ head: ContainerHead) throws {
        let path = try head.parent.map { try self.path(of: $0) } ?? []
        try run(
            "UPDATE container SET origin = ?, originPath = ?, trashedDate = ? WHERE id = ?",
            [head.parent, Self.encode(path), now, head.key])
        try setParent(head, SystemKey.trash, name: head.name)
    }

    /// Moves a folder or project back from Trash; returns whether its new parent is not the one it came from.
    func putBack(_ head: ContainerHead) throws -> Bool {
        guard head.place == .trash else { throw StoreError.notInTrash(name: head.name) }
        try recordRestored(below: head)
        let (parent, isElsewhere) = try returnParent(of: head)
        let name = try freeName(head.name, kind: head.kind, parent: parent?.key, except: head.key)
        try run(
            "UPDATE container SET origin = NULL, originPath = NULL, trashedDate = NULL WHERE id = ?", [head.key])
        try setParent(head, parent?.key, name: name)
        return isElsewhere
    }

    /// Records when the notes of a folder in Trash were put there.
    private func recordRestored(below head: ContainerHead) throws {
        let date: Int64 = try value("SELECT trashedDate FROM container WHERE id = ?", [head.key]) ?? .min
        let notes = try rows(
            """
            WITH RECURSIVE below(id) AS (SELECT ?1 UNION
                SELECT container.id FROM container JOIN below ON container.parent = below.id)
            SELECT note.id FROM note JOIN below ON note.folder = below.id
            """, [head.key])
        for note in notes { restored[note[0]] = date }
    }

    private func returnParent(of head: ContainerHead) throws -> (ContainerHead?, Bool) {
        if head.kind == .project { return (nil, false) }
        let isInside = head.parent != SystemKey.trash
        let origin = isInside ? head.parent : head.origin
        if let origin, let folder = try containerHeadIfThere(key: origin), folder.place == .live, folder.holdsFolders {
            return (folder, false)
        }
        let path = isInside ? try path(of: head.key).dropLast() : head.originPath.map(Self.decode) ?? []
        if path.isEmpty { return (nil, origin != nil) }
        let parent = try remakeForFolders(Array(path))
        return (parent, true)
    }

    private func remakeForFolders(_ path: [String]) throws -> ContainerHead? {
        var parent: ContainerHead?
        for name in path {
            let next = try child(named: name, of: parent?.key)
            if let next, !next.holdsFolders { return nil }
            parent = try next ?? insertContainer(.folder, name: name, parent: parent?.key)
        }
        return parent
    }
}
