import Foundation
import GRDB

extension Notebook.Transfer {
    /// Returns the whole notebook at this moment; notes in Buffer appear where they were cut.
    ///
    /// The order does not depend on that in which things came into the notebook, so notebooks with the same notes have
    /// the same archive.
    public func archive() throws(StoreError) -> NotebookArchive {
        try notebook.read { db in
            var archive = NotebookArchive()
            let containers = try Row.fetchAll(db, sql: Self.containerSQL)
            let ids = Dictionary(uniqueKeysWithValues: containers.map { ($0[0] as Int64, ContainerID(stored: $0[1])) })
            let levels = try Self.privacyLevels(db)
            archive.containers = containers.map { .init($0, ids, levels) }
            let notes = try Row.fetchCursor(db, sql: Self.noteSQL)
            while let row = try notes.next() { archive.notes.append(try .init(row, ids, levels, db)) }
            archive.images = try Self.images(db)
            let files = try Self.files(db)
            archive.files = files.isEmpty ? nil : files
            archive.searches = try Row.fetchAll(
                db, sql: "SELECT uuid, name, query, createdDate FROM saved_search"
            ).compactMap { row in
                UUID(uuidString: row[0]).map { .init(uuid: $0, name: row[1], query: row[2], created: .init(row[3])) }
            }
            archive.sort()
            return archive
        }
    }

    /// Returns the images, each under all its identities.
    private static func images(_ db: Database) throws -> [NotebookArchive.Image] {
        var images: [NotebookArchive.Image] = []
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT uuid, mimeType, createdDate, data FROM note_image
                UNION ALL SELECT image_alias.uuid, mimeType, image_alias.createdDate, data
                    FROM image_alias JOIN note_image ON id = image
                """)
        while let row = try rows.next() {
            guard let uuid = UUID(uuidString: row[0]) else { continue }
            images.append(.init(uuid: uuid, mimeType: row[1], created: .init(row[2]), data: row[3]))
        }
        return images
    }

    /// Returns the files, each under all its identities.
    private static func files(_ db: Database) throws -> [NotebookArchive.File] {
        var files: [NotebookArchive.File] = []
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT uuid, name, createdDate, data FROM note_file
                UNION ALL SELECT file_alias.uuid, file_alias.name, file_alias.createdDate, data
                    FROM file_alias JOIN note_file ON id = file
                """)
        while let row = try rows.next() {
            guard let uuid = UUID(uuidString: row[0]) else { continue }
            files.append(.init(uuid: uuid, name: row[1], created: .init(row[2]), data: row[3]))
        }
        return files
    }

    /// Returns the privacy levels of notes and containers by their identities.
    private static func privacyLevels(_ db: Database) throws -> [String: String] {
        let prefix = Notebook.Retrieval.privacyPrefix
        let rows = try Row.fetchAll(
            db, sql: "SELECT substr(key, ?), value FROM setting WHERE key >= ? AND key < ?",
            arguments: [prefix.utf8.count + 1, prefix, Notebook.Retrieval.privacyEnd])
        // Another program may have written anything into the notebook.
        let levels = rows.compactMap { row in (row[0] as String?).map { ($0, PrivacyLevel(stored: row[1]).rawValue) } }
        return Dictionary(levels) { one, _ in one }
    }

    private static let containerSQL = """
        WITH RECURSIVE tree(id, depth) AS (SELECT id, 0 FROM container WHERE parent IS NULL
            UNION ALL SELECT container.id, depth + 1 FROM container JOIN tree ON container.parent = tree.id)
        SELECT container.id, uuid, kind, name, parent, createdDate, colorRGBA, symbol, sortOrder, role, projectType,
            details, origin, originPath, trashedDate, inText
        FROM container JOIN tree ON tree.id = container.id
        WHERE inText = 0 OR EXISTS (SELECT 1 FROM note_tag WHERE tag = container.id)
            ORDER BY depth, container.id > 6, uuid
        """

    private static let noteSQL = """
        SELECT note.id, uuid, title, defaultTitle, text, createdDate, updatedDate, starred,
            iif(place = 3, iif(originPlace = 1, 5, ifnull(origin, 1)), ifnull(folder, 1)), sortOrder, revision,
            aiSummary, contentHash, iif(place = 3 AND originPlace = 0, NULL, origin),
            iif(place = 3 AND originPlace = 0, NULL, originPath), place = 2 AND originPlace = 1,
            iif(place = 3, NULL, movedDate)
        FROM note JOIN note_text ON note_text.note = note.id ORDER BY note.id
        """
}

extension NotebookArchive {
    /// Puts everything but the containers, which come from the top downwards, in the order of dates and identities.
    fileprivate mutating func sort() {
        func precedes(_ one: (Moment, UUID), _ other: (Moment, UUID)) -> Bool {
            if one.0 != other.0 { return one.0.milliseconds < other.0.milliseconds }
            return one.1.precedes(other.1)
        }
        notes.sort { precedes(($0.created, $0.uuid.uuid), ($1.created, $1.uuid.uuid)) }
        images.sort { precedes(($0.created, $0.uuid), ($1.created, $1.uuid)) }
        files?.sort { precedes(($0.created, $0.uuid), ($1.created, $1.uuid)) }
        searches.sort { precedes(($0.created, $0.uuid), ($1.created, $1.uuid)) }
    }
}

extension NotebookArchive.Container {
    fileprivate init(_ row: Row, _ ids: [Int64: ContainerID], _ levels: [String: String]) {
        func id(_ key: Int64?) -> ContainerID? { key.flatMap { ids[$0] } }
        let kind = NoteContainer.Kind(rawValue: row[2]) ?? .folder
        self.init(
            uuid: ContainerID(stored: row[1]), kind: kind, name: row[3], parent: id(row[4]),
            created: kind.isSystem ? nil : .init(row[5]), color: UInt32(truncatingIfNeeded: row[6] as Int64),
            symbol: row[7], order: row[8], role: (row[9] as String?).flatMap(NoteContainer.Role.init),
            projectType: (row[10] as String?).flatMap(NoteContainer.ProjectType.init), details: row[11],
            origin: id(row[12]), originPath: (row[13] as String?).map(Transaction.decode),
            trashed: (row[14] as Int64?).map { .init($0) }, isOnlyInTexts: row[15] ? true : nil,
            privacy: levels[row[1]])
    }
}

extension NotebookArchive.Note {
    fileprivate init(
        _ row: Row, _ ids: [Int64: ContainerID], _ levels: [String: String], _ db: Database
    ) throws {
        func id(_ key: Int64?) -> ContainerID? { key.flatMap { ids[$0] } }
        let key: Int64 = row[0]
        let tags = try Int64.fetchAll(
            db.cachedStatement(sql: "SELECT tag FROM note_tag WHERE note = ? AND source & 1"), arguments: [key])
        let titles = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT titleKey, date FROM former_title WHERE note = ? ORDER BY date, titleKey"),
            arguments: [key])
        let versions = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT number, createdDate, reason, title, CAST(text AS BLOB) FROM note_version
                    WHERE note = ? ORDER BY number
                    """),
            arguments: [key])
        // Texts are read as bytes: GRDB ends a string at U+0000, also in a row that it copies.
        self.init(
            uuid: NoteID(stored: row[1]), title: row[2], defaultTitle: row[3],
            content: String(decoding: row[4] as Data, as: UTF8.self), created: .init(row[5]), updated: .init(row[6]),
            starred: row[7], folder: id(row[8]) ?? .inbox,
            tags: tags.compactMap { ids[$0] }.sorted { $0.uuid.precedes($1.uuid) }, order: row[9], revision: row[10],
            summary: row[11], summaryHash: row[12], origin: id(row[13]),
            originPath: (row[14] as String?).map(Transaction.decode), wasArchived: row[15],
            moved: (row[16] as Int64?).map { .init($0) },
            formerTitles: titles.map { .init(key: $0[0], date: .init($0[1])) },
            versions: versions.map {
                .init(
                    number: $0[0], date: .init($0[1]), reason: $0[2], title: $0[3],
                    content: String(decoding: $0[4] as Data, as: UTF8.self))
            },
            privacy: levels[row[1]])
    }
}
