import Foundation
import GRDB
import Pictures
import TextPrimitives

extension Transaction {
    /// The time for which an image that no note has shown yet is kept, in milliseconds: a day.
    ///
    /// `tn image add` stores it before a text names it, and that text may still be in the clipboard.
    static let unusedImageLife: Int64 = 24 * 3_600_000

    /// Inserts an image unless there is one of this identity or content.
    func insertImage(_ uuid: UUID, hash: String, type: NoteImage.MimeType, created: Int64, data: Data) throws {
        let header = PictureHeader(data: data)
        try run(
            """
            INSERT OR IGNORE INTO note_image (uuid, hash, mimeType, createdDate, data, width, height)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [uuid.uuidString, hash, type.rawValue, created, data, header?.shownWidth, header?.shownHeight])
    }

    /// Remembers the name of the file that an image came from, if no name is known yet.
    func remember(_ name: String, ofImage uuid: UUID) throws {
        try run(
            "INSERT OR IGNORE INTO setting (key, value) VALUES (?, ?)",
            [Notebook.Images.nameKey(uuid), SafeName.ofFile(name)])
    }

    /// Removes the images and files that no note, version, undo history, action or journal refers to.
    ///
    /// An image or file that no note has ever shown is kept for `unusedImageLife`.
    func cullImages(sparing journals: ImageReferences) throws {
        guard case .known(let spared) = journals else {
            // The removal is tried again once no program has unsaved text.
            return try run("INSERT OR REPLACE INTO setting (key, value) VALUES ('imagesWait', '1')")
        }
        try run("DELETE FROM setting WHERE key = 'imagesWait'")
        var unused = try imagesAndFilesWithoutNote()
        // An earlier text may refer to an image by the identity that another machine gave it.
        let owners = try ownersOfAliases()
        func keep(_ uuids: Set<String>) {
            unused.subtract(uuids)
            unused.subtract(uuids.compactMap { owners[$0] })
        }
        keep(spared)
        for source in Self.otherTexts {
            // Most notebooks have nothing to remove, and then these texts are not read.
            if unused.isEmpty { return }
            let texts = try Data.fetchCursor(db, sql: source)
            while let text = try texts.next() { keep(UUIDScanner.uuids(in: text)) }
        }
        for uuid in unused {
            try run("DELETE FROM note_image WHERE uuid = ?", [uuid])
            try run("DELETE FROM setting WHERE key = ?", [Notebook.Images.namePrefix + uuid])
            try run("DELETE FROM note_file WHERE uuid = ?", [uuid])
        }
    }

    /// Returns the images and files that no present note shows, except new ones that no note has shown yet.
    private func imagesAndFilesWithoutNote() throws -> Set<String> {
        let images = try rows(
            """
            SELECT upper(uuid) FROM note_image WHERE NOT EXISTS
                    (SELECT 1 FROM note_link WHERE kind = 'image' AND targetKey = lower(note_image.uuid))
                AND NOT EXISTS (SELECT 1 FROM image_alias JOIN note_link ON targetKey = lower(image_alias.uuid)
                    WHERE image = note_image.id AND note_link.kind = 'image')
                AND (createdDate <= ? OR EXISTS (SELECT 1 FROM image_use WHERE image = note_image.id))
            """, [now - Self.unusedImageLife])
        let files = try rows(
            """
            SELECT upper(uuid) FROM note_file
            WHERE NOT EXISTS (SELECT 1 FROM note_file_link WHERE target = note_file.uuid)
                AND NOT EXISTS (SELECT 1 FROM file_alias JOIN note_file_link ON target = file_alias.uuid
                    WHERE file = note_file.id)
                AND (createdDate <= ? OR EXISTS (SELECT 1 FROM file_use WHERE file = note_file.id))
            """, [now - Self.unusedImageLife])
        return Set((images + files).map { $0[0] as String })
    }

    /// Returns the image or file of each identity that another machine has given to the same bytes.
    private func ownersOfAliases() throws -> [String: String] {
        let aliases = try rows(
            """
            SELECT upper(image_alias.uuid), upper(note_image.uuid) FROM image_alias
                JOIN note_image ON note_image.id = image
            UNION ALL SELECT upper(file_alias.uuid), upper(note_file.uuid) FROM file_alias
                JOIN note_file ON note_file.id = file
            """)
        return Dictionary(aliases.map { ($0[0] as String, $0[1] as String) }) { first, _ in first }
    }

    /// Queries for the texts whose links are not stored yet, and for the earlier ones that can come back, also by the
    /// program's own undo.
    private static let otherTexts = [
        "SELECT CAST(text AS BLOB) FROM note_text WHERE note IN (SELECT note FROM search_mark)",
        "SELECT CAST(text AS BLOB) FROM note_version",
        "SELECT data FROM note_history",
        "SELECT CAST(changes AS BLOB) FROM action",
    ]
}

/// Finds UUIDs in bytes of any kind.
enum UUIDScanner {
    private static let length = 36
    private static let hyphens = [8, 13, 18, 23]

    /// Returns all UUIDs in the bytes, in upper case.
    static func uuids(in data: Data) -> Set<String> {
        data.withUnsafeBytes { bytes in
            var found: Set<String> = []
            var start = 0
            while start + length <= bytes.count {
                // The first hyphen shows where the next UUID can begin.
                guard let hyphen = bytes[(start + 8)...].firstIndex(of: 0x2D) else { break }
                start = hyphen - 8
                if start + length <= bytes.count, isUUID(bytes, start) {
                    found.insert(String(decoding: bytes[start..<start + length], as: UTF8.self).uppercased())
                    start += length
                } else {
                    start += 1
                }
            }
            return found
        }
    }

    private static func isUUID(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        (0..<length).allSatisfy { offset in
            let byte = bytes[start + offset]
            if hyphens.contains(offset) { return byte == 0x2D }
            return byte.isHexDigit
        }
    }
}
