import Foundation
import GRDB
import Load
import Synchronization
import SystemPackage
import Testing

@testable import NoteStore

/// Tests that backups belong to one notebook and are ordered whatever the clock says, and that a valid one is required.
@Suite(.underLoad) struct BackupTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tn-backups-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func removeFolder() { try? FileManager.default.removeItem(at: folder) }  // the system removes leftovers

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func open(_ name: String = "notes.sqlite", at date: Date = Date()) throws -> Notebook {
        try Notebook.open(path(name), mode: .command, options: Notebook.Options(now: { date }))
    }

    @Test func `a clock that went back ten years loses no backup`() throws {
        defer { removeFolder() }
        var notebook = try open()
        try notebook.notes.create(NewNote(text: "one"))
        for _ in 0..<4 { try notebook.backups.create(.byHand) }
        try notebook.close(checkpointing: true)
        let past = Date(timeIntervalSinceNow: -10 * 365 * 86_400)
        notebook = try open(at: past)
        try notebook.notes.create(NewNote(text: "two"))
        #expect(try notebook.backups.createDaily() != nil, "the newest is dated later than now")
        #expect(try notebook.backups.createDaily() == nil)
        for _ in 0..<4 {
            let made = try notebook.backups.create(.byHand)
            #expect(FileManager.default.fileExists(atPath: made.path))
            #expect(try notebook.backups.all().first?.path == made.path)
        }
        try notebook.close(checkpointing: true)
    }

    @Test func `a folder of backups that cannot be read does not count as empty`() throws {
        defer { removeFolder() }
        let notebook = try open()
        #expect(try notebook.backups.all().isEmpty)
        // The root user may read any folder, so a file stands for one that cannot be read.
        try Data().write(to: folder.appending(path: "backups"))
        #expect(throws: StoreError.self) { try notebook.backups.all() }
        #expect(throws: StoreError.self) { try notebook.backups.createDaily() }
        try notebook.close(checkpointing: true)
    }

    @Test func `a notebook that only commands use has its daily backup, whatever its neighbour has`() throws {
        defer { removeFolder() }
        let start = Date(timeIntervalSinceNow: 3600)
        var notebook = try open(at: start)
        try notebook.notes.create(NewNote(text: "one"))
        #expect(try notebook.backups.createDailyIfChanged() == nil, "made today")
        try notebook.close(checkpointing: true)
        let tomorrow = start.addingTimeInterval(25 * 3600)
        let neighbour = try open("other.sqlite", at: tomorrow)
        try neighbour.notes.create(NewNote(text: "theirs"))
        try neighbour.backups.create(.byHand)
        notebook = try open(at: tomorrow)
        #expect(try notebook.backups.createDailyIfChanged() != nil)
        #expect(try notebook.backups.createDailyIfChanged() == nil)
        #expect(try notebook.backups.all().count == 1 && neighbour.backups.all().count == 1)
        try neighbour.close(checkpointing: true)
        try notebook.close(checkpointing: true)
    }

    @Test func `a backup from a clock that was ten years ahead does not hold up those of commands`() throws {
        defer { removeFolder() }
        let future = Date(timeIntervalSinceNow: 10 * 365 * 86_400)
        var notebook = try open(at: future)
        try notebook.notes.create(NewNote(text: "one"))
        let made = try notebook.backups.create(.daily)
        try FileManager.default.setAttributes([.modificationDate: future], ofItemAtPath: made.path)
        try notebook.close(checkpointing: true)
        notebook = try open(at: Date(timeIntervalSinceNow: 60))
        try notebook.notes.create(NewNote(text: "two"))
        #expect(try notebook.backups.createDailyIfChanged() != nil)
        #expect(try notebook.backups.createDailyIfChanged() == nil)
        try notebook.close(checkpointing: true)
    }

    @Test func `a file whose number has no successor is not a backup`() throws {
        defer { removeFolder() }
        let notebook = try open()
        let made = try notebook.backups.create(.byHand)
        let last = made.path.replacing("-000001-", with: "-\(Int.max)-")
        try FileManager.default.moveItem(atPath: made.path, toPath: last)
        #expect(try notebook.backups.create(.byHand).number == 1)
        #expect(FileManager.default.fileExists(atPath: last))
        try notebook.close(checkpointing: true)
    }

    @Test func `notebooks of one folder leave each other's backups alone`() throws {
        defer { removeFolder() }
        let (one, other) = (try open(), try open("other.sqlite"))
        try one.notes.create(NewNote(text: String(repeating: "long ", count: 100_000)))
        let kept = [try one.backups.create(.byHand), try one.backups.create(.byHand)]
        for _ in 0..<9 { try other.backups.create(.byHand) }
        #expect(try one.backups.all().map(\.path).sorted() == kept.map(\.path).sorted())
        #expect(try other.backups.createDaily() == nil)
        // A copy of the file has the same identity, but another name.
        try one.close(checkpointing: true)
        try FileManager.default.copyItem(atPath: path("notes.sqlite"), toPath: path("copy.sqlite"))
        let copy = try open("copy.sqlite")
        #expect(try copy.backups.all().isEmpty)
        for _ in 0..<3 { try copy.backups.create(.byHand) }
        #expect(kept.allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
        try copy.close(checkpointing: true)
        try other.close(checkpointing: true)
    }

    @Test func `a backup takes no file of the user's, and sweeps what killed ones left`() throws {
        defer { removeFolder() }
        let notebook = try open()
        let mine = ["copy.sqlite.part", "copy.sqlite", ".tn-unfinished-mine"]
        for name in mine { try Data("mine".utf8).write(to: folder.appending(path: name)) }
        let left = ".tn-unfinished-" + UUID().uuidString
        for ending in ["", "-wal", "-shm"] { try Data("half".utf8).write(to: folder.appending(path: left + ending)) }
        #expect(throws: StoreError.cannotCreate(path: path("copy.sqlite"), errno: EEXIST)) {
            try notebook.backups.write(to: path("copy.sqlite"))
        }
        try notebook.backups.write(to: path("second.sqlite"))
        for name in mine {
            #expect(try Data(contentsOf: folder.appending(path: name)) == Data("mine".utf8))
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!names.contains { $0.hasPrefix(left) })
        #expect(!names.contains { $0.hasPrefix("second.sqlite-") })
        try notebook.close(checkpointing: true)
    }

    @Test func `a backup is restored with its log, through links, with rights, and where the folder is missing`() throws
    {
        defer { removeFolder() }
        var notebook = try open()
        let row = try notebook.notes.create(NewNote(text: "in the backup"))
        let backup = try notebook.backups.create(.byHand)
        let id = try notebook.notebookID()
        try notebook.notes.create(NewNote(text: "later, and still in the log"))
        try notebook.close(checkpointing: false)
        let log = path("notes.sqlite") + "-wal"
        #expect(FileManager.default.fileExists(atPath: log))
        try FileManager.default.createSymbolicLink(atPath: path("link.sqlite"), withDestinationPath: "notes.sqlite")
        let before = try FileManager.default.attributesOfItem(atPath: path("notes.sqlite"))
        try Notebook.Backups.restore(backup.path, to: path("link.sqlite"))
        let after = try FileManager.default.attributesOfItem(atPath: path("notes.sqlite"))
        #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
        #expect(after[.posixPermissions] as? Int == 0o600)
        notebook = try open()
        #expect(try notebook.lists.rows(ListQuery(container: .inbox), limit: 9).map(\.id) == [row.id])
        #expect(try notebook.backups.all().count == 2)
        try notebook.close(checkpointing: true)
        let missing = path("a/b/c/notes.sqlite")
        try Notebook.Backups.restore(backup.path, to: missing)
        let made = try Notebook.open(missing, mode: .command)
        #expect(try made.notebookID() == id)
        #expect(try made.notes.text(row.id) == "in the backup")
        try made.close(checkpointing: true)
    }

    @Test func `restoring the oldest backup neither removes it nor any that the user has just made`() throws {
        defer { removeFolder() }
        let notebook = try open()
        try notebook.notes.create(NewNote(text: "oldest"))
        let old = Date(timeIntervalSinceNow: -10 * 86_400)
        let past = try open(at: old)
        let oldest = try past.backups.create(.byHand)
        try past.close()
        for _ in 0..<3 { try notebook.backups.create(.daily) }
        #expect(FileManager.default.fileExists(atPath: oldest.path) == false, "it is not of today")
        let asked = try #require(notebook.backups.all().last)
        let mine = try (0..<5).map { _ in try notebook.backups.create(.byHand) }
        #expect(mine.allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
        try notebook.close()
        try Notebook.Backups.restore(mine[0].path, to: path("notes.sqlite"))
        #expect(mine.allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
        // A backup that is kept only because it is being restored.
        let copy = path("backups/" + (FilePath(asked.path).lastComponent?.string ?? ""))
        if !FileManager.default.fileExists(atPath: copy) {
            try FileManager.default.copyItem(atPath: mine[0].path, toPath: copy)
        }
        try Notebook.Backups.restore(copy, to: path("notes.sqlite"))
        #expect(FileManager.default.fileExists(atPath: copy))
        #expect(try open().lists.count(ListQuery(container: .inbox)) == 1)
    }

    @Test func `a notebook whose notes are all in its log keeps as many backups as any other`() throws {
        defer { removeFolder() }
        let notebook = try open()
        try notebook.notes.create(NewNote(text: "one"))
        for _ in 0..<5 { try notebook.backups.create(.daily) }
        #expect(try notebook.backups.all().count == 3)
        try notebook.close()
    }

    @Test func `a damaged file is kept under a name that no other file has`() throws {
        defer { removeFolder() }
        let names = try (0..<3).map { index in
            try Data("damaged \(index)".utf8).write(to: folder.appending(path: "notes.sqlite"))
            let kept = try Notebook.Backups.keepUnderFreeName(path("notes.sqlite"), path("kept"))
            try FileManager.default.removeItem(atPath: path("notes.sqlite"))
            return kept
        }
        #expect(Set(names).count == 3)
        for (index, name) in names.enumerated() {
            #expect(try String(contentsOfFile: name, encoding: .utf8) == "damaged \(index)")
        }
    }

    @Test(arguments: ["notes.sqlite", "notes.db", "notes"])
    func `the backups of a damaged notebook are found whatever its file is called`(name: String) throws {
        defer { removeFolder() }
        let notebook = try open(name)
        let backup = try notebook.backups.create(.byHand)
        try notebook.close(checkpointing: true)
        #expect(Notebook.Care.backups(beside: path(name)) == [backup.path])
    }

    @Test func `a backup is restored over a file that cannot be opened, which is kept`() throws {
        defer { removeFolder() }
        let notebook = try open()
        let row = try notebook.notes.create(NewNote(text: "kept"))
        let backup = try notebook.backups.create(.byHand)
        try notebook.close(checkpointing: true)
        let damaged = Data(repeating: 0xAA, count: 50_000)
        try damaged.write(to: folder.appending(path: "notes.sqlite"))
        let kept = try #require(try Notebook.Backups.restore(backup.path, to: path("notes.sqlite")))
        #expect(try Data(contentsOf: URL(filePath: kept)) == damaged)
        #expect(try open().notes.text(row.id) == "kept")
    }

    @Test func `what comes into the Trash after the question stays`() throws {
        defer { removeFolder() }
        let notebook = try open()
        let outer = try notebook.folders.create("Outer")
        let inner = try notebook.folders.create("Inner", in: outer.id)
        let notes = try ["one", "two", "three"].map { try notebook.notes.create(NewNote(text: $0, folder: inner.id)) }
        try notebook.trash.add([notes[0].id, notes[1].id])
        let counted = try notebook.trash.contents()
        #expect(counted == TrashContents(notes: 2, folders: 0, projects: 0))
        try notebook.trash.add([notes[2].id])
        _ = try notebook.notes.save(notes[1].id, text: "two, changed", baseRevision: 1)
        #expect(try notebook.trash.empty(counted) == TrashContents(notes: 1, folders: 0, projects: 0))
        #expect(try notebook.notes.text(notes[0].id) == nil)
        #expect(try notebook.notes.text(notes[1].id) == "two, changed" && notebook.notes.text(notes[2].id) == "three")
        try notebook.trash.empty()
        #expect(try notebook.trash.contents().isEmpty)
        try notebook.close(checkpointing: true)
    }

    @Test func `a note that changes after the question about it stays`() throws {
        defer { removeFolder() }
        let notebook = try open()
        let notes = try ["one", "two", "three"].map { try notebook.notes.create(NewNote(text: $0)) }
        try notebook.trash.add(notes.map(\.id))
        let counted = try notebook.trash.contents(of: notes.map(\.id))
        #expect(counted == TrashContents(notes: 3, folders: 0, projects: 0))
        _ = try notebook.notes.save(notes[1].id, text: "two, changed", baseRevision: 1)
        try notebook.trash.restore([notes[2].id])
        let removed = try notebook.trash.deleteForever(notes.map(\.id), counted: counted)
        #expect(removed == TrashContents(notes: 1, folders: 0, projects: 0))
        #expect(try notebook.notes.text(notes[0].id) == nil)
        #expect(try notebook.notes.text(notes[1].id) == "two, changed" && notebook.notes.text(notes[2].id) == "three")
        #expect(throws: StoreError.notInTrash(name: "three")) { try notebook.trash.deleteForever([notes[2].id]) }
        try notebook.trash.deleteForever([notes[1].id])
        #expect(try notebook.notes.text(notes[1].id) == nil && notebook.care.check().isEmpty)
        try notebook.close(checkpointing: true)
    }

    @Test func `what changes in a folder after the question about it stays, with its folders`() throws {
        defer { removeFolder() }
        let notebook = try open()
        let outer = try notebook.folders.create("Outer")
        let inner = try notebook.folders.create("Inner", in: outer.id)
        let empty = try notebook.folders.create("Empty", in: outer.id)
        let notes = try ["one", "two"].map { try notebook.notes.create(NewNote(text: $0, folder: inner.id)) }
        try notebook.containers.delete([outer.id])
        let counted = try notebook.trash.contents(of: [outer.id])
        #expect(counted == TrashContents(notes: 2, folders: 3, projects: 0))
        _ = try notebook.notes.save(notes[1].id, text: "two, changed", baseRevision: 1)
        let removed = try notebook.trash.deleteForever([outer.id], counted: counted)
        #expect(removed == TrashContents(notes: 1, folders: 1, projects: 0))
        #expect(try notebook.notes.text(notes[0].id) == nil && notebook.notes.text(notes[1].id) == "two, changed")
        #expect(throws: StoreError.noSuchContainer(empty.id)) { try notebook.trash.contents(of: [empty.id]) }
        #expect(try notebook.trash.deleteForever([outer.id]) == TrashContents(notes: 1, folders: 2, projects: 0))
        #expect(try notebook.trash.contents().isEmpty && notebook.care.check().isEmpty)
        try notebook.close(checkpointing: true)
    }

    @Test func `a Trash of two thousand folders one in the other is emptied`() throws {
        defer { removeFolder() }
        let notebook = try open()
        try notebook.write { transaction in
            try transaction.run(
                """
                WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 2100)
                INSERT INTO container (id, uuid, kind, name, nameKey, parent, createdDate, place)
                    SELECT i, printf('00000000-0000-4000-8000-%012d', i), 'folder', 'd' || i, 'd' || i,
                        CASE i WHEN 100 THEN 4 ELSE i - 1 END, 0, 2 FROM n
                """)
        }
        #expect(try notebook.trash.empty(backup: false).folders == 2001)
        #expect(try notebook.trash.contents().isEmpty)
        try notebook.close(checkpointing: true)
    }

    @Test func `nothing is removed without a backup`() throws {
        defer { removeFolder() }
        let notebook = try open()
        let row = try notebook.notes.create(NewNote(text: "one"))
        try notebook.trash.add([row.id])
        try Data().write(to: folder.appending(path: "backups"))
        #expect(throws: StoreError.self) { try notebook.trash.empty() }
        #expect(try notebook.notes.text(row.id) == "one")
        try notebook.close(checkpointing: true)
    }

    @Test(arguments: [
        (3_040_001, true), (3_044_005, true), (3_044_006, false), (3_045_000, true), (3_050_006, true),
        (3_050_007, false), (3_051_000, true), (3_051_002, true), (3_051_003, false), (3_053_000, false),
    ])
    func `the versions of SQLite with the fault of the log are known`(version: Int, isFaulty: Bool) {
        #expect(SQLiteLibrary.hasLogResetFault(version) == isFaulty)
    }
}

/// Tests that only one program writes at a time, and that the log does not grow without limit.
@Suite struct WriteLockTests {
    @Test func `a write waits for the lock and is refused when it is kept`() throws {
        let test = try TestNotebook()
        try test.note("one")
        let patience = Patience(seconds: 0)
        let lock = WriteLock(notebook: test.path, readOnly: false)
        let other = try Notebook.open(test.path, options: Notebook.Options(busyTimeout: 0.1))
        try lock.take(patience)
        #expect(throws: StoreError.busy(path: test.path)) { try other.notes.create(NewNote(text: "two")) }
        #expect(try other.lists.rows(ListQuery(container: .inbox), limit: 9).count == 1)
        lock.giveBack()
        try other.notes.create(NewNote(text: "two"))
        #expect(throws: StoreError.busy(path: test.path)) {
            try lock.hold(patience) { try WriteLock(notebook: test.path, readOnly: false).take(patience) }
        }
        try other.close()
    }

    @Test func `a log is left alone while another program has the task of checkpointing it`() throws {
        let test = try TestNotebook()
        let row = try test.note("start")
        let other = WriteLock(notebook: test.path, readOnly: false)
        #expect(other.becomeCheckpointer())
        let before = DiskFile.size(of: test.path)
        func write(rounds: Range<Int>) throws {
            for round in rounds {
                let text = String(repeating: "word\(round) ", count: 150_000)
                let revision = try #require(try test.notebook.notes.row(row.id)).revision
                _ = try test.notebook.notes.save(row.id, text: text, baseRevision: revision)
            }
        }
        // Far more than SQLite's own checkpoints wait for, which nothing would keep apart from the other program's.
        try write(rounds: 0..<10)
        #expect(DiskFile.size(of: test.path + "-wal") > 8_000_000)
        #expect(DiskFile.size(of: test.path) == before)
        other.endKeeping()
        try write(rounds: 10..<11)
        #expect(DiskFile.size(of: test.path) > before)
        try test.expectSound()
    }

    @Test(arguments: [Notebook.Mode.command, .interactive])
    func `the log is moved into the file when it is long, by one program`(mode: Notebook.Mode) throws {
        let test = try TestNotebook(mode: mode)
        let other = try Notebook.open(test.path, mode: .command)
        let row = try test.note("start")
        let log = test.path + "-wal"
        var longest = 0
        for round in 0..<40 {
            let text = String(repeating: "word\(round) ", count: 100_000)
            let revision = try #require(try test.notebook.notes.row(row.id)).revision
            _ = try (round % 2 == 0 ? test.notebook : other).notes.save(row.id, text: text, baseRevision: revision)
            longest = max(longest, DiskFile.size(of: log))
        }
        #expect(longest < 30_000_000)
        try other.close()
        try test.expectSound()
    }
}
