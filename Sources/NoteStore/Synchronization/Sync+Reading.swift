import Crypto
import Foundation
import GRDB
import TextPrimitives

/// The state of the notebook at one moment, as far as a synchronisation needs it.
public struct SyncSnapshot: Sendable {
    /// The number of the last mark.
    public var seq: Int64 = 0
    /// The things that changed since the last synchronisation, including deleted ones; for a first synchronisation, all
    /// things.
    public var changed: Set<SyncID> = []
    /// The changed notes that exist.
    public var notes: [NoteID: SyncNote] = [:]
    // All folders, tags, searches, images and files are read, since they are few.
    public var folders: [ContainerID: SyncFolder] = [:]
    public var tags: [ContainerID: SyncTag] = [:]
    public var searches: [UUID: SyncSearch] = [:]
    public var images: [UUID: SyncImage] = [:]
    public var attachments: [UUID: SyncAttachment] = [:]
    /// The things that were deleted for ever, each with the folder that replaced it, if one did.
    public var gone: [UUID: UUID?] = [:]
}

/// A file of the last synchronised tree.
public struct SyncFile: Equatable, Sendable {
    public var path: [UInt8]
    /// The git object name of its bytes, in hexadecimal.
    public var object: String

    public init(path: [UInt8], object: String) { (self.path, self.object) = (path, object) }
}

extension Notebook.Sync {
    /// Returns the number of things that changed since the last synchronisation.
    public func changeCount() throws(StoreError) -> Int {
        try notebook.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sync_mark") ?? 0 }
    }

    /// Reads what is marked as changed; with `all`, everything.
    ///
    /// - Parameter largest: the size of the largest file that is included, in bytes.
    public func snapshot(all: Bool = false, largest: Int = maximumFileSize) throws(StoreError) -> SyncSnapshot {
        try notebook.read { db in
            var snapshot = SyncSnapshot()
            snapshot.seq = try Int64.fetchOne(db, sql: "SELECT max(seq) FROM sync_mark") ?? 0
            try snapshot.readContainers(db)
            try snapshot.readLists(db)
            try snapshot.readImages(db, largest: largest)
            try snapshot.readAttachments(db, largest: largest)
            for row in try Row.fetchAll(db, sql: "SELECT kind, id FROM sync_mark") {
                guard let kind = SyncKind(rawValue: row[0]), let uuid = UUID(uuidString: row[1]) else { continue }
                snapshot.changed.insert(SyncID(kind, uuid))
            }
            let condition =
                all ? "1" : "note.uuid IN (SELECT id FROM sync_mark WHERE kind = 'note')"
            let notes = try Row.fetchCursor(db, sql: "\(SyncNote.selection) WHERE \(condition)")
            while let row = try notes.next() {
                let id = NoteID(stored: row[1])
                snapshot.notes[id] = try SyncNote(row, db)
            }
            if all { snapshot.changed.formUnion(snapshot.everything) }
            return snapshot
        }
    }

    /// Returns the files of all things in the last synchronised tree.
    ///
    /// - Parameter notes: The only notes whose files are returned, or `nil` for all.
    public func files(ofNotes notes: Set<SyncID>? = nil) throws(StoreError) -> [SyncID: SyncFile] {
        try notebook.read { db in
            var files: [SyncID: SyncFile] = [:]
            func add(_ row: Row) {
                guard let kind = SyncKind(rawValue: row[0]), let uuid = UUID(digits: row[1]) else { return }
                files[SyncID(kind, uuid)] = SyncFile(path: [UInt8](row[2] as Data), object: row[3])
            }
            let selection = "SELECT kind, id, path, oid FROM sync_file"
            let others = "WHERE kind < 'note' OR kind > 'note'"
            let rows = try Row.fetchCursor(db, sql: notes == nil ? selection : "\(selection) \(others)")
            while let row = try rows.next() { add(row) }
            let statement = try db.cachedStatement(sql: "\(selection) WHERE kind = 'note' AND id = ?")
            for id in notes ?? [] where id.kind == .note {
                try Row.fetchOne(statement, arguments: [id.uuid.digits]).map(add)
            }
            return files
        }
    }

    /// Returns the numbers of notes and images.
    public func counts() throws(StoreError) -> (notes: Int, images: Int) {
        try notebook.read { db in
            (
                try Int.fetchOne(db, sql: "SELECT count(*) FROM note") ?? 0,
                try Int.fetchOne(db, sql: "SELECT count(*) FROM note_image") ?? 0
            )
        }
    }

    /// Returns the bytes of an image.
    public func imageData(_ uuid: UUID) throws(StoreError) -> [UInt8]? {
        try notebook.images.load(uuid).map { [UInt8]($0.imageData) }
    }

    /// Returns the title that a note with this text has unless somebody gives it another.
    public static func derivedTitle(of text: String) -> String { TextFacts.derivedTitle(of: text) }

    /// Returns a form of a title that every file system accepts as a name.
    public static func safeName(_ title: String) -> String {
        SafeName(title, maximumLength: SafeName.shortLength).name
    }

    /// Returns the notes that were made for a text which lost in a conflict and are not in Trash, with their titles.
    public func conflicts() throws(StoreError) -> [NoteRow] {
        try notebook.read { db in
            try NoteRow.fetch(db, "WHERE note.conflictOf IS NOT NULL AND note.place <> 2 ORDER BY note.id")
        }
    }

    /// The facts about synchronisation that the window shows.
    public struct Facts: Equatable, Sendable {
        public let isOn: Bool
        public let changes: Int
        /// The number of the last change.
        public let lastMark: Int64
        public let conflicts: Int
        /// The time when the last synchronisation ended, by any program; nil before the first.
        public let lastTime: String?
    }

    public func facts() throws(StoreError) -> Facts {
        try notebook.read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM setting WHERE key = ?), (SELECT count(*) FROM sync_mark),
                        (SELECT ifnull(max(seq), 0) FROM sync_mark),
                        (SELECT count(*) FROM note WHERE conflictOf IS NOT NULL AND place <> 2),
                        (SELECT value FROM setting WHERE key = ?)
                    """, arguments: [Key.url, Key.time])
            return Facts(
                isOn: row?[0] ?? false, changes: row?[1] ?? 0, lastMark: row?[2] ?? 0, conflicts: row?[3] ?? 0,
                lastTime: row?[4])
        }
    }

    /// Makes a note that was made for a conflict an ordinary one.
    public func forgetConflict(_ id: NoteID) throws(StoreError) {
        try notebook.write { try $0.run("UPDATE note SET conflictOf = NULL WHERE uuid = ?", [id.description]) }
    }

    /// Returns the note whose conflict this note was made for; nil if it is gone.
    public func original(ofConflict id: NoteID) throws(StoreError) -> NoteRow? {
        try notebook.read { db in
            let uuid = try String.fetchOne(
                db, sql: "SELECT conflictOf FROM note WHERE uuid = ?", arguments: [id.description])
            return try uuid.flatMap { try NoteRow.fetch(db, "WHERE note.uuid = ?", [$0]).first }
        }
    }
}

extension SyncSnapshot {
    /// The identities of everything in the snapshot.
    var everything: Set<SyncID> {
        var ids: Set<SyncID> = []
        ids.formUnion(notes.keys.map { .note($0) })
        ids.formUnion(folders.keys.map { .folder($0) })
        ids.formUnion(tags.keys.map { SyncID(.tag, $0.uuid) })
        ids.formUnion(searches.keys.map { SyncID(.search, $0) })
        ids.formUnion(images.keys.map { SyncID(.image, $0) })
        ids.formUnion(attachments.keys.map { SyncID(.file, $0) })
        return ids
    }

    mutating func readContainers(_ db: Database) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT c.uuid, c.kind, c.name, p.uuid, c.createdDate, c.changedDate, c.colorRGBA, c.symbol,
                    c.sortOrder, c.role, c.projectType, c.details, o.uuid, c.originPath, c.trashedDate
                FROM container AS c LEFT JOIN container AS p ON p.id = c.parent
                    LEFT JOIN container AS o ON o.id = c.origin
                WHERE c.kind IN ('folder', 'project', 'tag') AND c.inText = 0
                """)
        for row in rows {
            let id = ContainerID(stored: row[0])
            let color = UInt32(truncatingIfNeeded: row[6] as Int64)
            if row[1] as String == "tag" {
                tags[id] = SyncTag(
                    name: ExactText(row[2]), created: row[4], updated: row[5], color: color, symbol: ExactText(row[7]),
                    order: row[8])
                continue
            }
            var origin: SyncOrigin?
            if row[12] as String? != nil || row[13] as String? != nil || row[14] as Int64? != nil {
                origin = SyncOrigin(
                    container: (row[12] as String?).map(ContainerID.init(stored:)),
                    path: (row[13] as String?).map { ExactText($0) }, moved: row[14])
            }
            folders[id] = SyncFolder(
                isProject: row[1] as String == "project", name: ExactText(row[2]),
                parent: (row[3] as String?).map(ContainerID.init(stored:)), created: row[4], updated: row[5],
                color: color, symbol: ExactText(row[7]), order: row[8],
                role: (row[9] as String?).flatMap(NoteContainer.Role.init(rawValue:)),
                projectType: (row[10] as String?).flatMap(NoteContainer.ProjectType.init(rawValue:)),
                details: ExactText(row[11]), origin: origin)
        }
    }

    mutating func readLists(_ db: Database) throws {
        for row in try Row.fetchAll(db, sql: "SELECT uuid, name, query, createdDate FROM saved_search") {
            guard let uuid = UUID(uuidString: row[0]) else { continue }
            searches[uuid] = SyncSearch(name: ExactText(row[1]), query: ExactText(row[2]), created: row[3])
        }
        for row in try Row.fetchAll(db, sql: "SELECT id, successor FROM sync_gone") {
            guard let uuid = UUID(uuidString: row[0]) else { continue }
            gone[uuid] = .some((row[1] as String?).flatMap(UUID.init(uuidString:)))
        }
    }

    /// Reads the images; one that is too large counts only if the last synchronised tree has it.
    mutating func readImages(_ db: Database, largest: Int) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT every.uuid, image.mimeType, every.createdDate, sync_file.oid, image.id FROM (
                    SELECT uuid, id, createdDate FROM note_image
                    UNION ALL SELECT uuid, image, createdDate FROM image_alias) AS every
                JOIN note_image AS image ON image.id = every.id
                LEFT JOIN sync_file ON sync_file.kind = 'image' AND sync_file.id = every.uuid
                WHERE length(image.data) <= ? OR sync_file.oid IS NOT NULL
                """, arguments: [largest])
        for row in rows {
            guard let uuid = UUID(uuidString: row[0]) else { continue }
            let object = try row[3] as String? ?? Self.object(ofImage: row[4], db)
            images[uuid] = SyncImage(object: object, isJPEG: row[1] as String == "image/jpeg", created: row[2])
        }
    }

    private static func object(ofImage key: Int64, _ db: Database) throws -> String {
        let data = try Data.fetchOne(db, sql: "SELECT data FROM note_image WHERE id = ?", arguments: [key])
        return GitObject.name(ofBlob: [UInt8](data ?? Data()))
    }
}

/// The names of git's objects.
public enum GitObject {
    /// Returns the name of a blob with these bytes: the SHA-1 of a header and the bytes, in hexadecimal.
    public static func name(ofBlob bytes: [UInt8]) -> String {
        var hash = Insecure.SHA1()
        hash.update(data: Array("blob \(bytes.count)\0".utf8))
        hash.update(data: bytes)
        return Hexadecimal.text(hash.finalize())
    }
}

extension SyncNote {
    /// The columns that `init` reads by position; a note in the Buffer counts as being where it was cut.
    static let selection = """
        SELECT note.id, note.uuid, title, defaultTitle, CAST(text AS BLOB), note.createdDate, updatedDate, starred,
            holder.uuid, note.sortOrder, aiSummary, contentHash,
            iif(note.place = 3 AND originPlace = 0, NULL, origin.uuid),
            iif(note.place = 3 AND originPlace = 0, NULL, note.originPath), note.place = 2 AND originPlace = 1,
            iif(note.place = 3, NULL, movedDate), conflictOf
        FROM note LEFT JOIN note_text ON note_text.note = note.id
            LEFT JOIN container AS holder ON holder.id =
                iif(note.place = 3, iif(originPlace = 1, 5, ifnull(note.origin, 1)), ifnull(folder, 1))
            LEFT JOIN container AS origin ON origin.id = note.origin
        """

    init(_ row: Row, _ db: Database) throws {
        let key: Int64 = row[0]
        let tags = try String.fetchAll(
            db.cachedStatement(
                sql: "SELECT uuid FROM note_tag JOIN container ON container.id = tag WHERE note = ? AND source & 1"),
            arguments: [key])
        let titles = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT titleKey, date FROM former_title WHERE note = ?"), arguments: [key])
        // Text is read as bytes: GRDB ends a string at U+0000.
        self.init(
            title: ExactText(row[2]), defaultTitle: ExactText(row[3]), text: ExactText(bytes: row[4] as Data),
            folder: (row[8] as String?).map(ContainerID.init(stored:)) ?? .inbox,
            tags: Set(tags.map(ContainerID.init(stored:))), created: row[5], updated: row[6], starred: row[7],
            order: row[9], summary: ExactText(row[10]), summaryHash: ExactText(row[11]))
        if row[12] as String? != nil || row[13] as String? != nil || row[15] as Int64? != nil || row[14] as Bool {
            origin = SyncOrigin(
                container: (row[12] as String?).map(ContainerID.init(stored:)),
                path: (row[13] as String?).map { ExactText($0) }, wasArchived: row[14], moved: row[15])
        }
        former = Dictionary(titles.map { (ExactText($0[0]), $0[1] as Int64) }) { max($0, $1) }
        conflictOf = (row[16] as String?).flatMap { NoteID($0) }
    }
}
