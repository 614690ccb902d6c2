import Crypto
import Foundation
import GRDB
import TextPrimitives

extension Notebook.Transfer {
    /// Imports those objects of an archive that the notebook does not have yet, in batches of one transaction each.
    ///
    /// Every object keeps its identity, its parent and its dates. A note that exists already stays as it is; a folder,
    /// project or tag with the same name and the same parent is treated as the same, with the stricter privacy level of
    /// the two.
    ///
    /// - Parameters:
    ///   - made: receives what was made, batch by batch.
    ///   - progress: called after each batch with the number of notes done and of all notes; false stops.
    public func importArchive(
        _ archive: NotebookArchive, made: ImportRecord = ImportRecord(),
        progress: (_ done: Int, _ all: Int) -> Bool = { _, _ in true }
    ) throws(StoreError) -> ImportResult {
        var result = ImportResult()
        let others = try takeMedia(of: archive, &result)
        let (keys, containers) = try notebook.write { transaction in
            try archive.searches.forEach(transaction.take)
            return try transaction.take(archive.containers)
        }
        made.containers += containers
        var taken: [NoteID] = []
        for start in stride(from: 0, to: archive.notes.count, by: Self.archiveBatch) {
            let batch = archive.notes[start..<min(start + Self.archiveBatch, archive.notes.count)].map {
                PreparedNote($0, others, notebook.termCache)
            }
            let new = try notebook.write { transaction in
                try batch.filter { try transaction.take($0, keys) }.map(\.note.uuid)
            }
            taken += new
            made.notes += new
            result.unchangedCount += batch.count - new.count
            notebook.yieldToWriters()
            guard progress(start + batch.count, archive.notes.count) else {
                result.wasCancelled = true
                break
            }
        }
        // All titles exist only now.
        try notebook.write { try $0.resolveTitleLinks(of: taken) }
        result.notes = taken
        result.noteImportCount = taken.count
        return result
    }

    /// Imports the images and files of an archive.
    ///
    /// - Returns: for each image or file that the notebook has under another identity, that one.
    private func takeMedia(
        of archive: NotebookArchive, _ result: inout ImportResult
    ) throws(StoreError) -> [UUID: UUID] {
        var others: [UUID: UUID] = [:]
        for image in archive.images {
            let (id, isNew) = try notebook.write { try $0.take(image) }
            if id != image.uuid { others[image.uuid] = id }
            if isNew { result.imageCount += 1 }
        }
        for file in archive.files ?? [] {
            let (id, isNew) = try notebook.write { try $0.take(file) }
            if id != file.uuid { others[file.uuid] = id }
            if isNew { result.fileCount += 1 }
        }
        return others
    }

    /// Returns the number of an archive's notes that the notebook already has.
    public func knownCount(of archive: NotebookArchive) throws(StoreError) -> Int {
        try notebook.read { db in
            let statement = try db.cachedStatement(sql: "SELECT 1 FROM note WHERE uuid = ?")
            return try archive.notes.count { try Bool.fetchOne(statement, arguments: [$0.uuid.description]) ?? false }
        }
    }

    /// The number of notes that one transaction imports; the lock is free between transactions.
    private static let archiveBatch = 100
}

/// A note of an archive with the values derived from its text, made before the lock is taken.
private struct PreparedNote {
    let note: NotebookArchive.Note
    let text: String
    let facts: TextFacts
    let words: IndexedWords

    /// - Parameter images: images that the notebook has under another UUID.
    init(_ note: NotebookArchive.Note, _ images: [UUID: UUID], _ cache: TermCache) {
        func readdressed(_ text: String) -> String {
            images.reduce(text) { $0.replacing($1.key.uuidString, with: $1.value.uuidString) }
        }
        var note = note
        for index in note.versions.indices {
            note.versions[index].content = readdressed(note.versions[index].content)
        }
        self.note = note
        text = readdressed(note.content)
        facts = TextFacts(of: text, title: note.title == note.defaultTitle ? nil : note.title)
        words = IndexedWords(title: note.title, text: text, unknownTo: cache)
    }
}

extension Transaction {
    // MARK: - Images

    /// Stores an image unless the notebook has its bytes; returns the image's UUID in the notebook.
    fileprivate func take(_ image: NotebookArchive.Image) throws -> (id: UUID, isNew: Bool) {
        guard let type = NoteImage.MimeType(recognizing: image.data) else { return (image.uuid, false) }
        let hash = Hexadecimal.text(SHA256.hash(data: image.data))
        if let here: String = try value("SELECT uuid FROM note_image WHERE hash = ?", [hash]) {
            return (UUID(uuidString: here) ?? image.uuid, false)
        }
        try insertImage(
            image.uuid, hash: hash, type: type, created: image.created.milliseconds, data: image.data)
        return (image.uuid, true)
    }

    /// Stores a file unless the notebook has its bytes; returns the file's UUID in the notebook.
    fileprivate func take(_ file: NotebookArchive.File) throws -> (id: UUID, isNew: Bool) {
        let hash = Hexadecimal.text(SHA256.hash(data: file.data))
        if let here: String = try value("SELECT uuid FROM note_file WHERE hash = ?", [hash]) {
            return (UUID(uuidString: here) ?? file.uuid, false)
        }
        try run(
            "INSERT OR IGNORE INTO note_file (uuid, hash, name, createdDate, data) VALUES (?, ?, ?, ?, ?)",
            [file.uuid.uuidString, hash, SafeName.ofFile(file.name), file.created.milliseconds, file.data])
        return (file.uuid, true)
    }

    // MARK: - Searches

    /// Saves a search unless one with its name exists.
    fileprivate func take(_ search: NotebookArchive.Search) throws {
        try run(
            "INSERT OR IGNORE INTO saved_search (uuid, name, nameKey, query, createdDate) VALUES (?, ?, ?, ?, ?)",
            [
                search.uuid.uuidString, search.name, Folding.key(search.name), search.query,
                search.created.milliseconds,
            ])
    }

    // MARK: - Containers

    /// Makes the containers that are missing; returns the keys of all, and the containers made.
    fileprivate func take(
        _ containers: [NotebookArchive.Container]
    ) throws -> (keys: [ContainerID: Int64], made: [ContainerID]) {
        var keys: [ContainerID: Int64] = [:]
        var made: [NotebookArchive.Container] = []
        for container in containers {
            let parent = container.parent.flatMap { keys[$0] }
            if let counterpart = try counterpart(of: container, parent) {
                // An empty notebook that imports an archive of an earlier version gets the archive's age.
                if container.kind.isSystem, let created = container.created {
                    try run(
                        "UPDATE container SET createdDate = ?1 WHERE id = ?2 AND createdDate > ?1",
                        [created.milliseconds, counterpart])
                }
                keys[container.uuid] = counterpart
            } else {
                keys[container.uuid] = try make(container, parent)
                made.append(container)
            }
            if let level = container.privacy, let key = keys[container.uuid] {
                try close(containerHead(key: key).id, to: PrivacyLevel(stored: level))
            }
        }
        for container in made {
            guard let key = keys[container.uuid] else { continue }
            let origin = container.origin.flatMap { keys[$0] }
            try run("UPDATE container SET origin = ? WHERE id = ?", [origin, key])
            try refreshProject(try containerHead(key: key).project)
        }
        change.containers = true
        change.notes = nil
        return (keys, made.map(\.uuid))
    }

    /// Finds the same container in the notebook: by identity, or by role or name under the same parent.
    private func counterpart(of container: NotebookArchive.Container, _ parent: Int64?) throws -> Int64? {
        let same: Int64? = try value("SELECT id FROM container WHERE uuid = ?", [container.uuid.description])
        if let same { return same }
        // System containers have fixed identities, except for duplicates that another program made.
        if container.kind.isSystem {
            return try value("SELECT id FROM container WHERE id <= 6 AND kind = ?", [container.kind.rawValue])
        }
        if parent == SystemKey.trash { return nil }
        if let role = container.role, let parent,
            let found: Int64 = try value(
                "SELECT id FROM container WHERE parent = ? AND role = ?", [parent, role.rawValue])
        {
            return found
        }
        return try value(
            "SELECT id FROM container WHERE +parent IS ? AND nameKey = ? AND kind = ?",
            [parent, Folding.key(container.name), container.kind.rawValue])
    }

    private func make(_ container: NotebookArchive.Container, _ parent: Int64?) throws -> Int64 {
        let name = try freeName(container.name, kind: container.kind, parent: parent, except: nil)
        // A project is made at the root, under a unique name, and then moved to Trash.
        let isTrashedProject = container.kind == .project && parent != nil
        let firstName = isTrashedProject ? container.uuid.description : name
        try run(
            """
            INSERT INTO container (uuid, kind, name, nameKey, parent, createdDate, colorRGBA, symbol, sortOrder, role,
                projectType, details, originPath, trashedDate, inText)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                container.uuid.description, container.kind.rawValue, firstName, Folding.key(firstName),
                isTrashedProject ? nil : parent, (container.created ?? .init(now)).milliseconds, Int64(container.color),
                container.symbol, container.order, container.role?.rawValue, container.projectType?.rawValue,
                container.details, container.originPath.map(Self.encode), container.trashed?.milliseconds,
                container.isOnlyInTexts == true,
            ])
        let head = try containerHead(key: db.lastInsertedRowID)
        try setParent(head, parent, name: name)
        return head.key
    }

    // MARK: - Notes

    /// Makes a note unless it exists; returns whether it did.
    fileprivate func take(_ taken: PreparedNote, _ keys: [ContainerID: Int64]) throws -> Bool {
        let note = taken.note
        let isHere: Bool? = try value("SELECT 1 FROM note WHERE uuid = ?", [note.uuid.description])
        if isHere == true { return false }
        var folder = try containerHead(key: keys[note.folder] ?? SystemKey.inbox)
        if !folder.holdsNotes { folder = try containerHead(key: SystemKey.inbox) }
        let title = try freeTitle(note.title, in: folder, except: nil)
        let defaultTitle = note.title == note.defaultTitle ? title : Self.ended(note.defaultTitle, by: title)
        let place = folder.notePlace
        try run(
            """
            INSERT INTO note (uuid, title, titleKey, defaultTitle, createdDate, updatedDate, starred, folder, place,
                sortOrder, aiSummary, contentHash, preview, wordCount, size, features, revision, uniqueTitle, origin,
                originPath, originPlace, movedDate, titleStamp)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
            """,
            [
                note.uuid.description, title, Folding.key(title), defaultTitle, note.created.milliseconds,
                note.updated.milliseconds, note.starred, folder.key, place.rawValue, note.order, note.summary,
                note.summaryHash, taken.facts.summary.preview, taken.facts.summary.wordCount, taken.facts.summary.size,
                taken.facts.features.rawValue, note.revision, folder.project != nil && place == .live,
                note.origin.flatMap { keys[$0] }, note.originPath.map(Self.encode), note.wasArchived ? 1 : 0,
                note.moved?.milliseconds,
            ])
        let key = db.lastInsertedRowID
        try insertText(taken.text, of: key)
        try index(key, taken.words.retitled(title, unknownTo: termCache))
        for tag in note.tags.compactMap({ keys[$0] }) {
            try addTag(containerHead(key: tag), to: key)
        }
        try insertHistory(of: note, key)
        if let level = note.privacy { try close(note.uuid, to: PrivacyLevel(stored: level)) }
        try addLinks(taken.facts, of: key)
        try addTagsAbove(key)
        try resolveLinks(to: key, id: note.uuid)
        change.notes?.insert(note.uuid)
        change.containers = true
        return true
    }

    /// Stores a note's former titles and earlier texts.
    private func insertHistory(of note: NotebookArchive.Note, _ key: Int64) throws {
        for title in note.formerTitles {
            try run(
                "INSERT OR IGNORE INTO former_title (titleKey, note, date) VALUES (?, ?, ?)",
                [title.key, key, title.date.milliseconds])
        }
        for version in note.versions {
            try run(
                """
                INSERT INTO note_version (note, number, createdDate, reason, title, wordCount, hash, text)
                VALUES (?, ?, ?, ?, ?, ?, ?, CAST(? AS TEXT))
                """,
                [
                    key, version.number, version.date.milliseconds, version.reason, version.title,
                    TextFacts.wordCount(of: version.content), Note.contentHash(of: version.content),
                    Data(version.content.utf8),
                ])
        }
    }

    /// Resolves the links by title, now that all notes exist.
    fileprivate func resolveTitleLinks(of notes: [NoteID]) throws {
        for note in notes {
            let links = try rows(
                """
                SELECT source, ordinal, target FROM note_link
                WHERE kind = 'title' AND source = (SELECT id FROM note WHERE uuid = ?)
                """, [note.description])
            for link in links {
                try run(
                    "UPDATE note_link SET destination = ? WHERE source = ? AND ordinal = ?",
                    [
                        try Self.note(titled: link[2], from: link[0], db), link[0] as Int64, link[1] as Int64,
                    ])
            }
        }
    }
}
