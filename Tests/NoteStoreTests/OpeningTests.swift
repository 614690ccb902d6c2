import Foundation
import GRDB
import Synchronization
import Testing

@testable import NoteStore

/// Tests that a notebook opens by whatever path leads to it, and that other files are refused unchanged.
@Suite struct OpeningTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tn-opening-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func removeFolder() { try? FileManager.default.removeItem(at: folder) }  // the system removes leftovers

    @Test(arguments: [
        "CREATE TABLE t (a)", "CREATE TABLE t (a); PRAGMA user_version = 1",
        "CREATE TABLE t (a); PRAGMA user_version = 2",
        "CREATE TABLE t (a); PRAGMA user_version = 999", "CREATE TABLE t (a); PRAGMA application_id = 77",
        "CREATE TABLE note (id); CREATE TABLE container (id)", "PRAGMA user_version = 2",
        "CREATE VIEW v AS SELECT 1; PRAGMA user_version = 1",
    ])
    func `another program's database is refused and stays as it is`(sql: String) throws {
        defer { removeFolder() }
        let path = path("foreign.sqlite")
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
        let before = try Data(contentsOf: URL(filePath: path))
        for mode in [Notebook.Mode.command, .interactive] {
            #expect(throws: StoreError.notANotebook(path: path)) { try Notebook.open(path, mode: mode) }
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["foreign.sqlite"])
    }

    @Test(arguments: [Notebook.Mode.command, .interactive])
    func `a notebook whose writer is stopped is opened and read`(mode: Notebook.Mode) throws {
        defer { removeFolder() }
        let path = path("notes.sqlite")
        let writer = try Notebook.open(path, mode: .command)
        let note = try writer.notes.create(NewNote(text: "one"))
        // A stopped import holds both locks, and has left a log that is worth a checkpoint.
        try writer.settings.set("long", String(repeating: "x", count: 3_000_000))
        try writer.lock.take(Patience(seconds: 1))
        try writer.database.writeWithoutTransaction { db in
            try db.beginTransaction(.immediate)
            try db.execute(sql: "UPDATE setting SET value = 'y' WHERE key = 'long'")
            // No wait is allowed, so that only what needs no lock succeeds.
            let reader = try Notebook.open(path, mode: mode, options: Notebook.Options(busyTimeout: 0))
            #expect(try reader.notes.text(note.id) == "one")
            #expect(try reader.lists.rows(ListQuery(container: .inbox), limit: 5).map(\.id) == [note.id])
            #expect(throws: StoreError.busy(path: reader.path)) {
                try reader.notes.create(NewNote(text: "two"))
            }
            try db.rollback()
            writer.lock.giveBack()
            try reader.close()
        }
    }

    @Test func `reads use the writing connection until the readers are opened`() throws {
        defer { removeFolder() }
        var options = Notebook.Options()
        options.opensReadersLater = true
        let notebook = try Notebook.open(path("notes.sqlite"), options: options)
        let note = try notebook.notes.create(NewNote(text: "one"))
        #expect(try notebook.read { $0.configuration.readonly } == false)
        #expect(try notebook.notes.text(note.id) == "one")
        try notebook.openReaders()
        #expect(try notebook.read { $0.configuration.readonly })
        #expect(try notebook.notes.text(note.id) == "one")
        try notebook.close()
    }

    @Test func `a pipe is refused, not waited for`() throws {
        defer { removeFolder() }
        #expect(mkfifo(path("pipe"), 0o600) == 0)
        #expect(throws: StoreError.notANotebook(path: path("pipe"))) { try Notebook.open(path("pipe")) }
    }

    @Test(arguments: [Notebook.Mode.command, .interactive])
    func `an exclusive lock of another tool is waited for once`(mode: Notebook.Mode) throws {
        defer { removeFolder() }
        let path = path("notes.sqlite")
        try Notebook.open(path, mode: .command).close(checkpointing: true)
        // The transaction stays open, like that of a tool that hangs.
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try other.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        }
        let waited = ContinuousClock().measure {
            #expect(throws: StoreError.busy(path: path)) {
                try Notebook.open(path, mode: mode, options: Notebook.Options(busyTimeout: 5))
            }
        }
        // It was once 250 times the limit; a busy machine may add some time.
        #expect(waited < .seconds(600))
        try other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        try other.close()
    }

    @Test func `a notebook that was written from a dump is a notebook`() throws {
        defer { removeFolder() }
        let path = path("notes.sqlite")
        let notebook = try Notebook.open(path, mode: .command)
        try notebook.notes.create(NewNote(text: "Kept\n\npiranesi"))
        let id = try notebook.notebookID()
        try notebook.close(checkpointing: true)
        // The values that a dump loses.
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
            try db.execute(sql: "PRAGMA user_version = 0; PRAGMA application_id = 0")
        }
        try queue.close()
        for mode in [Notebook.Mode.command, .interactive] {
            let again = try Notebook.open(path, mode: mode)
            #expect(try again.notebookID() == id)
            #expect(try again.search.hits("piranesi").count == 1)
            #expect(try again.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
            #expect(try again.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == Schema.version)
            try again.backups.write(to: path + "-copy-\(mode)")
            try again.close(checkpointing: true)
        }
    }

    @Test func `a notebook behind links is the one that they lead to`() throws {
        defer { removeFolder() }
        let files = FileManager.default
        try files.createDirectory(atPath: path("real"), withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: path("folder"), withDestinationPath: "real")
        try files.createSymbolicLink(atPath: path("link.sqlite"), withDestinationPath: "folder/notes.sqlite")
        let real = URL(filePath: path("real/notes.sqlite")).resolvingSymlinksInPath().path
        // Created through a link whose target does not exist yet.
        let notebook = try Notebook.open(path("link.sqlite"))
        #expect(notebook.path == real)
        #expect(notebook.backups.folder == URL(filePath: real).deletingLastPathComponent().path + "/backups")
        let row = try notebook.notes.create(NewNote(text: "one"))
        let journal = try notebook.journal.open()
        #expect(files.fileExists(atPath: path("real/sessions")) && !files.fileExists(atPath: path("sessions")))
        journal.close()
        try notebook.close()
        for name in ["link.sqlite", "folder/notes.sqlite", "real/notes.sqlite"] {
            let again = try Notebook.open(path(name), mode: .command)
            #expect(try again.notes.text(row.id) == "one")
            #expect(again.path == real)
            try again.close()
        }
        try files.createSymbolicLink(atPath: path("circle"), withDestinationPath: "circle")
        #expect(throws: StoreError.self) { try Notebook.open(path("circle"), mode: .command) }
    }

    @Test(.enabled(if: getuid() != 0, "root may write everywhere"))
    func `a notebook in a folder that cannot be written is read`() throws {
        defer { removeFolder() }
        let path = path("notes.sqlite")
        let notebook = try Notebook.open(path, mode: .command)
        let row = try notebook.notes.create(NewNote(text: "one"))
        try notebook.close(checkpointing: true)
        chmod(folder.path, 0o500)
        defer { chmod(folder.path, 0o700) }
        for mode in [Notebook.Mode.command, .interactive] {
            let again = try Notebook.open(path, mode: mode)
            #expect(try again.notes.text(row.id) == "one")
            #expect(throws: StoreError.readOnly(path: path)) { try again.notes.create(NewNote(text: "two")) }
            try again.close()
        }
    }

    /// The ways in which a file cannot be written for a while.
    @Test(
        .enabled(if: getuid() != 0, "root may write everywhere"), arguments: [Notebook.Mode.command, .interactive],
        ["folder", "file"])
    func `a notebook that could not be written when it was opened is written as soon as it can be`(
        mode: Notebook.Mode, hindrance: String
    ) throws {
        defer { removeFolder() }
        let path = path("notes.sqlite")
        let notebook = try Notebook.open(path, mode: .command)
        let row = try notebook.notes.create(NewNote(text: "one"))
        try notebook.close(checkpointing: true)
        let (place, usual): (String, mode_t) = hindrance == "folder" ? (folder.path, 0o700) : (path, 0o600)
        chmod(place, usual & 0o500)
        defer { chmod(place, usual) }
        let again = try Notebook.open(path, mode: mode)
        defer { try? again.close() }  // the folder is removed
        #expect(throws: StoreError.readOnly(path: path)) { try again.notes.create(NewNote(text: "two")) }
        #expect(again.isReadOnly)
        chmod(place, usual)
        let two = try again.notes.create(NewNote(text: "two"))
        #expect(!again.isReadOnly)
        #expect(try again.notes.text(row.id) == "one")
        // Another program sees it, and waits for its lock.
        let other = try Notebook.open(path, mode: .command)
        #expect(try other.notes.text(two.id) == "two")
        try other.notes.create(NewNote(text: "three"))
        #expect(try again.lists.count(ListQuery(container: .allNotes)) == 3)
        #expect(try again.care.check().isEmpty)
        try other.close()
    }
}
