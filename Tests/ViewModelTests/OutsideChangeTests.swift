import Foundation
import GRDB
import Load
import NoteStore
import TestSupport
import Testing
import TextEditing

@testable import ViewModel

/// Tests changes by other programs to a text that is being edited.
@MainActor
@Suite(.underLoad) struct OutsideChangeTests {
    private let test: TemporaryNotebook
    private let other: Notebook
    private var model: TakeNoteVM { test.model }

    init() throws {
        test = try TemporaryNotebook()
        other = try Notebook.open(test.notebook.path, mode: .command)
    }

    private func close() throws {
        try other.close()
        test.close()
    }

    private func append(_ text: String, to id: NoteID) throws {
        let row = try #require(try other.notes.row(id))
        let old = try #require(try other.notes.text(id))
        _ = try other.notes.save(id, text: old + text, baseRevision: row.revision)
    }

    private func saved(_ session: EditorSession) -> Bool {
        test.scheduler.advance(by: .milliseconds(400))
        return test.scheduler.run { session.saveState == .saved }
    }

    @Test func `undo takes back one’s own text, not what another program appended`() throws {
        let id = try test.add("note\n").id
        model.start()
        let session = try #require(model.session)
        session.type("mine ")
        #expect(saved(session))
        try append("theirs\n", to: id)
        #expect(test.scheduler.run { session.text == "mine note\ntheirs\n" })
        session.undo()
        #expect(session.text == "note\ntheirs\n")
        #expect(saved(session))
        #expect(try test.notebook.notes.text(id) == "note\ntheirs\n")
        session.redo()
        #expect(session.text == "mine note\ntheirs\n")
        #expect(saved(session))
        try close()
    }

    @Test func `what is typed on another program’s text is in the journal with that text`() throws {
        let id = try test.add("note\n\nend ").id
        model.start()
        let session = try #require(model.session)
        session.move(.documentEnd)
        // While typing goes on, only the text is saved, and its index later.
        for _ in 0..<20 {
            session.type("x")
            test.scheduler.advance(by: .milliseconds(100))
        }
        #expect(test.scheduler.run { session.saveState == .saved })
        #expect(model.saver.isBusy(with: session))
        let row = try #require(try other.notes.row(id))
        let typed = "end " + String(repeating: "x", count: 20)
        _ = try other.notes.save(id, text: "note and theirs\n\n" + typed, baseRevision: row.revision)
        #expect(test.scheduler.run { session.text.hasPrefix("note and theirs") })
        test.scheduler.advance(by: .seconds(1))
        #expect(test.scheduler.run { !model.saver.isBusy(with: session) })
        session.type("y")
        model.writeJournal()
        // The copy of the journal is locked by nobody, as if the program were killed now.
        let copy = test.folder.appendingPathExtension("copy")
        defer { try? FileManager.default.removeItem(at: copy) }  // left over, it affects no other test
        try FileManager.default.copyItem(at: test.folder, to: copy)
        let found = try Notebook.open(copy.appending(path: "notes.sqlite").path)
        #expect(try found.notes.text(id) == "note and theirs\n\n" + typed + "y")
        try found.close()
        try close()
    }

    @Test func `the text of a note that does not come back from the Trash at once is saved once`() throws {
        let id = try test.add("list:").id
        model.start()
        let session = try #require(model.session)
        session.move(.documentEnd)
        session.type(" milk")
        try other.trash.add([id])
        let third = try DatabaseQueue.ofOtherProgram(test.notebook.path)
        try third.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER refuse BEFORE UPDATE OF place ON note WHEN NEW.place = 0
                    BEGIN SELECT RAISE(ABORT, 'no'); END
                    """)
        }
        test.scheduler.advance(by: .milliseconds(400))
        #expect(test.scheduler.run { if case .failing = session.saveState { true } else { false } })
        session.type(" eggs")
        try third.writeWithoutTransaction { try $0.execute(sql: "DROP TRIGGER refuse") }
        test.scheduler.advance(by: .seconds(3))
        #expect(test.scheduler.run { session.saveState == .saved })
        #expect(try test.notebook.notes.text(id) == "list: milk eggs")
        #expect(try test.notebook.notes.row(id)?.place == .live)
        try third.close()
        try close()
    }

    @Test func `what another program appends leaves redo as it is`() throws {
        let id = try test.add("note\n").id
        model.start()
        let session = try #require(model.session)
        session.type("mine ")
        session.undo()
        #expect(saved(session))
        try append("theirs\n", to: id)
        #expect(test.scheduler.run { session.text == "note\ntheirs\n" })
        session.redo()
        #expect(session.text == "mine note\ntheirs\n")
        #expect(saved(session))
        try close()
    }

    @Test func `what is typed while a save merges goes on top of the merge, and undo takes only that back`() throws {
        let id = try test.add("note\n").id
        model.start()
        let session = try #require(model.session)
        try append("theirs\n", to: id)
        session.type("mine ")
        test.scheduler.advance(by: .milliseconds(300))
        session.type("too ")
        #expect(test.scheduler.run { session.text == "mine too note\ntheirs\n" })
        #expect(saved(session))
        #expect(try test.notebook.notes.text(id) == "mine too note\ntheirs\n")
        while session.editor.history.canUndo { session.undo() }
        #expect(session.text == "note\ntheirs\n")
        #expect(saved(session))
        try close()
    }

    @Test func `a long text that changed outside is compared behind the main actor, and typing goes on`() throws {
        let text = (0..<20_000).map { "line \($0)" }.joined(separator: "\n")
        let id = try test.add(text).id
        model.start()
        let session = try #require(model.session)
        try append("\ntheirs", to: id)
        #expect(test.scheduler.run { session.isComparing })
        session.type("mine ")
        #expect(test.scheduler.run { !session.isComparing })
        #expect(saved(session))
        #expect(test.scheduler.run { session.text == "mine " + text + "\ntheirs" })
        #expect(try test.notebook.notes.text(id) == "mine " + text + "\ntheirs")
        session.undo()
        #expect(session.text == text + "\ntheirs")
        try append("\nagain", to: id)
        #expect(saved(session))
        #expect(test.scheduler.run { session.text == text + "\ntheirs\nagain" })
        try close()
    }

    @Test func `a long text that changed outside and cannot be read is told, and read after the next change`() throws {
        let text = (0..<20_000).map { "line \($0)" }.joined(separator: "\n")
        let id = try test.add(text).id
        model.start()
        let session = try #require(model.session)
        try append("\ntheirs", to: id)
        let third = try DatabaseQueue.ofOtherProgram(test.notebook.path)
        try third.writeWithoutTransaction { try $0.execute(sql: "ALTER TABLE note_text RENAME TO elsewhere") }
        #expect(test.scheduler.run { model.notice?.text.hasPrefix("Could not read “line 0”") == true })
        #expect(!session.isComparing && session.text == text)
        try third.writeWithoutTransaction { try $0.execute(sql: "ALTER TABLE elsewhere RENAME TO note_text") }
        #expect(test.scheduler.run { session.text == text + "\ntheirs" })
        try third.close()
        try close()
    }

    @Test func `a text whose saves fail keeps its one session however many notes are opened after it`() throws {
        for index in 0..<14 { try test.add("note \(index)", age: Double(index)) }
        model.start()
        let first = try #require(model.session)
        let id = first.noteID
        // A newer program's schema makes every save fail.
        let file = try DatabaseQueue.ofOtherProgram(test.notebook.path)
        let version = try file.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } ?? 0
        try file.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 99") }
        first.type("unsaved ")
        test.scheduler.advance(by: .milliseconds(400))
        #expect(
            test.scheduler.run {
                if case .failing = first.saveState { return true }
                return false
            })
        for index in 1..<14 { model.moveListCursor(to: index) }
        #expect(model.session?.noteID != id)
        model.moveListCursor(to: 0)
        #expect(model.session === first)
        #expect(test.scheduler.run { model.unsavedTexts.map(\.text) == ["unsaved note 0"] })
        try file.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = \(version)") }
        test.scheduler.advance(by: .seconds(3))
        #expect(test.scheduler.run { first.saveState == .saved })
        #expect(try test.notebook.notes.text(id) == "unsaved note 0")
        try close()
    }

    @Test func `a journal that somebody removed is written anew before the next frame`() throws {
        let id = try test.add("note").id
        model.start()
        let session = try #require(model.session)
        session.move(.documentEnd)
        session.type(" one")
        model.writeJournal()
        let folder = URL(filePath: test.notebook.path).deletingLastPathComponent().appending(path: "sessions")
        func journals() throws -> [URL] {
            try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == "journal" }
        }
        let removed = try #require(try journals().first)
        try FileManager.default.removeItem(at: removed)
        session.type(" two")
        model.writeJournal()
        let written = try #require(try journals().first)
        #expect(written != removed)
        #expect(try Data(contentsOf: written).range(of: Data("note one two".utf8)) != nil)
        #expect(session.noteID == id)
        try close()
    }
}
