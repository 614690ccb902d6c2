import Foundation
import GRDB
import Testing
import TextEditing

@testable import NoteStore

/// Tests that a notebook with unexpected values in its columns opens and can be read in every way.
@Suite struct MissingValueTests {
    /// Values that no column expects: NULL, and one of each other type.
    static let values = [
        "NULL", "'x'", "x'FFC0AF00'", "-9223372036854775808", "9223372036854775807", "1e300", "CAST(x'FF41' AS TEXT)",
    ]

    /// The tables that contain the user's data, and the data derived from it.
    static let tables = [
        "container", "note", "note_text", "note_tag", "listing", "note_link", "note_image", "note_version",
        "former_title", "note_history", "action", "import_source", "setting", "saved_search", "search_term",
        "search_mark", "link_name", "note_alias", "link_mark", "image_use", "image_alias", "sync_mark", "sync_file",
        "sync_gone", "note_file", "note_file_link", "file_use", "file_alias",
    ]

    /// The tables of SQLite, of its full-text index and of GRDB; `DurabilityTests` damages the index.
    private static let others = ["sqlite_", "grdb_", "search_data", "search_idx", "search_docsize", "search_config"]

    /// The choice of the values that each column is tried with.
    ///
    /// With `TN_VALUES=all` all values are tried, otherwise a third of them, so that each value is tried in a third of
    /// the columns. `TN_VALUES` is the number of that third, 0 by default; three runs with different numbers try all.
    private static let choice = ProcessInfo.processInfo.environment["TN_VALUES"] ?? ""

    private static func tries(_ value: Int, in column: Int) -> Bool {
        choice == "all" || (value + column + (Int(choice) ?? 0)) % 3 == 0
    }

    private static let first = "First\n\nsee [[Second]], [[C# name]], [[Inner/Second#Part]]"

    private let folder: URL
    private let template: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tn-values-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        template = folder.appending(path: "template.sqlite").path
        let notebook = try Notebook.open(template, mode: .command)
        let inner = try notebook.folders.create("Inner")
        let tag = try notebook.tags.create("tag")
        try notebook.sync.turnOn(url: "/nowhere")
        let file = try notebook.attachments.add(Data([1, 2]), name: "a.bin")
        let first = try notebook.notes.create(NewNote(text: Self.first, folder: inner.id, tags: [tag.id]))
        let link = "[a.bin](takenote://file/\(file.id.uuidString))"
        let aliased = "---\naliases: [Other, C# name]\n---\n\nFourth \(link)"
        _ = try notebook.notes.create(NewNote(text: aliased))
        let second = try notebook.notes.create(NewNote(text: "Second", starred: true))
        let trashed = try notebook.notes.create(NewNote(text: "Third"))
        let image = try notebook.images.add(TransferTests.png, name: "i")
        _ = try notebook.notes.save(second.id, text: "Second\n\n![i](\(image.getURL()))", baseRevision: 1)
        try notebook.notes.setTitle(first.id, "Renamed")
        try notebook.versions.keep(of: first.id)
        try notebook.notes.keepUndoHistory(Data([1]), of: first.id, text: TextBuffer(Self.first))
        try notebook.savedSearches.create("Saved", query: "first")
        try notebook.trash.add([trashed.id])
        try notebook.write {
            try $0.run("INSERT INTO import_source VALUES ('/a', 'h', 1)")
            try $0.run("INSERT OR REPLACE INTO setting VALUES ('tagsAreOld', '0'), ('wordsForgotten', '0')")
            // More versions than are always kept.
            for number in 2...20 {
                try $0.run(
                    "INSERT OR IGNORE INTO note_version VALUES (NULL, 1, ?1, ?1, 'left', 'First', 1, ?1, 'text')",
                    [number])
            }
            try $0.run("INSERT INTO search_mark VALUES (1, 'First', 'First')")
            try $0.run("INSERT INTO image_alias SELECT upper(hex(randomblob(16))), id, 1 FROM note_image")
            try $0.run("INSERT INTO file_alias SELECT upper(hex(randomblob(16))), id, 'b.bin', 1 FROM note_file")
            try $0.run("INSERT INTO sync_gone (id, successor) SELECT hex(randomblob(16)), uuid FROM container")
            try $0.run("INSERT INTO sync_file SELECT 'note', uuid, CAST('a.md' AS BLOB), hex(zeroblob(20)) FROM note")
            try $0.run("INSERT OR IGNORE INTO sync_mark (kind, id) SELECT 'note', uuid FROM note")
        }
        try notebook.close(checkpointing: true)
        // A tool that damages a column is not stopped by a trigger.
        let queue = try DatabaseQueue(path: template)
        try queue.writeWithoutTransaction { db in
            // A mark that another tool's writing has left; the program itself leaves none.
            try db.execute(sql: "INSERT INTO link_mark VALUES ('second', 0)")
            let triggers = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for trigger in triggers { try db.execute(sql: "DROP TRIGGER \(trigger)") }
        }
        try queue.close()
    }

    /// A copy of the template in which a tool that ignores all rules has set one column of all rows.
    private func notebook(_ table: String, _ column: String, _ value: String) throws -> String? {
        let path = folder.appending(path: UUID().uuidString + ".sqlite").path
        try FileManager.default.copyItem(atPath: template, toPath: path)
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }  // the copy is the test's own file
        return try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
            // Column constraints are part of the schema's text.
            try db.execute(sql: "PRAGMA writable_schema = ON")
            try db.execute(
                sql: """
                    UPDATE sqlite_master SET sql = replace(replace(sql, ' NOT NULL', ''), ' UNIQUE', '        ')
                    WHERE name = '\(table)'
                    """)
            try db.execute(sql: "PRAGMA writable_schema = RESET")
            do {
                try db.execute(sql: "UPDATE OR IGNORE \(table) SET \(column) = \(value)")
            } catch {
                // A key, or the row's integer identity: SQLite itself accepts no such value.
                return nil
            }
            return path
        }
    }

    /// Reads the notebook in all ways; a refusal must be a store error.
    private func useAll(_ path: String) throws {
        func attempt(_ body: () throws -> Void) throws {
            do { try body() } catch {  // a store error
            }
        }
        let notebook: Notebook
        do { notebook = try Notebook.open(path, mode: .command) } catch { return }
        var ids: [NoteID] = []
        for container in [ContainerID.inbox, .allNotes, .trash, .starred, .archive] {
            try attempt { ids += try notebook.lists.rows(ListQuery(container: container), limit: 100).map(\.id) }
        }
        try attempt { try readLists(notebook) }
        try attempt { _ = try notebook.containers.all() }
        for id in Set(ids) {
            try attempt { _ = try notebook.notes.load(id) }
            try attempt { _ = try notebook.notes.text(id) }
            try attempt { _ = try notebook.links.backlinks(of: id) }
            try attempt { _ = try notebook.versions.all(of: id) }
            try attempt { _ = try notebook.notes.undoHistory(of: id, text: Self.first) }
        }
        for query in ["second", "tag:tag", "in:Inner", "\"see\"", "fir", "xxxxxx"] {
            try attempt { _ = try notebook.search.hits(query) }
        }
        try attempt { _ = try notebook.links.note(titled: "Second") }
        try attempt { _ = try notebook.transfer.snapshot() }
        try attempt { _ = try notebook.savedSearches.all() }
        try attempt { _ = try notebook.links.broken() }
        try attempt { _ = try notebook.trash.contents() }
        try attempt { _ = try notebook.care.check() }
        for reference in ["Other", "C# name", "C#Part", "Inner/Second", "Renamed"] {
            try attempt { _ = try notebook.links.target(of: reference) }
        }
        try attempt { _ = try notebook.tags.find(named: "tag") }
        try attempt { _ = try notebook.retrieval.sendable(for: .reader).tellingWords(of: "see the second") }
        for file in (try? notebook.attachments.all()) ?? [] {
            try attempt { _ = try notebook.attachments.data(of: file.id) }
        }
        try synchronise(notebook, attempt)
        let out = path + " out"
        for (index, format) in [ExportOptions.Format.markdown, .vault, .site].enumerated() {
            try attempt { _ = try notebook.transfer.export(to: out + "\(index)", ExportOptions(format: format)) }
        }
        try attempt { _ = try notebook.transfer.archive() }
        try attempt { _ = try notebook.notes.create(NewNote(text: "A new one, see [[Second]]")) }
        for id in Set(ids) {
            try attempt { _ = try notebook.notes.save(id, text: "Another text", baseRevision: 1) }
            try attempt { try notebook.versions.keep(of: id) }
            for step in [Notebook.Lists.OrderStep.up, .down] {
                try attempt { _ = try notebook.lists.move(id, step, in: .inbox) }
            }
            try attempt { try notebook.notes.setStarred([id], true) }
            try attempt { try notebook.trash.add([id]) }
        }
        try attempt { _ = try notebook.actions.undo() }
        try attempt { _ = try notebook.trash.restore(ids) }
        try attempt { _ = try notebook.transfer.mirror(at: path + " mirror") }
        try attempt { _ = try notebook.trash.empty(backup: false) }
        try attempt { try notebook.care.keepWithinBounds() }
        try attempt { _ = try notebook.care.repair() }
        try notebook.close(checkpointing: true)
    }

    /// Reads lists in every order, and on from each of their rows.
    private func readLists(_ notebook: Notebook) throws {
        for sortBy in [SortBy.created, .updated, .title, .byHand] {
            let query = ListQuery(container: .allNotes, sortBy: sortBy)
            for row in try notebook.lists.rows(query, limit: 100) {
                _ = try notebook.lists.rows(query, from: .after(row), limit: 2)
                _ = try notebook.lists.rows(query, from: .before(row), limit: 2)
            }
        }
    }

    /// Reads and writes what a synchronisation does.
    private func synchronise(_ notebook: Notebook, _ attempt: (() throws -> Void) throws -> Void) throws {
        try attempt { _ = try notebook.sync.changeCount() }
        try attempt { _ = try notebook.sync.files() }
        try attempt { _ = try notebook.sync.facts() }
        try attempt { _ = try notebook.sync.counts() }
        try attempt { _ = try notebook.sync.filesLeftBehind() }
        for conflict in (try? notebook.sync.conflicts()) ?? [] {
            try attempt { _ = try notebook.sync.original(ofConflict: conflict.id) }
        }
        for all in [true, false] {
            try attempt {
                let snapshot = try notebook.sync.snapshot(all: all)
                for (uuid, _) in snapshot.images { _ = try notebook.sync.imageData(uuid) }
                for (uuid, _) in snapshot.attachments { _ = try notebook.sync.attachmentData(uuid) }
                var step = SyncStep(head: "0", seq: snapshot.seq)
                step.files = try notebook.sync.files()
                try notebook.sync.finish(step)
            }
        }
    }

    @Test func `every table of the schema is tried, and the notebook that is broken has a row in each`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }  // the system removes leftovers
        let queue = try DatabaseQueue(path: template)
        defer { try? queue.close() }  // the template is the test's own file
        try queue.read { db in
            let all = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
            let own = all.filter { name in
                let isIndex = name == "search" || name.hasPrefix("search_title")
                return !isIndex && !Self.others.contains { name.hasPrefix($0) }
            }
            #expect(Set(own) == Set(Self.tables))
            for table in Self.tables {
                #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0 > 0, "\(table)")
            }
        }
    }

    @Test(arguments: tables)
    func `no value in any column ends the program`(table: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }  // the system removes leftovers
        let queue = try DatabaseQueue(path: template)
        let columns = try queue.read { try String.fetchAll($0, sql: "SELECT name FROM pragma_table_info('\(table)')") }
        try queue.close()
        #expect(!columns.isEmpty)
        for (number, column) in columns.enumerated() {
            for (index, value) in Self.values.enumerated() where Self.tries(index, in: number) {
                guard let path = try notebook(table, column, value) else { continue }
                try useAll(path)
            }
        }
    }
}
