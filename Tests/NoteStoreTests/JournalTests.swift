import Foundation
import GRDB
import Load
import SeededRandom
import Synchronization
import SystemPackage
import Testing
import TextEditing

@testable import NoteStore

@Suite(.underLoad) struct JournalTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    private func sessionFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: notebook.journal.folder).sorted()
    }

    /// The bytes that a file has on the disk, which may be more than its size.
    private func room(of path: String) throws -> Int {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return Int(status.st_blocks) * 512
    }

    private func bytes(of path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

    // MARK: - Leftovers of a killed program

    @Test func `a notebook that was renamed gets its journal, and a stranger beside it does not`() throws {
        let test = try TestNotebook()
        let row = try test.note("one\n")
        let typist = try Typist(test.notebook)
        try typist.type("two\n", into: row.id)
        typist.die()
        try test.notebook.close()
        let renamed = test.folder.path + "/renamed.sqlite"
        try FileManager.default.moveItem(atPath: test.path, toPath: renamed)
        let stranger = try Notebook.open(test.folder.path + "/stranger.sqlite")
        #expect(stranger.recovered.replay.isEmpty)
        let found = try Notebook.open(renamed)
        #expect(try found.notes.text(row.id) == "one\ntwo\n")
        try found.close()
        try stranger.close()
    }

    @Test func `a notebook behind a link has its journal, lock and backups beside the real file`() throws {
        let test = try TestNotebook()
        let row = try test.note("one\n")
        try test.notebook.close()
        let folder = test.folder.path + "/elsewhere"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let link = folder + "/linked.sqlite"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: test.path)
        let notebook = try Notebook.open(link)
        let typist = try Typist(notebook)
        try typist.type("two\n", into: row.id)
        try notebook.backups.create(.byHand)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["linked.sqlite"])
        typist.die()
        try notebook.close()
        try test.restart()
        #expect(try test.notebook.notes.text(row.id) == "one\ntwo\n")
    }

    @Test func `what a killed program had typed is there at the next start`() throws {
        let row = try test.note("one two")
        let typist = try Typist(notebook)
        try typist.edit(row.id, at: 3, inserting: "é€😀")
        try typist.edit(row.id, at: 0, removing: 3, inserting: "")
        try typist.write()
        typist.die()
        try test.restart(mode: .command)
        #expect(test.notebook.recovered.replay.saved.map(\.id) == [row.id])
        #expect(try test.notebook.notes.text(row.id) == "é€😀 two")
        #expect(try sessionFiles().isEmpty)
        try test.restart()
        #expect(test.notebook.recovered.isEmpty)
        try test.expectSound()
    }

    @Test func `a journal waits for its own notebook where several share a folder, and for none that is gone`() throws {
        let row = try test.note("one")
        var typist = try Typist(notebook)
        try typist.type(" two", into: row.id)
        typist.die()
        let other = try Notebook.open(test.folder.path + "/other.sqlite", mode: .command)
        #expect(other.recovered.isEmpty)
        try other.close()
        let link = test.folder.path + "/link.sqlite"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: test.path)
        let same = try Notebook.open(link, mode: .command)
        #expect(try same.notes.text(row.id) == "one two")
        try same.close()
        typist = try Typist(notebook)
        try typist.edit(row.id, at: 0, inserting: "Not ")
        try typist.write()
        typist.die()
        try test.notebook.close()
        for ending in ["", "-wal", "-shm"] { DiskFile.remove(test.path + ending) }
        let heir = try Notebook.open(test.folder.path + "/other.sqlite", mode: .command)
        #expect(heir.recovered.replay.copies.map(\.title) == ["Not one two (recovered)"])
        try heir.close()
    }

    @Test func `what was typed on another program’s text comes back where it was typed`() throws {
        let row = try test.note("one\n\ntwo")
        let typist = try Typist(notebook)
        try typist.type(" mine", into: row.id)
        try typist.save(row.id)
        let present = try #require(try notebook.notes.row(row.id))
        _ = try notebook.notes.save(row.id, text: "one and theirs\n\ntwo mine", baseRevision: present.revision)
        try typist.take(row.id)
        // Nothing was typed since: this save only brings index and links up to date.
        try typist.save(row.id)
        try typist.type(" too", into: row.id)
        typist.die()
        try test.restart()
        #expect(test.notebook.recovered.replay.copies.isEmpty)
        #expect(try test.notebook.notes.text(row.id) == "one and theirs\n\ntwo mine too")
    }

    @Test func `a journal is replayed on its base and merged with what others saved since`() throws {
        let row = try test.note("title\n\none\n\ntwo\n")
        let typist = try Typist(notebook)
        try typist.edit(row.id, at: 7, removing: 3, inserting: "ONE")
        try typist.write()
        typist.die()
        _ = try notebook.notes.save(row.id, text: "title\n\none\n\nTWO\n", baseRevision: 1)
        try test.restart()
        #expect(try test.notebook.notes.text(row.id) == "title\n\nONE\n\nTWO\n")
        #expect(try test.notebook.versions.all(of: row.id).count == 2)
    }

    @Test func `a journal of a note that is gone becomes a note of its own`() throws {
        let row = try test.note("gone")
        let typist = try Typist(notebook)
        try typist.type(" but typed", into: row.id)
        typist.die()
        try notebook.trash.add([row.id])
        try notebook.trash.deleteForever([row.id], backup: false)
        try test.restart()
        #expect(try test.titles(.inbox) == ["gone but typed (recovered)"])
    }

    @Test func `a journal that is replayed twice makes one copy of what cannot be merged`() throws {
        let row = try test.note("one")
        let gone = try test.note("gone")
        let typist = try Typist(notebook)
        try typist.edit(row.id, at: 0, removing: 3, inserting: "ours")
        try typist.type(" on", into: gone.id)
        typist.die()
        try notebook.trash.add([gone.id])
        try notebook.trash.deleteForever([gone.id], backup: false)
        _ = try notebook.notes.save(row.id, text: "theirs", baseRevision: 1)
        let kept = try bytes(of: typist.journal.path)
        #expect(try notebook.journal.replay().copies.count == 2)
        try Data(kept).write(to: URL(filePath: typist.journal.path))
        _ = try notebook.journal.replay()
        #expect(try Set(test.titles(.inbox)) == ["theirs", "theirs (conflict)", "gone on (recovered)"])
        #expect(try test.titles(.inbox).count == 3)
    }

    @Test func `cut notes of a killed program go back at the next start`() throws {
        let row = try test.note("cut")
        let typist = try Typist(notebook)
        try notebook.buffer.cut([row.id], owner: typist.journal.id)
        #expect(try notebook.journal.replay().isEmpty)
        typist.die()
        try test.restart()
        #expect(test.notebook.recovered.replay.returned.map(\.id) == [row.id])
        #expect(try test.titles(.inbox) == ["cut"])
    }

    @Test func `images that a journal might need are culled when there is none any more`() throws {
        let image = try notebook.images.add(TransferTests.png, name: "i")
        let row = try test.note("![i](\(image.getURL()))")
        let journal = try notebook.journal.open()
        try notebook.trash.add([row.id])
        try notebook.trash.empty(backup: false)
        #expect(try notebook.images.load(image.imageUUID) != nil)
        journal.close()
        try test.restart()
        #expect(try test.notebook.images.load(image.imageUUID) == nil)
    }

    @Test func `a journal of a running program is left alone, and a saved one leaves nothing`() throws {
        let row = try test.note("one")
        let typist = try Typist(notebook)
        try typist.type("a", into: row.id)
        #expect(try notebook.journal.replay().isEmpty)
        #expect(typist.journal.hasUnsaved)
        try typist.save(row.id)
        #expect(!typist.journal.hasUnsaved)
        typist.journal.close()
        #expect(try sessionFiles().isEmpty)
    }

    @Test func `a journal that was set aside is looked through for images`() throws {
        let image = try notebook.images.add(TransferTests.png, name: "i")
        let row = try test.note("one")
        let typist = try Typist(notebook)
        try typist.type(image.getURL(), into: row.id)
        typist.die()
        try DiskFile.move(typist.journal.path, to: typist.journal.path + JournalFile.damagedEnding)
        try notebook.trash.empty(backup: false)
        guard case .known = try notebook.journal.images() else {
            Issue.record("what was set aside cannot be told")
            return
        }
        try test.restart()
        #expect(try test.notebook.images.load(image.imageUUID) != nil)
    }

    // MARK: - Saves and kills

    @Test func `edits on a text that was saved in between are recovered on what was saved`() throws {
        let row = try test.note("one")
        let typist = try Typist(notebook)
        try typist.type(" two", into: row.id)
        try typist.save(row.id)
        try typist.type(" three", into: row.id)
        typist.die()
        try test.restart()
        #expect(try test.notebook.notes.text(row.id) == "one two three")
        #expect(try test.notebook.versions.all(of: row.id).isEmpty)
    }

    @Test func `a program killed between a save and noting it in its journal has typed nothing twice`() throws {
        let row = try test.note("title\n")
        let typist = try Typist(notebook)
        try typist.type("one ", into: row.id)
        try typist.type("two ", into: row.id)
        try typist.save(row.id, isNoted: false)
        try typist.type("three ", into: row.id)
        typist.die()
        try test.restart()
        #expect(test.notebook.recovered.replay.copies.isEmpty)
        #expect(try test.notebook.notes.text(row.id) == "title\none two three ")
        #expect(try test.titles(.inbox) == ["title"])
    }

    @Test(arguments: [true, false])
    func `a note that was removed for ever under the hands of a killed program has typed nothing twice`(
        isNoted: Bool
    ) throws {
        let row = try test.note("title\n")
        _ = try notebook.notes.save(row.id, text: "title\nzero ", baseRevision: 1)
        let typist = try Typist(notebook)
        try typist.type("one ", into: row.id)
        try notebook.trash.add([row.id])
        try notebook.trash.empty(backup: false)
        try typist.save(row.id, isNoted: isNoted)
        try typist.type("two ", into: row.id)
        typist.die()
        try test.restart()
        #expect(test.notebook.recovered.replay.copies.isEmpty)
        #expect(try test.notebook.notes.text(row.id) == "title\nzero one two ")
    }

    @Test func `what was saved and then changed by others is not brought back as it was`() throws {
        let row = try test.note("one")
        let typist = try Typist(notebook)
        try typist.type(" two", into: row.id)
        try typist.save(row.id, isNoted: false)
        _ = try notebook.notes.save(row.id, text: "all else", baseRevision: 2)
        typist.die()
        try test.restart()
        #expect(test.notebook.recovered.replay.isEmpty)
        #expect(try test.notebook.notes.text(row.id) == "all else")
        #expect(try test.titles(.inbox) == ["all else"])
    }

    @Test func `a note that comes back with another text is journaled on that`() throws {
        let row = try test.note("one")
        let typist = try Typist(notebook)
        try typist.type(" two", into: row.id)
        try typist.save(row.id)
        typist.leave(row.id)
        _ = try notebook.notes.save(row.id, text: "another text", baseRevision: 2)
        try typist.type(", yet", into: row.id)
        typist.die()
        try test.restart()
        #expect(try test.notebook.notes.text(row.id) == "another text, yet")
    }

    @Test func `a notebook that was put back to an earlier state gets what was typed since`() throws {
        let row = try test.note("one\n")
        try notebook.close()
        let old = try bytes(of: test.path)
        test.notebook = try Notebook.open(test.path)
        let typist = try Typist(test.notebook)
        try typist.type("two\n", into: row.id)
        try typist.save(row.id, isNoted: false)
        try typist.type("three\n", into: row.id)
        typist.die()
        try test.notebook.close()
        try Data(old).write(to: URL(filePath: test.path))
        test.notebook = try Notebook.open(test.path)
        #expect(try test.notebook.notes.text(row.id) == "one\ntwo\nthree\n")
    }

    @Test func `marks of journals that are gone are forgotten`() throws {
        let row = try test.note("one")
        let typist = try Typist(notebook)
        try typist.type(" two", into: row.id)
        try typist.save(row.id)
        let isMarked = try notebook.journal.mark(of: row.id, in: typist.journal.id) != nil
        #expect(isMarked)
        typist.journal.close()
        try test.restart()
        let other = try Typist(test.notebook)
        try other.type(" three", into: row.id)
        try other.save(row.id)
        try test.notebook.care.keepWithinBounds()
        #expect(try test.notebook.journal.mark(of: row.id, in: typist.journal.id) == nil)
        #expect(try test.notebook.journal.mark(of: row.id, in: other.journal.id) != nil)
    }

    /// Random typing, saving, leaving, failing and dying; afterwards, everything written to the journal is there
    /// exactly.
    @Test(arguments: 1...12) func `whatever is done before a kill, every note is as it was on the screen`(
        seed: Int
    ) throws {
        var chance = SeededGenerator(seed: UInt64(seed))
        let disk = FailingDisk()
        try test.restart(journalDisk: disk.disk)
        let rows = try (0..<3).map {
            try test.note("note \($0)\n" + String(repeating: "long ", count: $0 == 2 ? 30_000 : 5))
        }
        let typist = try Typist(test.notebook)
        // The texts on screen when the last write had succeeded.
        var shown = try Dictionary(
            uniqueKeysWithValues: rows.map { ($0.id, try test.notebook.notes.text($0.id) ?? "") })
        // A program whose journal does not learn of a save has been killed; only its acts in that moment may follow.
        var isDoomed = false
        for step in 0..<60 {
            let note = rows[chance.number(in: 0...2)].id
            let length = typist.texts[note]?.utf8Count ?? 7
            let place = chance.number(in: 0...length)
            switch chance.number(in: 0...11) {
            case 0 where !isDoomed: try? typist.save(note)  // with a full disk, the journal is refused first
            case 1 where !isDoomed && step > 30:
                isDoomed = true
                try? typist.save(note, isNoted: false)
            case 2 where !typist.journal.hasUnsaved: typist.leave(note)
            case 3: disk.fail(after: chance.number(in: 0...200), with: chance.pick([.noSpace, .ioError]))
            case 4, 5: disk.work()
            case 6: try? typist.journal.copyNextPiece()
            case 7 where length > 0:
                try typist.edit(note, at: place, removing: min(3, length - place), inserting: "")
            default: try typist.edit(note, at: place, inserting: "<\(step)>")
            }
            // A write that throws is tried again with the next step.
            _ = try? typist.write()
            for note in typist.texts.keys { shown[note] = typist.screen(note) }
        }
        disk.work()
        // Refused writes are repeated, which takes several pieces for a long text.
        while try !typist.write() { try typist.journal.copyNextPiece() }
        for note in typist.texts.keys { shown[note] = typist.screen(note) }
        typist.die()
        try test.restart()
        #expect(test.notebook.recovered.replay.copies.isEmpty)
        for row in rows {
            let found = try test.notebook.notes.text(row.id)
            let isAsShown = found == shown[row.id]
            #expect(isAsShown, "seed \(seed): \(row.title)")
        }
        try test.expectSound()
    }

    // MARK: - Long notes

    @Test func `a long note's first key costs no copy of it, and a kill in the middle of the copy loses nothing`()
        throws
    {
        let base = String(repeating: "Zeile für Zeile\n", count: 40_000)
        let row = try test.note(base)
        var pieces = 0
        var isDone = false
        while !isDone {
            let typist = try Typist(notebook)
            try typist.type("x", into: row.id)
            #expect(typist.journal.fileSize < 1000)
            for _ in 0..<pieces { try typist.journal.copyNextPiece() }
            isDone = !typist.journal.hasCopies
            try typist.type("y", into: row.id)
            typist.die()
            pieces += 1
            try test.restart()
            #expect(try test.notebook.notes.text(row.id) == base + String(repeating: "xy", count: pieces))
            #expect(test.notebook.recovered.replay.copies.isEmpty)
        }
        #expect(pieces > 3)
    }

    @Test func `a long note that is saved while its copy is being written is brought back whole`() throws {
        let base = String(repeating: "line after line\n", count: 20_000)
        let row = try test.note(base)
        let typist = try Typist(notebook)
        try typist.type("x", into: row.id)
        try typist.journal.copyNextPiece()
        try typist.save(row.id, isNoted: false)
        try typist.type("y", into: row.id)
        typist.die()
        try test.restart()
        #expect(try test.notebook.notes.text(row.id) == base + "xy")
    }

    @Test func `a long sitting does not make the journal grow without end`() throws {
        let row = try test.note("")
        let typist = try Typist(notebook)
        let piece = String(repeating: "x", count: 100_000)
        for _ in 0..<60 {
            try typist.edit(row.id, at: 0, inserting: piece)
            try typist.save(row.id)
            try typist.edit(row.id, at: 0, removing: piece.utf8.count, inserting: "")
            #expect(typist.journal.fileSize < 5_000_000)
        }
        try typist.save(row.id)
        typist.leave(row.id)
        #expect(typist.journal.fileSize < 200)
        typist.journal.close()
    }

    // MARK: - Disks that fail

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

    #if os(Linux)
    @Test func `a journal has room on the disk before anything is typed, and again when it is emptied`() throws {
        let row = try test.note("text")
        let typist = try Typist(notebook)
        #expect(try room(of: typist.journal.path) >= 512 << 10)
        try typist.type("x", into: row.id)
        try typist.save(row.id)
        typist.leave(row.id)
        #expect(typist.journal.fileSize < 200)
        #expect(try room(of: typist.journal.path) >= 512 << 10)
    }
    #endif

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
        #expect(try sessionFiles().isEmpty)
    }

    // MARK: - Damaged journals

    @Test func `pieces whose place is lost are kept when the replay is broken off and begun again`() throws {
        let row = try test.note("one\n")
        let typist = try Typist(notebook)
        for word in ["first ", "second ", "third "] { try typist.type(word, into: row.id) }
        typist.die()
        var damaged = Data(try bytes(of: typist.journal.path))
        let place = try #require(damaged.firstRange(of: Data("second".utf8)))
        damaged[place.lowerBound] ^= 0xFF
        try damaged.write(to: URL(filePath: typist.journal.path))
        try notebook.database.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER fails BEFORE INSERT ON note WHEN NEW.title LIKE '%(recovered)%' BEGIN
                        SELECT RAISE(ABORT, 'fails');
                    END
                    """)
        }
        #expect(try notebook.journal.replay().problems.count == 1)
        try notebook.database.write { try $0.execute(sql: "DROP TRIGGER fails") }
        let report = try notebook.journal.replay()
        #expect(try notebook.notes.text(row.id) == "one\nfirst ")
        #expect(report.copies.count == 1 && report.setAside.count == 1)
        #expect(try report.copies.first.flatMap { try notebook.notes.text($0.id) } == "third ")
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
        #expect(try room(of: path) <= 64 << 10)
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
        #expect(try bytes(of: path) == Array("longer than that".utf8))
    }

    @Test func `a text without an edit is not told as recovered`() throws {
        let row = try test.note("one")
        let journal = try notebook.journal.open()
        journal.rebase(row.id, revision: 1, base: TextBuffer("one"), pending: nil)
        try journal.write { _ in nil }
        journal.abandon()
        #expect(try notebook.journal.replay().isEmpty)
        #expect(try sessionFiles().isEmpty)
    }

    @Test func `a journal is abandoned once its program has ended, and not before`() throws {
        let row = try test.note("one")
        let journal = try notebook.journal.open()
        journal.rebase(row.id, revision: 1, base: TextBuffer("one"), pending: nil)
        try journal.write { _ in nil }
        #expect(try notebook.journal.abandoned().isEmpty)
        journal.abandon()
        #expect(try notebook.journal.abandoned().count == 1)
    }

    @Test func `a number that no text can have does not end the replay`() {
        var bytes: [UInt8] = []
        JournalFormat.encode(
            Edit([Edit.Replacement(start: ByteOffset(.max), removed: "", inserted: "text")]), to: &bytes)
        var text = RecoveredText(note: NoteID())
        text.addPieces(of: bytes)
        #expect(text.pieces == "text")
    }

    @Test func `one journal that cannot be read keeps no other from being replayed`() throws {
        let row = try test.note("one")
        let typist = try Typist(notebook)
        try typist.type(" two", into: row.id)
        typist.die()
        let folder = notebook.journal.folder
        try Data("no journal at all".utf8).write(to: URL(filePath: "\(folder)/00000000-AAAA.journal"))
        try Data(repeating: 7, count: 9000).write(to: URL(filePath: "\(folder)/00000000-BBBB.sqlite"))
        try FileManager.default.createDirectory(
            atPath: "\(folder)/00000000-CCCC.journal", withIntermediateDirectories: true)
        try test.restart()
        #expect(try test.notebook.notes.text(row.id) == "one two")
        #expect(test.notebook.recovered.replay.setAside.count == 2)
        #expect(test.notebook.recovered.replay.problems.count == 1)
        #expect(try test.notebook.journal.damaged().count == 2)
        try test.restart()
        #expect(test.notebook.recovered.replay.setAside.isEmpty)
    }

    @Test func `wherever a journal is damaged, what is whole in it comes back, and the rest is set aside`() throws {
        let first = try test.note("first\n")
        let second = try test.note("second\n")
        let typist = try Typist(notebook)
        for index in 10..<20 {
            try typist.type("w\(index) ", into: first.id)
            try typist.type("v\(index) ", into: second.id)
        }
        typist.die()
        let whole = try bytes(of: typist.journal.path)
        for position in stride(from: 0, to: whole.count, by: 7) {
            let other = try TestNotebook()
            for row in [first, second] {
                try other.notebook.notes.create(NewNote(text: row.title + "\n", id: row.id))
            }
            var damaged = whole
            damaged[position] ^= 0x41
            try FileManager.default.createDirectory(
                atPath: other.notebook.journal.folder, withIntermediateDirectories: true)
            let name = try #require(FilePath(typist.journal.path).lastComponent)
            let path = FilePath(other.notebook.journal.folder).appending(name)
            try Data(damaged).write(to: URL(filePath: path.string))
            let report = try other.notebook.journal.replay()
            #expect(report.setAside.count == 1, "byte \(position)")
            let rows = try other.notebook.lists.rows(ListQuery(container: .allNotes), limit: 100)
            let all = try rows.map { try other.notebook.notes.text($0.id) ?? "" }.joined(separator: "\n")
            let words = (10..<20).flatMap { ["w\($0)", "v\($0)"] }
            let missing = words.filter { !all.contains($0) }
            #expect(missing.count <= 1, "byte \(position): \(missing)")
        }
    }

    @Test func `a journal whose end was cut off is replayed up to there and is not damaged`() throws {
        let row = try test.note("")
        let typist = try Typist(notebook)
        for index in 0..<10 { try typist.type("\(index)", into: row.id) }
        typist.die()
        let whole = try bytes(of: typist.journal.path)
        for length in stride(from: 0, through: whole.count, by: 5) {
            let other = try TestNotebook()
            try other.notebook.notes.create(NewNote(text: "", id: row.id))
            try FileManager.default.createDirectory(
                atPath: other.notebook.journal.folder, withIntermediateDirectories: true)
            let name = try #require(FilePath(typist.journal.path).lastComponent)
            let path = FilePath(other.notebook.journal.folder).appending(name).string
            try Data(whole[..<length] + [UInt8](repeating: 0, count: length % 3 * 50)).write(to: URL(filePath: path))
            let report = try other.notebook.journal.replay()
            #expect(report.setAside.isEmpty && report.problems.isEmpty, "\(length)")
            #expect("0123456789".hasPrefix(try other.notebook.notes.text(row.id) ?? "?"), "\(length)")
            #expect(!DiskFile.exists(path))
        }
    }

    @Test func `a journal of a later form is left alone`() throws {
        let folder = notebook.journal.folder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = "\(folder)/\(UUID().uuidString).journal"
        try Data("tn journal v2\n\0\0 and who knows what".utf8).write(to: URL(filePath: path))
        try test.restart()
        #expect(test.notebook.recovered.isEmpty)
        #expect(DiskFile.exists(path))
        // But it is told.
        #expect(try test.notebook.journal.ofNewerPrograms() == [path])
    }

    @Test func `a text cannot pass for a record`() throws {
        let row = try test.note("")
        let typist = try Typist(notebook)
        var forged: [UInt8] = []
        let edit = Edit(Edit.Replacement(start: 0, removed: "", inserted: "forged"))
        JournalFormat.appendEdit(
            edit, of: row.id, number: 2, after: 1, mark: JournalFormat.mark(ofSession: UUID()), to: &forged)
        try typist.type(String(decoding: forged, as: UTF8.self), into: row.id)
        typist.die()
        var bytes = try bytes(of: typist.journal.path)
        bytes[JournalFormat.mark.count + 9] ^= 1
        let contents = JournalContents(bytes, session: try #require(UUID(uuidString: typist.journal.id)))
        #expect(contents.notes.map(\.edits.count) == [1])
    }

    // MARK: - Version 0.1

    @Test func `a journal of version 0_1 is replayed once`() throws {
        let one = try #require(NoteID("5D1C6A0E-0B1F-4D8E-9C55-3B7A7F0E2D11"))
        let gone = try #require(NoteID("0E2D1100-0B1F-4D8E-9C55-3B7A7F0E2D12"))
        try notebook.notes.create(NewNote(text: "title\n\none\n\ntwo\n", id: one))
        try notebook.notes.create(NewNote(text: "gone", id: gone))
        let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Notebooks/journal-0.1")
        try FileManager.default.createDirectory(atPath: notebook.journal.folder, withIntermediateDirectories: true)
        for ending in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: fixture.path + "/session.sqlite" + ending,
                toPath: notebook.journal.folder + "/6B1F0B1F-0000-4000-8000-000000000001.sqlite" + ending)
        }
        try test.restart()
        #expect(try test.notebook.notes.text(one) == "Title\n\nONE é€😀\n\ntwo\n")
        #expect(try test.notebook.notes.text(gone) == "gone but typed")
        #expect(try sessionFiles().isEmpty)
    }

    // MARK: - Checksum

    @Test func `the checksum is CRC-32C, whatever the pieces`() {
        let digits = Array("123456789".utf8)
        #expect(digits.withUnsafeBytes { Checksum.of($0) } == 0xE306_9283)
        let bytes = (0..<100).map { UInt8($0) }
        let whole = bytes.withUnsafeBytes { Checksum.of($0) }
        for cut in 0...100 {
            var sum = Checksum()
            bytes[..<cut].withUnsafeBytes { sum.update($0) }
            bytes[cut...].withUnsafeBytes { sum.update($0) }
            #expect(sum.value == whole)
        }
    }
}
