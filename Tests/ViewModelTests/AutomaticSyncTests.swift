import GRDB
import Synchronization
import TestSupport
import Testing

@testable import NoteStore
@testable import ViewModel

/// Tests when the window synchronises automatically, and its messages.
@MainActor
@Suite(.serialized)
struct AutomaticSyncTests {
    /// The answers of the remote in a test.
    private final class Answers: Sendable {
        let outcome = Mutex(SyncOutcome.done(sent: 0, received: 0, conflicts: 0))
        let runs = Mutex(0)
    }

    private let answers = Answers()

    private func place(automatic: Bool = true, isOn: Bool = true) throws -> TemporaryNotebook {
        let place = try TemporaryNotebook()
        if isOn { try place.notebook.sync.turnOn(url: "/nowhere") }
        let answers = answers
        place.model.sync.settings.isAutomatic = automatic
        place.model.sync.job = { _, tell in
            tell(.sending)
            answers.runs.withLock { $0 += 1 }
            return answers.outcome.withLock { $0 }
        }
        place.model.start()
        place.model.sync.readFacts()
        #expect(place.scheduler.run { place.model.sync.status.isOn == isOn })
        return place
    }

    private func runs() -> Int { answers.runs.withLock { $0 } }

    private func wait(_ place: TemporaryNotebook, forRuns count: Int) {
        #expect(place.scheduler.run { runs() == count && !place.model.sync.status.isRunning })
    }

    private func change(_ place: TemporaryNotebook) throws {
        let before = place.model.sync.status.changes
        try place.add("a change")
        #expect(place.scheduler.run { place.model.sync.status.changes > before })
    }

    @Test func `it begins soon after the start, and sends a change after a pause`() throws {
        let place = try place()
        defer { place.close() }
        place.scheduler.advance(by: .seconds(2))
        wait(place, forRuns: 1)
        #expect(place.model.sync.status.sign == "✓")
        try change(place)
        #expect(place.model.sync.status.sign.hasPrefix("↑"))
        place.scheduler.advance(by: .seconds(25))
        try change(place)
        place.scheduler.advance(by: .seconds(25))
        #expect(runs() == 1)
        place.scheduler.advance(by: .seconds(6))
        wait(place, forRuns: 2)
        #expect(place.model.notice == nil)
    }

    @Test func `who never pauses is sent after five minutes`() throws {
        let place = try place()
        defer { place.close() }
        place.model.sync.settings.every = 0
        place.scheduler.advance(by: .seconds(2))
        wait(place, forRuns: 1)
        for _ in 0..<16 where runs() == 1 {
            try change(place)
            place.scheduler.advance(by: .seconds(20))
        }
        wait(place, forRuns: 2)
    }

    @Test func `without a change it looks every ten minutes, and not at all if it is told so`() throws {
        let place = try place()
        defer { place.close() }
        place.scheduler.advance(by: .seconds(2))
        wait(place, forRuns: 1)
        place.scheduler.advance(by: .seconds(590))
        #expect(runs() == 1)
        place.scheduler.advance(by: .seconds(12))
        wait(place, forRuns: 2)
        place.model.sync.settings.every = 0
        place.scheduler.advance(by: .seconds(10_000))
        #expect(runs() == 2)
    }

    @Test func `a line that is down is shown, not said, and tried ever more seldom`() throws {
        let place = try place()
        defer { place.close() }
        answers.outcome.withLock { $0 = .offline("no line") }
        place.scheduler.advance(by: .seconds(2))
        wait(place, forRuns: 1)
        #expect(place.model.sync.status.sign == "✗ offline" && place.model.notice == nil)
        for (pause, count) in [(31, 2), (61, 3), (121, 4)] {
            // A run may end at the second in which it was due, or later in the same advance.
            place.scheduler.advance(by: .seconds(pause - 5))
            #expect(runs() == count - 1)
            place.scheduler.advance(by: .seconds(5))
            wait(place, forRuns: count)
        }
        // A synchronisation on request reports its error.
        place.model.sync.run()
        wait(place, forRuns: 5)
        #expect(place.model.notice?.text == "no line")
    }

    @Test func `what a person must decide is said once and waits`() throws {
        let place = try place()
        defer { place.close() }
        answers.outcome.withLock { $0 = .undecided("decide") }
        place.scheduler.advance(by: .seconds(2))
        wait(place, forRuns: 1)
        #expect(place.model.notice?.text == "decide" && place.model.sync.status.sign == "✗ decide")
        place.model.dismissNotice()
        try change(place)
        place.scheduler.advance(by: .seconds(10_000))
        #expect(runs() == 1)
        answers.outcome.withLock { $0 = .done(sent: 2, received: 1, conflicts: 0) }
        place.model.sync.run()
        wait(place, forRuns: 2)
        #expect(place.model.notice?.text == "2 sent, 1 received. In sync")
    }

    @Test func `it goes on when a person has decided in a shell`() throws {
        let place = try place()
        defer { place.close() }
        answers.outcome.withLock { $0 = .undecided("decide") }
        place.scheduler.advance(by: .seconds(2))
        wait(place, forRuns: 1)
        place.scheduler.advance(by: .seconds(10_000))
        #expect(runs() == 1)
        answers.outcome.withLock { $0 = .done(sent: 0, received: 0, conflicts: 0) }
        try DatabaseQueue.ofOtherProgram(place.notebook.path).writeWithoutTransaction {
            try $0.execute(sql: "INSERT OR REPLACE INTO setting (key, value) VALUES ('sync.time', '7')")
        }
        place.model.sync.readFacts()
        #expect(place.scheduler.run { place.model.sync.status.outcome == nil })
        place.scheduler.advance(by: .seconds(10_000))
        #expect(place.scheduler.run { runs() > 1 })
    }

    @Test func `it does nothing by itself if it is not to, or if the notebook is not synchronised`() throws {
        for (automatic, isOn) in [(false, true), (true, false)] {
            let place = try place(automatic: automatic, isOn: isOn)
            defer { place.close() }
            place.scheduler.advance(by: .seconds(10_000))
            #expect(runs() == 0 && (isOn || place.model.sync.status.sign.isEmpty))
        }
    }

    /// The change may also be made by another program, while the window is open.
    @Test func `it begins when the notebook begins to be synchronised`() throws {
        let place = try place(isOn: false)
        defer { place.close() }
        // Another program turns it on, and its changes are noticed; this one does not turn it on itself.
        let other = try Notebook.open(place.notebook.path, mode: .command)
        try other.sync.turnOn(url: "/nowhere")
        try other.close()
        place.model.sync.readFacts()
        #expect(place.scheduler.run { place.model.sync.status.isOn })
        place.scheduler.advance(by: .seconds(2))
        wait(place, forRuns: 1)
    }

    // MARK: - Conflicts

    private func conflict(_ place: TemporaryNotebook) throws -> SyncConflict {
        let note = try place.add("# Colours\n\nblue\n")
        let copy = try place.notebook.notes.create(NewNote(text: "# Colours\n\nred\n", title: "Colours (conflict)"))
        try place.notebook.write {
            try $0.run(
                "UPDATE note SET conflictOf = ? WHERE uuid = ?", [note.id.description, copy.id.description])
        }
        return try #require(place.model.conflicts().first)
    }

    @Test(arguments: [
        (ConflictChoice.this, "# Colours\n\nblue\n"), (.that, "# Colours\n\nred\n"),
        (.both, "# Colours\n\nblue\nred\n"),
    ])
    func `a conflict is settled as it was chosen`(choice: ConflictChoice, text: String) throws {
        let place = try place()
        defer { place.close() }
        let conflict = try conflict(place)
        let original = try #require(conflict.original)
        #expect(place.scheduler.run { place.model.sync.status.conflicts == 1 })
        #expect(place.model.sync.status.sign.hasPrefix("!1"))
        #expect(place.model.settle(conflict, choice))
        #expect(try place.notebook.notes.text(original.id) == text)
        #expect(try place.notebook.notes.row(conflict.copy.id)?.place == .trash)
        #expect(place.model.conflicts().isEmpty)
        // The replaced text is a version.
        #expect(try choice == .this || !place.notebook.versions.all(of: original.id).isEmpty)
    }

    @Test func `what was typed and is not saved yet takes part`() throws {
        let place = try place()
        defer { place.close() }
        let conflict = try conflict(place)
        let original = try #require(conflict.original)
        place.model.show(original)
        place.model.session?.type("typed")
        place.model.settle(conflict, .both)
        let text = try place.notebook.notes.text(original.id) ?? ""
        for word in ["blue", "red", "typed"] { #expect(text.contains(word)) }
        #expect(place.model.session?.text == text)
    }

    @Test func `a copy whose note is gone becomes a note`() throws {
        let place = try place()
        defer { place.close() }
        let conflict = try conflict(place)
        let original = try #require(conflict.original)
        try place.notebook.trash.add([original.id])
        try place.notebook.trash.deleteForever([original.id], backup: false)
        let lonely = try #require(place.model.conflicts().first)
        #expect(lonely.original == nil)
        #expect(place.model.settle(lonely, .that))
        #expect(try place.notebook.notes.row(lonely.copy.id)?.place == .live && place.model.conflicts().isEmpty)
    }
}
