import Testing

@testable import NoteStore

/// Tests tags in the front matter of mirrored files, where Obsidian writes those of a note.
@Suite struct MirrorTagTests {
    private let scene: MirrorScene
    private var notebook: Notebook { scene.test.notebook }

    init() throws { scene = try MirrorScene() }

    private func tags(_ title: String) throws -> [String] {
        try notebook.notes.resolve(reference: title).tagNames
    }

    @Test func `a tag that somebody adds to a file's front matter is the note's, until it is removed there`() throws {
        let note = try scene.test.note("text\n", title: "A")
        try notebook.tags.add(try notebook.tags.create("by hand").id, to: [note.id])
        try scene.round()
        try scene.write("Inbox/A.md", "---\ntags:\n  - new\n  - to read/soon\n---\ntext\n")
        try scene.round()
        #expect(try tags("A") == ["by hand", "new", "to read/soon"])
        #expect(try notebook.notes.text(note.id) == "---\ntags:\n  - new\n  - to read/soon\n---\ntext\n")
        #expect(try scene.round().isIdle)
        try scene.write("Inbox/A.md", "---\ntags: [new]\n---\ntext\n")
        try scene.round()
        #expect(try tags("A") == ["by hand", "new"])
        try scene.write("Inbox/A.md", "text\n")
        try scene.round()
        #expect(try tags("A") == ["by hand"])
        #expect(try scene.round().isIdle)
    }

    @Test func `a new file's note has the tags of its front matter, as that of an import`() throws {
        try scene.write("New.md", "---\ntags: [one, \" \", Two]\n---\ntext #inline\n")
        try scene.round()
        #expect(try tags("New") == ["inline", "one", "Two"])
    }

    @Test func `a tag that somebody took from the note stays away while the file says it as before`() throws {
        try scene.write("A.md", "---\ntags: [one, two]\n---\ntext\n")
        try scene.round()
        let note = try notebook.notes.resolve(reference: "A")
        try notebook.tags.remove(try #require(try notebook.tags.find(named: "two")).id, from: [note.id])
        try scene.write("A.md", "---\ntags: [one, two]\n---\nanother text\n")
        try scene.round()
        #expect(try tags("A") == ["one"])
    }

    @Test func `of tags that both sides change each keeps its own`() throws {
        try scene.write("A.md", "---\ntags: [one, two]\n---\ntext\n")
        try scene.round()
        let note = try notebook.notes.resolve(reference: "A")
        try notebook.tags.add(try notebook.tags.create("mine").id, to: [note.id])
        try scene.write("A.md", "---\ntags: [two, three]\n---\ntext\n")
        try scene.round()
        #expect(try tags("A") == ["mine", "three", "two"])
    }
}
