extension NotebookArchive {
    /// Whether a file begins like an archive.
    public static func isArchive(_ path: String) -> Bool { looksLikeJSON(path, with: ["archive", format]) }

    /// What has to be known before the rest is read, which may have another shape in a newer version.
    private struct Header: Decodable {
        var version: Int
    }

    /// Reads an archive.
    ///
    /// - Throws: `StoreError` where it cannot be read, is none, or is of a newer version.
    public init(contentsOf path: String) throws {
        guard try decode(Header.self, from: path, of: "tn").version <= Self.version else {
            throw StoreError.newerArchive(path: path)
        }
        self = try decode(Self.self, from: path, of: "tn")
    }
}
