import Foundation
import GRDB
import NoteStore
import TestSupport
import Testing

@testable import ViewModel

/// Tests changes by another program to the notebook's file while this one runs.
@MainActor
@Suite struct OtherProgramTests {
    private let test: TemporaryNotebook
    private let other: DatabaseQueue
    private var model: TakeNoteVM { test.model }

    init() throws {
        test = try TemporaryNotebook()
        try test.add("Title\n\nold")
        other = try DatabaseQueue.ofOtherProgram(test.notebook.path)
        model.start()
    }

    private func run(_ sql: String) throws {
        try other.writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    @Test func `a second Inbox from elsewhere is folded into ours as soon as it is seen`() throws {
        try run(
            """
            BEGIN;
            INSERT INTO container (id, uuid, kind, name, nameKey, createdDate)
                VALUES (50, '11111111-2222-3333-4444-555555555555', 'inbox', 'Inbox', 'inbox', 0);
            INSERT INTO note (id, uuid, title, titleKey, defaultTitle, createdDate, updatedDate, folder)
                VALUES (90, '99999999-2222-3333-4444-555555555555', 'Stray', 'stray', 'Stray', 0, 0, 50);
            INSERT INTO note_text (note, text) VALUES (90, 'Stray');
            COMMIT;
            """)
        let notebook = test.notebook
        #expect(
            test.scheduler.run { (try? notebook.lists.rows(ListQuery(container: .inbox), limit: 9))?.count == 2 })
        #expect(try notebook.containers.all().filter { $0.kind == .inbox }.count == 1)
        #expect(try notebook.search.hits("stray").count == 1)
        test.close()
    }

    @Test func `a schema that a newer program has changed stops saving, says so, and loses nothing`() throws {
        let version = try other.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } ?? 0
        try run("PRAGMA user_version = 99")
        model.session?.type("new ")
        test.scheduler.advance(by: .milliseconds(300))
        #expect(
            test.scheduler.run {
                if case .failing(let reason) = model.session?.saveState { return reason.contains("newer") }
                return false
            })
        model.session?.type("words ")
        #expect(model.session?.text.hasPrefix("new words ") == true)
        let session = try #require(model.session)
        #expect(try test.notebook.notes.text(session.noteID) == "Title\n\nold")
        // If the program ended now, its journal would remain for a program that understands the file.
        try run("PRAGMA user_version = \(version)")
        test.scheduler.advance(by: .seconds(3))
        #expect(test.scheduler.run { session.saveState == .saved })
        #expect(try test.notebook.notes.text(session.noteID) == "new words Title\n\nold")
        test.close()
    }
}
