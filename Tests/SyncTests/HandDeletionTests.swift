import Foundation
import NoteStore
import SyncSchedules
import Testing

@testable import Sync

/// Somebody deletes a note's file by hand, after one machine wrote a text that another one never had.
struct HandDeletionTests {
    private let text = "first\n\nlast\n"
    private let newest = "first\n\nlast\nnewest\n"

    private func remote(_ usesGit: Bool) throws -> any SharedRemote { usesGit ? try GitRemote() : MemoryCommits() }

    /// Deletes the only note's file in the newest commit.
    private func deleteFile(in remote: any SharedRemote) throws {
        let tree = try remote.entries(of: #require(remote.branch))
        let path = try #require(tree.first { TreeLayout.role(of: $0, $1) == .note }?.key)
        var change = TreeChange()
        change.entries[path] = .some(nil)
        try remote.foreign(change)
    }

    private func save(_ text: String, _ note: NoteID, on machine: Machine) throws {
        let revision = try #require(try machine.notebook.notes.row(note)).revision
        _ = try machine.notebook.notes.save(note, text: text, baseRevision: revision)
    }

    /// Synchronises the machines twice, and returns the state that all of them have.
    private func settled(_ machines: [Machine]) throws -> SyncState {
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        let states = try machines.map { try $0.state() }
        for state in states { #expect(differences(states[0], state).isEmpty) }
        return states[0]
    }

    @Test(arguments: [false, true], [false, true])
    func `the newest text is in the Trash, or in the note that somebody edits`(_ usesGit: Bool, _ edits: Bool) throws {
        let remote = try remote(usesGit)
        let (writer, reader) = (try Machine("writer", remote), try Machine("reader", remote))
        let note = try writer.notebook.notes.create(NewNote(text: text, title: "Plan")).id
        for machine in [writer, reader] { try machine.sync() }
        // The file also gets another path, so that its deletion is not the only one in the history.
        try save(newest, note, on: writer)
        try writer.notebook.notes.setTitle(note, "Journey")
        try writer.sync()
        if edits { try save("mine first\n\nlast\n", note, on: reader) }
        try deleteFile(in: remote)
        let state = try settled([reader, writer])
        let kept = try #require(state.notes[note])
        #expect(kept.text == (edits ? "mine first\n\nlast\nnewest\n" : "first\n\nlast\nnewest\n"))
        #expect(kept.title == "Journey")
        #expect(state.isInTrash(kept.folder) == !edits)
    }

    /// A machine is killed after it wrote the note, and before it recorded the commit.
    ///
    /// The note is new on it, whether the machine joins or has synchronised before. Other machines must not take its
    /// text for a newer one.
    @Test(arguments: [false, true], [false, true])
    func `a machine that was killed does not bring an older text back`(_ usesGit: Bool, _ joins: Bool) throws {
        let remote = try remote(usesGit)
        let machines = try ["writer", "killed", "editor", "reader"].map { try Machine($0, remote) }
        let (writer, killed, editor) = (machines[0], machines[1], machines[2])
        if !joins {
            try writer.notebook.folders.create("Work")
            for machine in machines { try machine.sync() }
        }
        let note = try writer.notebook.notes.create(NewNote(text: text, title: "Plan")).id
        try writer.sync()
        #expect(throws: Machine.Killed.self) { try killed.sync(stopping: 5) }
        try save(newest, note, on: writer)
        for machine in machines where machine !== killed { try machine.sync() }
        try deleteFile(in: remote)
        try save("mine first\n\nlast\nnewest\n", note, on: editor)
        try killed.sync()
        let kept = try #require(try settled(machines.reversed()).notes[note])
        #expect(kept.text == "mine first\n\nlast\nnewest\n")
        #expect(kept.title == "Plan")
    }

    /// A deletion for good covers only the text that the person saw, who had not received the newest one.
    @Test(arguments: [false, true], [false, true])
    func `the newest text stays in the Trash when an older one is deleted for good`(
        _ usesGit: Bool, _ joins: Bool
    ) throws {
        let remote = try remote(usesGit)
        let (writer, reader) = (try Machine("writer", remote), try Machine("reader", remote))
        let note = try writer.notebook.notes.create(NewNote(text: text, title: "Plan")).id
        try writer.sync()
        // A machine that is killed while it joins has no commit to compare with.
        if joins { #expect(throws: Machine.Killed.self) { try reader.sync(stopping: 5) } } else { try reader.sync() }
        try save(newest, note, on: writer)
        try writer.sync()
        try reader.notebook.trash.add([note])
        try reader.notebook.trash.deleteForever([note], backup: false)
        try deleteFile(in: remote)
        let state = try settled([reader, writer])
        let kept = try #require(state.notes[note])
        #expect(kept.text == ExactText(newest))
        #expect(state.isInTrash(kept.folder))
    }

    /// A text that the person saw before deleting it for good is gone, although its file was deleted by hand too.
    @Test func `a text that was seen and deleted for good does not come back`() throws {
        let remote = MemoryCommits()
        let (writer, reader) = (try Machine("writer", remote), try Machine("reader", remote))
        let note = try writer.notebook.notes.create(NewNote(text: text, title: "Plan")).id
        for machine in [writer, reader] { try machine.sync() }
        try reader.notebook.trash.add([note])
        try reader.notebook.trash.deleteForever([note], backup: false)
        try deleteFile(in: remote)
        #expect(try settled([reader, writer]).notes[note] == nil)
    }

    /// Somebody deletes everything by hand, and the user keeps it.
    @Test func `notes that are kept stay in their folders`() throws {
        let store = MemoryCommits()
        let machines = [try Machine("a", store), try Machine("b", store)]
        let outer = try machines[0].notebook.folders.create("Outer")
        let inner = try machines[0].notebook.folders.create("Inner", in: outer.id)
        for number in 0..<60 {
            try machines[0].notebook.notes.create(NewNote(text: "note \(number)\n", folder: inner.id))
        }
        for machine in machines { try machine.sync() }
        let before = try machines[0].state()
        try deleteEverything(in: store)
        #expect(throws: SyncError.trashesMany(count: 60, of: 60)) { try machines[0].sync() }
        try machines[0].sync(.join)
        let state = try settled(machines)
        #expect(state.notes == before.notes)
        #expect(state.folders == before.folders)
    }

    @Test func `a first synchronisation that was cut off asks before it moves very many notes to the Trash`() throws {
        let store = MemoryCommits()
        let (writer, killed) = (try Machine("writer", store), try Machine("killed", store))
        for number in 0..<60 { try writer.notebook.notes.create(NewNote(text: "note \(number)\n")) }
        try writer.sync()
        let before = try writer.state()
        #expect(throws: Machine.Killed.self) { try killed.sync(stopping: 5) }
        try deleteEverything(in: store)
        #expect(throws: SyncError.trashesMany(count: 60, of: 60)) { try killed.sync() }
        try killed.sync(.join)
        #expect(try settled([killed, writer]).notes == before.notes)
    }

    /// Deletes all files but the one that states the format.
    private func deleteEverything(in store: MemoryCommits) throws {
        var change = TreeChange()
        for path in try store.entries(of: #require(store.branch)).keys where path != ListFiles.format {
            change.entries[path] = .some(nil)
        }
        store.foreign(change)
    }
}
