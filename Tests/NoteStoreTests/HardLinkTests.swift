import Foundation
import Testing

@testable import NoteStore

/// Tests a notebook whose file has two names.
///
/// SQLite finds the log and the locks of a file by its name, so programs that use different names neither see each
/// other's changes nor wait for each other.
@Suite struct HardLinkTests {
    private let test: TestNotebook

    init() throws { test = try TestNotebook() }

    private var other: String { test.folder.path + "/other.sqlite" }

    private func link() throws { try FileManager.default.linkItem(atPath: test.path, toPath: other) }

    private func refusal(_ path: String, recorded: String?) -> StoreError {
        .linked(path: path, names: 2, recorded: recorded)
    }

    @Test(arguments: [Notebook.Mode.command, .interactive])
    func `a second name changes nothing for the name that the notebook was saved under`(mode: Notebook.Mode) throws {
        try test.notebook.close(checkpointing: true)
        let notebook = try Notebook.open(test.path, mode: mode)
        let row = try notebook.notes.create(NewNote(text: "one\n"))
        try link()
        #expect(notebook.otherNames == nil)
        try notebook.notes.create(NewNote(text: "two"))
        try notebook.shortenLog()
        try notebook.close(checkpointing: true)
        let again = try Notebook.open(test.path, mode: .command)
        #expect(again.recovered.problem == nil)
        try again.notes.create(NewNote(text: "three"))
        #expect(try again.notes.text(row.id) == "one\n")
        #expect(try again.lists.count(ListQuery(container: .allNotes)) == 3)
        #expect(try again.care.check().isEmpty)
        try again.close(checkpointing: true)
    }

    // The process uses only one of the names, since SQLite itself is confused if it has a file open under two.
    @Test(arguments: [Notebook.Mode.command, .interactive])
    func `under the second name the notebook can be read and nothing is written, until it is the only one`(
        mode: Notebook.Mode
    ) throws {
        let row = try test.note("one\n")
        try test.notebook.close(checkpointing: true)
        try link()
        let notebook = try Notebook.open(other, mode: mode)
        let refusal = self.refusal(other, recorded: test.path)
        #expect(notebook.otherNames == refusal)
        #expect(notebook.recovered.problem == refusal)
        #expect(try notebook.notes.text(row.id) == "one\n")
        #expect(throws: refusal) { try notebook.notes.create(NewNote(text: "two")) }
        #expect(throws: refusal) { try notebook.care.repair() }
        #expect(!notebook.saveUnderThisName(), "the recorded name is there")
        // The first name goes, and its log with it.
        for ending in ["", "-wal"] where FileManager.default.fileExists(atPath: test.path + ending) {
            try FileManager.default.removeItem(atPath: test.path + ending)
        }
        #expect(notebook.otherNames == nil)
        try notebook.notes.create(NewNote(text: "two"))
        #expect(try notebook.lists.count(ListQuery(container: .allNotes)) == 2)
        #expect(try notebook.care.check().isEmpty)
        // The name that comes back is the second one now.
        try FileManager.default.linkItem(atPath: other, toPath: test.path)
        try notebook.notes.create(NewNote(text: "three"))
        try notebook.close(checkpointing: true)
        let former = try Notebook.open(test.path, mode: mode)
        #expect(throws: self.refusal(test.path, recorded: other)) {
            try former.notes.create(NewNote(text: "four"))
        }
    }

    @Test func `a notebook whose folder moved is still saved under its name`() throws {
        try test.notebook.close(checkpointing: true)
        let (inner, outer) = (test.folder.path + "/inner", test.folder.path + "/outer")
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
        let first = try Notebook.open(inner + "/notes.sqlite", mode: .command)
        try first.notes.create(NewNote(text: "one"))
        try first.close(checkpointing: true)
        try FileManager.default.linkItem(atPath: inner + "/notes.sqlite", toPath: other)
        try FileManager.default.moveItem(atPath: inner, toPath: outer)
        let moved = try Notebook.open(outer + "/notes.sqlite", mode: .command)
        try moved.notes.create(NewNote(text: "two"))
        try moved.close(checkpointing: true)
    }

    @Test func `a file of two names of which none is recorded is read only until it is repaired`() throws {
        // A copy has the file's bytes and not what was recorded with it.
        try test.notebook.close(checkpointing: true)
        let copy = test.folder.path + "/copy.sqlite"
        try Data(contentsOf: URL(filePath: test.path)).write(to: URL(filePath: copy))
        try FileManager.default.linkItem(atPath: copy, toPath: other)
        let notebook = try Notebook.open(copy, mode: .command)
        let refusal = self.refusal(copy, recorded: nil)
        #expect(throws: refusal) { try notebook.notes.create(NewNote(text: "one")) }
        try Data([1]).write(to: URL(filePath: other + "-wal"))
        #expect(!notebook.saveUnderThisName(), "the other name has a log of its own")
        try FileManager.default.removeItem(atPath: other + "-wal")
        let elsewhere = test.folder.path + "/elsewhere"
        try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: false)
        try FileManager.default.linkItem(atPath: copy, toPath: elsewhere + "/notes.sqlite")
        #expect(!notebook.saveUnderThisName(), "a name elsewhere may have a log")
        try FileManager.default.removeItem(atPath: elsewhere)
        #expect(notebook.saveUnderThisName())
        try notebook.notes.create(NewNote(text: "one"))
        try notebook.close(checkpointing: true)
    }

    @Test func `another name with a log of its own stops saving under the recorded one`() throws {
        try test.note("one")
        try link()
        try Data([1]).write(to: URL(filePath: other + "-wal"))
        #expect(throws: self.refusal(test.path, recorded: nil)) { try test.note("two") }
        try FileManager.default.removeItem(atPath: other + "-wal")
        try test.note("two")
    }

    @Test func `a copy of the folder by hard links stays a whole notebook while the first goes on`() throws {
        let files = FileManager.default
        let row = try test.note("one\n")
        let copy = test.folder.path + "/copy"
        try files.createDirectory(atPath: copy, withIntermediateDirectories: false)
        for ending in ["", "-wal", "-shm", "-lock"] where files.fileExists(atPath: test.path + ending) {
            try files.linkItem(atPath: test.path + ending, toPath: copy + "/notes.sqlite" + ending)
        }
        let two = try test.note("two\n")
        try test.notebook.close(checkpointing: true)
        let again = try Notebook.open(test.path, mode: .command)
        _ = try again.notes.save(row.id, text: "one again\n", baseRevision: row.revision)
        try again.close(checkpointing: true)
        for ending in ["", "-wal", "-shm", "-lock"] { try? files.removeItem(atPath: test.path + ending) }
        let notebook = try Notebook.open(copy + "/notes.sqlite", mode: .command)
        #expect(try notebook.notes.text(row.id) == "one again\n")
        #expect(try notebook.notes.text(two.id) == "two\n")
        #expect(try notebook.care.check().isEmpty)
        try notebook.notes.create(NewNote(text: "three"))
        try notebook.close(checkpointing: true)
    }
}
