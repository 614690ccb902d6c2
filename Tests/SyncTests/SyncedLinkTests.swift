import Foundation
import SyncSchedules
import Testing

@testable import NoteStore
@testable import Sync

/// Tests that a link by title stays with its note when a note of another machine has that title.
struct SyncedLinkTests {
    private let store = MemoryCommits()
    private let here: Machine
    private let there: Machine
    /// The note to which the links lead; both machines have it under the title “Old”.
    private let note: NoteID

    init() throws {
        (here, there, note) = try Machine.pair(store, sharing: NewNote(text: "linked", title: "Old"))
    }

    private func write(_ text: String, _ title: String, on machine: Machine) throws -> NoteID {
        try machine.notebook.notes.create(NewNote(text: text, title: title)).id
    }

    /// Synchronises both machines twice, and expects that both have the same text with the same destination.
    private func expect(
        _ text: String, in source: NoteID, leadsTo destination: NoteID, _ isReversed: Bool,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let machines = isReversed ? [there, here] : [here, there]
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        let head = store.branch
        for machine in machines {
            #expect(try machine.notebook.notes.text(source) == text, sourceLocation: location)
            let links = try machine.notebook.links.outgoing(of: source)
            #expect(!links.isEmpty && links.allSatisfy { $0.destination?.id == destination }, sourceLocation: location)
            #expect(try machine.notebook.care.check() == [], sourceLocation: location)
            try machine.sync()
        }
        #expect(store.branch == head, "two rounds suffice", sourceLocation: location)
        #expect(try differences(here.state(), there.state()) == [], sourceLocation: location)
    }

    @Test(arguments: [false, true])
    func `a link to a renamed note stays when another machine makes a namesake`(_ isReversed: Bool) throws {
        let source = try write("[[Old]] and [[Old|label]]", "Source", on: here)
        for machine in [here, there] { try machine.sync() }
        try here.notebook.notes.setTitle(note, "New")
        _ = try write("stranger", "Old", on: there)
        try expect("[[New|Old]] and [[New|label]]", in: source, leadsTo: note, isReversed)
    }

    @Test(arguments: [false, true])
    func `a new link by a former title stays when another machine makes a namesake`(_ isReversed: Bool) throws {
        try here.notebook.notes.setTitle(note, "New")
        for machine in [here, there] { try machine.sync() }
        let source = try write("[[Old]]", "Source", on: here)
        _ = try write("stranger", "Old", on: there)
        try expect("[[New|Old]]", in: source, leadsTo: note, isReversed)
    }

    @Test(arguments: [false, true])
    func `a new link stays when another machine renames its note and makes a namesake`(_ isReversed: Bool) throws {
        let source = try write("[[Old]]", "Source", on: here)
        try there.notebook.notes.setTitle(note, "New")
        _ = try write("stranger", "Old", on: there)
        try expect("[[New|Old]]", in: source, leadsTo: note, isReversed)
    }

    @Test(arguments: [false, true])
    func `a link that was written for the namesake stays with it`(_ isReversed: Bool) throws {
        try here.notebook.notes.setTitle(note, "New")
        for machine in [here, there] { try machine.sync() }
        let stranger = try write("stranger", "Old", on: there)
        let source = try write("[[Old]]", "Source", on: there)
        _ = try write("something else", "Else", on: here)
        try expect("[[Old]]", in: source, leadsTo: stranger, isReversed)
    }

    /// Both machines edit the text that contains the link.
    @Test(arguments: [false, true])
    func `a link stays in a text that is edited elsewhere`(_ isReversed: Bool) throws {
        try here.notebook.notes.setTitle(note, "New")
        let source = try write("one\n\ntwo\n\nthree", "Source", on: here)
        for machine in [here, there] { try machine.sync() }
        func save(_ text: String, on machine: Machine) throws {
            let revision = try #require(try machine.notebook.notes.row(source)).revision
            _ = try machine.notebook.notes.save(source, text: text, baseRevision: revision)
        }
        try save("one [[Old]]\n\ntwo\n\nthree", on: here)
        _ = try write("stranger", "Old", on: there)
        try save("one\n\ntwo\n\nthree here", on: there)
        try expect("one [[New|Old]]\n\ntwo\n\nthree here", in: source, leadsTo: note, isReversed)
    }

    @Test(arguments: [false, true])
    func `a link stays when another machine takes a namesake out of the Trash`(_ isReversed: Bool) throws {
        let stranger = try write("stranger", "Old", on: here)
        try here.notebook.trash.add([stranger])
        try here.notebook.notes.setTitle(note, "New")
        let source = try write("[[Old]]", "Source", on: here)
        for machine in [here, there] { try machine.sync() }
        try there.notebook.trash.restore([stranger])
        _ = try write("something else", "Else", on: here)
        try expect("[[New|Old]]", in: source, leadsTo: note, isReversed)
    }

    /// The link was written for the note that is in the Trash for a while.
    @Test(arguments: [false, true])
    func `a link returns to its note when another machine takes the note out of the Trash`(_ isReversed: Bool) throws {
        try here.notebook.notes.setTitle(note, "New")
        let stranger = try write("stranger", "Old", on: here)
        let source = try write("[[Old]]", "Source", on: here)
        try here.notebook.trash.add([stranger])
        for machine in [here, there] { try machine.sync() }
        try there.notebook.trash.restore([stranger])
        _ = try write("something else", "Else", on: here)
        try expect("[[Old]]", in: source, leadsTo: stranger, isReversed)
    }

    /// On the machine that renames the note nobody has a link, and the third note takes over the title there.
    @Test(arguments: [false, true])
    func `a new link stays when another machine renames its note and an older one has the title`(
        _ isReversed: Bool
    ) throws {
        let older = try write("older", "Title", on: here)
        for machine in [here, there] { try machine.sync() }
        let newer = try write("newer", "Title", on: here)
        for machine in [here, there] { try machine.sync() }
        let source = try write("[[Title]]", "Source", on: here)
        #expect(try here.notebook.links.outgoing(of: source).first?.destination?.id == newer)
        try there.notebook.notes.setTitle(newer, "New")
        try expect("[[New|Title]]", in: source, leadsTo: newer, isReversed)
        #expect(older != newer)
    }

    /// Makes two notes with the same title and moment, the one with the greater UUID first, each on a machine.
    private func twins(on machines: [Machine]) throws -> (first: NoteID, last: NoteID) {
        let date = Date(timeIntervalSince1970: 1_700_000_500)
        let last = try #require(NoteID("F0000000-0000-4000-8000-000000000002"))
        let first = try #require(NoteID("A0000000-0000-4000-8000-000000000001"))
        for (id, machine) in zip([last, first], machines) {
            try machine.notebook.notes.create(
                NewNote(text: "one of two", title: "Same", created: date, updated: date, id: id))
        }
        return (first, last)
    }

    /// On each machine the other's note has come later, which must not count.
    @Test(arguments: [false, true])
    func `machines agree which of two notes of the same moment a link means`(_ isReversed: Bool) throws {
        let (_, last) = try twins(on: [there, here])
        let source = try write("[[Same]]", "Source", on: here)
        try expect("[[Same]]", in: source, leadsTo: last, isReversed)
    }

    @Test func `a notebook that begins to synchronise chooses between notes of a moment as others do`() throws {
        let notebook = here.notebook
        try notebook.sync.turnOff()
        let (first, last) = try twins(on: [here, here])
        let source = try write("[[Same]]", "Source", on: here)
        func found() throws -> NoteID? { try notebook.links.outgoing(of: source).first?.destination?.id }
        #expect(try found() == first)
        try notebook.sync.turnOn(url: "remote")
        #expect(try found() == last)
    }

    /// Another tool may write a UUID in lower case, which other machines get in upper case.
    @Test func `the letters of a UUID do not decide which of two notes of the same moment a link means`() throws {
        let notebook = here.notebook
        let (first, last) = try twins(on: [here, here])
        try notebook.write { try $0.run("UPDATE note SET uuid = lower(uuid) WHERE uuid = ?", [first.description]) }
        let source = try write("[[Same]]", "Source", on: here)
        #expect(try notebook.links.outgoing(of: source).first?.destination?.id == last)
    }

    @Test func `a link stays when somebody puts in a file with the title by hand`() throws {
        try here.notebook.notes.setTitle(note, "New")
        let source = try write("[[Old]]", "Source", on: here)
        for machine in [here, there] { try machine.sync() }
        store.put("stranger\n", at: "Inbox/Old.md")
        try expect("[[New|Old]]", in: source, leadsTo: note, false)
    }

    /// Kills the synchronisation of the machine that merges: when the merge is sent but nothing is written, or after a
    /// number of transactions that write it, of which the second is the last one.
    private func kill(_ isReversed: Bool, after transactions: Int) throws {
        let machines = isReversed ? [there, here] : [here, there]
        try machines[0].sync()
        #expect(throws: Machine.Killed.self) {
            if transactions == 0 { try machines[1].sync(stopping: 4) }
            try machines[1].sync(killedAfter: transactions)
        }
    }

    @Test(arguments: [false, true], 0...2)
    func `a link that was there stays with its note although the merge was killed`(
        _ isReversed: Bool, _ transactions: Int
    ) throws {
        let source = try write("[[Old]] and [[Old|label]]", "Source", on: here)
        for machine in [here, there] { try machine.sync() }
        try here.notebook.notes.setTitle(note, "New")
        _ = try write("stranger", "Old", on: there)
        try kill(isReversed, after: transactions)
        try expect("[[New|Old]] and [[New|label]]", in: source, leadsTo: note, isReversed)
    }

    @Test(arguments: [false, true], 0...2)
    func `a new link stays with its note although the merge was killed`(
        _ isReversed: Bool, _ transactions: Int
    ) throws {
        let source = try write("[[Old]]", "Source", on: here)
        try there.notebook.notes.setTitle(note, "New")
        _ = try write("stranger", "Old", on: there)
        try kill(isReversed, after: transactions)
        try expect("[[New|Old]]", in: source, leadsTo: note, isReversed)
    }

    /// A merge that was not sent is made anew, and what was stored for it is forgotten.
    @Test func `a merge that could not be sent leaves nothing behind`() throws {
        let source = try write("[[Old]]", "Source", on: here)
        try there.notebook.notes.setTitle(note, "New")
        _ = try write("stranger", "Old", on: there)
        try here.sync()
        store.beforePush = {
            store.beforePush = {}
            store.isReachable = false
        }
        #expect(throws: GitError.self) { try there.sync() }
        store.isReachable = true
        try expect("[[New|Old]]", in: source, leadsTo: note, false)
        for machine in [here, there] {
            #expect(try machine.notebook.settings.value("sync.links") == nil)
        }
    }
}
