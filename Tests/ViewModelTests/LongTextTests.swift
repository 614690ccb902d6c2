import Dispatch
import Foundation
import GRDB
import Load
import NoteStore
import TestSupport
import Testing
import TextEditing
import ViewModel

/// Tests slow work on long texts, which runs outside the main actor.
@MainActor
@Suite(.serialized, .underLoad)
struct LongTextTests {
    let fixture: TemporaryNotebook

    init() throws {
        fixture = try TemporaryNotebook()
    }

    private var model: TakeNoteVM { fixture.model }
    private let long = "# Long\n\n" + String(repeating: "a line of some words\n", count: 10_000)

    /// The results of the requested comparisons.
    private final class Delivered: Sendable {
        @MainActor var diffs: [TextDiff?] = []
    }

    private func openWithVersions() throws -> [NoteVersion] {
        let note = try fixture.add(long)
        try fixture.notebook.versions.keep(of: note.id)
        model.start()
        model.session?.move(.documentEnd)
        model.session?.type("one more")
        model.saveNow()
        try fixture.notebook.versions.keep(of: note.id)
        model.readOutsideChanges()
        model.session?.type(", and one")
        return model.versions()
    }

    @Test func `a version of a long text is compared behind the main actor, with what is typed and not saved`() throws {
        defer { fixture.close() }
        let versions = try openWithVersions()
        let delivered = Delivered()
        model.changes(since: try #require(versions.last)) { delivered.diffs.append($0) }
        #expect(delivered.diffs.isEmpty)
        #expect(fixture.scheduler.run { !delivered.diffs.isEmpty })
        #expect(delivered.diffs[0]?.lines.last?.text == "one more, and one")
    }

    @Test func `of two comparisons only the newer one is delivered, and none for a note that was left`() throws {
        defer { fixture.close() }
        let versions = try openWithVersions()
        let delivered = Delivered()
        for version in versions { model.changes(since: version) { delivered.diffs.append($0) } }
        #expect(fixture.scheduler.run { !delivered.diffs.isEmpty })
        model.changes(since: versions[0]) { delivered.diffs.append($0) }
        model.addNote()
        var isDone = false
        model.inBackground {
            // This empty work runs after the thread's waiting work.
        } then: {
            isDone = true
        }
        #expect(fixture.scheduler.run { isDone })
        #expect(delivered.diffs.count == 1)
    }

    @Test func `undo of an action on a long text is merged behind the main actor`() throws {
        defer { fixture.close() }
        let versions = try openWithVersions()
        let typed = model.session?.text
        model.restoreVersion(try #require(versions.last).number)
        #expect(fixture.scheduler.run { model.session?.text == long })
        model.undoAction()
        #expect(fixture.scheduler.run { model.session?.text == typed })
        #expect(model.notice?.text == "Undone: restore an earlier version of “Long”")
        model.redoAction()
        #expect(fixture.scheduler.run { model.session?.text == long })
    }

    /// Occupies the threads of background work until it is released, so that no result of theirs can come.
    private final class HeldWork: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        /// More than the number of threads that the system makes for one queue, which begins its work in order.
        private let count = 600

        @MainActor init(_ model: TakeNoteVM) {
            for _ in 0..<count {
                model.inBackground { [gate] in
                    gate.wait()
                } then: { _ in
                }
            }
        }

        func release() { for _ in 0..<count { gate.signal() } }
    }

    /// The main actor computes nothing of it: while the threads for background work are taken, keys go on and the text
    /// stays, and the result is there as soon as they are free.
    @Test(arguments: [true, false])
    func `undo and redo of a long text wait for the background, and the main actor does not`(isRedo: Bool) throws {
        defer { fixture.close() }
        let versions = try openWithVersions()
        let typed = try #require(model.session?.text)
        model.restoreVersion(try #require(versions.last).number)
        #expect(fixture.scheduler.run { model.session?.text == long })
        if isRedo {
            model.undoAction()
            #expect(fixture.scheduler.run { model.session?.text == typed })
        }
        let (before, after) = isRedo ? (typed, long) : (long, typed)
        let held = HeldWork(model)
        var isHeld = true
        defer { if isHeld { held.release() } }
        // Another program is writing: the merge, which is written at once, has to wait for it too.
        let other = try DatabaseQueue.ofOtherProgram(fixture.folder.appending(path: "notes.sqlite").path)
        try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
        if isRedo { model.redoAction() } else { model.undoAction() }
        fixture.scheduler.runPosted()
        #expect(model.session?.text == before)
        try other.inDatabase { try $0.execute(sql: "COMMIT") }
        for _ in 0..<20 { fixture.scheduler.runPosted() }
        #expect(model.session?.text == before)
        let delivered = Delivered()
        model.changes(since: try #require(versions.last)) { delivered.diffs.append($0) }
        fixture.scheduler.runPosted()
        #expect(delivered.diffs.isEmpty)
        held.release()
        isHeld = false
        #expect(fixture.scheduler.run { model.session?.text == after })
    }
}
