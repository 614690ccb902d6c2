import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing
import TextEditing

@testable import NoteStore
@testable import ViewModel

/// Tests what is said while the journal cannot be written, and about journals that cannot be replayed.
@MainActor
@Suite struct JournalTroubleTests {
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
            disk.write = { [self] descriptor, bytes in
                if isFull {
                    errno = ENOSPC
                    return -1
                }
                state.withLock { $0.writes += 1 }
                return JournalDisk.system.write(descriptor, bytes)
            }
            return disk
        }
    }

    private func refuseSaves(_ notebook: Notebook, _ refuses: Bool) throws {
        let sql =
            refuses
            ? "CREATE TRIGGER refuse BEFORE UPDATE ON note_text BEGIN SELECT RAISE(ABORT, 'no'); END"
            : "DROP TRIGGER refuse"
        try DatabaseQueue(path: notebook.path).writeWithoutTransaction { try $0.execute(sql: sql) }
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
}
