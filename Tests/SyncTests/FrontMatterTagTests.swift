import NoteStore
import SyncSchedules
import Testing

@testable import Sync

/// Tests tags that other programs write into front matter, where Obsidian has those of a note.
struct FrontMatterTagTests {
    private let store = MemoryCommits()

    /// Returns the text of a file of the newest commit.
    private func text(at path: TreePath) throws -> String {
        let head = try #require(store.branch)
        let entry = try #require(store.tree(of: head)[path])
        return String(decoding: try #require(store.blobs[entry.object]), as: UTF8.self)
    }

    private func tags(_ id: NoteID, _ machine: Machine) throws -> [String] {
        try #require(try machine.notebook.notes.row(id)).handTagNames
    }

    @Test func `a tag that is added below tn's lines is the note's, until it is removed there`() throws {
        let machines = [try Machine("a", store), try Machine("b", store)]
        let notebook = machines[0].notebook
        let note = try notebook.notes.create(NewNote(text: "text\n", title: "N"))
        try notebook.tags.add(try notebook.tags.create("kept").id, to: [note.id])
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        let path: TreePath = "Inbox/N.md"
        let mark = "tn: \(note.id)\n"
        store.put(try text(at: path).replacing(mark, with: mark + "keywords:\n  - new\n  - to read\n"), at: path)
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        for machine in machines {
            #expect(try tags(note.id, machine) == ["kept", "new", "to read"])
            #expect(try machine.notebook.notes.text(note.id) == "---\nkeywords:\n  - new\n  - to read\n---\ntext\n")
            #expect(try machine.sync() == SyncReport())
        }
        #expect(try text(at: path).contains("tags: [\"kept\", \"new\", \"to read\"]\n"))
        // One is removed, and the other one stays.
        store.put(try text(at: path).replacing("  - new\n", with: ""), at: path)
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        for machine in machines { #expect(try tags(note.id, machine) == ["kept", "to read"]) }
        // All of them are removed.
        store.put(try text(at: path).replacing("keywords:\n  - to read\n", with: ""), at: path)
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        for machine in machines {
            #expect(try tags(note.id, machine) == ["kept"])
            #expect(try machine.sync() == SyncReport())
        }
    }

    @Test func `a list of tags that the note has by its own front matter is followed too`() throws {
        let machines = [try Machine("a", store), try Machine("b", store)]
        let notebook = machines[0].notebook
        let note = try notebook.notes.create(NewNote(text: "---\ntags: [own]\n---\ntext\n", title: "N"))
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        let path: TreePath = "Inbox/N.md"
        // What somebody types into a note's text is not a tag by that alone.
        for machine in machines { #expect(try tags(note.id, machine) == []) }
        store.put(try text(at: path).replacing("tags: [own]", with: "tags:\n  - own\n  - more"), at: path)
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        for machine in machines { #expect(try tags(note.id, machine) == ["more"]) }
    }

    @Test func `a new file's note has the tags of its front matter`() throws {
        let machines = [try Machine("a", store), try Machine("b", store)]
        for machine in machines { try machine.sync() }
        store.put("---\ntags:\n  - one\n  - Two\n---\nnew\n", at: "Inbox/New.md")
        for _ in 0..<2 { for machine in machines { try machine.sync() } }
        for machine in machines {
            let (id, _) = try #require(try machine.state().notes.first { $0.value.text.string.hasSuffix("new\n") })
            #expect(try tags(id, machine) == ["one", "Two"])
            #expect(try machine.sync() == SyncReport())
        }
        #expect(try Set(machines.map { try $0.notebook.tags.find(named: "one")?.id }).count == 1)
    }
}
