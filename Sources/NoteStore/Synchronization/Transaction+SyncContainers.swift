import Foundation
import GRDB

extension Transaction {
    /// Stores folders, projects, tags and searches as a synchronisation wants them.
    ///
    /// All changed ones first get unique names at the top level, so that no order of renaming and moving can break a
    /// rule on the way.
    ///
    /// - Returns: the folders that are to be deleted, once their notes have left them.
    func writeContainers(of update: SyncUpdate) throws -> Set<ContainerID> {
        var present = SyncSnapshot()
        try present.readContainers(db)
        try present.readLists(db)
        try writeTags(of: update, present.tags)
        let changed = Set(update.folders.keys.filter { present.folders[$0] != update.folders[$0] })
        let leaving = present.folders.filter { update.folders[$0.key] == nil }
        try putAside(leaving, for: update.folders.values)
        for id in changed {
            if let folder = present.folders[id] {
                if Self.isPlaced(folder, unlike: update.folders[id]) { try detach(id) }
            } else if let folder = update.folders[id] {
                try insert(id, folder)
            }
        }
        for id in fromTheTop(update.folders) where changed.contains(id) {
            if let folder = update.folders[id] { try moveIntoParent(id, folder) }
        }
        for id in changed {
            if let folder = update.folders[id] { try setProperties(of: id, folder) }
        }
        for row in try rows("SELECT id FROM container WHERE kind = 'project'") { try refreshProject(row[0]) }
        for id in changed {
            try run(
                "UPDATE container SET changedDate = ? WHERE uuid = ?",
                [update.folders[id]?.updated ?? 0, id.description])
        }
        try writeSearches(update.searches, present.searches)
        try writeGone(update.gone, present.gone)
        try settleWritten(update)
        change.containers = true
        change.notes = nil
        return Set(leaving.keys)
    }

    /// Stores all of a folder but its name and its parent.
    private func setProperties(of id: ContainerID, _ folder: SyncFolder) throws {
        let key = try containerHead(id).key
        try run(
            """
            UPDATE container SET createdDate = ?, colorRGBA = ?, symbol = ?, sortOrder = ?, details = ?,
                projectType = ?, origin = (SELECT id FROM container WHERE uuid = ?), originPath = ?, trashedDate = ?
            WHERE id = ?
            """,
            [
                folder.created, Int64(folder.color), folder.symbol.string, folder.order, folder.details.string,
                folder.projectType?.rawValue, folder.origin?.container?.description, folder.origin?.path?.string,
                folder.origin?.moved, key,
            ])
        try refreshSubtree(key)
    }

    /// Moves folders that are to be deleted into the Trash if they hold names or roles that others get.
    ///
    /// A program that is killed before it deletes them leaves a notebook in which they were trashed, or are as they
    /// were. Neither keeps the next synchronisation from deleting them.
    private func putAside(_ leaving: [ContainerID: SyncFolder], for wanted: some Collection<SyncFolder>) throws {
        func keys(_ folder: SyncFolder) -> [[String]] {
            let parent = folder.parent?.description ?? ""
            return [[parent, "name", Folding.key(folder.name.string)]]
                + (folder.role.map { [[parent, "role", $0.rawValue]] } ?? [])
        }
        let taken = Set(wanted.flatMap(keys))
        for (id, folder) in leaving where !taken.isDisjoint(with: keys(folder)) {
            try run("UPDATE container SET role = NULL, parent = 4 WHERE uuid = ?", [id.description])
        }
    }

    private static func isPlaced(_ one: SyncFolder, unlike other: SyncFolder?) -> Bool {
        guard let other else { return false }
        return one.name != other.name || one.parent != other.parent || one.role != other.role
            || one.isProject != other.isProject
    }

    /// Returns a name that nothing else has.
    private static func ownName(of id: ContainerID) -> String { "sync " + id.description }

    /// Moves a folder to the top level, under a unique name.
    private func detach(_ id: ContainerID) throws {
        let name = Self.ownName(of: id)
        try run(
            "UPDATE container SET name = ?1, nameKey = ?2, role = NULL, parent = NULL WHERE uuid = ?3",
            [name, Folding.key(name), id.description])
    }

    private func insert(_ id: ContainerID, _ folder: SyncFolder) throws {
        let name = Self.ownName(of: id)
        try run(
            "INSERT INTO container (uuid, kind, name, nameKey, createdDate, symbol) VALUES (?, ?, ?, ?, ?, ?)",
            [
                id.description, folder.isProject ? "project" : "folder", name, Folding.key(name), folder.created,
                folder.symbol.string,
            ])
    }

    /// Returns the folders, each after its parent.
    private func fromTheTop(_ folders: [ContainerID: SyncFolder]) -> [ContainerID] {
        var children: [ContainerID?: [ContainerID]] = [:]
        for (id, folder) in folders { children[folder.parent, default: []].append(id) }
        var order: [ContainerID] = []
        var waiting: [ContainerID?] = [nil, .trash]
        while let parent = waiting.popLast() {
            let ids = (children[parent] ?? []).sorted { $0.uuid.precedes($1.uuid) }
            order += ids
            waiting += ids.map { $0 }
        }
        return order
    }

    /// Moves a folder to its parent, under its name; if another container has the name, under a free one.
    private func moveIntoParent(_ id: ContainerID, _ folder: SyncFolder) throws {
        let head = try containerHead(id)
        let parent = try folder.parent.map { try containerHead($0) }
        let kind: NoteContainer.Kind = folder.isProject ? .project : .folder
        let name = try freeName(folder.name.string, kind: kind, parent: parent?.key, except: head.key)
        try run(
            "UPDATE container SET kind = ?, parent = ?, name = ?, nameKey = ?, role = ? WHERE id = ?",
            [kind.rawValue, parent?.key, name, Folding.key(name), folder.role?.rawValue, head.key])
    }

    /// Stores the tags, and gives the notes of a tag that another one has replaced the other one.
    ///
    /// All notes get their tags when they are written. A note that had none until then would count after a kill as one
    /// from which somebody has taken the tag, and it would lose it on every machine.
    private func writeTags(of update: SyncUpdate, _ present: [ContainerID: SyncTag]) throws {
        let tags = update.tags
        let changed = tags.keys.filter { tags[$0] != present[$0] }
        var notes: Set<Int64> = []
        for id in present.keys where tags[id]?.name != present[id]?.name { notes.formUnion(try self.notes(of: id)) }
        var replaced: [(tag: ContainerID, notes: [Int64])] = []
        for id in present.keys where tags[id] == nil {
            if let tag = update.successor(of: id) { replaced.append((tag, try self.notes(of: id, .hand))) }
            try removeTag(id)
        }
        for id in changed {
            let name = Self.ownName(of: id)
            if present[id] == nil {
                try insertTag(id, named: tags[id]?.name.string ?? name, created: tags[id]?.created ?? 0)
            } else if tags[id]?.name != present[id]?.name {
                try run(
                    "UPDATE container SET name = ?, nameKey = ? WHERE uuid = ?",
                    [name, Folding.key(name), id.description])
            }
        }
        for id in changed {
            if let tag = tags[id] { try setProperties(of: id, tag) }
        }
        for (tag, notes) in replaced {
            let head = try containerHead(tag)
            for note in notes { try addTag(head, to: note) }
        }
        // The renamed tags are nested in other tags now, and texts that are not rewritten have the former names.
        for note in notes.sorted() {
            try addTagsAbove(note)
            // A marked note gets the tags of its text when it is indexed.
            if try isMarked(note) { continue }
            try writeTags(TextFacts.tags(in: try Notebook.Notes.text(db, key: note) ?? ""), of: note)
        }
    }

    private func setProperties(of id: ContainerID, _ tag: SyncTag) throws {
        let name = tag.name.string
        try absorbTextTag(Folding.key(name), into: id)
        try run(
            """
            UPDATE container SET name = ?, nameKey = ?, createdDate = ?, colorRGBA = ?, symbol = ?, sortOrder = ?
            WHERE uuid = ?
            """,
            [name, Folding.key(name), tag.created, Int64(tag.color), tag.symbol.string, tag.order, id.description])
        try run("UPDATE container SET changedDate = ? WHERE uuid = ?", [tag.updated, id.description])
    }

    /// Makes a tag that the notebook does not have by hand.
    ///
    /// A tag of texts has the identity that is derived from its name. If it still has this name, it becomes the
    /// notebook's own; if the name has changed elsewhere, the texts here keep a tag of theirs.
    private func insertTag(_ id: ContainerID, named name: String, created: Int64) throws {
        let inText: String? = try value(
            "SELECT nameKey FROM container WHERE uuid = ? AND inText = 1", [id.description])
        if let inText, inText == Folding.key(name) {
            return try run("UPDATE container SET inText = 0 WHERE uuid = ?", [id.description])
        }
        if inText != nil {
            try run("UPDATE container SET uuid = ? WHERE uuid = ?", [identity().uuidString, id.description])
        }
        let name = Self.ownName(of: id)
        try run(
            "INSERT INTO container (uuid, kind, name, nameKey, createdDate) VALUES (?, 'tag', ?, ?, ?)",
            [id.description, name, Folding.key(name), created])
    }

    private func notes(of tag: ContainerID, _ source: TagSource = [.hand, .text, .below]) throws -> [Int64] {
        try rows(
            "SELECT note FROM note_tag JOIN container ON id = tag WHERE uuid = ? AND source & ?",
            [tag.description, source.rawValue]
        ).map { $0[0] as Int64 }
    }

    /// Removes a tag from notes to which it was added by hand; if texts have it, it remains as a tag of these texts.
    private func removeTag(_ id: ContainerID) throws {
        let tag = "(SELECT id FROM container WHERE uuid = ?)"
        try run("DELETE FROM note_tag WHERE tag = \(tag) AND source = 1", [id.description])
        try run("UPDATE note_tag SET source = source & ~1 WHERE tag = \(tag)", [id.description])
        try run("UPDATE container SET inText = 1 WHERE uuid = ?", [id.description])
        try run(
            "DELETE FROM container WHERE uuid = ? AND NOT EXISTS (SELECT 1 FROM note_tag WHERE tag = container.id)",
            [id.description])
    }

    /// Gives the notes of a tag that exists only in texts the received tag of the same name instead.
    private func absorbTextTag(_ nameKey: String, into id: ContainerID) throws {
        let found: Int64? = try value(
            "SELECT id FROM container WHERE kind = 'tag' AND inText = 1 AND nameKey = ? AND uuid <> ?",
            [nameKey, id.description])
        guard let found else { return }
        try run(
            """
            INSERT INTO note_tag (note, tag, source)
            SELECT note, (SELECT id FROM container WHERE uuid = ?), source FROM note_tag WHERE tag = ?
            ON CONFLICT (note, tag) DO UPDATE SET source = source | excluded.source
            """, [id.description, found])
        try run("DELETE FROM container WHERE id = ?", [found])
    }

    private func writeSearches(_ searches: [UUID: SyncSearch], _ present: [UUID: SyncSearch]) throws {
        let changed = searches.keys.filter { searches[$0] != present[$0] }
        for id in present.keys where searches[id] == nil || changed.contains(id) {
            try run("DELETE FROM saved_search WHERE uuid = ?", [id.uuidString])
        }
        for id in changed {
            guard let search = searches[id], !search.query.string.allSatisfy(\.isWhitespace) else { continue }
            try run(
                "INSERT OR IGNORE INTO saved_search (uuid, name, nameKey, query, createdDate) VALUES (?, ?, ?, ?, ?)",
                [
                    id.uuidString, search.name.string, Folding.key(search.name.string), search.query.string,
                    search.created,
                ])
        }
    }

    private func writeGone(_ gone: [UUID: UUID?], _ present: [UUID: UUID?]) throws {
        for id in present.keys where gone[id] == nil {
            try run("DELETE FROM sync_gone WHERE id = ?", [id.uuidString])
        }
        for (id, successor) in gone where present[id] == nil || present[id] != .some(successor) {
            try run(
                "INSERT OR REPLACE INTO sync_gone (id, successor) VALUES (?, ?)",
                [id.uuidString, successor?.uuidString])
        }
    }

    /// Settles the marks of things that are as the other machines have them; the marks stay until the synchronisation
    /// has ended.
    ///
    /// If the program is killed before that, every difference of the notebook from the head is still marked.
    private func settleWritten(_ update: SyncUpdate) throws {
        var written = SyncSnapshot()
        try written.readContainers(db)
        try written.readLists(db)
        func settle(_ kind: SyncKind, _ id: UUID) throws {
            try run("UPDATE sync_mark SET settled = 1 WHERE kind = ? AND id = ?", [kind.rawValue, id.uuidString])
        }
        for (id, folder) in update.folders where written.folders[id] == folder { try settle(.folder, id.uuid) }
        for (id, tag) in update.tags where written.tags[id] == tag { try settle(.tag, id.uuid) }
        for (id, search) in update.searches where written.searches[id] == search { try settle(.search, id) }
        for row in try rows("SELECT kind, id FROM sync_mark WHERE kind IN ('tag', 'search')") {
            guard let uuid = UUID(uuidString: row[1]) else { continue }
            let isGone =
                row[0] as String == "tag"
                ? update.tags[ContainerID(uuid)] == nil && written.tags[ContainerID(uuid)] == nil
                : update.searches[uuid] == nil && written.searches[uuid] == nil
            if isGone {
                try run(
                    "UPDATE sync_mark SET settled = 1 WHERE kind = ? AND id = ?", [row[0] as String, row[1] as String])
            }
        }
    }

    /// Deletes folders that were deleted elsewhere, after their notes have left them.
    ///
    /// - Parameter seq: the last mark that the writing of folders has left; a folder that was changed later stays.
    func remove(_ leaving: Set<ContainerID>, since seq: Int64) throws {
        if leaving.isEmpty { return }
        var present = SyncSnapshot()
        try present.readContainers(db)
        // A folder that is deleted leaves marks of those that were trashed out of it, so the marks are read before.
        let marks = try rows("SELECT upper(id) FROM sync_mark WHERE kind = 'folder' AND seq > ?", [seq])
        let changed = Set(marks.map { $0[0] as String })
        // Nested folders are deleted before their parents.
        for id in fromTheTop(present.folders).reversed() where leaving.contains(id) {
            let head = try containerHead(id)
            let isUsed: Bool? = try value(
                """
                SELECT EXISTS (SELECT 1 FROM container WHERE parent = ?1) OR EXISTS (SELECT 1 FROM note WHERE folder = ?1)
                """, [head.key])
            if isUsed == true || changed.contains(id.description) {
                try keep(head)
                continue
            }
            try run("UPDATE container SET role = NULL, parent = 4, place = 2 WHERE id = ?", [head.key])
            try run("DELETE FROM container WHERE id = ?", [head.key])
            try run("UPDATE sync_mark SET settled = 1 WHERE kind = 'folder' AND id = ?", [id.description])
        }
        // One of them may have gathered the notes of a project until now.
        for row in try rows("SELECT id FROM container WHERE kind = 'project'") { try refreshProject(row[0]) }
    }

    /// Keeps a folder that was deleted elsewhere, since somebody has put something into it meanwhile or changed it; the
    /// other machines get it back.
    private func keep(_ folder: ContainerHead) throws {
        // One that was only put aside has not been in the Trash.
        if folder.parent == SystemKey.trash, folder.place != .trash {
            let name = try freeName(folder.name, kind: folder.kind, parent: nil, except: folder.key)
            try run(
                "UPDATE container SET parent = NULL, name = ?, nameKey = ? WHERE id = ?",
                [name, Folding.key(name), folder.key])
        }
    }

    /// Deletes the images that were deleted elsewhere, unless a note shows them now or somebody has added them again.
    ///
    /// One that an earlier attempt has written, which was ended before it recorded that, is among them.
    func removeImages(of update: SyncUpdate) throws {
        for uuid in update.removedImages {
            let name = uuid.uuidString
            let isWanted: Bool? = try value(
                """
                SELECT EXISTS (SELECT 1 FROM sync_mark WHERE kind = 'image' AND id = ?1 AND seq > ?2)
                    OR EXISTS (SELECT 1 FROM note_link WHERE kind = 'image' AND targetKey = lower(?1))
                """, [name, update.seq])
            if isWanted == true { continue }
            try removeImage(uuid)
            try settle(.image, name)
        }
    }

    /// Removes an identity of an image, and with the last one the image.
    private func removeImage(_ uuid: UUID) throws {
        let name = uuid.uuidString
        try run("DELETE FROM image_alias WHERE uuid = ?", [name])
        guard let key: Int64 = try value("SELECT id FROM note_image WHERE uuid = ?", [name]) else { return }
        let next = try row("SELECT uuid, createdDate FROM image_alias WHERE image = ? ORDER BY upper(uuid)", [key])
        guard let next else { return try run("DELETE FROM note_image WHERE id = ?", [key]) }
        let (id, date) = (next[0] as String, next[1] as Int64)
        try run("DELETE FROM image_alias WHERE uuid = ?", [id])
        try run("UPDATE note_image SET uuid = ?, createdDate = ? WHERE id = ?", [id, date, key])
        try run("DELETE FROM sync_mark WHERE kind = 'image' AND id = ?", [id])
    }
}

extension SyncUpdate {
    /// Returns the tag that has replaced one; nil for a tag that was deleted.
    fileprivate func successor(of tag: ContainerID) -> ContainerID? {
        var (id, seen) = (tag.uuid, Set<UUID>())
        while case .some(.some(let next)) = gone[id], seen.insert(id).inserted {
            id = next
            if tags[ContainerID(id)] != nil { return ContainerID(id) }
        }
        return nil
    }
}
