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

    // The process uses only one of the names, since SQLite itself is confused if it has a file open under two.
    @Test(arguments: [Notebook.Mode.command, .interactive], ["notes.sqlite", "other.sqlite"])
    func `nothing is written under either name, and what is there can be read`(
        mode: Notebook.Mode, name: String
    ) throws {
        let row = try test.note("one\n")
        try test.notebook.close(checkpointing: true)
        try link()
        let path = name == "other.sqlite" ? other : test.path
        let notebook = try Notebook.open(path, mode: mode)
        let refusal = StoreError.linked(path: notebook.path, names: 2)
        #expect(notebook.otherNames == refusal)
        #expect(notebook.recovered.problem == refusal)
        #expect(try notebook.notes.text(row.id) == "one\n")
        #expect(throws: refusal) { try notebook.notes.create(NewNote(text: "two")) }
        #expect(throws: refusal) { try notebook.care.repair() }
        // Once only one name is left, whichever it is, the notebook can be written again.
        try FileManager.default.removeItem(atPath: path == other ? test.path : other)
        #expect(notebook.otherNames == nil)
        try notebook.notes.create(NewNote(text: "two"))
        #expect(try notebook.lists.count(ListQuery(container: .allNotes)) == 2)
        #expect(try notebook.care.check().isEmpty)
        try notebook.close(checkpointing: true)
    }

    @Test(arguments: [Notebook.Mode.command, .interactive])
    func `a name that appears while the notebook is open stops the next write, and the file stays as it is`(
        mode: Notebook.Mode
    ) throws {
        try test.notebook.close(checkpointing: true)
        let notebook = try Notebook.open(test.path, mode: mode)
        let row = try notebook.notes.create(NewNote(text: "one\n"))
        try link()
        let file = try Data(contentsOf: URL(filePath: test.path))
        let refusal = StoreError.linked(path: notebook.path, names: 2)
        #expect(throws: refusal) { try notebook.notes.create(NewNote(text: "two")) }
        #expect(throws: refusal) { try notebook.shortenLog() }
        try notebook.close(checkpointing: true)
        #expect(try Data(contentsOf: URL(filePath: test.path)) == file)
        try FileManager.default.removeItem(atPath: other)
        let again = try Notebook.open(test.path, mode: .command)
        #expect(try again.notes.text(row.id) == "one\n", "the log kept what was saved before")
        try again.notes.create(NewNote(text: "two"))
        #expect(try again.care.check().isEmpty)
        try again.close(checkpointing: true)
    }
}
