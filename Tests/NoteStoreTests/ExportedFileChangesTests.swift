import Foundation
import Testing

@testable import NoteStore

/// Tests that a file which was exported, changed by hand and imported again is a change of its note.
@Suite struct ExportedFileChangesTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }
    private let out: String
    private let note, other: NoteRow

    private static let text = "# Plan\n\none\n\ntwo\n\nthree\n"

    init() throws {
        test = try TestNotebook()
        out = test.folder.path + "/out"
        other = try test.note("# Other\n")
        let image = try test.notebook.images.add(TransferTests.png, name: "p.png")
        note = try test.note(Self.text + "[o](\(other.getURL())#top) \(image.getMarkdown())\n")
        _ = try test.notebook.transfer.export(to: out, ExportOptions(frontMatter: true))
    }

    private var file: String { out + "/Inbox/Plan.md" }

    private func change(_ old: String, _ new: String, in path: String? = nil) throws {
        let text = try String(contentsOfFile: path ?? file, encoding: .utf8)
        #expect(text.contains(old))
        try Data(text.replacing(old, with: new).utf8).write(to: URL(filePath: path ?? file))
    }

    private func take(_ way: ChangedFiles = .merge, _ path: String? = nil) throws -> ImportResult {
        var options = ImportOptions(skipsUnchanged: true)
        options.onChange = { _ in way }
        return try notebook.transfer.importFiles(ImportPlan(paths: [path ?? out]), options)
    }

    private func content() throws -> String { try notebook.notes.text(note.id) ?? "" }

    private func count() throws -> Int { try notebook.lists.count(ListQuery(container: .allNotes)) }

    private func versions() throws -> [String] {
        try notebook.versions.all(of: note.id).map { try notebook.versions.text(of: note.id, version: $0.number) }
    }

    @Test func `an unchanged export changes nothing`() throws {
        let before = try notebook.notes.row(note.id)
        let result = try take()
        #expect(result.unchangedCount == 2 && result.mergedCount == 0 && result.noteImportCount == 0)
        #expect(try notebook.notes.row(note.id) == before && versions().isEmpty)
        #expect(try take(.merge, file).unchangedCount == 1)
    }

    @Test(arguments: [false, true])
    func `the change of a file is its note's, and the former text stays a version`(isAlone: Bool) throws {
        let before = try content()
        try change("two", "TWO")
        let result = try take(.merge, isAlone ? file : nil)
        #expect(result.mergedCount == 1 && result.noteImportCount == 0, "\(result)")
        #expect(try content() == before.replacing("two", with: "TWO"))
        #expect(try versions().contains(before) && count() == 2)
        #expect(try take().unchangedCount == 2)
        try test.expectSound()
    }

    @Test func `a file without the folder that it was exported to keeps the links of its note`() throws {
        let before = try content()
        let alone = test.folder.path + "/alone.md"
        try FileManager.default.moveItem(atPath: file, toPath: alone)
        try change("two", "2 [x](../Elsewhere.md)", in: alone)
        _ = try take(.merge, alone)
        #expect(try content() == before.replacing("two", with: "2 [x](../Elsewhere.md)"))
    }

    @Test func `changes of the file and of the note since the export are merged`() throws {
        try notebook.versions.keep(of: note.id)
        let row = try #require(try notebook.notes.row(note.id))
        let text = try content().replacing("one", with: "ONE")
        _ = try notebook.notes.save(note.id, text: text, baseRevision: row.revision)
        try change("three", "THREE")
        let result = try take()
        #expect(result.mergedCount == 1 && result.problems.isEmpty, "\(result)")
        #expect(try content() == text.replacing("three", with: "THREE"))
        #expect(try versions().contains(text) && count() == 2)
    }

    @Test func `a note that changed without a version keeps its text, and the file's is a note beside it`() throws {
        let row = try #require(try notebook.notes.row(note.id))
        _ = try notebook.notes.save(note.id, text: "# Plan\n\nanother", baseRevision: row.revision)
        try change("three", "THREE")
        let result = try take()
        #expect(result.problems.map(\.reason) == [.keptTwice(title: "Plan (conflict)")])
        #expect(try content() == "# Plan\n\nanother" && count() == 3)
    }

    /// What somebody does to the exported note that leaves its text as it is.
    enum Touch: String, CaseIterable {
        case tag, rename, move, date
    }

    private func touch(_ touch: Touch) throws {
        switch touch {
        case .tag: try notebook.tags.set(note.id, [notebook.tags.create("new").id])
        case .rename: try notebook.notes.setTitle(note.id, "Renamed")
        case .move: try notebook.notes.move([note.id], to: notebook.folders.create("Elsewhere").id)
        case .date: try change("\nupdated: 2", "\nupdated: 1")
        }
    }

    @Test(arguments: Touch.allCases, [false, true])
    func `a note that was only renamed, moved or tagged since the export takes its file's text`(
        way: Touch, isAlone: Bool
    ) throws {
        let before = try content()
        try touch(way)
        try change("two", "TWO")
        let result = try take(.merge, isAlone ? file : nil)
        #expect(result.mergedCount == 1 && result.problems.isEmpty, "\(result)")
        #expect(try content() == before.replacing("two", with: "TWO") && count() == 2)
        let row = try #require(try notebook.notes.row(note.id))
        #expect(row.title == (way == .rename ? "Renamed" : "Plan"))
        #expect(row.handTagNames == (way == .tag ? ["new"] : []))
        #expect(try take().unchangedCount == 2)
        try test.expectSound()
    }

    @Test func `a list of an export that does not tell what its notes were like is read as before`() throws {
        let list = out + "/.tn-export"
        let lines = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("was:") })
        let old = lines.filter { !$0.hasPrefix("was:") && !$0.hasPrefix("made:") }.joined(separator: "\n") + "\n"
        try Data(old.utf8).write(to: URL(filePath: list))
        #expect(try take().unchangedCount == 2)
        try change("two", "TWO")
        #expect(try take().mergedCount == 1)
        #expect(try content().contains("TWO") && count() == 2)
    }

    @Test func `tags that were taken from the note stay away although its file still has them`() throws {
        try notebook.tags.set(note.id, [notebook.tags.create("gone").id])
        _ = try notebook.transfer.export(to: out, ExportOptions(frontMatter: true))
        try notebook.tags.set(note.id, [])
        try change("two", "TWO")
        #expect(try take().mergedCount == 1)
        #expect(try notebook.notes.row(note.id)?.handTagNames == [])
    }

    @Test func `the front matter of a file is taken although the note was tagged since`() throws {
        try touch(.move)
        try change("title: \"Plan\"\n", "title: \"New plan\"\nstarred: true\ntags: [home]\n")
        #expect(try take().mergedCount == 1)
        let row = try #require(try notebook.notes.row(note.id))
        #expect(row.title == "New plan" && row.starred && row.handTagNames == ["home"])
        #expect(try take().unchangedCount == 2)
    }

    @Test func `an export that follows an import is what the next change of its file was made on`() throws {
        try change("two", "TWO")
        #expect(try take().mergedCount == 1)
        let row = try #require(try notebook.notes.row(note.id))
        let text = try content().replacing("TWO", with: "2nd").replacing("one", with: "1st")
        _ = try notebook.notes.save(note.id, text: text, baseRevision: row.revision)
        try FileManager.default.removeItem(atPath: file)
        _ = try notebook.transfer.export(to: out, ExportOptions(frontMatter: true))
        // The file has not been touched since, whatever the note is like by now.
        try touch(.rename)
        #expect(try take().unchangedCount == 2)
        try change("2nd", "2ND")
        let result = try take()
        #expect(result.mergedCount == 1 && result.problems.isEmpty, "\(result)")
        #expect(try content() == text.replacing("2nd", with: "2ND") && count() == 2)
    }

    @Test func `a file that goes back to what was exported before an import is a change`() throws {
        let exported = try String(contentsOfFile: file, encoding: .utf8)
        let before = try content()
        try change("two", "TWO")
        #expect(try take().mergedCount == 1)
        try Data(exported.utf8).write(to: URL(filePath: file))
        #expect(try take().mergedCount == 1)
        #expect(try content() == before && count() == 2)
    }

    @Test func `both makes a second note, and skip leaves all as it is`() throws {
        let before = try content()
        try change("two", "TWO")
        #expect(try take(.skip).skippedCount == 1)
        #expect(try content() == before && count() == 2)
        #expect(try take(.both).noteImportCount == 1)
        #expect(try content() == before && count() == 3)
        #expect(try take(.both).unchangedCount == 2)
    }

    @Test func `title, tags and star that were changed in the front matter are the note's`() throws {
        try change("title: \"Plan\"\n", "title: \"New plan\"\ntags: [home]\nstarred: true\n")
        #expect(try take().mergedCount == 1)
        let row = try #require(try notebook.notes.row(note.id))
        #expect(row.title == "New plan" && row.handTagNames == ["home"] && row.starred)
        #expect(try take().unchangedCount == 2)
        // And once more, now that an import has recorded the file.
        try change("title: \"New plan\"\ntags: [home]\n", "title: \"Last plan\"\ntags: [home, far]\n")
        #expect(try take().mergedCount == 1)
        let last = try #require(try notebook.notes.row(note.id))
        #expect(last.title == "Last plan" && Set(last.handTagNames) == ["home", "far"] && last.starred)
        // What was renamed here stays so.
        try notebook.notes.setTitle(note.id, "Mine")
        try change("two", "TWO")
        #expect(try take().mergedCount == 1)
        #expect(try notebook.notes.row(note.id)?.title == "Mine")
    }

    @Test func `a copy of an exported file is a note of its own`() throws {
        let before = try content()
        try FileManager.default.copyItem(atPath: file, toPath: out + "/Inbox/A copy.md")
        try change("two", "copied", in: out + "/Inbox/A copy.md")
        let result = try take()
        #expect(result.noteImportCount == 1 && result.mergedCount == 0, "\(result)")
        #expect(try content() == before)
        try change("two", "TWO")
        #expect(try take().mergedCount == 1)
        #expect(try content() == before.replacing("two", with: "TWO") && count() == 3)
    }

    @Test func `a file without front matter is known by its place in the export`() throws {
        let plain = test.folder.path + "/plain"
        _ = try notebook.transfer.export([other.id], to: plain)
        try change("# Other", "# Other\n\nmore", in: plain + "/Inbox/Other.md")
        let result = try take(.merge, plain)
        #expect(result.mergedCount == 1 && result.problems.isEmpty, "\(result)")
        #expect(try notebook.notes.text(other.id) == "# Other\n\nmore\n" && count() == 2)
    }
}
