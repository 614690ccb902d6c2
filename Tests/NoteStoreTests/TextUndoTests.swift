import Foundation
import Load
import Testing

@testable import NoteStore

/// Tests undo and redo of an action that changed a text, combined with later changes.
@Suite(.underLoad) struct TextUndoTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    /// Creates a note with two versions, the first of which was restored.
    private func restoredNote() throws -> NoteID {
        let row = try test.note("first\nline\n")
        try notebook.versions.keep(of: row.id)
        _ = try notebook.notes.save(row.id, text: "second\nline\n", baseRevision: row.revision)
        try notebook.versions.restore(1, of: row.id)
        #expect(try notebook.notes.text(row.id) == "first\nline\n")
        return row.id
    }

    private func append(_ line: String, to id: NoteID) throws {
        let row = try #require(try notebook.notes.row(id))
        let text = try #require(try notebook.notes.text(id))
        _ = try notebook.notes.save(id, text: text + line, baseRevision: row.revision)
    }

    private func versions(of id: NoteID) throws -> [String] {
        try notebook.versions.all(of: id).map { try notebook.versions.text(of: id, version: $0.number) }
    }

    @Test func `a line appended after a version was restored survives undo and redo`() throws {
        let id = try restoredNote()
        try append("appended\n", to: id)
        try notebook.actions.undo()
        #expect(try notebook.notes.text(id) == "second\nline\nappended\n")
        #expect(try versions(of: id).contains("first\nline\nappended\n"))
        try notebook.actions.redo()
        #expect(try notebook.notes.text(id) == "first\nline\nappended\n")
        #expect(try versions(of: id).contains("second\nline\nappended\n"))
    }

    @Test func `a line appended after replacing in all notes survives undo and redo`() throws {
        let id = try test.note("one two\nline\n").id
        let replacement = Notebook.Notes.TextReplacement(note: id, old: "one two\nline\n", new: "1 two\nline\n")
        #expect(try notebook.notes.replaceTexts([replacement]) == [id])
        try append("appended\n", to: id)
        try notebook.actions.undo()
        #expect(try notebook.notes.text(id) == "one two\nline\nappended\n")
        try notebook.actions.redo()
        #expect(try notebook.notes.text(id) == "1 two\nline\nappended\n")
    }

    @Test func `undo of words that were changed since leaves them, and keeps what it would have put back`() throws {
        let id = try restoredNote()
        let row = try #require(try notebook.notes.row(id))
        _ = try notebook.notes.save(id, text: "third\nline\n", baseRevision: row.revision)
        try notebook.actions.undo()
        #expect(try notebook.notes.text(id) == "third\nline\n")
        #expect(try versions(of: id).contains("second\nline\n"))
    }

    @Test func `undo of a rename gives the title of the text as it is now`() throws {
        let test = try TestNotebook()
        let row = try test.note("first")
        try test.notebook.notes.rename(row.id, to: "Named")
        let present = try #require(try test.notebook.notes.row(row.id))
        _ = try test.notebook.notes.save(row.id, text: "second", baseRevision: present.revision)
        _ = try test.notebook.actions.undo()
        #expect(try test.notebook.notes.row(row.id)?.title == "second")
        try test.expectSound()
        _ = try test.notebook.actions.redo()
        #expect(try test.notebook.notes.row(row.id)?.title == "Named")
        try test.expectSound()
    }

    @Test func `undo without any change since puts text and date back as they were`() throws {
        let row = try test.note("first\n")
        try notebook.versions.keep(of: row.id)
        _ = try notebook.notes.save(row.id, text: "second\n", baseRevision: row.revision)
        let before = try #require(try notebook.notes.row(row.id))
        try notebook.versions.restore(1, of: row.id)
        try notebook.actions.undo()
        let after = try #require(try notebook.notes.row(row.id))
        #expect(try notebook.notes.text(row.id) == "second\n")
        #expect(after.updatedDate == before.updatedDate)
        #expect(try versions(of: row.id).contains("first\n"))
    }
}
