import Foundation
import NoteStore

/// The whole notebook as one JSON file.
enum ArchiveFile {
    /// Whether a file begins like one.
    static func recognizes(_ path: String) -> Bool { looksLikeJSON(path, with: ["archive", NotebookArchive.format]) }

    /// What has to be known before the rest is read, which may have another shape in a newer version.
    private struct Header: Decodable {
        var version: Int
    }

    static func read(_ path: String) throws -> NotebookArchive {
        guard try decode(Header.self, from: path, of: "tn").version <= NotebookArchive.version else {
            throw Failure("\(path) was written by a newer tn; please update tn", status: .badData)
        }
        return try decode(NotebookArchive.self, from: path, of: "tn")
    }

    /// Writes the file whole or not at all.
    static func write(_ archive: NotebookArchive, to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        do {
            let data = try encoder.encode(archive)
            try data.write(to: URL(filePath: path), options: [.atomic])
            // A notebook is nobody else's business.
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        } catch {
            throw Failure("cannot write \(path): \(error.localizedDescription)", status: .cannotCreate)
        }
    }
}
