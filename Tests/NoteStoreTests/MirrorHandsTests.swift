import Foundation
import GRDB
import Testing

@testable import NoteStore

/// Tests what people and their programs do with the files of a mirrored folder by hand.
@Suite struct MirrorHandsTests {
    private let scene: MirrorScene
    private var notebook: Notebook { scene.test.notebook }

    init() throws { scene = try MirrorScene() }

    private func title(_ id: NoteID) throws -> String? { try notebook.notes.row(id)?.title }

    // MARK: - Emptied files

    @Test(arguments: ["", "\n  \n"])
    func `a note keeps its title while its file is empty`(_ blank: String) throws {
        let note = try scene.test.note("# Novel\n\nchapter one")
        let other = try scene.test.note("see [[Novel]]", title: "Other")
        try scene.round()
        try scene.write("Inbox/Novel.md", blank)
        try scene.round()
        #expect(try title(note.id) == "Novel" && scene.files() == ["Inbox/Novel.md", "Inbox/Other.md"])
        #expect(try scene.round().isIdle)
        // What the program writes then is the text of the same note, under the name of the file.
        try scene.write("Inbox/Novel.md", "chapter two")
        try scene.round()
        #expect(try title(note.id) == "Novel" && notebook.notes.text(note.id) == "chapter two")
        #expect(try notebook.links.target(of: "Novel", from: other.id)?.note.id == note.id)
        #expect(try scene.text("Inbox/Other.md") == "see [[Novel]]")
        #expect(try scene.round().isIdle)
    }

    @Test func `a title that followed the text follows it again once the file has a text of that title`() throws {
        let note = try scene.test.note("# Novel\n\nchapter one")
        try scene.round()
        try scene.write("Inbox/Novel.md", "")
        try scene.round()
        try scene.write("Inbox/Novel.md", "# Novel\n\nchapter one")
        try scene.round()
        #expect(try title(note.id) == "Novel")
        try scene.save(note.id, "# Saga\n\nchapter one")
        #expect(try title(note.id) == "Saga")
        #expect(try scene.round().moved == ["Inbox/Saga.md"])
    }

    @Test func `a title that somebody has chosen stays chosen after the file was empty`() throws {
        let note = try scene.test.note("# Novel\n\nchapter one", title: "Mine")
        try scene.round()
        try scene.write("Inbox/Mine.md", "")
        try scene.round()
        try scene.write("Inbox/Mine.md", "# Novel\n\nchapter two")
        try scene.round()
        #expect(try title(note.id) == "Mine")
    }
}
