import Foundation
import Testing

@testable import NoteStore

/// Tests importing files again that have changed since.
@Suite struct ChangedFilesTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }
    private let folder: String

    init() throws {
        test = try TestNotebook()
        folder = test.folder.path + "/files"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try write("one\n\ntwo\n\nthree [b](b.md)\n", to: "a.md")
        try write("b", to: "b.md")
        _ = try take(.merge)
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
    }

    private func take(_ way: ChangedFiles) throws -> ImportResult {
        var options = ImportOptions(skipsUnchanged: true)
        options.onChange = { _ in way }
        return try notebook.transfer.importFiles(ImportPlan(paths: [folder]), options)
    }

    private func a() throws -> Note {
        try #require(try notebook.notes.load(try notebook.notes.resolve(reference: "a").id))
    }

    private func count() throws -> Int { try notebook.lists.count(ListQuery(container: .allNotes)) }

    @Test func `the changes of a file come into its note beside the note's own`() throws {
        let before = try a()
        try notebook.versions.keep(of: before.id)
        _ = try notebook.notes.save(
            before.id, text: before.content.replacing("one", with: "ONE"), baseRevision: before.row.revision)
        try write("one\n\ntwo\n\nTHREE [b](b.md) [c](c.md)\n", to: "a.md")
        try write("new [a](a.md)", to: "c.md")
        let result = try take(.merge)
        #expect(result.mergedCount == 1 && result.noteImportCount == 1 && result.problems.isEmpty, "\(result)")
        let (b, c) = (try notebook.notes.resolve(reference: "b"), try notebook.notes.resolve(reference: "c"))
        #expect(try a().content == "ONE\n\ntwo\n\nTHREE [b](\(b.getURL())) [c](\(c.getURL()))\n")
        #expect(try notebook.notes.text(c.id) == "new [a](\(before.getURL()))")
        #expect(try count() == 3)
        #expect(try take(.merge).unchangedCount == 3)
        // The base of the next merge is the file's text of this import.
        try write("one\n\n2\n\nTHREE [b](b.md) [c](c.md)\n", to: "a.md")
        #expect(try take(.merge).problems.isEmpty)
        #expect(try a().content.hasPrefix("ONE\n\n2\n\nTHREE"))
        try test.expectSound()
    }

    @Test func `tags that a file's front matter has gained or lost are followed, and those by hand stay`() throws {
        let note = try a()
        try notebook.tags.add(try notebook.tags.create("by hand").id, to: [note.id])
        try write("---\ntags: [new, more]\n---\none\n\ntwo\n\nthree [b](b.md)\n", to: "a.md")
        #expect(try take(.merge).mergedCount == 1)
        #expect(try a().row.tagNames == ["by hand", "more", "new"])
        try write("---\ntags: [new]\n---\none\n\ntwo\n\nthree [b](b.md)\n", to: "a.md")
        #expect(try take(.merge).mergedCount == 1)
        #expect(try a().row.tagNames == ["by hand", "new"])
        try test.expectSound()
    }

    @Test func `what cannot be merged is kept twice`() throws {
        let before = try a()
        _ = try notebook.notes.save(
            before.id, text: before.content.replacing("two", with: "note"), baseRevision: before.row.revision)
        try write("one\n\nfile\n\nthree [b](b.md)\n", to: "a.md")
        let result = try take(.merge)
        #expect(result.problems.map(\.reason) == [.keptTwice(title: "a (conflict)")])
        #expect(result.problems.allSatisfy { $0.isRemark })
        #expect(try a().content.contains("note"))
        #expect(try notebook.notes.text(notebook.notes.resolve(reference: "a (conflict)").id)?.contains("file") == true)
        #expect(try take(.merge).unchangedCount == 2)
    }

    @Test func `both keeps two notes, and skip the one that is there`() throws {
        let before = try a()
        try write("other", to: "a.md")
        #expect(try take(.skip).skippedCount == 1)
        #expect(try a().content == before.content && count() == 2)
        #expect(try take(.both).noteImportCount == 1)
        #expect(try count() == 3)
        #expect(try notebook.notes.text(before.id) == before.content)
        #expect(try take(.both).unchangedCount == 2)
    }

    @Test func `titles stay unique in the folder of a project, and the import says which got a number`() throws {
        try notebook.projects.create("Poems", type: .poetry)
        let draft = try notebook.containers.resolve(path: "Poems/Your Poetry/Draft").id
        try test.note("mine", in: draft, title: "T1")
        try write("---\ntitle: T1\n---\none\n", to: "a.md")
        try write("---\ntitle: t1\n---\ntwo\n", to: "b.md")
        func takeIntoProject() throws -> ImportResult {
            try notebook.transfer.importFiles(
                ImportPlan(paths: [folder]), ImportOptions(folder: draft, skipsUnchanged: true))
        }
        try notebook.trash.add([a().id, notebook.notes.resolve(reference: "b").id])
        let result = try takeIntoProject()
        #expect(Set(try test.titles(draft)) == ["T1", "T1 2", "t1 3"])
        #expect(result.problems.map(\.reason) == [.retitled(title: "T1 2"), .retitled(title: "t1 3")])
        #expect(result.problems.allSatisfy { $0.isRemark })
        #expect(try takeIntoProject().unchangedCount == 2)
        // A change of the file, and of the heading that gives the title, keeps the titles apart too.
        try write("---\ntitle: T1\n---\nONE\n", to: "a.md")
        #expect(try takeIntoProject().mergedCount == 1)
        try test.expectSound()
    }

    @Test func `a note in the Trash is left there, and its file comes anew`() throws {
        try notebook.trash.add([a().id])
        try write("other", to: "a.md")
        let result = try take(.merge)
        #expect(result.noteImportCount == 1 && result.mergedCount == 0)
    }
}
