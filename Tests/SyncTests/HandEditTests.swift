import NoteStore
import SyncSchedules
import Testing

@testable import Sync

/// Tests the dates of notes whose files other programs edit without a change of `updated`.
struct HandEditTests {
    private let store = MemoryCommits()
    private let path: TreePath = "Inbox/N.md"

    private func text() throws -> String {
        let head = try #require(store.branch)
        let entry = try #require(store.tree(of: head)[path])
        return String(decoding: try #require(store.blobs[entry.object]), as: UTF8.self)
    }

    private func sync(_ machines: [Machine]) throws {
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        let head = store.branch
        for machine in machines {
            #expect(try machine.sync() == SyncReport())
            #expect(try differences(machine.state(), machines[0].state()) == [])
        }
        #expect(store.branch == head)
    }

    private func updated(_ id: NoteID, _ machine: Machine) throws -> Int64 {
        try #require(try machine.state().notes[id]).updated
    }

    /// The second of the commit by hand, later than all clocks of the machines.
    private let later: Int64 = 9_000_000_000

    @Test func `a text that is edited by hand gets the date of the commit on every machine`() throws {
        let machines = [try Machine("a", store), try Machine("b", store), try Machine("c", store)]
        let note = try machines[0].notebook.notes.create(NewNote(text: "one\n", title: "N"))
        try sync(machines)
        store.handDate = later
        store.put(try text() + "by hand\n", at: path)
        try sync(machines)
        for machine in machines {
            #expect(try updated(note.id, machine) == later * 1000)
            #expect(try machine.notebook.notes.text(note.id) == "one\nby hand\n")
        }
    }

    /// The machine that has seen nothing of the edit before must not date the note again, or make a commit.
    @Test func `only what was changed since tn's last commit is dated`() throws {
        let machines = [try Machine("a", store), try Machine("b", store)]
        let notebook = machines[0].notebook
        let note = try notebook.notes.create(NewNote(text: "one\n", title: "N"))
        let other = try notebook.notes.create(NewNote(text: "two\n", title: "Other"))
        try sync(machines)
        let before = try updated(other.id, machines[0])
        store.handDate = later
        store.put(try text() + "by hand\n", at: path)
        // Another file is moved with its text, and is no other note by that.
        let head = try #require(store.branch)
        let entry = try #require(store.tree(of: head)["Inbox/Other.md"])
        store.put(store.blobs[entry.object], at: "Work/Other.md")
        store.put(nil, at: "Inbox/Other.md")
        try machines[0].sync()
        let tidied = try #require(store.branch)
        try machines[1].sync()
        #expect(store.branch == tidied)
        for machine in machines {
            #expect(try updated(note.id, machine) == later * 1000)
            #expect(try updated(other.id, machine) == before)
        }
    }

    @Test func `a commit with an old date moves no date back`() throws {
        let machines = [try Machine("a", store), try Machine("b", store)]
        let note = try machines[0].notebook.notes.create(NewNote(text: "one\n", title: "N"))
        try sync(machines)
        let before = try updated(note.id, machines[0])
        store.put(try text() + "by hand\n", at: path)
        try sync(machines)
        for machine in machines { #expect(try updated(note.id, machine) == before) }
    }

    @Test func `a text that tn has merged keeps its date`() throws {
        let machines = [try Machine("a", store), try Machine("b", store)]
        let note = try machines[0].notebook.notes.create(NewNote(text: "one\n\ntwo\n", title: "N"))
        try sync(machines)
        for (machine, text) in zip(machines, ["one a\n\ntwo\n", "one\n\ntwo b\n"]) {
            let row = try #require(try machine.notebook.notes.row(note.id))
            _ = try machine.notebook.notes.save(note.id, text: text, baseRevision: row.revision)
        }
        let latest = try machines.map { try updated(note.id, $0) }.max()
        try sync(machines)
        for machine in machines {
            #expect(try machine.notebook.notes.text(note.id) == "one a\n\ntwo b\n")
            #expect(try updated(note.id, machine) == latest)
        }
    }

    /// Programs that write front matter anew use their own spaces and quotation marks.
    @Test func `a file that says the same in another way stays as it is until the note changes`() throws {
        var machines = [try Machine("a", store), try Machine("b", store)]
        let notebook = machines[0].notebook
        let note = try notebook.notes.create(NewNote(text: "one\n", title: "N"))
        let tag = try notebook.tags.create("red").id
        try notebook.tags.add(tag, to: [note.id])
        try sync(machines)
        let other = try text().replacing("tags: [\"red\"]", with: "tags:   [ red ]")
        store.put(other, at: path)
        let head = store.branch
        try sync(machines)
        machines.append(try Machine("c", store))
        try sync(machines)
        #expect(store.branch == head)
        #expect(try text() == other)
        for machine in machines {
            #expect(try machine.notebook.notes.row(note.id)?.handTagNames == ["red"])
        }
        // The file has to say the new name.
        try machines[1].notebook.tags.rename(tag, to: "blue", rewritingTexts: false)
        try sync(machines)
        #expect(try text().contains("tags: [\"blue\"]\n"))
    }
}
