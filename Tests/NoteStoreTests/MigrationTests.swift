import Foundation
import GRDB
import Testing

@testable import NoteStore

/// Notebooks of earlier versions open, with all that was in them.
struct MigrationTests {
    /// The file that `Tests/Notebooks` keeps as text.
    private func notebook(version: Int) throws -> String {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let sql = try String(
            contentsOf: tests.appending(path: "Notebooks/schema-\(version).sql"), encoding: .utf8)
        let folder = FileManager.default.temporaryDirectory.appending(path: "tn-schema-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appending(path: "notes.sqlite").path
        let file = try DatabaseQueue(path: path)
        try file.writeWithoutTransaction { try $0.execute(sql: sql) }
        try file.close()
        return path
    }

    @Test func `a notebook of version 1 keeps its notes, its index and its undo`() throws {
        let path = try notebook(version: 1)
        defer { try? FileManager.default.removeItem(at: URL(filePath: path).deletingLastPathComponent()) }
        let notebook = try Notebook.open(path)
        defer { try? notebook.close() }
        #expect(try notebook.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == Schema.version)
        #expect(try notebook.care.check().isEmpty)
        let live = try notebook.lists.rows(
            ListQuery(container: .allNotes, sortBy: .title, sortOrder: .oldestFirst), limit: 9)
        #expect(live.map(\.title) == ["Groceries", "Reading list"])
        #expect(live.map(\.folderName) == ["Inbox", "Home"])
        #expect(live[1].tagNames == ["books"])
        #expect(try notebook.search.hits("piranesi").map(\.row.title) == ["Reading list"])
        // The actions were stored before notes had a place by hand.
        #expect(try notebook.actions.undo()?.kind == .trash)
        #expect(try notebook.lists.count(ListQuery(container: .allNotes)) == 3)
        #expect(try notebook.savedSearches.all().isEmpty)
        try notebook.savedSearches.create("Books", query: "tag:books")
        #expect(try notebook.savedSearches.all().map(\.name) == ["Books"])
    }

    @Test func `a backup is made before the schema is changed`() throws {
        let path = try notebook(version: 1)
        defer { try? FileManager.default.removeItem(at: URL(filePath: path).deletingLastPathComponent()) }
        let notebook = try Notebook.open(path)
        defer { try? notebook.close() }
        #expect(notebook.backups.all().count == 1)
    }
}
