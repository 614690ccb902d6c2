import Crypto
import Foundation
import GRDB
import SystemPackage
import TextPrimitives

/// A file of any kind that notes refer to by `[name](takenote://file/<UUID>)`.
///
/// Pictures that the notebook shows itself are images; see `NoteImage`.
public struct NoteFile: Equatable, Sendable {
    public let id: UUID
    /// The name under which it was first added, without a folder.
    public let name: String
    public let createdDate: Date
    /// The size in bytes.
    public let size: Int
    /// The number of notes that refer to it.
    public let noteCount: Int

    public var url: String { Self.url(of: id) }

    /// Whether it is a picture, which browsers show though the notebook does not know it as an image.
    var isPicture: Bool { Self.isPicture(name) }

    static func isPicture(_ name: String) -> Bool { pictureExtensions.contains(FilePath(name).lowercasedExtension) }

    /// Returns the Markdown to insert into a text; a picture is shown where it can be.
    public func markdown() -> String {
        let label = name.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
        return "\(isPicture ? "!" : "")[\(label)](\(url))"
    }

    /// The default limit on the size of an added file, in bytes.
    public static let defaultMaximumSize = 50_000_000
    /// The highest limit that the settings may set, in bytes, because SQLite cannot store a value of a gigabyte.
    public static let maximumLimit = 900_000_000

    private static let pictureExtensions: Set = ["gif", "webp", "svg", "bmp", "avif", "heic", "tiff", "tif", "jxl"]

    static func url(of id: UUID) -> String { "takenote://file/\(id.uuidString)" }
}

extension Notebook.Attachments {
    /// Stores a file; the same bytes are stored once and keep their identity and name.
    ///
    /// The identity comes from the bytes, so that machines which add the same file agree.
    @discardableResult
    public func add(_ data: Data, name: String) throws(StoreError) -> NoteFile {
        let (file, hash, isNew) = try prepared(data, name: name)
        if !isNew { return file }
        try notebook.write { try $0.insertFile(file, hash: hash, data: data) }
        guard let added = try load("hash", hash) else { throw .noSuchFile(path: name) }
        return added
    }

    /// Returns a file as `add` would store it, with the hash of its bytes, and whether it is not stored yet.
    func prepared(_ data: Data, name: String) throws(StoreError) -> (file: NoteFile, hash: String, isNew: Bool) {
        let hash = Hexadecimal.text(SHA256.hash(data: data))
        if let present = try load("hash", hash) { return (present, hash, false) }
        let file = NoteFile(
            id: NoteImage.identity(of: hash), name: SafeName.ofFile(name), createdDate: notebook.options.now(),
            size: data.count, noteCount: 0)
        return (file, hash, true)
    }

    /// Returns all files without their bytes, by name.
    public func all() throws(StoreError) -> [NoteFile] {
        try notebook.read { db in
            try Row.fetchAll(db, sql: Self.selection + " ORDER BY name COLLATE NOCASE, id").compactMap(Self.file)
        }
    }

    /// Returns the file without its bytes, or `nil` if there is none.
    public func load(_ id: UUID) throws(StoreError) -> NoteFile? {
        if let file = try load("uuid", id.uuidString) { return file }
        // Another machine may have added the same bytes under this identity.
        return try load("id", id.uuidString, is: "(SELECT file FROM file_alias WHERE uuid = ?)")
    }

    /// Returns the bytes of a file, or `nil` if there is none.
    public func data(of id: UUID) throws(StoreError) -> Data? {
        try notebook.read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT data FROM note_file WHERE uuid = ?1 OR id = (SELECT file FROM file_alias WHERE uuid = ?1)
                    """)
            return try Data.fetchOne(statement, arguments: [id.uuidString])
        }
    }

    /// Writes a copy of a file into a subfolder of `folder`, under its name and readable only by its owner; returns its
    /// path.
    ///
    /// It is a copy because the program that the system opens it with may write to it.
    public func write(_ id: UUID, to folder: String) throws(StoreError) -> String {
        guard let file = try load(id), let data = try data(of: id) else {
            throw .noSuchAttachment(NoteFile.url(of: id))
        }
        return try Self.writeCopy(data, of: id, named: file.name, to: folder)
    }

    /// Writes bytes of the notebook into a subfolder of `folder` that is named for them; returns the file's path.
    static func writeCopy(
        _ data: Data, of id: UUID, named name: String, to folder: String
    ) throws(StoreError) -> String {
        let folder = FilePath(folder).appending(id.uuidString)
        try DiskFile.makeFolders(folder)
        let path = folder.appending(name).string
        try NotebookArchive.write(data, to: path)
        return path
    }

    private static let selection = """
        SELECT uuid, name, createdDate, length(data),
            (SELECT count(DISTINCT note) FROM note_file_link WHERE target = note_file.uuid
                OR target IN (SELECT uuid FROM file_alias WHERE file = note_file.id)) FROM note_file
        """

    private func load(
        _ column: String, _ value: String, is place: String = "?"
    ) throws(StoreError) -> NoteFile? {
        try notebook.read { db in
            try Row.fetchOne(
                db.cachedStatement(sql: "\(Self.selection) WHERE \(column) = \(place)"), arguments: [value]
            ).flatMap(Self.file)
        }
    }

    private static func file(_ row: Row) -> NoteFile? {
        UUID(uuidString: row[0]).map {
            NoteFile(
                id: $0, name: row[1], createdDate: Date(milliseconds: row[2]), size: row[3], noteCount: row[4])
        }
    }
}

extension Transaction {
    /// Inserts a file unless there is one of this identity or content.
    func insertFile(_ file: NoteFile, hash: String, data: Data) throws {
        try run(
            "INSERT OR IGNORE INTO note_file (uuid, hash, name, createdDate, data) VALUES (?, ?, ?, ?, ?)",
            [file.id.uuidString, hash, file.name, now, data])
    }

    /// Stores which files a note's text refers to.
    func writeFileLinks(_ targets: [String], of note: Int64) throws {
        let wanted = Set(targets.map { $0.uppercased() })
        let present = Set(
            try rows("SELECT target FROM note_file_link WHERE note = ?", [note]).map { ($0[0] as String).uppercased() })
        for target in present.subtracting(wanted) {
            try run("DELETE FROM note_file_link WHERE note = ? AND target = ?", [note, target])
        }
        for target in wanted.subtracting(present).sorted() {
            try run("INSERT OR IGNORE INTO note_file_link (note, target) VALUES (?, ?)", [note, target])
        }
    }
}
