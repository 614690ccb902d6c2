import Foundation
import SyncSchedules
import Testing

@testable import NoteStore
@testable import Sync

/// Tests that a synchronisation which was ended while it wrote what it had received doubles and revives nothing.
///
/// Of five notes each transaction writes two, so the kill after the fourth transaction comes once all are written.
struct CutOffWritingTests {
    private let store = MemoryCommits()
    private let here: Machine
    private let there: Machine
    private let notes: [NoteID]

    init() throws {
        (here, there) = try Machine.pair(store)
        notes = try Self.makeNotes(on: here)
        for machine in [here, there] { try machine.sync() }
    }

    private static func makeNotes(on machine: Machine) throws -> [NoteID] {
        try (0..<5).map { _ in try machine.notebook.notes.create(NewNote(text: "List\n\nbuy:")).id }
    }

    /// Types a word at the end of each note.
    private func type(_ word: String, on machine: Machine, in notes: [NoteID]? = nil) throws {
        for id in notes ?? self.notes {
            let note = try #require(try machine.notebook.notes.load(id))
            _ = try machine.notebook.notes.save(
                id, text: note.content + " " + word, baseRevision: note.row.revision)
        }
    }

    /// Receives what the remote has, and is killed after this number of transactions.
    private func receive(killedAfter transactions: Int) throws {
        #expect(throws: Machine.Killed.self) { try there.sync(killedAfter: transactions) }
    }

    private static func words(of id: NoteID, on machine: Machine) throws -> [String] {
        let text = try #require(try machine.notebook.notes.text(id))
        return text.split(whereSeparator: \.isWhitespace).map(String.init).sorted()
    }

    /// Synchronises both machines, and expects that each note has each of these words once.
    private func expectOnce(
        _ words: [String], in notes: [NoteID]? = nil, _ location: SourceLocation = #_sourceLocation
    ) throws {
        for machine in [there, here, there, here] { try machine.sync() }
        let (notes, expected) = (notes ?? self.notes, (["List", "buy:"] + words).sorted())
        for machine in [here, there] {
            for id in notes {
                #expect(try Self.words(of: id, on: machine) == expected, sourceLocation: location)
            }
            #expect(try machine.notebook.sync.conflicts().isEmpty, sourceLocation: location)
            #expect(try machine.notebook.care.check() == [], sourceLocation: location)
        }
        #expect(try differences(here.state(), there.state()) == [], sourceLocation: location)
    }

    @Test(arguments: 1...4)
    func `words typed on from what was received stand once`(_ transactions: Int) throws {
        try type("milk", on: here)
        try here.sync()
        try receive(killedAfter: transactions)
        try type("eggs", on: there)
        try expectOnce(["milk", "eggs"])
    }

    @Test(arguments: 1...4)
    func `what the other machine has typed on stands once`(_ transactions: Int) throws {
        try type("milk", on: here)
        try here.sync()
        try receive(killedAfter: transactions)
        try type("bread", on: here)
        try here.sync()
        try expectOnce(["milk", "bread"])
    }

    @Test(arguments: 1...4)
    func `words that both machines typed on stand once`(_ transactions: Int) throws {
        try type("milk", on: here)
        try here.sync()
        try receive(killedAfter: transactions)
        try type("bread", on: here)
        try here.sync()
        try type("eggs", on: there)
        try expectOnce(["milk", "bread", "eggs"])
    }

    @Test(arguments: 1...4)
    func `words typed on from a merge that was sent stand once`(_ transactions: Int) throws {
        try type("milk", on: here)
        try here.sync()
        try type("tea", on: there)
        try receive(killedAfter: transactions)
        try type("eggs", on: there)
        try expectOnce(["milk", "tea", "eggs"])
    }

    @Test(arguments: 1...4, 1...4)
    func `words stand once after two kills at different notes`(_ first: Int, _ second: Int) throws {
        try type("milk", on: here)
        try here.sync()
        try receive(killedAfter: first)
        try type("bread", on: here)
        try here.sync()
        try receive(killedAfter: second)
        try type("eggs", on: there)
        try expectOnce(["milk", "bread", "eggs"])
    }

    @Test(arguments: 1...4)
    func `words that were sent between two kills stand once`(_ transactions: Int) throws {
        try type("milk", on: here)
        try here.sync()
        try receive(killedAfter: transactions)
        try type("tea", on: there)
        #expect(throws: Machine.Killed.self) { try there.sync(stopping: 4) }
        try type("eggs", on: there)
        try expectOnce(["milk", "tea", "eggs"])
    }

    @Test(arguments: 1...4)
    func `words stand once where the remote was set back meanwhile`(_ transactions: Int) throws {
        try type("milk", on: here)
        try here.sync()
        let earlier = store.branch
        try type("bread", on: here)
        try here.sync()
        try receive(killedAfter: transactions)
        store.setBranch(earlier)
        try type("eggs", on: there)
        try there.sync()
        for id in notes {
            let words = try Self.words(of: id, on: there).filter { $0 != "bread" }
            #expect(words == ["List", "buy:", "eggs", "milk"])
        }
    }

    @Test func `words typed on in new notes that were received stand once`() throws {
        let new = try Self.makeNotes(on: here)
        try here.sync()
        try receive(killedAfter: 1)
        try type("milk", on: here, in: new)
        try here.sync()
        try type("eggs", on: there, in: new)
        try expectOnce(["milk", "eggs"], in: new)
    }

    @Test func `a note that was received and then deleted does not come back`() throws {
        let new = try Self.makeNotes(on: here)
        try here.sync()
        try receive(killedAfter: 1)
        try there.notebook.trash.add(new)
        try there.notebook.trash.empty()
        try expectOnce([])
        for machine in [here, there] {
            for id in new { #expect(try machine.notebook.notes.row(id) == nil) }
        }
    }

    /// Turns the synchronisation off and on again, as a first one does that fails and is tried again.
    private func beginAnew(_ machine: Machine) throws {
        try machine.notebook.sync.turnOff()
        #expect(try machine.notebook.settings.value(Notebook.Sync.Key.url) == nil)
        try machine.notebook.sync.turnOn(url: store.url)
    }

    @Test(arguments: 1...2, [false, true])
    func `words typed on after a first synchronisation that was cut off stand once`(
        _ transactions: Int, _ isTurnedOff: Bool
    ) throws {
        let new = try Machine("new", store)
        #expect(throws: Machine.Killed.self) { try new.sync(killedAfter: transactions) }
        if isTurnedOff { try beginAnew(new) }
        try type("eggs", on: new)
        try type("milk", on: here)
        try here.sync()
        try new.sync()
        for id in notes { #expect(try Self.words(of: id, on: new) == ["List", "buy:", "eggs", "milk"]) }
        #expect(try new.notebook.sync.conflicts().isEmpty)
        try expectOnce(["eggs", "milk"])
    }

    @Test(arguments: [false, true])
    func `words typed on from what a first synchronisation has sent stand once`(_ isTurnedOff: Bool) throws {
        let new = try Machine("new", store)
        let own = try Self.makeNotes(on: new)
        #expect(throws: Machine.Killed.self) { try new.sync(stopping: 4) }
        if isTurnedOff { try beginAnew(new) }
        try type("eggs", on: new, in: own)
        try here.sync()
        try type("milk", on: here, in: own)
        try here.sync()
        try new.sync()
        for id in own { #expect(try Self.words(of: id, on: new) == ["List", "buy:", "eggs", "milk"]) }
        #expect(try new.notebook.sync.conflicts().isEmpty)
        try expectOnce(["eggs", "milk"], in: own)
    }

    /// Nothing was there to record that somebody has deleted it.
    @Test func `a note that is deleted between two first synchronisations stays on the other machines`() throws {
        let new = try Machine("new", store)
        #expect(throws: Machine.Killed.self) { try new.sync(killedAfter: 2) }
        try new.notebook.sync.turnOff()
        try new.notebook.trash.add(notes)
        try new.notebook.trash.empty()
        try new.notebook.sync.turnOn(url: store.url)
        for machine in [new, here] {
            try machine.sync()
            for id in notes { #expect(try machine.notebook.notes.row(id)?.place == .live) }
        }
    }

    @Test func `notes in a folder that is restored after a cut-off first synchronisation are restored too`() throws {
        let folder = try here.notebook.folders.create("Work").id
        let own = try (0..<3).map { try here.notebook.notes.create(NewNote(text: "plan \($0)", folder: folder)).id }
        try here.notebook.containers.delete([folder])
        try here.sync()
        let new = try Machine("new", store)
        // The folder is written by the first transaction, and all notes by the second one, since they are new.
        #expect(throws: Machine.Killed.self) { try new.sync(killedAfter: 2) }
        #expect(try new.notebook.sync.written().count == 1)
        try here.notebook.trash.restore([folder])
        try here.sync()
        for machine in [new, here] {
            try machine.sync()
            for id in own { #expect(try machine.notebook.notes.row(id)?.place == .live) }
        }
        #expect(try differences(here.state(), new.state()) == [])
    }

    @Test(arguments: 1...4)
    func `notes keep a tag by hand that another machine has made too`(_ transactions: Int) throws {
        let sea = try here.notebook.tags.create("sea").id
        try here.notebook.tags.add(sea, to: notes)
        for machine in [here, there] { try machine.sync() }
        let new = try Machine("new", store)
        let other = try new.notebook.tags.create("Sea").id
        // Of two tags with one name the one with the smaller identity stays.
        let smallest = "00000000-0000-4000-8000-000000000001"
        try new.notebook.write { transaction in
            try transaction.run("UPDATE container SET uuid = ? WHERE uuid = ?", [smallest, other.description])
        }
        try new.sync()
        try receive(killedAfter: transactions)
        for machine in [there, new, here, there] { try machine.sync() }
        for machine in [there, new, here] {
            let state = try machine.state()
            for id in notes { #expect(state.notes[id]?.tags.map(\.description) == [smallest]) }
            #expect(try machine.notebook.care.check() == [])
        }
    }

    /// The first attempt writes the picture, and the second one sends what is here, before either records it.
    @Test func `a picture that was received before two kills goes with its note`() throws {
        let picture = try here.notebook.images.add(Data([0xFF, 0xD8, 0xFF, 1]), name: "x.jpg")
        let note = try here.notebook.notes.create(NewNote(text: picture.getMarkdown()))
        try here.sync()
        #expect(throws: Machine.Killed.self) { try there.sync(stopping: 5) }
        try there.notebook.notes.create(NewNote(text: "more"))
        #expect(throws: Machine.Killed.self) { try there.sync(stopping: 4) }
        try here.sync()
        try here.notebook.trash.add([note.id])
        try here.notebook.trash.empty(backup: false)
        for machine in [here, there, here, there] { try machine.sync() }
        for machine in [here, there] { #expect(try machine.notebook.images.load(picture.imageUUID) == nil) }
        #expect(try differences(here.state(), there.state()) == [])
    }

    @Test func `nothing is left recorded once a synchronisation has ended`() throws {
        try type("milk", on: here)
        try here.sync()
        try receive(killedAfter: 2)
        #expect(try there.notebook.sync.written().count == 1)
        try there.sync()
        #expect(try there.notebook.sync.written().isEmpty)
    }
}
