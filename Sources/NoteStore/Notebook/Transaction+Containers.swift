import Foundation
import GRDB

/// The columns of a container that a transaction needs.
struct ContainerHead {
    let key: Int64
    let id: ContainerID
    let kind: NoteContainer.Kind
    var name: String
    var parent: Int64?
    var role: NoteContainer.Role?
    var place: Place
    var project: Int64?
    var origin: Int64?
    var originPath: String?

    static let selection =
        "SELECT id, uuid, kind, name, parent, role, place, project, origin, originPath FROM container"

    init(_ row: Row) {
        key = row[0]
        id = ContainerID(stored: row[1])
        kind = NoteContainer.Kind(rawValue: row[2]) ?? .folder
        name = row[3]
        parent = row[4]
        role = (row[5] as String?).flatMap(NoteContainer.Role.init(rawValue:))
        place = Place(rawValue: row[6]) ?? .live
        project = row[7]
        origin = row[8]
        originPath = row[9]
    }

    var holdsNotes: Bool { kind.holdsNotes(as: role) }
    /// Whether new notes can be made in it; Trash and Buffer only take notes that exist already.
    var takesNewNotes: Bool { holdsNotes && place == .live && kind != .trash && kind != .buffer }
    var holdsFolders: Bool { kind.holdsFolders(as: role) }

    /// The place of a note in this container.
    var notePlace: Place {
        switch kind {
        case .archive: .archive
        case .trash: .trash
        case .buffer: .buffer
        default: place
        }
    }
}

extension Transaction {
    func containerHead(_ id: ContainerID) throws -> ContainerHead {
        guard let row = try row("\(ContainerHead.selection) WHERE uuid = ?", [id.description]) else {
            throw StoreError.noSuchContainer(id)
        }
        return ContainerHead(row)
    }

    func containerHead(key: Int64) throws -> ContainerHead {
        guard let head = try containerHeadIfThere(key: key) else {
            throw StoreError.noSuchReference("container \(key)")
        }
        return head
    }

    func containerHeadIfThere(key: Int64) throws -> ContainerHead? {
        try row("\(ContainerHead.selection) WHERE id = ?", [key]).map(ContainerHead.init)
    }

    /// Returns a container that the user made and that is not in Trash.
    func changeableContainer(_ id: ContainerID) throws -> ContainerHead {
        let head = try containerHead(id)
        if head.kind.isSystem { throw StoreError.systemContainer(name: head.name) }
        if head.place == .trash { throw StoreError.inTrash(name: head.name) }
        return head
    }

    func container(key: Int64) throws -> NoteContainer {
        guard let container = try NoteContainer.fetch(db, "WHERE c.id = ?", [key]).first else {
            throw StoreError.noSuchReference("container \(key)")
        }
        return container
    }

    // MARK: - Making, renaming, moving

    /// Makes a container; folders of a template sort before the others, in the order in which they were made.
    @discardableResult
    func insertContainer(
        _ kind: NoteContainer.Kind, name: String, parent: Int64?, role: NoteContainer.Role? = nil,
        projectType: NoteContainer.ProjectType? = nil, details: String = "", id: ContainerID? = nil
    ) throws -> ContainerHead {
        let above = try parent.map { try containerHead(key: $0) }
        let name = try checkedName(name, kind: kind, parent: above, except: nil)
        if let above, !above.holdsFolders || above.place != .live {
            throw StoreError.cannotHoldFolders(container: above.name)
        }
        try run(
            """
            INSERT INTO container (uuid, kind, name, nameKey, parent, createdDate, colorRGBA, symbol, sortOrder, role,
                projectType, details, project)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,
                iif(?9, (SELECT ifnull(max(sortOrder), -1000) + 1 FROM container WHERE parent = ?5 AND role IS NOT NULL), 0),
                ?10, ?11, ?12, ?13)
            """,
            [
                (id ?? ContainerID(identity())).description, kind.rawValue, name, Folding.key(name), parent, now,
                Int64(NoteContainer.defaultColor), kind.symbol, role != nil, role?.rawValue, projectType?.rawValue,
                details, above?.project,
            ])
        let key = db.lastInsertedRowID
        if kind == .project { try run("UPDATE container SET project = id WHERE id = ?", [key]) }
        change.containers = true
        return try containerHead(key: key)
    }

    /// Returns the trimmed name; throws if it is empty or a sibling has it.
    func checkedName(
        _ name: String, kind: NoteContainer.Kind, parent: ContainerHead?, except: Int64?
    ) throws -> String {
        let name = Folding.trimmed(name)
        if name.isEmpty { throw StoreError.emptyName }
        if let other = try sibling(named: name, kind: kind, parent: parent?.key, except: except) {
            throw StoreError.nameTaken(name: name, parent: parent?.name ?? "", by: other)
        }
        return name
    }

    /// Returns the sibling that already has this name; directly in Trash names need not differ.
    private func sibling(
        named name: String, kind: NoteContainer.Kind, parent: Int64?, except: Int64?
    ) throws -> ContainerID? {
        if parent == SystemKey.trash { return nil }
        let uuid: String? = try value(
            """
            SELECT uuid FROM container WHERE nameKey = ? AND +parent IS ? AND (kind = 'tag') = ? AND id IS NOT ? LIMIT 1
            """,
            [Folding.key(name), parent, kind == .tag, except])
        return uuid.map(ContainerID.init(stored:))
    }

    /// Returns the name itself if it is free, otherwise the name with the first free number from 2 on.
    func freeName(_ name: String, kind: NoteContainer.Kind, parent: Int64?, except: Int64?) throws -> String {
        var candidate = name
        var number = 2
        while try sibling(named: candidate, kind: kind, parent: parent, except: except) != nil {
            candidate = "\(name) \(number)"
            number += 1
        }
        return candidate
    }

    func rename(_ head: ContainerHead, _ name: String) throws {
        let parent = try head.parent.map { try containerHead(key: $0) }
        let name = try checkedName(name, kind: head.kind, parent: parent, except: head.key)
        try run("UPDATE container SET name = ?, nameKey = ? WHERE id = ?", [name, Folding.key(name), head.key])
        change.containers = true
        guard head.kind == .tag else { return }
        change.notes = nil
        if head.name.contains("/") || name.contains("/") {
            for row in try rows("SELECT note FROM note_tag WHERE tag = ?", [head.key]) { renamedTags.insert(row[0]) }
        }
    }

    /// Moves a folder or project to another parent; `parent` nil is the root.
    ///
    /// The caller has checked the name. A folder of a template loses its role if another folder there has the role.
    func setParent(_ head: ContainerHead, _ parent: Int64?, name: String) throws {
        if head.role != nil, let parent, parent != SystemKey.trash { try clearTakenRole(head, in: parent) }
        try run(
            "UPDATE container SET parent = ?, name = ?, nameKey = ? WHERE id = ?",
            [parent, name, Folding.key(name), head.key])
        try refreshSubtree(head.key)
        // Moving an All folder changes which list gathers the notes of the project's other folders.
        let project = try containerHead(key: head.key).project
        for project in Set([head.project, project]) { try refreshProject(project) }
        change.containers = true
        change.notes = nil
    }

    private func clearTakenRole(_ head: ContainerHead, in parent: Int64) throws {
        try run(
            """
            UPDATE container SET role = NULL WHERE id = ?1 AND EXISTS (SELECT 1 FROM container AS other
                WHERE other.parent = ?2 AND other.role = container.role AND other.id <> container.id)
            """, [head.key, parent])
    }

    /// Whether `key` is `ancestor` or lies below it.
    func isInside(_ key: Int64, _ ancestor: Int64) throws -> Bool {
        var current: Int64? = key
        // Another program may have put folders into a cycle.
        var seen: Set<Int64> = []
        while let here = current, seen.insert(here).inserted {
            if here == ancestor { return true }
            current = try value("SELECT parent FROM container WHERE id = ?", [here])
        }
        return false
    }

    // MARK: - Derived columns

    /// Updates `place`, `project` and `gatheredBy` of a container and of everything below it from its parent.
    ///
    /// It also updates the places and title rules of the notes in them.
    func refreshSubtree(_ root: Int64) throws {
        let subtree = try rows(
            """
            WITH RECURSIVE below(id, depth) AS (SELECT ?, 0 UNION ALL
                SELECT container.id, depth + 1 FROM container JOIN below ON container.parent = below.id
                -- In a notebook that others have written folders may lie in a circle: no way is longer than all.
                WHERE depth < (SELECT count(*) FROM container))
            SELECT id FROM below ORDER BY depth
            """, [root]
        ).map { $0[0] as Int64 }
        for key in subtree { try refreshOne(key) }
        for key in subtree { try refreshGathering(key) }
        for key in subtree { try refreshNotes(in: key) }
    }

    private func refreshOne(_ key: Int64) throws {
        try run(
            """
            UPDATE container SET
                place = iif(parent = 4, 2, ifnull((SELECT place FROM container AS p WHERE p.id = container.parent), 0)),
                project = CASE WHEN kind = 'project' THEN id
                    ELSE (SELECT project FROM container AS p WHERE p.id = container.parent) END
            WHERE id = ?
            """, [key])
    }

    /// Updates which `All` folder shows the notes of this folder, if it is Draft, Ready, Set Aside or Published.
    private func refreshGathering(_ key: Int64) throws {
        try run(
            """
            UPDATE container SET gatheredBy = CASE WHEN role IN ('draft', 'ready', 'setAside', 'published') THEN
                (SELECT a.id FROM container AS a WHERE a.project = container.project AND a.role = 'all' AND a.place = 0
                 ORDER BY a.id LIMIT 1) END
            WHERE id = ? AND (role IN ('draft', 'ready', 'setAside', 'published') OR gatheredBy IS NOT NULL)
            """, [key])
    }

    /// Updates `gatheredBy` in a whole project.
    func refreshProject(_ project: Int64?) throws {
        guard let project else { return }
        for row in try rows("SELECT id FROM container WHERE project = ?", [project]) {
            try refreshGathering(row[0])
        }
    }

    private func refreshNotes(in key: Int64) throws {
        let folder = try containerHead(key: key)
        let unique = folder.project != nil && folder.place == .live
        if unique {
            // The notes are updated one by one, so that clashing titles get numbers.
            for row in try rows("\(NoteHead.selection) WHERE folder = ? AND uniqueTitle = 0 ORDER BY id", [key]) {
                let head = NoteHead(row)
                let title = try freeTitle(head.title, in: folder, except: head.key)
                if title != head.title { try retitle(head, title, follow: head.title == head.defaultTitle) }
                try run("UPDATE note SET uniqueTitle = 1 WHERE id = ?", [head.key])
            }
        } else {
            try run("UPDATE note SET uniqueTitle = 0 WHERE folder = ? AND uniqueTitle = 1", [key])
        }
        try run(
            "UPDATE note SET place = ?1 WHERE folder = ?2 AND place <> ?1", [folder.notePlace.rawValue, key])
    }

    /// Gives a note a new title after a clash; a derived title stays derived.
    func retitle(_ head: NoteHead, _ title: String, follow: Bool) throws {
        let defaultTitle = follow ? title : Self.ended(head.defaultTitle, by: title)
        try retitle(head, title, defaultTitle: defaultTitle, touching: false)
    }
}
