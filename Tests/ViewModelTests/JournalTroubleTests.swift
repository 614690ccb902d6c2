import Foundation
import GRDB
import Load
import Synchronization
import SystemPackage
import TestSupport
import Testing
import TextEditing

@testable import NoteStore
@testable import ViewModel

/// Tests the messages while the journal cannot be written, and those about journals that cannot be replayed.
@MainActor
@Suite(.underLoad) struct JournalTroubleTests {
    /// A disk that is full on request, and counts what was written to it.
    private final class Disk: Sendable {
        private let state = Mutex((isFull: false, writes: 0))

        var isFull: Bool {
            get { state.withLock { $0.isFull } }
            set { state.withLock { $0.isFull = newValue } }
        }
        var writes: Int { state.withLock { $0.writes } }

        var journalDisk: JournalDisk {
            var disk = JournalDisk.system
            disk.write = { [self] file, bytes throws(Errno) in
                if isFull { throw .noSpace }
                state.withLock { $0.writes += 1 }
                return try JournalDisk.system.write(file, bytes)
            }
            return disk
        }
    }

    private func refuseSaves(_ notebook: Notebook, _ refuses: Bool) throws {
        let sql =
            refuses
            ? "CREATE TRIGGER refuse BEFORE UPDATE ON note_text BEGIN SELECT RAISE(ABORT, 'no'); END"
            : "DROP TRIGGER refuse"
        try DatabaseQueue.ofOtherProgram(notebook.path).writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    @Test(arguments: [false, true])
    func `journaling again is said only after something was written`(isSavedMeanwhile: Bool) throws {
        let disk = Disk()
        var options = Notebook.Options()
        options.journalDisk = disk.journalDisk
        let test = try TemporaryNotebook(options: options)
        defer { test.close() }
        let model = test.model
        try test.add("note")
        model.start()
        let session = try #require(model.session)
        session.move(.documentEnd)
        session.type(" one")
        model.writeJournal()
        #expect(model.notice == nil)
        if !isSavedMeanwhile { try refuseSaves(test.notebook, true) }
        disk.isFull = true
        let before = disk.writes
        session.type(" two")
        model.writeJournal()
        #expect(model.notice?.text.hasPrefix("Not journaling") == true)
        test.scheduler.advance(by: .seconds(1))
        if isSavedMeanwhile { #expect(test.scheduler.run { session.saveState == .saved }) }
        for _ in 0..<5 {
            model.writeJournal()
            test.scheduler.advance(by: .seconds(30))
            #expect(disk.writes == before)
            #expect(model.notice?.text.hasPrefix("Not journaling") == true)
        }
        disk.isFull = false
        session.type(" three")
        model.writeJournal()
        #expect(disk.writes > before)
        #expect(model.notice == Notice("Journaling again"))
        if !isSavedMeanwhile { try refuseSaves(test.notebook, false) }
    }

    @Test func `text of a dead program that cannot be saved is said to wait, until it is brought back`() throws {
        let test = try TemporaryNotebook()
        defer { test.close() }
        let notes = try ["one", "two"].map { try test.add($0) }
        let journal = try test.notebook.journal.open()
        for row in notes {
            let text = TextBuffer(row.title)
            journal.record(
                Edit(replacing: text.end..<text.end, of: text, with: " newer"), of: row.id, revision: row.revision,
                base: text)
        }
        try journal.write { _ in nil }
        journal.abandon()
        try refuseSaves(test.notebook, true)
        /// Returns the notice of a program that starts now, and the texts of its notes.
        func start() throws -> (notice: Notice?, texts: [String]) {
            let notebook = try Notebook.open(test.notebook.path, mode: .interactive)
            let model = TakeNoteVM(
                notebook: notebook, scheduler: test.scheduler, configuration: EditorSession.Configuration())
            model.start()
            test.scheduler.advance(by: .seconds(10))
            // On a disk that is full or read-only, the daily work fails too.
            model.sayUnlessTroubled("No backup was made")
            defer { model.stop() }
            return (model.notice, try notes.map { try notebook.notes.text($0.id) ?? "" })
        }
        let folder = test.folder.appending(path: "sessions").path
        for _ in 0..<2 {
            let (notice, texts) = try start()
            #expect(notice?.kind == .trouble)
            #expect(notice?.text.hasPrefix("Newer text of 2 notes waits in \(folder), not saved: ") == true)
            #expect(texts == ["one", "two"])
        }
        try refuseSaves(test.notebook, false)
        let (notice, texts) = try start()
        #expect(notice?.text == "No backup was made")
        #expect(texts == ["one newer", "two newer"])
    }
}
