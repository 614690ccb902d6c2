import Testing

@testable import NoteStore

/// Tests that links in a mirrored folder keep the form in which somebody has written them, whoever edits beside them.
@Suite struct MirrorLinkFormTests {
    private let scene: MirrorScene
    private var notebook: Notebook { scene.test.notebook }

    init() throws { scene = try MirrorScene() }

    /// A file with a link by path, one by name, and lines that both sides edit.
    private static let text = "first\n\nsee [it](Other.md) and [[Other]]\n\nmiddle\n\nlast\n"

    private func begin() throws -> NoteID {
        try scene.write("Other.md", "# Other\n")
        try scene.write("A.md", Self.text)
        try scene.round()
        return try notebook.notes.resolve(reference: "A").id
    }

    /// Edits the note of `A.md` in the notebook.
    private func edit(_ id: NoteID, _ old: String, _ new: String) throws {
        let text = try #require(try notebook.notes.text(id))
        #expect(text.contains(old))
        try scene.save(id, text.replacing(old, with: new))
    }

    private func editFile(_ old: String, _ new: String) throws {
        let text = try scene.text("A.md")
        #expect(text.contains(old))
        try scene.write("A.md", text.replacing(old, with: new))
    }

    @Test func `a link by path stays one when both sides were edited since the last round`() throws {
        let id = try begin()
        try edit(id, "last", "last, by the notebook")
        try editFile("first", "first, by the file")
        try scene.round()
        let wanted = Self.text.replacing("last", with: "last, by the notebook")
            .replacing("first", with: "first, by the file")
        #expect(try scene.text("A.md") == wanted)
        #expect(try scene.round().isIdle)
    }

    @Test func `a link by path stays one in a line that both sides edit in turn`() throws {
        let id = try begin()
        for number in 0..<3 {
            let old = number == 0 ? "see" : "n\(number - 1)"
            try edit(id, old, "n\(number) \(old)")
            try scene.round()
            try editFile(" and [[", " f\(number) and [[")
            try scene.round()
            #expect(try scene.round().isIdle)
        }
        #expect(try scene.text("A.md").contains("n2 n1 n0 see [it](Other.md) f0 f1 f2 and [[Other]]"))
    }

    @Test func `a link by path that is new in the file stays one when the note was edited too`() throws {
        let id = try begin()
        try edit(id, "last", "last, by the notebook")
        try editFile("middle", "middle [new](Other.md#other)")
        try scene.round()
        let text = try scene.text("A.md")
        #expect(text.contains("middle [new](Other.md#other)") && text.contains("see [it](Other.md) and [[Other]]"))
        #expect(text.contains("last, by the notebook"))
        #expect(try scene.round().isIdle)
    }

    @Test func `a link by path stays one when its target is renamed while both sides are edited`() throws {
        let id = try begin()
        try edit(id, "last", "last, by the notebook")
        try editFile("first", "first, by the file")
        try notebook.notes.setTitle(notebook.notes.resolve(reference: "Other").id, "Else")
        try scene.round()
        let text = try scene.text("A.md")
        #expect(text.contains("see [it](Else.md) and [[Else|Other]]"), "\(text)")
        #expect(text.contains("first, by the file") && text.contains("last, by the notebook"))
        #expect(try scene.round().isIdle)
    }

    @Test func `a link by path stays one where the texts cannot be merged`() throws {
        let id = try begin()
        try edit(id, "middle", "middle of the notebook")
        try editFile("middle", "other words of the file")
        try scene.round()
        #expect(try scene.text("A.md").contains("see [it](Other.md) and [[Other]]\n\nmiddle of the notebook"))
        let copy = try scene.text("Inbox/A (conflict).md")
        #expect(copy.contains("see [it](../Other.md) and [[Other]]\n\nother words of the file"))
        #expect(try scene.round().isIdle)
    }
}
