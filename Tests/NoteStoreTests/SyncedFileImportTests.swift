import Foundation
import Testing

@testable import NoteStore

/// Tests the import of files from the repository of a synchronisation.
struct SyncedFileImportTests {
    @Test func `a note of a synchronised repository comes without the lines of the synchronisation`() throws {
        let test = try TestNotebook()
        let notebook = test.notebook
        let dates = "created: 2026-03-01T09:30:00.000Z\nupdated: 2026-03-02T08:00:00.000Z"
        let id = "tn: 0B5C2E5A-0000-4000-8000-000000000001"
        let files = [
            "Call- Ana":
                "---\ntitle: \"Call: Ana\"\ntags: [\"to read\"]\nstarred: true\n\(dates)\n\(id)\n---\nat ten\n",
            "Pears": "---\n\(dates)\nformer: {\"apples\": 5}\n\(id)\naliases: [Fruit]\n---\n# Pears & apples\n",
            "Else": "---\ncolour: red\n\(id)\n---\nanother program's\n",
        ]
        let folder = test.folder.appending(path: "repository")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name + ".md")) }
        _ = try notebook.transfer.importFiles(ImportPlan(paths: [folder.path]))
        let notes = try notebook.lists.rows(ListQuery(container: .allNotes), limit: 10)
        func text(_ title: String) throws -> String? {
            try notes.first { $0.title == title }.flatMap { try notebook.notes.text($0.id) }
        }
        #expect(try text("Call: Ana") == "at ten\n")
        #expect(try text("Pears & apples") == "---\naliases: [Fruit]\n---\n# Pears & apples\n")
        #expect(try text("Else") == files["Else"])
        let ana = try #require(notes.first { $0.title == "Call: Ana" })
        #expect(ana.starred && ana.createdDate.milliseconds == 1_772_357_400_000)
        #expect(try notebook.tags.find(named: "to read")?.noteCount == 1)
    }
}
