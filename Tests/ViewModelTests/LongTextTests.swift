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
}
