import Foundation
import Testing

@testable import NoteStore

/// Tests that a program takes back its own actions first, whatever others did with the same notes since.
@Suite struct SharedUndoTests {
    private let test: TestNotebook
    private let other: Notebook
    private var notebook: Notebook { test.notebook }

    init() throws {
        test = try TestNotebook()
        other = try Notebook.open(test.path, mode: .command, options: Notebook.Options(now: test.clock.now))
    }

    @Test func `another change of the same note by another program stays`() throws {
        let home = try notebook.folders.create("Home")
        let note = try test.note("box")
        try notebook.notes.move([note.id], to: home.id)
        try other.notes.setStarred([note.id], true)
        let tag = try other.tags.findOrCreate("later")
        try other.tags.add(tag.id, to: [note.id])
        try other.notes.setTitle(note.id, "Chest")
        let undone = try #require(try notebook.actions.undo())
        #expect(undone.kind == .move && undone.isOwn)
        let row = try #require(try notebook.notes.row(note.id))
        #expect(row.folder == .inbox && row.starred && row.tagNames == ["later"] && row.title == "Chest")
        try test.expectSound()
        #expect(try notebook.actions.redo()?.kind == .move)
        #expect(try notebook.notes.row(note.id)?.folder == home.id)
        #expect(try other.actions.undo()?.kind == .rename)
        #expect(try notebook.notes.row(note.id)?.folder == home.id)
        try other.close()
    }

    @Test func `a tag that one program gave is taken back beside that of another`() throws {
        let note = try test.note("box")
        try notebook.tags.add(try notebook.tags.create("mine").id, to: [note.id])
        try other.tags.add(try other.tags.create("theirs").id, to: [note.id])
        #expect(try notebook.actions.undo()?.isOwn == true)
        #expect(try notebook.notes.row(note.id)?.tagNames == ["theirs"])
        try test.expectSound()
        try other.close()
    }

    @Test func `redo takes back the last undo, also that of an action of others`() throws {
        let note = try test.note("box")
        try other.notes.setStarred([note.id], true)
        try notebook.notes.setTitle(note.id, "Chest")
        #expect(try notebook.actions.undo()?.kind == .rename)
        #expect(try notebook.actions.undo()?.kind == .star)
        #expect(try notebook.actions.nextRedo()?.kind == .star)
        #expect(try notebook.actions.redo()?.kind == .star)
        #expect(try notebook.notes.row(note.id)?.starred == true)
        #expect(try notebook.actions.redo()?.kind == .rename)
        #expect(try notebook.actions.redo() == nil)
        try test.expectSound()
        try other.close()
    }

    @Test(arguments: ["'{\"notes\"'", "'{\"notes\":[7]}'", "''", "X'FF00'"])
    func `an action whose record is damaged is reported once, and keeps no other from being undone`(
        record: String
    ) throws {
        let (one, two) = (try test.note("one"), try test.note("two"))
        try notebook.notes.setStarred([one.id], true)
        try notebook.notes.setStarred([two.id], true)
        func damage() throws {
            try notebook.database.write { db in
                try db.execute(
                    sql: "UPDATE action SET changes = \(record) WHERE id = (SELECT max(id) FROM action)")
            }
        }
        try damage()
        #expect(try notebook.actions.nextUndo() == nil)
        #expect(throws: StoreError.damagedAction(subject: "two")) { try notebook.actions.undo() }
        #expect(try notebook.actions.undo()?.subject == "one")
        #expect(try notebook.notes.row(one.id)?.starred == false)
        #expect(try notebook.notes.row(two.id)?.starred == true)
        try damage()
        #expect(throws: StoreError.damagedAction(subject: "one")) { try notebook.actions.redo() }
        #expect(try notebook.actions.redo() == nil)
        try notebook.notes.setStarred([two.id], false)
        #expect(try notebook.actions.undo()?.kind == .unstar)
        try test.expectSound()
        try other.close()
    }

    @Test func `only what must be undone before one's own action is undone before it`() throws {
        let (one, two) = (try test.note("one"), try test.note("two"))
        let home = try notebook.folders.create("Home")
        try notebook.trash.add([one.id])
        try other.trash.restore([one.id])
        try other.notes.move([one.id], to: home.id)
        try other.notes.setStarred([two.id], true)
        let kinds = try (0..<3).map { _ in try notebook.actions.undo()?.kind }
        #expect(kinds == [.move, .restore, .trash])
        #expect(try notebook.notes.row(one.id)?.place == .live)
        #expect(try notebook.notes.row(two.id)?.starred == true)
        try test.expectSound()
        try other.close()
    }

    @Test func `the date of a newer change stays when an older action is undone`() throws {
        let note = try test.note("box")
        let home = try notebook.folders.create("Home")
        try notebook.notes.move([note.id], to: home.id)
        let moved = try #require(try notebook.notes.row(note.id))
        _ = try notebook.notes.save(note.id, text: "box, open", baseRevision: moved.revision)
        let saved = try #require(try notebook.notes.row(note.id)).updatedDate
        #expect(saved > moved.updatedDate)
        try notebook.actions.undo()
        #expect(try notebook.notes.row(note.id)?.folder == .inbox)
        #expect(try notebook.notes.row(note.id)?.updatedDate == saved)
        try other.close()
    }
}
