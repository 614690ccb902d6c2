import Foundation
import NoteStore

/// The whole notebook as one JSON file.
enum ArchiveFile {
    /// Writes the file, either completely or not at all.
    static func write(_ archive: NotebookArchive, to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        do {
            let data = try encoder.encode(archive)
            guard data.count <= NotebookArchive.limit else {
                throw Failure.tooLarge(data.count, limit: NotebookArchive.limit)
            }
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
