import SyncSchedules
import Testing

@testable import NoteStore
@testable import Sync

/// Machines forget the names of notes that were deleted for ever, once there are very many.
struct ForgottenDeletionTests {
    private let store = MemoryCommits()

    /// The third machine was away when the notes were deleted, and when the others forgot that they were.
    @Test func `a machine that was away finds the notes in the Trash, none is lost, and all agree`() throws {
        let machines = try ["a", "b", "c"].map { try Machine($0, store) }
        let notes = try (0..<4).map { number in
            try machines[0].notebook.notes.create(NewNote(text: "note \(number)\n"))
        }
        for machine in machines { try machine.sync() }
        let edited = try #require(try machines[2].notebook.notes.row(notes[0].id))
        _ = try machines[2].notebook.notes.save(edited.id, text: "edited\n", baseRevision: edited.revision)
        let notebook = machines[0].notebook
        try notebook.trash.add(notes.map(\.id))
        try notebook.trash.deleteForever(notes.map(\.id), backup: false)
        for machine in machines[0..<2] { try machine.sync() }
        #expect(try machines[1].state().gone.count == 4)
        try notebook.care.keepWithinBounds(versionBytes: .max, historyBytes: .max, gone: 0)
        #expect(try machines[0].state().gone.isEmpty)
        // The next change sends it.
        try notebook.notes.create(NewNote(text: "later\n"))
        for machine in machines[0..<2] { try machine.sync() }
        #expect(try machines[1].state().gone.isEmpty, "the others forget them too")
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        let states = try machines.map { try $0.state() }
        #expect(states[0] == states[1] && states[1] == states[2])
        for note in notes {
            let kept = try #require(states[0].notes[note.id])
            #expect(states[0].isInTrash(kept.folder) == (note.id != edited.id))
        }
        #expect(states[0].notes[edited.id]?.text == "edited\n")
    }
}
