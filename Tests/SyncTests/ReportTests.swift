import NoteStore
import SyncSchedules
import Testing

@testable import Sync

/// Tests the report of a synchronisation.
struct ReportTests {
    private let store = MemoryCommits()

    @Test func `a note that was renamed counts once`() throws {
        let machine = try Machine("a", store)
        let note = try machine.notebook.notes.create(NewNote(text: "text", title: "one"))
        #expect(try machine.sync().sent == 1)
        try machine.notebook.notes.setTitle(note.id, "two")
        #expect(try machine.sync().sent == 1)
        try machine.notebook.trash.add([note.id])
        #expect(try machine.sync().sent == 1)
    }

    @Test func `a conflict counts where it is still one`() throws {
        let machines = [try Machine("a", store), try Machine("b", store), try Machine("c", store)]
        let note = try machines[0].notebook.notes.create(NewNote(text: "one\n"))
        for machine in machines { try machine.sync() }
        for (machine, text) in zip(machines, ["two\n", "three\n"]) {
            let revision = try machine.notebook.notes.row(note.id)?.revision ?? 0
            _ = try machine.notebook.notes.save(note.id, text: text, baseRevision: revision)
        }
        #expect(try machines[0].sync().conflicts == 0)
        #expect(try machines[1].sync().conflicts == 1)
        let copy = try #require(try machines[1].notebook.sync.conflicts().first)
        try machines[1].notebook.trash.add([copy.id])
        try machines[1].sync()
        // A machine that never saw the conflict open need not be told of it.
        #expect(try machines[2].sync().conflicts == 0)
    }
}
