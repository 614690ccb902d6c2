import NoteStore
import SyncSchedules
import Testing

@testable import Sync

/// A folder that one machine deletes for ever is deleted on the others, whatever they have put away from it and wherever
/// they are killed meanwhile.
struct LostFolderTests {
    private let store = MemoryCommits()

    private func machines(_ names: String...) throws -> [Machine] { try names.map { try Machine($0, store) } }

    private func delete(_ folder: ContainerID, on machine: Machine) throws {
        try machine.notebook.containers.delete([folder])
        try machine.notebook.trash.deleteForever([folder], backup: false)
    }

    @Test func `two rounds suffice where others have put a note and a folder away from it`() throws {
        let machines = try machines("a", "b", "c")
        let work = try machines[0].notebook.folders.create("Work").id
        for machine in machines { try machine.sync() }
        let notebook = machines[1].notebook
        let note = try notebook.notes.create(NewNote(text: "plan\n", folder: work)).id
        let talks = try notebook.folders.create("Talks", in: work).id
        try notebook.trash.add([note])
        try notebook.containers.delete([talks])
        try delete(work, on: machines[0])
        let state = try settled(machines)
        #expect(state.folders[work] == nil)
        #expect(try #require(state.notes[note]).origin?.container == nil)
        #expect(state.notes[note]?.origin?.path == "[\"Work\"]")
        #expect(try #require(state.folders[talks]).origin?.container == nil)
    }

    @Test(arguments: 1...3) func `a kill while it is deleted leaves nothing of it`(_ transactions: Int) throws {
        let machines = try machines("a", "b")
        let work = try machines[0].notebook.folders.create("Work").id
        for number in 0..<3 {
            try machines[0].notebook.notes.create(NewNote(text: "note \(number)\n", folder: work))
        }
        for machine in machines { try machine.sync() }
        try delete(work, on: machines[0])
        let other = try machines[0].notebook.folders.create("Work").id
        try machines[0].notebook.notes.create(NewNote(text: "another\n", folder: other))
        try machines[0].sync()
        #expect(throws: Machine.Killed.self) { try machines[1].sync(killedAfter: transactions) }
        let state = try settled(machines)
        #expect(Array(state.folders.keys) == [other])
        #expect(state.notes.count == 1)
    }

    @Test(arguments: 1...5) func `a kill while two folders become one leaves one`(_ transactions: Int) throws {
        let machines = try machines("a", "b")
        for machine in machines {
            let folder = try machine.notebook.folders.create("Work").id
            for number in 0..<3 {
                try machine.notebook.notes.create(NewNote(text: "\(machine.name) \(number)\n", folder: folder))
            }
            let note = try machine.notebook.notes.create(NewNote(text: "old \(machine.name)\n", folder: folder))
            try machine.notebook.trash.add([note.id])
        }
        try machines[0].sync()
        // The order of the identities decides how many transactions there are.
        do { try machines[1].sync(killedAfter: transactions) } catch is Machine.Killed {}
        let state = try settled(machines)
        let folder = try #require(state.folders.first)
        #expect(state.folders.count == 1 && folder.value.name == "Work" && folder.value.parent == nil)
        #expect(state.notes.values.count { $0.folder == folder.key } == 6)
        #expect(state.notes.values.count { $0.folder == .trash && $0.origin?.container == folder.key } == 2)
    }

    /// Another program puts a note into the folder while the synchronisation deletes it.
    @Test func `a folder that is used meanwhile stays under its name`() throws {
        let machines = try machines("a", "b")
        for machine in machines {
            let folder = try machine.notebook.folders.create("Work").id
            try machine.notebook.notes.create(NewNote(text: "\(machine.name)\n", folder: folder))
        }
        try machines[0].sync()
        let notebook = machines[1].notebook
        // The folder with the greater identity gives way.
        let folder = try #require(try notebook.containers.all().first { $0.name == "Work" }).id
        var meanwhile: NoteID?
        try machines[1].sync {
            if meanwhile == nil {
                meanwhile = try notebook.notes.create(NewNote(text: "meanwhile\n", folder: folder)).id
            }
        }
        let state = try settled(machines)
        let note = try #require(meanwhile)
        #expect(state.notes[note]?.text == "meanwhile\n")
        #expect(state.folders.values.allSatisfy { $0.name.string.hasPrefix("Work") && $0.parent == nil })
        #expect(state.notes.count == 3)
    }
}
