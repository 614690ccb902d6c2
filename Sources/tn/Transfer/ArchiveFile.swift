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
            guard data.count <= NotebookArchive.limit else {
                let (size, limit) = (data.count / 1_000_000, NotebookArchive.limit / 1_000_000)
                throw Failure(
                    "the notebook is too large for one JSON file: \(size) MB, and \(limit) MB is the most; use tn backup",
                    status: .badData)
            }
            // Nothing half written stays behind; once it is whole, it is there.
            let stop = StopSignal()
            if stop.isRaised { throw Failure("stopped; nothing was exported", status: .stopped) }
            try withExtendedLifetime(stop) { try NotebookArchive.write(data, to: path) }
        } catch let failure as Failure {
            throw failure
        } catch let error as StoreError {
            throw error
        } catch {
            throw Failure("cannot write \(path): \(error)", status: .internalError)
        }
    }
}
