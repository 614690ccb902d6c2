import Foundation
import Synchronization
import Testing

@testable import NoteStore

/// A notebook in a private folder, which is removed with it, and a clock that advances one second at each reading.
final class TestNotebook {
    let folder: URL
    var notebook: Notebook
    let clock = TestClock()

    var path: String { folder.path + "/notes.sqlite" }

    init(mode: Notebook.Mode = .interactive) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "NoteStoreTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        notebook = try Notebook.open(
            folder.path + "/notes.sqlite", mode: mode, options: Notebook.Options(now: clock.now))
    }

    deinit {
        // A folder that cannot be removed is left to the system.
        try? notebook.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Closes the notebook and opens it again.
    ///
    /// - Parameter journalDisk: the disk of its journals; nil for the real one.
    func restart(mode: Notebook.Mode = .interactive, journalDisk: JournalDisk? = nil) throws {
        try notebook.close()
        var options = Notebook.Options(now: clock.now)
        if let journalDisk { options.journalDisk = journalDisk }
        notebook = try Notebook.open(path, mode: mode, options: options)
    }

    @discardableResult
    func note(_ text: String, in folder: ContainerID = .inbox, title: String? = nil) throws -> NoteRow {
        try notebook.notes.create(NewNote(text: text, title: title, folder: folder))
    }

    func titles(_ container: ContainerID) throws -> [String] {
        try notebook.lists.rows(ListQuery(container: container), limit: 1000).map(\.title)
    }

    /// The names of the files in the folder of the journals.
    func sessionFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: notebook.journal.folder).sorted()
    }

    /// The bytes that a file has on the disk, which may be more than its size.
    func room(of path: String) throws -> Int {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return Int(status.st_blocks) * 512
    }

    func bytes(of path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }
}

final class TestClock: Sendable {
    private let milliseconds = Mutex(Int64(1_700_000_000_000))

    @Sendable func now() -> Date {
        milliseconds.withLock { time in
            time += 1000
            return Date(milliseconds: time)
        }
    }
}
