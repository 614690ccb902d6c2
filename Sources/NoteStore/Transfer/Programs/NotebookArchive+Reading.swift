import Foundation
import SystemPackage

extension NotebookArchive {
    /// The size of the largest archive that is read, and so of the largest worth writing, in bytes.
    ///
    /// During an import the whole archive is in memory.
    public static let limit = 1_000_000_000

    /// Whether a file begins like an archive.
    public static func isArchive(_ path: String) -> Bool {
        ProgramFile.looksLikeJSON(FilePath(path), with: ["archive", format])
    }

    /// The version, which must be known before the rest is read, since a newer version may have another form.
    private struct Header: Decodable {
        var version: Int
    }

    /// Reads an archive.
    ///
    /// - Throws: `StoreError` if the file cannot be read, is not an archive, or has a newer version.
    public init(contentsOf path: String) throws {
        let file = FilePath(path)
        guard
            try ProgramFile.decode(Header.self, from: file, of: "tn", limit: Self.limit).version <= Self.version
        else { throw StoreError.newerArchive(path: path) }
        self = try ProgramFile.decode(Self.self, from: file, of: "tn", limit: Self.limit)
    }

    /// Writes a file, accessible only to its owner, completely or not at all.
    public static func write(_ data: Data, to path: String) throws(StoreError) {
        // If this throws, it has already removed the unfinished file.
        try PrivateFile.write(data, to: FilePath(path))
    }
}
