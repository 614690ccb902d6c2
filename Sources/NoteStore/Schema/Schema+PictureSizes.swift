import Foundation
import GRDB
import Pictures

extension Schema {
    /// Version 8: the size in pixels of each image, so that its space in a text is known before it is decoded.
    ///
    /// The size is NULL if the bytes do not contain it.
    static func addPictureSizes(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE note_image ADD COLUMN width INTEGER;
                ALTER TABLE note_image ADD COLUMN height INTEGER;
                """)
        for key in try Int64.fetchAll(db, sql: "SELECT id FROM note_image") {
            let start = try Data.fetchOne(
                db, sql: "SELECT CAST(substr(data, 1, ?) AS BLOB) FROM note_image WHERE id = ?",
                arguments: [NoteImage.headerLength, key])
            guard let header = start.flatMap(PictureHeader.init(data:)) else { continue }
            try db.execute(
                sql: "UPDATE note_image SET width = ?, height = ? WHERE id = ?",
                arguments: [header.shownWidth, header.shownHeight, key])
        }
    }
}

extension NoteImage {
    /// The number of bytes that are searched for a picture's size; previews and colour profiles precede it.
    static let headerLength = 1 << 20
}

extension PictureHeader {
    /// Reads the header of a picture from its bytes, or from the first part of them.
    public init?(data: Data) {
        guard let header = data.withUnsafeBytes({ PictureHeader($0) }) else { return nil }
        self = header
    }
}
