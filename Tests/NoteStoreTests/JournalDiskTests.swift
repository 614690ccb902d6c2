import Foundation
import GRDB
import Load
import Synchronization
import SystemPackage
import Testing

@testable import NoteStore

/// Tests the room that journals take on the disk, and disks that fail.
@Suite(.underLoad) struct JournalDiskTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    @Test(arguments: [0, 1]) func `a long text takes no room from its edits where space is scarce`(pieces: Int) throws {
        let room = Atomic(pieces == 0 ? 0 : Int.max)
        var options = Notebook.Options(now: test.clock.now)
        options.journalDisk.freeBytes = { _ in room.load(ordering: .relaxed) }
        try test.notebook.close()
        test.notebook = try Notebook.open(test.path, options: options)
        let base = String(repeating: "line after line\n", count: 20_000)
        let row = try test.note(base)
        let typist = try Typist(test.notebook)
        try typist.type("x", into: row.id)
        for _ in 0..<pieces { try typist.journal.copyNextPiece() }
        room.store(0, ordering: .relaxed)
        let size = typist.journal.fileSize
        try typist.journal.copyNextPiece()
        #expect(typist.journal.fileSize == size && !typist.journal.hasCopies)
        try typist.type("y", into: row.id)
        #expect(typist.journal.fileSize < size + 1000)
        typist.die()
        try test.restart()
        #expect(try test.notebook.notes.text(row.id) == base + "xy")
    }

    @Test func `a journal takes half of what a nearly full disk has, and all its room of any other`() {
        func share(_ free: Int) -> Int { JournalDisk.share(of: 512 << 10, held: 79, free: free << 10) }
        #expect([Int.max >> 10, 512, 508].map(share) == [512 << 10, 512 << 10, 512 << 10])
        #expect([400, 100, 0].map(share) == [200 << 10, 50 << 10, 1])
    }

    @Test func `a journal has room on the disk before anything is typed, and again when it is emptied`() throws {
        let row = try test.note("text")
        let typist = try Typist(notebook)
        #expect(try test.room(of: typist.journal.path) >= 512 << 10)
        try typist.type("x", into: row.id)
        try typist.save(row.id)
        typist.leave(row.id)
        #expect(typist.journal.fileSize < 200)
        #expect(try test.room(of: typist.journal.path) >= 512 << 10)
    }

    @Test(arguments: [0, 1, 15, 16, 17, 39]) func `after a record that could not be written comes the whole text`(
        room: Int
    ) throws {
        let disk = FailingDisk()
        try test.restart(journalDisk: disk.disk)
        let row = try test.note("Draft")
        let typist = try Typist(test.notebook)
        try typist.type(" A", into: row.id)
        disk.fail(after: room)
        #expect(throws: StoreError.diskFull(path: typist.journal.path)) { try typist.type("BB", into: row.id) }
        disk.work()
        try typist.edit(row.id, at: 0, inserting: ">")
        #expect(try typist.write())
        try typist.type(".", into: row.id)
        typist.die()
        try test.restart()
        #expect(try test.notebook.notes.text(row.id) == ">Draft ABB.")
        #expect(test.notebook.recovered.replay.setAside.isEmpty)
    }

    @Test func `a note whose very first record could not be written is not a conflict`() throws {
        let disk = FailingDisk()
        try test.restart(journalDisk: disk.disk)
        let row = try test.note("Draft")
        let typist = try Typist(test.notebook)
        disk.fail(after: 0)
        #expect(throws: StoreError.self) { try typist.type(" A", into: row.id) }
        disk.work()
        try typist.type("B", into: row.id)
        typist.die()
        try test.restart()
        #expect(try test.notebook.notes.text(row.id) == "Draft AB")
        #expect(test.notebook.recovered.replay.copies.isEmpty)
    }

    @Test func `records after one that could neither be written nor be cut off are read`() throws {
        let disk = FailingDisk()
        try test.restart(journalDisk: disk.disk)
        let row = try test.note("Draft")
        let typist = try Typist(test.notebook)
        try typist.type(" A", into: row.id)
        disk.fail(after: 50)
        disk.refusesTruncation = true
        let long = String(repeating: "long ", count: 20_000)
        #expect(throws: StoreError.self) { try typist.type(long, into: row.id) }
        disk.work()
        try typist.edit(row.id, at: 7, removing: long.utf8.count, inserting: "B")
        #expect(try typist.write())
        try typist.type("C", into: row.id)
        disk.fail(after: 20)
        #expect(throws: StoreError.self) { try typist.type(long, into: row.id) }
        disk.work()
        disk.refusesTruncation = false
        try typist.edit(row.id, at: 9, removing: long.utf8.count, inserting: "D")
        #expect(try typist.write())
        typist.die()
        try test.restart()
        #expect(try test.notebook.notes.text(row.id) == "Draft ABCD")
        #expect(test.notebook.recovered.replay.copies.isEmpty)
    }

    @Test func `what a closed journal leaves for the next start is on the disk`() throws {
        let synced = Mutex(0)
        var options = Notebook.Options(now: test.clock.now)
        options.journalDisk.sync = { file throws(Errno) in
            let size = try FileStatus(file).size
            synced.withLock { $0 = max($0, size) }
        }
        try test.notebook.close()
        test.notebook = try Notebook.open(test.path, options: options)
        let row = try test.note("one")
        let typist = try Typist(test.notebook)
        try typist.type(" two", into: row.id)
        let size = typist.journal.fileSize
        typist.journal.close()
        #expect(synced.withLock { $0 } == size)
    }

    @Test func `a file system without locks is not littered`() throws {
        var options = Notebook.Options(now: test.clock.now)
        options.journalDisk.lock = { _ throws(Errno) in throw .noLocks }
        try test.notebook.close()
        test.notebook = try Notebook.open(test.path, options: options)
        for _ in 0..<3 { #expect(throws: StoreError.self) { try test.notebook.journal.open() } }
        #expect(try test.sessionFiles().isEmpty)
    }

    @Test func `the journal of a dead program that cannot be replayed reserves no room`() throws {
        let row = try test.note("one")
        let typist = try Typist(notebook)
        try typist.type(" two", into: row.id)
        let path = typist.journal.path
        typist.die()
        try notebook.database.write { db in
            try db.execute(
                sql: "CREATE TRIGGER fails BEFORE UPDATE ON note_text BEGIN SELECT RAISE(ABORT, 'fails'); END")
        }
        #expect(try notebook.journal.replay().waiting.map(\.path) == [path])
        #expect(try test.room(of: path) <= 64 << 10)
        try notebook.database.write { try $0.execute(sql: "DROP TRIGGER fails") }
        #expect(try notebook.journal.replay().saved.map(\.id) == [row.id])
        #expect(try notebook.notes.text(row.id) == "one two")
    }

    @Test func `a file that has taken the place of a dead program's journal is not cut`() throws {
        let path = notebook.journal.folder + "/dead.journal"
        try DiskFile.makeFolders(FilePath(notebook.journal.folder))
        try Data("short".utf8).write(to: URL(filePath: path))
        let journal = try #require(try JournalFile.adopt(path))
        try FileManager.default.removeItem(atPath: path)
        try Data("longer than that".utf8).write(to: URL(filePath: path))
        journal.freeReserve()
        #expect(try test.bytes(of: path) == Array("longer than that".utf8))
    }
}
