import Foundation
import NoteStore

/// The whole notebook as one JSON file.
enum ArchiveFile {
    /// The path that stands for standard output.
    static let output = "-"

    /// Writes the file, either completely or not at all, or the same bytes to standard output.
    static func write(_ archive: NotebookArchive, to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        do {
            let data = try encoder.encode(archive)
            guard data.count <= NotebookArchive.limit else {
                throw Failure.tooLarge(data.count, limit: NotebookArchive.limit)
            }
            if path == output { return try StandardOutput.write(text: String(decoding: data, as: UTF8.self)) }
            // Ctrl-C is blocked during the write, so no half-written file stays behind, and a complete one is kept.
            let stop = StopSignal()
            if stop.isRaised { throw Failure.exportStopped }
            try withExtendedLifetime(stop) { try NotebookArchive.write(data, to: path) }
        } catch let failure as Failure {
            throw failure
        } catch let error as StoreError {
            throw error
        } catch {
            throw Failure.notEncoded(path, error)
        }
    }
}
