import Foundation
import Testing
import TextEditing

@testable import NoteStore

/// Tests replacing the file of the open notebook, or removing its log.
@Suite struct ReplacedFileTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    /// Returns a copy of the notebook's present state, including the contents of its log.
    private func copy() throws -> String {
        let path = test.folder.path + "/copy"
        try notebook.backups.write(to: path)
        return path
    }

    /// Returns the note's text as another process reads it without shared memory: from the file without its log, and
    /// from the journals.
    private func textElsewhere(_ note: NoteID) throws -> String? {
        let folder = test.folder.appending(path: "elsewhere")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["notes.sqlite", "sessions"] {
            try FileManager.default.copyItem(
                at: test.folder.appending(path: name), to: folder.appending(path: name))
        }
        let found = try Notebook.open(folder.path + "/notes.sqlite", mode: .command)
        defer { try? found.close() }  // the folder is removed with the test
        return try found.notes.text(note)
    }

    @Test func `nothing is said to be saved once another file lies there, and the next start brings in the text`()
        throws
    {
        let row = try test.note("one\n")
        let other = try copy()
        let typist = try Typist(notebook)
        try typist.type("two\n", into: row.id)
        try typist.save(row.id)
        try FileManager.default.removeItem(atPath: test.path)
        try FileManager.default.moveItem(atPath: other, toPath: test.path)
        try typist.type("three\n", into: row.id)
        let error = #expect(throws: StoreError.self) { try typist.save(row.id) }
        guard case .replaced(test.path, let rescue?) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        // The same error again, for every kind of write.
        #expect(throws: StoreError.replaced(path: test.path, rescue: rescue)) { try typist.save(row.id) }
        #expect(throws: StoreError.replaced(path: test.path, rescue: rescue)) { try test.note("new") }
        typist.die()
        try test.restart()
        #expect(try test.notebook.notes.text(row.id) == "one\ntwo\nthree\n")
        try test.expectSound()
        let rescued = try Notebook.open(rescue, mode: .command)
        #expect(try rescued.notes.text(row.id) == "one\ntwo\n")
        try rescued.close()
    }

    @Test func `nothing is said to be saved once the log is gone, and the text is brought in by the next start`() throws
    {
        let row = try test.note("one\n")
        _ = try notebook.database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        let typist = try Typist(notebook)
        try typist.type("two\n", into: row.id)
        DiskFile.remove(test.path + "-wal")
        let error = #expect(throws: StoreError.self) { try typist.save(row.id) }
        guard case .replaced = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        typist.die()
        #expect(try textElsewhere(row.id) == "one\ntwo\n")
    }

    @Test(arguments: [[""], ["", "-wal", "-shm"], ["-wal"]])
    func `files that were moved away and back are written to again`(endings: [String]) throws {
        let row = try test.note("one\n")
        let typist = try Typist(notebook)
        try typist.type("two\n", into: row.id)
        try typist.save(row.id)
        func move(_ from: String, _ to: String) throws {
            for path in endings.map({ test.path + $0 }) {
                try FileManager.default.moveItem(atPath: path + from, toPath: path + to)
            }
        }
        for turn in ["three", "four"] {
            try move("", ".away")
            try typist.type("\(turn)\n", into: row.id)
            #expect(throws: StoreError.self) { try typist.save(row.id) }
            #expect(throws: StoreError.self) { try test.note("new") }
            try move(".away", "")
            try typist.save(row.id)
        }
        #expect(try notebook.notes.text(row.id) == "one\ntwo\nthree\nfour\n")
        // No copy of what was never lost is left.
        let left = try FileManager.default.contentsOfDirectory(atPath: test.folder.path).sorted()
        #expect(!left.contains { $0.contains(".before-") }, "\(left)")
        // Another program sees what was written since, and the other way round.
        let other = try Notebook.open(test.path, mode: .command)
        #expect(try other.notes.text(row.id) == "one\ntwo\nthree\nfour\n")
        let added = try other.notes.create(NewNote(text: "by another"))
        try other.close()
        #expect(try notebook.notes.text(added.id) == "by another")
        typist.die()
        try test.restart()
        #expect(try test.notebook.notes.text(row.id) == "one\ntwo\nthree\nfour\n")
        try test.expectSound()
    }

    @Test func `files that were written to while they were away are not taken for the same`() throws {
        let row = try test.note("one\n")
        let typist = try Typist(notebook)
        try typist.type("two\n", into: row.id)
        try typist.save(row.id)
        let away = test.path + ".away"
        try FileManager.default.moveItem(atPath: test.path, toPath: away)
        #expect(throws: StoreError.noSuchFile(path: test.path)) { try test.note("new") }
        // A program that knows the file by its other name has a log of its own, which it empties into the file.
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: away)
        try FileManager.default.moveItem(atPath: away, toPath: test.path)
        try typist.type("three\n", into: row.id)
        #expect(throws: StoreError.self) { try typist.save(row.id) }
        typist.die()
    }

    @Test func `another file in the place of one that was moved away is left alone, and the text stays in the journal`()
        throws
    {
        let row = try test.note("one\n")
        let other = try copy()
        let typist = try Typist(notebook)
        try FileManager.default.moveItem(atPath: test.path, toPath: test.path + ".away")
        try typist.type("two\n", into: row.id)
        #expect(throws: StoreError.noSuchFile(path: test.path)) { try typist.save(row.id) }
        try FileManager.default.moveItem(atPath: other, toPath: test.path)
        let error = #expect(throws: StoreError.self) { try typist.save(row.id) }
        guard case .replaced(test.path, _?) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        typist.die()
        #expect(try textElsewhere(row.id) == "one\ntwo\n")
    }

    @Test func `a journal whose saved text went with the log is brought in again`() throws {
        let row = try test.note("one\n")
        _ = try notebook.database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        let typist = try Typist(notebook)
        try typist.type("two\n", into: row.id)
        try typist.save(row.id)
        DiskFile.remove(test.path + "-wal")
        typist.die()
        #expect(try textElsewhere(row.id) == "one\ntwo\n")
    }
}
