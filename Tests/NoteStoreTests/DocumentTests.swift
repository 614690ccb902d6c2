import Foundation
import Testing

@testable import NoteStore

/// Tests importing documents of other programs that are not texts: canvases, bases and drawings.
@Suite struct DocumentTests: ImportSuite {
    let test: TestNotebook

    init() throws { test = try TestNotebook() }

    private func folders(of title: String) throws -> Set<String> {
        let rows = try notebook.lists.rows(ListQuery(container: .allNotes), limit: 99)
        return Set(rows.filter { $0.title == title }.compactMap(\.folderName))
    }

    @Test func `a canvas, a base and a drawing to which no note refers come in with notes that link to them`() throws {
        try write("vault/A.md", "[[used.canvas]] ![[sub/used.base]]")
        try write("vault/B.md", "b")
        for name in ["used.canvas", "sub/used.base", "sub/pen.canvas", "pen.canvas", "a [b].base", "d.excalidraw"] {
            try write("vault/" + name, "content of \(name)")
        }
        let first = try take("vault")
        #expect(first.noteImportCount == 6 && first.fileCount == 6, "\(first)")
        #expect(first.problems.isEmpty && first.leftOut.isEmpty, "\(first)")
        #expect(try text("d.excalidraw") == "[d.excalidraw](takenote://file/<ID>)\n")
        #expect(try text("a [b].base") == "[a \\[b\\].base](takenote://file/<ID>)\n")
        #expect(try folders(of: "pen.canvas") == ["vault", "sub"])
        #expect(try notebook.attachments.all().map(\.noteCount) == [1, 1, 1, 1, 1, 1])
        // A note keeps its document under another title, too, and an emptied Trash does not take the document.
        try notebook.notes.setTitle(row("d.excalidraw").id, "Board")
        try notebook.trash.add([try row("B").id])
        try notebook.trash.empty(backup: false)
        #expect(try notebook.attachments.all().count == 6)
        try write("vault/B.md", "b")
        let again = try take("vault")
        #expect(again.noteImportCount == 1 && again.unchangedCount == 5 && again.fileCount == 0, "\(again)")
        // A document that was changed is the note's from then on.
        try write("vault/d.excalidraw", "changed")
        let merged = try take("vault")
        #expect(merged.mergedCount == 1 && merged.noteImportCount == 0 && merged.unchangedCount == 5, "\(merged)")
        let stored = try #require(try notebook.attachments.all().first { $0.size == 7 })
        #expect(stored.noteCount == 1)
        let last = try take("vault")
        #expect(last.unchangedCount == 6 && last.noteImportCount == 0 && last.mergedCount == 0, "\(last)")
    }

    @Test func `documents in a zip come in, and those of an export do not come twice`() throws {
        let zip = ArchiveBuilder.zip([
            ArchiveBuilder.File("vault/A.md", "a"), ArchiveBuilder.File("vault/sub/pen.canvas", "{}"),
        ])
        let path = try write("vault.zip", zip)
        #expect(try take(path).noteImportCount == 2)
        #expect(try folders(of: "pen.canvas") == ["sub"])
        #expect(try take(path).unchangedCount == 2)
        let out = test.folder.path + "/out"
        for format in [ExportOptions.Format.markdown, .vault] {
            _ = try notebook.transfer.export(to: out, ExportOptions(format: format))
            let other = try TestNotebook()
            let source = try #require(try ImportSource.sources([out]).first)
            let result = try other.notebook.transfer.importFiles(source)
            #expect(result.noteImportCount == 2 && result.fileCount == 1 && result.problems.isEmpty, "\(result)")
            try FileManager.default.removeItem(atPath: out)
        }
    }
}
