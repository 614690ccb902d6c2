import Crypto
import Foundation
import GRDB
import TextPrimitives

/// The facts of a file of any kind that are the same on every machine; its bytes are read when they are needed.
public struct SyncAttachment: Equatable, Sendable {
    /// The git object name of its bytes, in hexadecimal.
    public var object: String
    public var name: ExactText
    public var created: Int64

    public init(object: String, name: ExactText, created: Int64) {
        (self.object, self.name, self.created) = (object, name, created)
    }
}

extension Notebook.Sync {
    /// The size of the largest file that is sent and received, in bytes: well-known git hosts refuse larger ones, and
    /// with them the whole push.
    public static let maximumFileSize = 100_000_000

    /// A file that is not sent, because it is too large.
    public struct FileLeftBehind: Equatable, Sendable {
        public let name: String
        /// The size in bytes.
        public let size: Int
    }

    /// Returns the files and images that are too large to be sent, by name.
    public func filesLeftBehind(largest: Int = maximumFileSize) throws(StoreError) -> [FileLeftBehind] {
        try notebook.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT name, length(data) FROM note_file WHERE length(data) > ?1 AND NOT EXISTS
                        (SELECT 1 FROM sync_file WHERE kind = 'file' AND sync_file.id = note_file.uuid)
                    UNION ALL
                    SELECT 'takenote://image/' || uuid, length(data) FROM note_image WHERE length(data) > ?1 AND NOT EXISTS
                        (SELECT 1 FROM sync_file WHERE kind = 'image' AND sync_file.id = note_image.uuid)
                    ORDER BY 1
                    """, arguments: [largest]
            ).map { FileLeftBehind(name: $0[0], size: $0[1]) }
        }
    }

    /// Returns those of these images and files to which notes refer.
    ///
    /// - Parameter ignored: notes that do not count.
    public func referenced(_ ids: Set<UUID>, besidesBy ignored: Set<NoteID>) throws(StoreError) -> Set<UUID> {
        try notebook.read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT uuid FROM note JOIN note_link ON source = note.id
                        WHERE kind = 'image' AND targetKey = lower(?1)
                    UNION ALL SELECT uuid FROM note JOIN note_file_link ON note_file_link.note = note.id
                        WHERE target = ?1
                    """)
            return try ids.filter { id in
                try String.fetchAll(statement, arguments: [id.uuidString])
                    .contains { !ignored.contains(NoteID(stored: $0)) }
            }
        }
    }

    /// Returns the bytes of a file.
    public func attachmentData(_ uuid: UUID) throws(StoreError) -> [UInt8]? {
        try notebook.attachments.data(of: uuid).map { [UInt8]($0) }
    }

    /// Returns the name of a file in a form that every file system accepts, with its extension.
    public static func safeFileName(_ name: String) -> String { SafeName.ofFile(name) }

    /// Whether these are the bytes of a picture that the notebook shows.
    public static func isImage(_ bytes: [UInt8]) -> Bool { NoteImage.MimeType(recognizing: Data(bytes)) != nil }
}

extension SyncSnapshot {
    /// Reads the files; one that is too large counts only if the last synchronised tree has it.
    mutating func readAttachments(_ db: Database, largest: Int) throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT every.uuid, every.name, every.createdDate, sync_file.oid, every.id FROM (
                    SELECT uuid, id, name, createdDate FROM note_file
                    UNION ALL SELECT uuid, file, name, createdDate FROM file_alias) AS every
                JOIN note_file ON note_file.id = every.id
                LEFT JOIN sync_file ON sync_file.kind = 'file' AND sync_file.id = every.uuid
                WHERE length(note_file.data) <= ? OR sync_file.oid IS NOT NULL
                """, arguments: [largest])
        while let row = try rows.next() {
            guard let uuid = UUID(uuidString: row[0]) else { continue }
            let object = try row[3] as String? ?? Self.object(ofFile: row[4], db)
            attachments[uuid] = SyncAttachment(object: object, name: ExactText(row[1]), created: row[2])
        }
    }

    private static func object(ofFile key: Int64, _ db: Database) throws -> String {
        let data = try Data.fetchOne(db, sql: "SELECT data FROM note_file WHERE id = ?", arguments: [key])
        return GitObject.name(ofBlob: [UInt8](data ?? Data()))
    }
}

extension Transaction {
    /// Stores a file as a synchronisation wants it.
    ///
    /// - Parameter data: its bytes; nil if the notebook has them already.
    func write(_ uuid: UUID, _ wanted: SyncAttachment, _ data: Data?) throws {
        let name = uuid.uuidString
        if let data {
            try removeAttachment(uuid)
            try insertAttachment(uuid, wanted, data)
        } else {
            for table in ["note_file", "file_alias"] {
                try run(
                    "UPDATE \(table) SET name = ?, createdDate = ? WHERE uuid = ?",
                    [wanted.name.string, wanted.created, name])
            }
        }
        try run("UPDATE sync_mark SET settled = 1 WHERE kind = 'file' AND id = ?", [name])
    }

    /// Stores a file; if the notebook has its bytes already, it becomes another identity of them.
    private func insertAttachment(_ uuid: UUID, _ wanted: SyncAttachment, _ data: Data) throws {
        let hash = Hexadecimal.text(SHA256.hash(data: data))
        var (id, file) = (uuid.uuidString, wanted)
        guard let twin = try row("SELECT id, uuid, name, createdDate FROM note_file WHERE hash = ?", [hash]) else {
            try run(
                "INSERT INTO note_file (uuid, hash, name, createdDate, data) VALUES (?, ?, ?, ?, ?)",
                [id, hash, file.name.string, file.created, data])
            return try run(
                """
                INSERT OR IGNORE INTO file_use (file) SELECT id FROM note_file WHERE uuid = ?1 AND EXISTS
                    (SELECT 1 FROM note_file_link WHERE target = ?1)
                """, [id])
        }
        let (key, present) = (twin[0] as Int64, (twin[1] as String).uppercased())
        // The smaller identity is the file's own, so that every machine has the same one.
        if id < present {
            try run(
                "UPDATE note_file SET uuid = ?, name = ?, createdDate = ? WHERE id = ?",
                [id, file.name.string, file.created, key])
            (id, file.name, file.created) = (present, ExactText(twin[2]), twin[3])
        }
        try run(
            "INSERT OR REPLACE INTO file_alias (uuid, file, name, createdDate) VALUES (?, ?, ?, ?)",
            [id, key, file.name.string, file.created])
    }

    /// Removes an identity of a file, and with the last one the file.
    private func removeAttachment(_ uuid: UUID) throws {
        let name = uuid.uuidString
        try run("DELETE FROM file_alias WHERE uuid = ?", [name])
        guard let key: Int64 = try value("SELECT id FROM note_file WHERE uuid = ?", [name]) else { return }
        let next = try row("SELECT uuid, name, createdDate FROM file_alias WHERE file = ? ORDER BY upper(uuid)", [key])
        guard let next else { return try run("DELETE FROM note_file WHERE id = ?", [key]) }
        let (id, title, date) = (next[0] as String, next[1] as String, next[2] as Int64)
        try run("DELETE FROM file_alias WHERE uuid = ?", [id])
        try run("UPDATE note_file SET uuid = ?, name = ?, createdDate = ? WHERE id = ?", [id, title, date, key])
        try run("DELETE FROM sync_mark WHERE kind = 'file' AND id = ?", [id])
    }

    /// Deletes files that were deleted elsewhere, unless a note refers to them now.
    func removeAttachments(of update: SyncUpdate) throws {
        for (uuid, change) in update.attachments where change.new == nil {
            let name = uuid.uuidString
            let isUsed: Bool? = try value("SELECT EXISTS (SELECT 1 FROM note_file_link WHERE target = ?)", [name])
            if isUsed == true { continue }
            try removeAttachment(uuid)
            try run("UPDATE sync_mark SET settled = 1 WHERE kind = 'file' AND id = ?", [name])
        }
    }
}
