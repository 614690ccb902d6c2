import Foundation
import NoteStore
import TestSupport
import Testing

@testable import ViewModel

/// Tests imports in the window: other programs' formats, and undo of an import.
@MainActor
@Suite(.serialized)
struct ImportTests {
    let fixture: TemporaryNotebook

    init() throws {
        fixture = try TemporaryNotebook()
        fixture.model.start()
    }

    private var model: TakeNoteVM { fixture.model }

    private func path(_ name: String) -> String { fixture.folder.appending(path: name).path }

    private func write(_ text: String, to name: String) throws {
        let file = fixture.folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    /// Imports, and returns the report.
    private func imported(_ names: String..., into target: NoteContainer? = nil) -> String? {
        var report: TaskReport?
        model.importFiles(at: names.map(path), into: target) { report = $0 }
        _ = fixture.scheduler.run { report != nil }
        return report?.sentence
    }

    private func titles(of container: ContainerID = .allNotes) throws -> [String] {
        let query = ListQuery(container: container, sortBy: .title, sortOrder: .oldestFirst, starredFirst: false)
        return try fixture.notebook.lists.rows(query, limit: 100).map(\.title)
    }

    @Test func `a vault of Obsidian comes with its links and tags`() throws {
        defer { fixture.close() }
        try write("{}", to: "vault/.obsidian/app.json")
        try write("See [[Deep note]] #inline", to: "vault/Start.md")
        try write("Back to [[Start]]", to: "vault/Folder/Deep note.md")
        #expect(TakeNoteVM.canImport(path("vault")))
        #expect(imported("vault") == "2 notes imported into the notebook")
        #expect(model.tags.map(\.name) == ["inline"])
        let deep = try #require(try fixture.notebook.links.note(titled: "Deep note"))
        #expect(try fixture.notebook.links.backlinks(of: deep.id).map(\.source.title) == ["Start"])
        #expect(deep.folderName == "Folder")
        #expect(imported("vault") == "0 notes imported into the notebook, 2 unchanged left out")
    }

    @Test func `Joplin, Simplenote, Standard Notes and tn's own JSON are recognised`() throws {
        defer { fixture.close() }
        let id = "0123456789abcdef0123456789abcdef"
        try write("Bread\n\nFlour\n\nid: \(id)\nparent_id: \ntype_: 1", to: "joplin/\(id).md")
        try write(#"{"activeNotes": [{"content": "Shopping\nmilk"}]}"#, to: "simple.json")
        try write(
            #"""
            {"items": [{"uuid": "5A5A5A5A-0000-4000-8000-000000000001", "content_type": "Note",
            "content": {"title": "Idea", "text": "A text"}}]}
            """#, to: "standard.json")
        let other = try TemporaryNotebook()
        defer { other.close() }
        try other.add("Of another notebook")
        try JSONEncoder().encode(try other.notebook.transfer.archive()).write(to: URL(filePath: path("own.json")))
        for name in ["joplin", "simple.json", "standard.json"] { #expect(ImportSource.isExport(path(name))) }
        #expect(NotebookArchive.isArchive(path("own.json")))
        #expect(
            imported("joplin", "simple.json", "standard.json", "own.json") == "4 notes imported into the notebook")
        #expect(try titles() == ["Bread", "Idea", "Of another notebook", "Shopping"])
        model.undoAction()
        #expect(try titles().isEmpty)
        #expect(try titles(of: .trash).count == 4)
    }

    @Test func `an export that cannot be read is named, and nothing of it stays behind`() throws {
        defer { fixture.close() }
        try write(#"{"items": [{"uuid": "u", "content_type": "Note", "content": "004:x"}]}"#, to: "locked.json")
        let sentence = imported("locked.json")
        #expect(sentence?.hasPrefix("Importing failed: ") == true)
        #expect(sentence?.hasSuffix("is encrypted; choose a decrypted backup in Standard Notes") == true)
        #expect(try titles().isEmpty)
    }

    @Test func `undo takes an import back as one, with the folders and tags that it made, and redo brings it again`()
        throws
    {
        defer { fixture.close() }
        try fixture.add("Mine")
        model.addFolder("Home")
        let home = try #require(model.selectedContainer)
        try write("# One", to: "in/one.md")
        try write("---\ntags: [new]\n---\n# Two", to: "in/sub/deeper/two.md")
        #expect(imported("in", into: home) == "2 notes imported into Home")
        #expect(try titles() == ["Mine", "one", "two"])
        model.undoAction()
        #expect(model.notice?.text == "Undone: import 2 notes")
        #expect(try titles() == ["Mine"])
        #expect(model.tags.isEmpty)
        // The note directly in Home is in the Trash, the other with its folder.
        #expect(try titles(of: .trash) == ["one", "two"])
        let sub = try #require(model.containers.first { $0.name == "sub" })
        #expect(sub.isInTrash && sub.parent == .trash)
        #expect(model.container(home.id)?.isInTrash == false)
        model.redoAction()
        #expect(try titles() == ["Mine", "one", "two"])
        #expect(model.tags.map(\.name) == ["new"])
        #expect(model.container(sub.id)?.parent == home.id)
        let two = try #require(try fixture.notebook.links.note(titled: "two"))
        #expect(two.tagNames == ["new"])
        // Notes whose import was undone can be imported again.
        model.undoAction()
        #expect(imported("in", into: home) == "2 notes imported into Home")
    }
}
