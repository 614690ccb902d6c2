import Foundation
import SyncSchedules
import Testing

@testable import NoteStore
@testable import Sync

/// Tests that a synchronisation which was ended between sending and recording doubles and revives nothing.
struct CutOffSyncTests {
    private let store = MemoryCommits()
    private let here: Machine
    private let there: Machine
    private let note: NoteID

    init() throws {
        (here, there, note) = try Machine.pair(store, sharing: NewNote(text: "List\n\nbuy milk"))
    }

    private func save(_ text: String, on machine: Machine) throws {
        let revision = try #require(try machine.notebook.notes.row(note)).revision
        _ = try machine.notebook.notes.save(note, text: text, baseRevision: revision)
    }

    /// Sends what this machine has, and is killed before it records that.
    private func syncCutOff() throws {
        #expect(throws: Machine.Killed.self) { try here.sync(stopping: 4) }
    }

    private func expectBothHave(_ text: String, _ location: SourceLocation = #_sourceLocation) throws {
        for machine in [here, there, here, there] { try machine.sync() }
        for machine in [here, there] {
            #expect(try machine.notebook.notes.text(note) == text, sourceLocation: location)
            #expect(try machine.notebook.care.check() == [], sourceLocation: location)
        }
        #expect(try differences(here.state(), there.state()) == [], sourceLocation: location)
    }

    @Test func `words that were typed on from what was sent stand once`() throws {
        try save("List\n\nbuy milk, bread", on: here)
        try syncCutOff()
        try save("List\n\nbuy milk, bread, eggs", on: here)
        try expectBothHave("List\n\nbuy milk, bread, eggs")
    }

    @Test func `words that were typed on from a merge that was sent stand once`() throws {
        try save("List\n\nbuy milk\n\ncall Ana", on: there)
        try there.sync()
        try save("List\n\nbuy milk, bread", on: here)
        try syncCutOff()
        try save("List\n\nbuy milk, bread, eggs", on: here)
        try expectBothHave("List\n\nbuy milk, bread, eggs\n\ncall Ana")
    }

    @Test func `words that both machines typed on from what was sent are merged`() throws {
        try save("List\n\nbuy milk, bread", on: here)
        try syncCutOff()
        try there.sync()
        try save("List\n\nbuy milk, bread\n\ncall Ana", on: there)
        try there.sync()
        try save("List\n\nbuy milk, bread, eggs", on: here)
        try expectBothHave("List\n\nbuy milk, bread, eggs\n\ncall Ana")
    }

    @Test func `a text that was shortened after it was sent stays short`() throws {
        try save("List\n\nbuy milk, bread", on: here)
        try syncCutOff()
        try save("List\n\nbuy milk", on: here)
        try expectBothHave("List\n\nbuy milk")
    }

    @Test func `a note that was sent and then deleted does not come back`() throws {
        let brief = try here.notebook.notes.create(NewNote(text: "brief")).id
        try syncCutOff()
        try here.notebook.trash.add([brief])
        try here.notebook.trash.empty()
        try expectBothHave("List\n\nbuy milk")
        for machine in [here, there] { #expect(try machine.notebook.notes.row(brief) == nil) }
    }

    @Test func `what an attempt that reached nobody would have sent is sent by the next one`() throws {
        try save("List\n\nbuy milk, bread", on: here)
        #expect(throws: Machine.Killed.self) { try here.sync(stopping: 3) }
        try save("List\n\nbuy milk, bread, eggs", on: here)
        try expectBothHave("List\n\nbuy milk, bread, eggs")
    }
}
