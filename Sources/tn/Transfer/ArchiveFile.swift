import Foundation
import NoteStore

/// The whole notebook as one JSON file.
enum ArchiveFile {
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
