import Crypto
import Foundation
import GRDB
import SystemPackage
import TextPrimitives

/// An image that notes refer to by `![image](takenote://image/<UUID>)`.
public struct NoteImage: Equatable, Sendable {
    public enum MimeType: String, Sendable {
        case jpeg = "image/jpeg"
        case png = "image/png"

        /// The type that the first bytes show.
        public init?(recognizing data: Data) {
            // JPEG: start of image, then a marker (ITU T.81, B.1.1). PNG: its signature (W3C PNG, 5.2).
            if data.starts(with: [0xFF, 0xD8, 0xFF]) {
                self = .jpeg
            } else if data.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
                self = .png
            } else {
                return nil
            }
        }

        var fileExtension: String { self == .jpeg ? "jpg" : "png" }

        /// The type of a file, judged by its name; `nil` for any other file.
        init?(ofFile name: String) {
            switch FilePath(name).lowercasedExtension {
            case "jpg", "jpeg": self = .jpeg
            case "png": self = .png
            default: return nil
            }
        }
    }

    public let imageUUID: UUID
    public let mimeType: MimeType
    public let createdDate: Date
    public let imageData: Data

    public func getURL() -> String { "takenote://image/\(imageUUID.uuidString)" }

    /// Returns the SHA-256 of an image's bytes, in hexadecimal.
    static func hash(of data: Data) -> String { Hexadecimal.text(SHA256.hash(data: data)) }

    /// Returns the identity of an image with this hash, which is the same on every machine that adds the picture.
    static func identity(of hash: String) -> UUID {
        var digits = Array(hash.prefix(32).uppercased())
        // Version 8 of RFC 9562, whose other bits have no defined meaning, and the variant of that document.
        (digits[12], digits[16]) = ("8", "A")
        for offset in [8, 13, 18, 23] { digits.insert("-", at: offset) }
        return UUID(uuidString: String(digits)) ?? UUID.random()
    }

    /// Returns the Markdown to insert into a text.
    public func getMarkdown(alt: String = "image") -> String { "![\(alt)](\(getURL()))" }
}

/// The type and size of an image, without its bytes.
public struct ImageFacts: Equatable, Sendable {
    public let mimeType: NoteImage.MimeType
    public let byteCount: Int
    /// The size in pixels as it is shown, or nil if the bytes do not contain it.
    public let width: Int?
    public let height: Int?
}

extension Notebook.Images {
    /// Stores an image; the same bytes are stored once and keep their UUID.
    ///
    /// An image that is large or not upright is stored as `PictureIntake` prepares it.
    ///
    /// - Parameter name: the image's name in the error if it is neither JPEG nor PNG, or damaged.
    @discardableResult
    public func add(_ data: Data, name: String) throws(StoreError) -> NoteImage {
        let (image, hash, isNew) = try prepared(data, name: name)
        if !isNew { return image }
        return try notebook.write { transaction in
            try transaction.insertImage(
                image.imageUUID, hash: hash, type: image.mimeType, created: transaction.now, data: image.imageData)
            return try Self.load(transaction.db, "hash", hash) ?? image
        }
    }

    /// Returns an image as `add` would store it, with the hash of its bytes, and whether it is not stored yet.
    func prepared(
        _ data: Data, name: String
    ) throws(StoreError) -> (image: NoteImage, hash: String, isNew: Bool) {
        guard NoteImage.MimeType(recognizing: data) != nil else { throw .unsupportedImage(name: name) }
        let written = NoteImage.hash(of: data)
        if let present = try load("hash", written) { return (present, written, false) }
        let data = try PictureIntake.prepared(data, name: name)
        guard let mimeType = NoteImage.MimeType(recognizing: data) else { throw .unsupportedImage(name: name) }
        let hash = NoteImage.hash(of: data)
        if let present = try load("hash", hash) { return (present, hash, false) }
        let image = NoteImage(
            imageUUID: NoteImage.identity(of: hash), mimeType: mimeType, createdDate: notebook.options.now(),
            imageData: data)
        return (image, hash, true)
    }

    /// Returns the image, or `nil` if there is none.
    public func load(_ uuid: UUID) throws(StoreError) -> NoteImage? {
        if let image = try load("uuid", uuid.uuidString) { return image }
        // Another machine may have added the same picture under this identity.
        return try notebook.read { db in
            let name = try String.fetchOne(
                db,
                sql: "SELECT note_image.uuid FROM image_alias JOIN note_image ON id = image WHERE image_alias.uuid = ?",
                arguments: [uuid.uuidString])
            return try name.flatMap { try Self.load(db, "uuid", $0) }
        }
    }

    /// Returns the type and size of the image, or `nil` if there is none.
    public func facts(_ uuid: UUID) throws(StoreError) -> ImageFacts? {
        try notebook.read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT mimeType, length(data), width, height FROM note_image
                    WHERE uuid = ?1 OR id = (SELECT image FROM image_alias WHERE uuid = ?1)
                    """)
            guard let row = try Row.fetchOne(statement, arguments: [uuid.uuidString]),
                let mimeType = NoteImage.MimeType(rawValue: row[0])
            else { return nil }
            let (width, height) = (row[2] as Int, row[3] as Int)
            let isKnown = width > 0 && height > 0
            return ImageFacts(
                mimeType: mimeType, byteCount: row[1], width: isKnown ? width : nil, height: isKnown ? height : nil)
        }
    }

    /// The key of the setting with the name of the file that an image came from.
    static func nameKey(_ uuid: UUID) -> String { namePrefix + uuid.uuidString }
    static let namePrefix = "image/"

    /// Returns the name of the file that an image came from, with the extension of its type; `nil` if it is unknown.
    func fileName(of image: NoteImage) throws(StoreError) -> String? {
        guard let name = try notebook.settings.value(Self.nameKey(image.imageUUID)), let stem = FilePath(name).stem
        else { return nil }
        if NoteImage.MimeType(ofFile: name) == image.mimeType { return name }
        return "\(stem).\(image.mimeType.fileExtension)"
    }

    /// Returns the name for a copy of an image: that of the file that it came from, if it is known.
    public func copyName(of image: NoteImage) throws(StoreError) -> String {
        try fileName(of: image) ?? "image.\(image.mimeType.fileExtension)"
    }

    /// Writes a copy of an image into a subfolder of `folder`, readable only by its owner; returns its path.
    public func write(_ image: NoteImage, to folder: String) throws(StoreError) -> String {
        let name = try copyName(of: image)
        return try Notebook.Attachments.writeCopy(image.imageData, of: image.imageUUID, named: name, to: folder)
    }

    private func load(_ column: String, _ value: String) throws(StoreError) -> NoteImage? {
        try notebook.read { try Self.load($0, column, value) }
    }

    private static func load(_ db: Database, _ column: String, _ value: String) throws -> NoteImage? {
        let statement = try db.cachedStatement(
            sql: "SELECT uuid, mimeType, createdDate, data FROM note_image WHERE \(column) = ?")
        guard let row = try Row.fetchOne(statement, arguments: [value]),
            let uuid = UUID(uuidString: row[0]), let mimeType = NoteImage.MimeType(rawValue: row[1])
        else { return nil }
        return NoteImage(
            imageUUID: uuid, mimeType: mimeType, createdDate: Date(milliseconds: row[2]), imageData: row[3])
    }

    /// Returns the images of a note's text, in its order; missing ones are left out.
    public func all(of note: NoteID) throws(StoreError) -> [NoteImage] {
        try notebook.read { db in
            let uuids = try String.fetchAll(
                db,
                sql: """
                    SELECT target FROM note_link JOIN note ON note.id = source
                    WHERE note.uuid = ? AND kind = 'image' ORDER BY ordinal
                    """, arguments: [note.description])
            return try uuids.compactMap { try Self.load(db, "uuid", $0) }
        }
    }

    /// Removes the images that emptying Trash left because a journal might have referred to them.
    ///
    /// Call it at start, after the journals of dead programs have been replayed. It costs a look-up when there is
    /// nothing to do.
    func cullWaiting() throws(StoreError) {
        let isNeeded = try notebook.read { db in
            try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM setting WHERE key = 'imagesWait')")) ?? false
        }
        guard isNeeded, case .known(let spared) = try notebook.journal.images() else { return }
        try notebook.write { try $0.cullImages(sparing: .known(spared)) }
    }
}

/// The images that journals may restore.
enum ImageReferences {
    /// Upper-case UUIDs.
    case known(Set<String>)
    /// Another program is writing, so what its journal holds is unknown.
    case unknown
}
