import Foundation
import GRDB
import Testing
import TextEditing

@testable import NoteStore

/// A notebook whose columns hold what no program of ours has written opens, and is read, by every way through it.
@Suite struct MissingValueTests {
    /// Values that no column expects: none, and one of each other kind.
    static let values = ["NULL", "'x'", "x'FFC0AF00'", "-9223372036854775808", "1e300", "CAST(x'FF41' AS TEXT)"]

    /// The tables that hold what a user has made, and what follows from it.
    static let tables = [
        "container", "note", "note_text", "note_tag", "listing", "note_link", "note_image", "note_version",
        "former_title", "note_history", "action", "import_source", "setting", "saved_search", "search_term",
        "search_mark",
    ]

    private let folder: URL
    private let template: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tn-values-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        template = folder.appending(path: "template.sqlite").path
        let notebook = try Notebook.open(template, mode: .command)
        let inner = try notebook.addFolder("Inner")
        let tag = try notebook.addTag("tag")
        let first = try notebook.create(NewNote(text: "First\n\nsee [[Second]]", folder: inner.id, tags: [tag.id]))
        let second = try notebook.create(NewNote(text: "Second", starred: true))
        let trashed = try notebook.create(NewNote(text: "Third"))
        let image = try notebook.addImage(TransferTests.png, name: "i")
        _ = try notebook.save(second.id, text: "Second\n\n![i](\(image.getURL()))", baseRevision: 1)
        try notebook.setTitle(first.id, "Renamed")
        try notebook.keepVersion(of: first.id)
        try notebook.keepHistory(Data([1]), of: first.id, text: TextBuffer("First\n\nsee [[Second]]"))
        try notebook.addSavedSearch("Saved", query: "first")
        try notebook.moveToTrash([trashed.id])
        try notebook.write {
            try $0.run("INSERT INTO import_source VALUES ('/a', 'h', 1)")
            try $0.run("INSERT INTO search_mark VALUES (1, 'First', 'First')")
        }
        try notebook.close(checkpointing: true)
    }

    /// The template with one column of all rows set, by a tool that keeps no rule.
    private func notebook(_ table: String, _ column: String, _ value: String) throws -> String? {
        let path = folder.appending(path: UUID().uuidString + ".sqlite").path
        try FileManager.default.copyItem(atPath: template, toPath: path)
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }  // the copy is a file of the test's
        return try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
            // Rules of columns are part of the schema's text.
            try db.execute(sql: "PRAGMA writable_schema = ON")
            let triggers = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for trigger in triggers { try db.execute(sql: "DROP TRIGGER \(trigger)") }
            try db.execute(
                sql: """
                    UPDATE sqlite_master SET sql = replace(replace(sql, ' NOT NULL', ''), ' UNIQUE', '        ')
                    WHERE name = '\(table)'
                    """)
            try db.execute(sql: "PRAGMA writable_schema = RESET")
            do {
                try db.execute(sql: "UPDATE OR IGNORE \(table) SET \(column) = \(value)")
            } catch {
                // A key, or the number that is a row's name: SQLite itself lets nothing else in.
                return nil
            }
            return path
        }
    }

    /// Reads by all ways; what is refused must be refused as an error of the store.
    private func useAll(_ path: String) throws {
        func attempt(_ body: () throws -> Void) throws {
            do { try body() } catch {  // in words
            }
        }
        let notebook: Notebook
        do { notebook = try Notebook.open(path, mode: .command) } catch { return }
        var ids: [NoteID] = []
        for container in [ContainerID.inbox, .allNotes, .trash, .starred, .archive] {
            try attempt { ids += try notebook.rows(ListQuery(container: container), limit: 100).map(\.id) }
        }
        try attempt { _ = try notebook.containers() }
        for id in Set(ids) {
            try attempt { _ = try notebook.note(id) }
            try attempt { _ = try notebook.text(id) }
            try attempt { _ = try notebook.backlinks(of: id) }
            try attempt { _ = try notebook.versions(of: id) }
            try attempt { _ = try notebook.history(of: id, text: "First\n\nsee [[Second]]") }
        }
        for query in ["second", "tag:tag", "in:Inner", "\"see\"", "fir", "xxxxxx"] {
            try attempt { _ = try notebook.search(query) }
        }
        try attempt { _ = try notebook.note(titled: "Second") }
        try attempt { _ = try notebook.snapshot() }
        try attempt { _ = try notebook.savedSearches() }
        try attempt { _ = try notebook.brokenLinks() }
        try attempt { _ = try notebook.trashContents() }
        try attempt { _ = try notebook.check() }
        try attempt { _ = try notebook.create(NewNote(text: "A new one, see [[Second]]")) }
        for id in Set(ids) {
            try attempt { _ = try notebook.save(id, text: "Another text", baseRevision: 1) }
            try attempt { try notebook.setStarred([id], true) }
            try attempt { try notebook.moveToTrash([id]) }
        }
        try attempt { _ = try notebook.undo() }
        try attempt { _ = try notebook.restore(ids) }
        try attempt { _ = try notebook.emptyTrash(backup: false) }
        try attempt { _ = try notebook.repair() }
        try notebook.close(checkpointing: true)
    }

    @Test(arguments: tables)
    func `no value in any column ends the program`(table: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }  // the system clears what stays
        let queue = try DatabaseQueue(path: template)
        let columns = try queue.read { try String.fetchAll($0, sql: "SELECT name FROM pragma_table_info('\(table)')") }
        try queue.close()
        #expect(!columns.isEmpty)
        for column in columns {
            for value in Self.values {
                guard let path = try notebook(table, column, value) else { continue }
                try useAll(path)
            }
        }
    }
}
