import Foundation
import GRDB
import SystemPackage
import TestSupport
import Testing
import TextEditing

@testable import NoteStore
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

    /// Returns the journal of another program that has typed “ more” at the end of a note of one line.
    private func journalOfTypist(in row: NoteRow) throws -> SessionJournal {
        let journal = try test.notebook.journal.open()
        let text = TextBuffer(row.title)
        journal.record(
            Edit(replacing: text.end..<text.end, of: text, with: " more"), of: row.id, revision: row.revision,
            base: text)
        try journal.write { _ in nil }
        return journal
    }

    /// Returns after a look for programs that have ended.
    private func lookForEndedPrograms() -> Bool {
        model.lookForEndedPrograms()
        return test.scheduler.run { model.takeOvers == 0 }
    }

    @Test func `a window is told of the end of another one, and takes over what was typed there`() throws {
        let rows = try ["before", "after"].map { try test.add($0) }
        let notebook = test.notebook
        func isTakenOver(_ row: NoteRow) -> Bool {
            test.scheduler.run { (try? notebook.notes.text(row.id)) == row.title + " more" }
        }
        // The first began before the watch, the other one after it.
        let first = try journalOfTypist(in: rows[0])
        model.watchOtherPrograms()
        first.abandon()
        #expect(isTakenOver(rows[0]))
        var second: SessionJournal? = try journalOfTypist(in: rows[1])
        // Its file is closed, as that of a killed program is.
        second?.abandon()
        second = nil
        #expect(isTakenOver(rows[1]))
        test.close()
    }

    @Test func `a journal that another program just looks at is taken over by the next look`() throws {
        let row = try test.add("typed")
        let journal = try journalOfTypist(in: row)
        journal.abandon()
        let looked = try FileDescriptor.open(FilePath(journal.path), .readOnly)
        #expect(try looked.lockIfFree(isShared: true))
        #expect(lookForEndedPrograms())
        #expect(try test.notebook.notes.text(row.id) == "typed")
        try looked.close()
        #expect(lookForEndedPrograms())
        #expect(try test.notebook.notes.text(row.id) == "typed more")
        test.close()
    }

    @Test func `a window takes over what another one that was killed had typed and cut, and says so`() throws {
        let (typed, cut) = (try test.add("typed"), try test.add("cut"))
        let journal = try journalOfTypist(in: typed)
        try test.notebook.buffer.cut([cut.id], owner: journal.id)
        #expect(lookForEndedPrograms())
        #expect(try test.notebook.notes.text(typed.id) == "typed")
        #expect(try test.notebook.notes.row(cut.id)?.place == .buffer)
        #expect(model.notice == nil)
        journal.abandon()
        #expect(lookForEndedPrograms())
        #expect(try test.notebook.notes.text(typed.id) == "typed more")
        #expect(try test.notebook.notes.row(cut.id)?.place == .live)
        let news =
            "Unsaved text of “typed more” brought back. “cut” had been cut but not pasted; moved back"
        #expect(model.notice?.text == news)
        // Nobody has pressed a key for it, so somebody who comes back later must still find it; an answer goes by itself.
        test.scheduler.advance(by: .seconds(60))
        #expect(model.notice?.text == news)
        model.say("answer")
        test.scheduler.advance(by: .seconds(60))
        #expect(model.notice == nil)
        test.close()
    }

    @Test func `a dead program's journal that cannot be replayed is reported once`() throws {
        let journal = try journalOfTypist(in: try test.add("typed"))
        journal.abandon()
        try run("CREATE TRIGGER refuse BEFORE UPDATE ON note_text BEGIN SELECT RAISE(ABORT, 'no'); END")
        var notices: [Bool] = []
        for _ in 0..<2 {
            model.say("before")
            #expect(lookForEndedPrograms())
            notices.append(model.notice?.text.hasPrefix("Newer text of 1 note waits in") ?? false)
        }
        #expect(notices == [true, false])
        #expect(try test.notebook.journal.abandoned().count == 1)
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
