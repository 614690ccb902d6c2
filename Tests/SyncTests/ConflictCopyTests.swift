import NoteStore
import SyncSchedules
import Testing

@testable import Sync

/// Tests the notes that hold the losing texts of conflicts.
struct ConflictCopyTests {
    private let store = MemoryCommits()

    private func save(_ text: String, _ note: NoteID, on machine: Machine) throws {
        let row = try #require(try machine.notebook.notes.row(note))
        _ = try machine.notebook.notes.save(note, text: text, baseRevision: row.revision)
    }

    private func sync(_ machines: [Machine]) throws {
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        #expect(try differences(machines[0].state(), machines[1].state()) == [])
    }

    /// Somebody decides for the losing text, while the same words are edited elsewhere.
    ///
    /// - Parameters:
    ///   - isDeleted: Whether the copy is deleted for ever, not only moved to the Trash.
    ///   - isKnown: Whether the other machine knows of that before it edits the note.
    @Test(arguments: [false, true], [false, true])
    func `a text that loses again after its conflict was settled is kept again`(isDeleted: Bool, isKnown: Bool) throws {
        // The other machine's clock is ahead, so its texts come out on top.
        let machines = [try Machine("a", store), try Machine("b", store, clock: 1_000)]
        let (here, there) = (machines[0], machines[1])
        let note = try here.notebook.notes.create(NewNote(text: "base\n", title: "Note")).id
        try sync(machines)
        try save("alpha alpha\n", note, on: here)
        try save("beta beta\n", note, on: there)
        try sync(machines)
        let copy = try #require(try here.notebook.sync.conflicts().first).id
        try here.notebook.trash.add([copy])
        if isDeleted { try here.notebook.trash.empty() }
        if isKnown { try sync(machines) }
        try save("alpha alpha\n", note, on: here)
        try save("gamma delta\n", note, on: there)
        try sync(machines)
        for machine in machines {
            #expect(try machine.notebook.notes.text(note) == "gamma delta\n")
            #expect(try machine.notebook.sync.conflicts().map(\.id) == [copy])
            #expect(try machine.notebook.notes.text(copy) == "alpha alpha\n")
            #expect(try machine.state().notes.count == 2)
        }
        let tree = try #require(store.branch.map { store.tree(of: $0) })
        #expect(tree.keys.count { TreeLayout.role(of: $0, TreeEntry(object: "")) == .note } == 2)
    }

    @Test func `a copy that was edited stays beside a new one`() throws {
        let machines = [try Machine("a", store), try Machine("b", store, clock: 1_000)]
        let (here, there) = (machines[0], machines[1])
        let note = try here.notebook.notes.create(NewNote(text: "base\n", title: "Note")).id
        try sync(machines)
        try save("alpha alpha\n", note, on: here)
        try save("beta beta\n", note, on: there)
        try sync(machines)
        let copy = try #require(try here.notebook.sync.conflicts().first).id
        try save("something else\n", copy, on: here)
        try sync(machines)
        try save("alpha alpha\n", note, on: here)
        try save("gamma delta\n", note, on: there)
        try sync(machines)
        for machine in machines {
            #expect(try machine.notebook.notes.text(copy) == "something else\n")
            let texts = try machine.notebook.sync.conflicts().compactMap { try machine.notebook.notes.text($0.id) }
            #expect(Set(texts) == ["something else\n", "alpha alpha\n"])
        }
    }

    /// The notebook drops versions in time, so that the history is the place where a merged text lasts.
    @Test func `the text of each side of a merge stays in the history`() throws {
        let machines = [try Machine("a", store), try Machine("b", store, clock: 1_000)]
        let note = try machines[0].notebook.notes.create(NewNote(text: "one\n\ntwo\n", title: "Note")).id
        try sync(machines)
        try save("one here\n\ntwo\n", note, on: machines[0])
        try save("one\n\ntwo there\n", note, on: machines[1])
        for machine in machines { try machine.sync() }
        #expect(try machines[1].notebook.notes.text(note) == "one here\n\ntwo there\n")
        let parents = store.parents(of: try #require(store.branch))
        let texts = parents.map { parent in
            store.tree(of: parent).values.map { String(decoding: store.bytes(of: $0.object), as: UTF8.self) }
        }
        #expect(texts.count == 2)
        #expect(texts.contains { $0.contains { $0.hasSuffix("---\none here\n\ntwo\n") } })
        #expect(texts.contains { $0.contains { $0.hasSuffix("---\none\n\ntwo there\n") } })
    }
}
