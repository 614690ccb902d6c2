import Foundation
import NoteStore
import SystemPackage

/// The lines of the configuration that the user has allowed to run, as hashes in a file of the state folder.
struct AllowedLines {
    var file = FilePath(Notebook.stateFolder()).appending("allowed-commands")

    func contains(_ line: String) -> Bool { hashes.contains(TextHash.sha256(line)) }

    /// Remembers a line.
    ///
    /// - Throws: if the file is there and cannot be read: the lines that were allowed before stay in it.
    func add(_ line: String) throws {
        if PrivateFile.exists(file) { _ = try PrivateFile.read(file) }
        let all = hashes + [TextHash.sha256(line)]
        try PrivateFile.write((all.joined(separator: "\n") + "\n").utf8, to: file)
    }

    /// The hashes of the allowed lines; if the file is missing or unreadable, there are none, and the user is asked.
    private var hashes: [String] {
        guard let bytes = try? PrivateFile.read(file) else { return [] }  // see above
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
