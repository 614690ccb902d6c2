import Foundation
import SyncSchedules
import Testing

@testable import NoteStore
@testable import Sync

/// Tests copies of files in the repository, which include the line with the note's identity.
struct CopyTests {
    private let store = MemoryCommits()

    /// Returns the file of a note in the Inbox.
    private func file(_ name: String) throws -> (path: TreePath, bytes: [UInt8]) {
        let path = TreePath("Inbox/\(name).md")
        let branch = try #require(store.branch)
        let entry = try #require(store.tree(of: branch)[path])
        return (path, try #require(store.blobs[entry.object]))
    }

    private func identities() throws -> [NoteID] {
        store.tree(of: try #require(store.branch)).values.compactMap {
            store.blobs[$0.object].flatMap { NoteFields($0)?.id }
        }
    }

    @Test func `a copied file becomes a note of its own`() throws {
        let machines = [try Machine("a", store), try Machine("b", store)]
        let note = try machines[0].notebook.notes.create(NewNote(text: "the text\n", title: "One"))
        for machine in machines { try machine.sync() }
        let (_, bytes) = try file("One")
        store.put(bytes + Array("more\n".utf8), at: "Inbox/Another.md")
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        for machine in machines {
            let state = try machine.state()
            #expect(state.notes[note.id]?.text == "the text\n")
            #expect(Set(state.notes.values.map(\.text.string)) == ["the text\n", "the text\nmore\n"])
        }
        let identities = try identities()
        #expect(Set(identities).count == 2 && identities.count == 2)
    }

    /// The note is changed on a machine while somebody copies its earlier file.
    @Test func `a copy and an edit at once are both kept`() throws {
        let machines = [try Machine("a", store), try Machine("b", store)]
        let note = try machines[0].notebook.notes.create(NewNote(text: "the text\n", title: "One"))
        for machine in machines { try machine.sync() }
        let (_, bytes) = try file("One")
        store.put(bytes + Array("copied\n".utf8), at: "Work/One.md")
        let revision = try machines[1].notebook.notes.row(note.id)?.revision ?? 0
        _ = try machines[1].notebook.notes.save(note.id, text: "the text\nedited\n", baseRevision: revision)
        for _ in 0..<2 { for machine in machines.reversed() { try machine.sync() } }
        for machine in machines {
            #expect(
                Set(try machine.state().notes.values.map(\.text.string)) == [
                    "the text\nedited\n", "the text\ncopied\n",
                ])
        }
        #expect(Set(try identities()).count == 2)
    }

    /// The copy was deleted for ever, and somebody makes an identical one again.
    @Test func `a copy that was deleted for ever may come again`() throws {
        let machines = [try Machine("a", store), try Machine("b", store)]
        let note = try machines[0].notebook.notes.create(NewNote(text: "the text\n", title: "One"))
        for machine in machines { try machine.sync() }
        let (_, bytes) = try file("One")
        for _ in 0..<2 {
            store.put(bytes, at: "Inbox/Another.md")
            for machine in machines { try machine.sync() }
            let copy = try #require(try machines[0].state().notes.keys.first { $0 != note.id })
            #expect(try machines[1].notebook.notes.row(copy) != nil)
            try machines[1].notebook.trash.add([copy])
            try machines[1].notebook.trash.deleteForever([copy], backup: false)
            for _ in 0..<2 { for machine in machines { try machine.sync() } }
            #expect(Set(try machines[0].state().notes.keys) == [note.id])
        }
        #expect(try identities() == [note.id])
    }

    /// The file returns, for example from a backup, after the note that it became was edited elsewhere.
    @Test func `a file that comes again where it was adopted does not replace the note`() throws {
        let machines = [try Machine("a", store), try Machine("b", store)]
        try machines[0].notebook.notes.create(NewNote(text: "other\n"))
        for machine in machines { try machine.sync() }
        let bytes = Array("by hand\n".utf8)
        store.put(bytes, at: "Inbox/By hand.md")
        for machine in machines { try machine.sync() }
        let notebook = machines[0].notebook
        let note = try #require(try machines[0].state().notes.first { $1.text == "by hand\n" }?.key)
        try notebook.notes.move([note], to: notebook.folders.create("Work").id)
        let revision = try notebook.notes.row(note)?.revision ?? 0
        _ = try notebook.notes.save(note, text: "by hand\nand edited\n", baseRevision: revision)
        for machine in machines { try machine.sync() }
        store.put(bytes, at: "Inbox/By hand.md")
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        for machine in machines {
            #expect(
                Set(try machine.state().notes.values.map(\.text.string))
                    == ["other\n", "by hand\n", "by hand\nand edited\n"])
            #expect(try machine.state().notes[note]?.text == "by hand\nand edited\n")
        }
        let identities = try identities()
        #expect(Set(identities).count == 3 && identities.count == 3)
    }

    private func edit(_ machine: Machine, _ note: NoteID, _ text: String) throws {
        let revision = try machine.notebook.notes.row(note)?.revision ?? 0
        _ = try machine.notebook.notes.save(note, text: text, baseRevision: revision)
    }

    /// Changes sent before the kill are equal on both sides, and must be recorded nevertheless.
    @Test(arguments: [4, 5]) func `a first synchronisation that was killed when all was sent goes on`(step: Int) throws
    {
        let machines = [try Machine("a", store), try Machine("b", store)]
        let note = try machines[0].notebook.notes.create(NewNote(text: "one\n", title: "One"))
        #expect(throws: Machine.Killed.self) { try machines[0].sync(stopping: step) }
        for machine in machines { try machine.sync() }
        #expect(try machines[0].notebook.sync.files()[.note(note.id)] != nil)
        try edit(machines[0], note.id, "one\ntwo\n")
        for machine in machines { try machine.sync() }
        try edit(machines[1], note.id, "one\ntwo\nthree\n")
        for machine in machines.reversed() { try machine.sync() }
        for machine in machines {
            #expect(try machine.state().notes.values.map(\.text.string) == ["one\ntwo\nthree\n"])
        }
        #expect(try identities() == [note.id])
    }

    /// The remote has the words, and the machine that sent them does not know it.
    @Test func `words that are typed on after a killed synchronisation are there once`() throws {
        let machines = [try Machine("a", store), try Machine("b", store)]
        let note = try machines[0].notebook.notes.create(NewNote(text: "One\n\nline\n", title: "One"))
        for machine in machines { try machine.sync() }
        try edit(machines[0], note.id, "One\n\nline that was typed before\n")
        #expect(throws: Machine.Killed.self) { try machines[0].sync(stopping: 4) }
        let text = "One\n\nline that was typed before and after\n"
        try edit(machines[0], note.id, text)
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        for machine in machines { #expect(try machine.state().notes.values.map(\.text.string) == [text]) }
    }

    /// An earlier version has left one note in two files, of which the notebooks showed one.
    @Test func `a note's file that was lost from sight comes in as a note`() throws {
        let machines = [try Machine("a", store), try Machine("b", store)]
        let note = try machines[0].notebook.notes.create(NewNote(text: "one\n", title: "One"))
        for machine in machines { try machine.sync() }
        for machine in machines {
            try machine.notebook.write { try $0.run("DELETE FROM sync_file WHERE kind = 'note'") }
        }
        try edit(machines[0], note.id, "two\n")
        try machines[0].sync()
        #expect(try identities().count == 2)
        for _ in 0..<3 {
            for machine in machines {
                try machine.notebook.notes.create(NewNote(text: "more\n"))
                try machine.sync()
            }
        }
        for machine in machines { try machine.sync() }
        for machine in machines {
            let texts = Set(try machine.state().notes.values.map(\.text.string))
            #expect(texts == ["one\n", "two\n", "more\n"])
        }
        let identities = try identities()
        #expect(Set(identities).count == identities.count)
        #expect(differences(try machines[0].state(), try machines[1].state()) == [])
    }
}
