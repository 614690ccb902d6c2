import Foundation
import GRDB
import Load
import Synchronization
import Testing

@testable import NoteStore

/// Tests the order of waits when several threads and programs write to one notebook.
@Suite struct WaitingTests {
    private let test: TestNotebook

    init() throws { test = try TestNotebook() }

    /// Takes SQLite's own write lock, like a tool that does not know of the notebook's lock.
    private func foreignWriter() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let queue = try DatabaseQueue(path: test.path, configuration: configuration)
        try queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        return queue
    }

    /// Runs `body` on a new thread; the returned closure waits for its end.
    private func inBackground(_ body: @escaping @Sendable () -> Void) -> () -> Void {
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            body()
            end.signal()
        }
        return { end.wait() }
    }

    @Test(arguments: [true, false])
    func `a save that waits for another program keeps a thread in haste waiting for a moment only`(
        isForeign: Bool
    ) throws {
        let notebook = try Notebook.open(test.path, options: Notebook.Options(busyTimeout: 3600))
        notebook.limitWaitsOnThisThread(seconds: 0.05)
        let note = try notebook.notes.create(NewNote(text: "one"))
        let foreign = isForeign ? try foreignWriter() : nil
        let ours = WriteLock(notebook: test.path, readOnly: false)
        if !isForeign { try ours.take(Patience(seconds: 1)) }
        let isSaved = Atomic(false)
        let saved = inBackground {
            _ = try? notebook.notes.save(note.id, text: "two", baseRevision: 1)  // the text is checked below
            isSaved.store(true, ordering: .sequentiallyConsistent)
        }
        try waitUntil { notebook.lock.hasWaiters }
        #expect(throws: StoreError.busy(path: notebook.path)) {
            try notebook.notes.create(NewNote(text: "of a key"))
        }
        #expect(notebook.takeLimitedWait() && !notebook.takeLimitedWait())
        #expect(try notebook.notes.text(note.id) == "one")
        let wasSaved = isSaved.load(ordering: .sequentiallyConsistent)
        #expect(!wasSaved)
        try foreign?.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        ours.giveBack()
        saved()
        #expect(try notebook.notes.text(note.id) == "two")
        try notebook.notes.create(NewNote(text: "of the next key"))
        try notebook.close()
    }

    @Test func `a program that leaves waits no longer, for what waits already neither`() throws {
        let notebook = try Notebook.open(test.path, options: Notebook.Options(busyTimeout: 1_000_000))
        let note = try notebook.notes.create(NewNote(text: "one"))
        let foreign = try foreignWriter()
        let saved = inBackground {
            #expect(throws: StoreError.busy(path: notebook.path)) {
                try notebook.notes.save(note.id, text: "two", baseRevision: 1)
            }
        }
        try waitUntil { notebook.lock.hasWaiters }
        notebook.beginLeaving()
        saved()
        try foreign.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        try notebook.close()
    }

    @Test func `long work waits as long as ever while the interface is in a hurry`() {
        let patience = Patience(seconds: 60)
        patience.endOpening()
        patience.hurry(seconds: 0) {
            #expect(!patience.wait(after: 1))
            patience.unhurried { #expect(patience.wait(after: 1)) }
            #expect(!patience.wait(after: 1))
        }
        patience.beginLeaving(seconds: 0)
        patience.unhurried { #expect(!patience.wait(after: 1)) }
    }

    @Test(arguments: [true, false])
    func `an import lets others write before it is done`(isSameProgram: Bool) throws {
        let folder = test.folder.appending(path: "in")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let count = 400
        for number in 1...count {
            try Data("# Paper \(number)\n\n[other](\(number % count + 1).md)\n".utf8)
                .write(to: folder.appending(path: "\(number).md"))
        }
        let (notebook, path) = (test.notebook, test.path)
        let begun = DispatchSemaphore(value: 0)
        let capture = inBackground {
            begun.wait()
            do {
                let writer =
                    isSameProgram
                    ? notebook
                    : try Notebook.open(
                        path, mode: .command, options: Notebook.Options(busyTimeout: 3600))
                try writer.notes.create(NewNote(text: "captured"))
            } catch {
                Issue.record(error)
            }
        }
        let hasBegun = Atomic(false)
        let lock = notebook.lock
        var options = ImportOptions { done, all in
            if done < all, !hasBegun.exchange(true, ordering: .relaxed) {
                begun.signal()
                // The import is in the middle of its transaction, so the capture has to wait.
                do { try waitUntil { lock.hasWaiters } } catch { Issue.record(error) }
            }
            return true
        }
        // The first report comes after the first note, not after a transaction that was shorter than the interval.
        options.interval = .zero
        let result = try notebook.transfer.importFiles(ImportPlan(paths: [folder.path]), options)
        capture()
        let hadBegun = hasBegun.load(ordering: .relaxed)
        #expect(hadBegun)
        #expect(result.noteImportCount == count)
        let after = try notebook.read { db in
            try Int.fetchOne(
                db, sql: "SELECT count(*) FROM note WHERE id > (SELECT id FROM note WHERE title = 'captured')")
        }
        #expect(after ?? 0 > 0, "the capture waited for all of the import")
        try test.expectSound()
    }
}
