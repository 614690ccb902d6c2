import Foundation
import GRDB
import Testing
import TextEditing

@testable import NoteStore

/// Tests copying another file over the open notebook: to the system, it remains the same file.
@Suite struct OverwrittenFileTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    /// Returns the file of another notebook with notes.
    private func other(text: String = "other\n", usesLog: Bool = true) throws -> Data {
        let path = test.folder.path + "/other.sqlite"
        let other = try Notebook.open(path)
        for _ in 0..<40 { try other.notes.create(NewNote(text: text)) }
        try other.close()
        if !usesLog {
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE") }
            try queue.close()
        }
        return try Data(contentsOf: URL(filePath: path))
    }

    /// Writes into the existing file, as `cp` does.
    private func overwrite(with data: Data) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: test.path))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: data)
        try file.close()
    }

    private func moveLogIntoFile() throws {
        try notebook.shortenLog()
    }

    @Test func `the identity is found among the settings of thousands of imported notes`() throws {
        try notebook.write { transaction in
            for _ in 0..<6000 {
                let key = ImportRun.storedKey(NoteID())
                try transaction.run(
                    "INSERT INTO setting (key, value) VALUES (?, ?)", [key, String(repeating: "0", count: 32)])
            }
        }
        try moveLogIntoFile()
        // Without the page, each write of the log into the file would read the whole file.
        let content = try #require(try notebook.read { try FileContent($0) })
        #expect(content.identityPage != nil)
    }

    @Test func `an inner page of an index leads to the page of a key`() {
        var page = Data(count: 512)
        page[0] = 2
        page[4] = 2
        page[11] = 9
        // Two cells with the keys "b" and "d", below which are the pages 7 and 8.
        for (index, (child, key)) in [(7, "b"), (8, "d")].enumerated() {
            let start = 500 - 10 * index
            page[12 + 2 * index] = UInt8(start >> 8)
            page[13 + 2 * index] = UInt8(start & 0xFF)
            page[start + 3] = UInt8(child)
            // The size of the record, the size of its header, the kinds of its two columns, and the first one.
            page.replaceSubrange(start + 4..<start + 9, with: [5, 3, 15, 0] + Array(key.utf8))
        }
        for (key, child) in [("a", 7), ("b", 8), ("c", 8), ("d", 9), ("e", 9)] {
            #expect(page.child(toward: Array(key.utf8)) == child, "\(key)")
        }
        page[0] = 10
        #expect(page.child(toward: [97]) == nil)
        #expect(Data([2, 0, 0, 0xFF, 0xFF]).child(toward: [97]) == 0)
    }

    /// Expects that a write is refused; returns the path at which the contents of the log are kept.
    @discardableResult
    private func expectRefusal(_ write: () throws -> Void) throws -> String? {
        let error = #expect(throws: StoreError.self, performing: write)
        guard case .replaced(test.path, let rescue) = error else {
            Issue.record("\(String(describing: error))")
            return nil
        }
        return rescue
    }

    /// Opens copies of the file, its companion files and the journals, as another process finds them without shared
    /// memory.
    private func elsewhere<T>(_ body: (Notebook) throws -> T) throws -> T {
        let folder = test.folder.appending(path: "elsewhere")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["notes.sqlite", "notes.sqlite-wal", "sessions"]
        where DiskFile.exists(test.folder.path + "/" + name) {
            try FileManager.default.copyItem(at: test.folder.appending(path: name), to: folder.appending(path: name))
        }
        let found = try Notebook.open(folder.path + "/notes.sqlite", mode: .command)
        #expect(try found.care.check().isEmpty)
        let result = try body(found)
        try found.close()
        return result
    }

    private func texts(_ notebook: Notebook) throws -> [String] {
        try notebook.read { try String.fetchAll($0, sql: "SELECT text FROM note_text") }
    }

    /// Opens the notebook's file like another program that neither takes the write lock nor knows of this one.
    private func stranger(_ body: (Database) throws -> Void) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: test.path, configuration: configuration)
        try queue.writeWithoutTransaction(body)
        try queue.close()
    }

    @Test(arguments: [true, false])
    func `another notebook copied over the file stays as it is, and the text comes to it`(usesLog: Bool) throws {
        let row = try test.note("one\n")
        let typist = try Typist(notebook)
        try typist.type("two\n", into: row.id)
        try typist.save(row.id)
        let data = try other(usesLog: usesLog)
        try overwrite(with: data)
        try typist.type("three\n", into: row.id)
        let rescue = try #require(try expectRefusal { try typist.save(row.id) })
        try expectRefusal { try test.note("new") }
        #expect(!DiskFile.exists(test.path + "-wal"))
        typist.die()
        try notebook.close()
        #expect(try Data(contentsOf: URL(filePath: test.path)) == data)
        let texts = try elsewhere(texts)
        #expect(texts.count { $0 == "other\n" } == 40)
        #expect(texts.contains { $0.contains("three") })
        let rescued = try Notebook.open(rescue, mode: .command)
        #expect(try rescued.notes.text(row.id) == "one\ntwo\n")
        try rescued.close()
    }

    @Test func `an older state of the notebook that was copied over it is noticed`() throws {
        let row = try test.note("one\n")
        let old = test.folder.path + "/old.sqlite"
        try notebook.backups.write(to: old)
        let typist = try Typist(notebook)
        try typist.type("two\n", into: row.id)
        try typist.save(row.id)
        try moveLogIntoFile()
        try overwrite(with: try Data(contentsOf: URL(filePath: old)))
        try typist.type("three\n", into: row.id)
        try expectRefusal { try typist.save(row.id) }
        typist.die()
        try notebook.close()
        let texts = try elsewhere(texts)
        #expect(texts.contains { $0.contains("one") } && texts.contains { $0.contains("three") })
    }

    @Test func `a copy of the file with its log in use is noticed when it is put back`() throws {
        let typist = try Typist(notebook)
        let row = try test.note("one\n")
        try typist.type("two\n", into: row.id)
        try typist.save(row.id)
        try moveLogIntoFile()
        try test.note("three")
        let old = try Data(contentsOf: URL(filePath: test.path))
        try typist.type("four\n", into: row.id)
        try typist.save(row.id)
        try moveLogIntoFile()
        try overwrite(with: old)
        try expectRefusal { try test.note("five") }
        typist.die()
    }

    @Test func `a file that is cut or no notebook at all is noticed`() throws {
        try test.note("one\n")
        try moveLogIntoFile()
        try overwrite(with: Data())
        try expectRefusal { try test.note("two") }
        let second = try TestNotebook(mode: .command)
        try second.note("one")
        let file = try FileHandle(forWritingTo: URL(filePath: second.path))
        try file.write(contentsOf: Data("this is no database".utf8))
        try file.close()
        #expect(throws: StoreError.self) { try second.note("two") }
    }

    @Test func `a command that finds another notebook between its opening and its write leaves it alone`() throws {
        try test.note("one\n")
        try notebook.close()
        let data = try other()
        let command = try Notebook.open(test.path, mode: .command)
        try overwrite(with: data)
        try expectRefusal { try command.notes.create(NewNote(text: "new")) }
        try command.close(checkpointing: true)
        #expect(try Data(contentsOf: URL(filePath: test.path)) == data)
    }

    @Test func `what is copied over the file in the middle of a write is not mixed with it`() throws {
        try test.note("one\n")
        let data = try other()
        try moveLogIntoFile()
        notebook.logLimit.store(0, ordering: .relaxed)
        try expectRefusal {
            try notebook.write { transaction in
                try transaction.run("INSERT OR REPLACE INTO setting (key, value) VALUES ('a', 'b')")
                try overwrite(with: data)
            }
        }
        #expect(try Data(contentsOf: URL(filePath: test.path)) == data)
    }

    @Test func `another notebook is left alone by a program that only closes`() throws {
        try test.note("one\n")
        let data = try other()
        try overwrite(with: data)
        try notebook.close()
        #expect(try Data(contentsOf: URL(filePath: test.path)) == data)
        #expect(!DiskFile.exists(test.path + "-wal"))
    }

    // MARK: - Changes that are not replacements

    @Test func `other programs of ours, and their checkpoints, raise no alarm`() throws {
        let second = try Notebook.open(test.path, mode: .command)
        let third = try Notebook.open(test.path)
        for notebook in [notebook, second, third] { notebook.logLimit.store(0, ordering: .relaxed) }
        for round in 0..<20 {
            try second.notes.create(NewNote(text: "second \(round)"))
            try third.notes.create(NewNote(text: String(repeating: "third \(round) ", count: 500)))
            try test.note("first \(round)")
            if round % 5 == 0 { _ = try second.care.repair() }
        }
        try second.close(checkpointing: true)
        try third.close()
        try test.note("last")
        try test.expectSound()
    }

    @Test func `writes of a stranger, its checkpoints, VACUUM and settings raise no alarm`() throws {
        for round in 0..<60 { try test.note(String(repeating: "text \(round) ", count: 200)) }
        let acts = [
            "UPDATE note SET starred = 1", "VACUUM", "PRAGMA wal_checkpoint(PASSIVE)",
            "PRAGMA wal_checkpoint(TRUNCATE)",
            "PRAGMA incremental_vacuum", "CREATE TABLE stranger (a)", "PRAGMA wal_checkpoint(FULL)", "REINDEX",
            "DROP TABLE stranger", "ANALYZE", "PRAGMA wal_checkpoint(RESTART)", "VACUUM",
        ]
        for first in acts {
            for second in acts where second != first {
                try stranger { db in
                    // A table of that name may exist or not; an SQLite error is acceptable too.
                    for act in [first, second] { try? db.execute(sql: act) }
                }
                try test.note("after \(first), \(second)")
            }
        }
        // Settings that fill several pages, before and after the identity.
        try stranger { db in
            for index in 0..<400 {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)",
                    arguments: ["\(index % 2 == 0 ? "a" : "z")\(index)", String(repeating: "v", count: 300)])
            }
            try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        try test.note("after settings")
        try stranger { try $0.execute(sql: "DELETE FROM setting WHERE key GLOB '[az][0-9]*'; VACUUM") }
        try test.note("last")
        try test.expectSound()
    }

    @Test(arguments: [false, true])
    func `a backup that is put in through SQLite raises no alarm`(ofAnother: Bool) throws {
        try test.note("one\n")
        let path = test.folder.path + "/old.sqlite"
        try notebook.backups.write(to: path)
        if ofAnother { try other().write(to: URL(filePath: path)) }
        for round in 0..<30 { try test.note("note \(round)") }
        let source = try DatabaseQueue(path: path)
        let target = try DatabaseQueue(path: test.path)
        try source.backup(to: target)
        try target.close()
        try source.close()
        try test.note("after")
        try moveLogIntoFile()
        try test.note("last")
        try test.expectSound()
        #expect(try texts(notebook).count == (ofAnother ? 42 : 3))
    }
}
