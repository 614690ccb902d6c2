import GRDB
import SeededRandom
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

    private func fixture(automatic: Bool = true, isOn: Bool = true) throws -> TemporaryNotebook {
        let fixture = try TemporaryNotebook()
        if isOn { try fixture.notebook.sync.turnOn(url: "/nowhere") }
        let answers = answers
        fixture.model.sync.settings.isAutomatic = automatic
        fixture.model.sync.backoffShare = { 1 }
        fixture.model.sync.job = { _, tell in
            tell(.sending)
            answers.runs.withLock { $0 += 1 }
            return answers.outcome.withLock { $0 }
        }
        fixture.model.start()
        fixture.model.sync.readFacts()
        #expect(fixture.scheduler.run { fixture.model.sync.status.isOn == isOn })
        return fixture
    }

    private func runs() -> Int { answers.runs.withLock { $0 } }

    private func wait(_ fixture: TemporaryNotebook, forRuns count: Int) {
        #expect(fixture.scheduler.run { runs() == count && !fixture.model.sync.status.isRunning })
    }

    private func change(_ fixture: TemporaryNotebook) throws {
        let before = fixture.model.sync.status.changes
        try fixture.add("a change")
        #expect(fixture.scheduler.run { fixture.model.sync.status.changes > before })
    }

    @Test func `it begins soon after the start, and sends a change after a pause`() throws {
        let fixture = try fixture()
        defer { fixture.close() }
        fixture.scheduler.advance(by: .seconds(2))
        wait(fixture, forRuns: 1)
        #expect(fixture.model.sync.status.sign == "✓")
        try change(fixture)
        #expect(fixture.model.sync.status.sign.hasPrefix("↑"))
        fixture.scheduler.advance(by: .seconds(25))
        try change(fixture)
        fixture.scheduler.advance(by: .seconds(25))
        #expect(runs() == 1)
        fixture.scheduler.advance(by: .seconds(6))
        wait(fixture, forRuns: 2)
        #expect(fixture.model.notice == nil)
    }

    @Test func `who never pauses is sent after five minutes`() throws {
        let fixture = try fixture()
        defer { fixture.close() }
        fixture.model.sync.settings.every = 0
        fixture.scheduler.advance(by: .seconds(2))
        wait(fixture, forRuns: 1)
        for _ in 0..<16 where runs() == 1 {
            try change(fixture)
            fixture.scheduler.advance(by: .seconds(20))
        }
        wait(fixture, forRuns: 2)
    }

    @Test func `without a change it looks every ten minutes, and not at all if it is told so`() throws {
        let fixture = try fixture()
        defer { fixture.close() }
        fixture.scheduler.advance(by: .seconds(2))
        wait(fixture, forRuns: 1)
        fixture.scheduler.advance(by: .seconds(590))
        #expect(runs() == 1)
        fixture.scheduler.advance(by: .seconds(12))
        wait(fixture, forRuns: 2)
        fixture.model.sync.settings.every = 0
        fixture.scheduler.advance(by: .seconds(10_000))
        #expect(runs() == 2)
    }

    @Test func `a line that is down is shown, not said, and tried ever more seldom`() throws {
        let fixture = try fixture()
        defer { fixture.close() }
        answers.outcome.withLock { $0 = .offline("no line") }
        fixture.scheduler.advance(by: .seconds(2))
        wait(fixture, forRuns: 1)
        #expect(fixture.model.sync.status.sign == "✗ offline" && fixture.model.notice == nil)
        for (pause, count) in [(31, 2), (61, 3), (121, 4)] {
            // A run may end at the second in which it was due, or later in the same advance.
            fixture.scheduler.advance(by: .seconds(pause - 5))
            #expect(runs() == count - 1)
            fixture.scheduler.advance(by: .seconds(5))
            wait(fixture, forRuns: count)
        }
        // A synchronisation on request reports its error.
        fixture.model.sync.run()
        wait(fixture, forRuns: 5)
        #expect(fixture.model.notice?.text == "no line")
    }

    /// Machines that lost the same remote must not all return at the same moment.
    @Test func `the pauses after failures grow to ten minutes, and are never quite the same`() throws {
        var random = SeededGenerator(seed: 5)
        let fixture = try fixture()
        defer { fixture.close() }
        let usual = AutomaticSync(notebook: fixture.notebook, scheduler: fixture.scheduler).backoffShare
        let shares = (0..<200).map { _ in usual() }
        #expect(shares.allSatisfy { (0.75...1).contains($0) } && Set(shares).count > 100)
        answers.outcome.withLock { $0 = .offline("no line") }
        fixture.scheduler.advance(by: .seconds(2))
        var share = 1.0
        fixture.model.sync.backoffShare = {
            share = Double.random(in: 0.75...1, using: &random)
            return share
        }
        wait(fixture, forRuns: 1)
        for (number, pause) in [30.0, 60, 120, 240, 480, 600, 600].enumerated() {
            let seconds = pause * share
            fixture.scheduler.advance(by: .seconds(seconds - 3))
            #expect(runs() == number + 1)
            fixture.scheduler.advance(by: .seconds(3.01))
            wait(fixture, forRuns: number + 2)
        }
    }

    @Test func `what a person must decide is said once and waits`() throws {
        let fixture = try fixture()
        defer { fixture.close() }
        answers.outcome.withLock { $0 = .undecided("decide") }
        fixture.scheduler.advance(by: .seconds(2))
        wait(fixture, forRuns: 1)
        #expect(fixture.model.notice?.text == "decide" && fixture.model.sync.status.sign == "✗ decide")
        fixture.model.dismissNotice()
        try change(fixture)
        fixture.scheduler.advance(by: .seconds(10_000))
        #expect(runs() == 1)
        answers.outcome.withLock { $0 = .done(sent: 2, received: 1, conflicts: 0) }
        fixture.model.sync.run()
        wait(fixture, forRuns: 2)
        #expect(fixture.model.notice?.text == "2 sent, 1 received. In sync")
    }

    @Test func `it goes on when a person has decided in a shell`() throws {
        let fixture = try fixture()
        defer { fixture.close() }
        answers.outcome.withLock { $0 = .undecided("decide") }
        fixture.scheduler.advance(by: .seconds(2))
        wait(fixture, forRuns: 1)
        fixture.scheduler.advance(by: .seconds(10_000))
        #expect(runs() == 1)
        answers.outcome.withLock { $0 = .done(sent: 0, received: 0, conflicts: 0) }
        try DatabaseQueue.ofOtherProgram(fixture.notebook.path).writeWithoutTransaction {
            try $0.execute(sql: "INSERT OR REPLACE INTO setting (key, value) VALUES ('sync.time', '7')")
        }
        fixture.model.sync.readFacts()
        #expect(fixture.scheduler.run { fixture.model.sync.status.outcome == nil })
        fixture.scheduler.advance(by: .seconds(10_000))
        #expect(fixture.scheduler.run { runs() > 1 })
    }

    @Test func `it does nothing by itself if it is not to, or if the notebook is not synchronised`() throws {
        for (automatic, isOn) in [(false, true), (true, false)] {
            let fixture = try fixture(automatic: automatic, isOn: isOn)
            defer { fixture.close() }
            fixture.scheduler.advance(by: .seconds(10_000))
            #expect(runs() == 0 && (isOn || fixture.model.sync.status.sign.isEmpty))
        }
    }

    /// The change may also be made by another program, while the window is open.
    @Test func `it begins when the notebook begins to be synchronised`() throws {
        let fixture = try fixture(isOn: false)
        defer { fixture.close() }
        // Another program turns it on, and its changes are noticed; this one does not turn it on itself.
        let other = try Notebook.open(fixture.notebook.path, mode: .command)
        try other.sync.turnOn(url: "/nowhere")
        try other.close()
        fixture.model.sync.readFacts()
        #expect(fixture.scheduler.run { fixture.model.sync.status.isOn })
        fixture.scheduler.advance(by: .seconds(2))
        wait(fixture, forRuns: 1)
    }

    // MARK: - Conflicts

    private func conflict(_ fixture: TemporaryNotebook) throws -> SyncConflict {
        let note = try fixture.add("# Colours\n\nblue\n")
        let copy = try fixture.notebook.notes.create(NewNote(text: "# Colours\n\nred\n", title: "Colours (conflict)"))
        try fixture.notebook.write {
            try $0.run(
                "UPDATE note SET conflictOf = ? WHERE uuid = ?", [note.id.description, copy.id.description])
        }
        return try #require(fixture.model.conflicts().first)
    }

    @Test(arguments: [
        (ConflictChoice.this, "# Colours\n\nblue\n"), (.that, "# Colours\n\nred\n"),
        (.both, "# Colours\n\nblue\nred\n"),
    ])
    func `a conflict is settled as it was chosen`(choice: ConflictChoice, text: String) throws {
        let fixture = try fixture()
        defer { fixture.close() }
        let conflict = try conflict(fixture)
        let original = try #require(conflict.original)
        #expect(fixture.scheduler.run { fixture.model.sync.status.conflicts == 1 })
        #expect(fixture.model.sync.status.sign.hasPrefix("!1"))
        #expect(fixture.model.settle(conflict, choice))
        #expect(try fixture.notebook.notes.text(original.id) == text)
        #expect(try fixture.notebook.notes.row(conflict.copy.id)?.place == .trash)
        #expect(fixture.model.conflicts().isEmpty)
        // The replaced text is a version.
        #expect(try choice == .this || !fixture.notebook.versions.all(of: original.id).isEmpty)
    }

    @Test(arguments: ConflictChoice.allCases)
    func `one undo takes back what settled a conflict, and one redo settles it again`(choice: ConflictChoice) throws {
        let fixture = try fixture()
        defer { fixture.close() }
        let conflict = try conflict(fixture)
        let original = try #require(conflict.original)
        fixture.model.show(original)
        fixture.model.settle(conflict, choice)
        let settled = try fixture.notebook.notes.text(original.id)
        fixture.model.undoAction()
        #expect(try fixture.notebook.notes.text(original.id) == "# Colours\n\nblue\n")
        #expect(fixture.model.conflicts().map(\.copy.id) == [conflict.copy.id])
        fixture.model.redoAction()
        #expect(try fixture.notebook.notes.text(original.id) == settled)
        #expect(fixture.model.conflicts().isEmpty)
    }

    @Test(arguments: ConflictChoice.allCases)
    func `a conflict that was settled meanwhile stays as it was settled`(choice: ConflictChoice) throws {
        let fixture = try fixture()
        defer { fixture.close() }
        let conflict = try conflict(fixture)
        let original = try #require(conflict.original)
        try fixture.notebook.trash.add([conflict.copy.id])
        #expect(fixture.model.settle(conflict, choice))
        #expect(try fixture.notebook.notes.text(original.id) == "# Colours\n\nblue\n")
        #expect(try fixture.notebook.versions.all(of: original.id).isEmpty)
        #expect(
            fixture.model.notice?.text == "The conflict of “Colours” was settled meanwhile; nothing was changed")
    }

    @Test func `what was typed and is not saved yet takes part`() throws {
        let fixture = try fixture()
        defer { fixture.close() }
        let conflict = try conflict(fixture)
        let original = try #require(conflict.original)
        fixture.model.show(original)
        fixture.model.session?.type("typed")
        fixture.model.settle(conflict, .both)
        let text = try fixture.notebook.notes.text(original.id) ?? ""
        for word in ["blue", "red", "typed"] { #expect(text.contains(word)) }
        #expect(fixture.model.session?.text == text)
    }

    @Test func `a copy whose note is gone becomes a note`() throws {
        let fixture = try fixture()
        defer { fixture.close() }
        let conflict = try conflict(fixture)
        let original = try #require(conflict.original)
        try fixture.notebook.trash.add([original.id])
        try fixture.notebook.trash.deleteForever([original.id], backup: false)
        let lonely = try #require(fixture.model.conflicts().first)
        #expect(lonely.original == nil)
        #expect(fixture.model.settle(lonely, .that))
        #expect(try fixture.notebook.notes.row(lonely.copy.id)?.place == .live && fixture.model.conflicts().isEmpty)
    }
}
