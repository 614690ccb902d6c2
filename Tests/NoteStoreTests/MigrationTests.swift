import Foundation
import GRDB
import Testing

@testable import NoteStore

/// Tests that notebooks of earlier versions open with all their contents.
struct MigrationTests {
    /// Creates a notebook from the SQL text in `Tests/Notebooks`.
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
        // The actions were stored before notes had a manual order.
        #expect(try notebook.actions.undo()?.kind == .trash)
        #expect(try notebook.lists.count(ListQuery(container: .allNotes)) == 3)
        #expect(try notebook.savedSearches.all().isEmpty)
        try notebook.savedSearches.create("Books", query: "tag:books")
        #expect(try notebook.savedSearches.all().map(\.name) == ["Books"])
    }

    @Test func `the words of a notebook of version 1 are found by their beginnings and stems`() throws {
        let path = try notebook(version: 1)
        defer { try? FileManager.default.removeItem(at: URL(filePath: path).deletingLastPathComponent()) }
        let notebook = try Notebook.open(path)
        defer { try? notebook.close() }  // the folder is removed with the test
        for query in ["pira", "starts ", "tarte", "piranes"] {
            #expect(try notebook.search.hits(query).map(\.row.title) == ["Reading list"], "\(query)")
        }
        let words = try notebook.read { try String.fetchSet($0, sql: "SELECT term FROM search_term") }
        #expect(words.isSuperset(of: ["coffee", "filters", "groceries", "milk", "piranesi", "started"]))
    }

    @Test func `a view of another tool that leads nowhere keeps no notebook from being opened`() throws {
        let path = try notebook(version: 1)
        defer { try? FileManager.default.removeItem(at: URL(filePath: path).deletingLastPathComponent()) }
        let file = try DatabaseQueue(path: path)
        try file.write { db in
            try db.execute(
                sql: """
                    CREATE VIEW missing AS SELECT word FROM nowhere;
                    CREATE VIEW stems AS SELECT term, stem FROM search_term
                    """)
        }
        try file.close()
        let notebook = try Notebook.open(path)
        defer { try? notebook.close() }  // the folder is removed with the test
        #expect(try notebook.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == Schema.version)
        #expect(try notebook.search.hits("piranes").map(\.row.title) == ["Reading list"])
    }

    /// Returns a notebook as the second version left it, with content that only that version could have written.
    private func notebookOfVersion2() throws -> String {
        let path = try notebook(version: 1)
        let file = try DatabaseQueue(path: path)
        try file.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    CREATE TABLE saved_search (
                        id INTEGER PRIMARY KEY,
                        uuid TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (length(uuid) = 36),
                        name TEXT NOT NULL CHECK (trim(name) <> ''),
                        nameKey TEXT NOT NULL UNIQUE,
                        query TEXT NOT NULL CHECK (trim(query) <> ''),
                        createdDate INTEGER NOT NULL
                    );
                    INSERT INTO saved_search VALUES
                        (1, '7A1C5C38-4F0E-4C57-9B1D-0C2B8D6A1E01', 'Books', 'books', 'tag:books', 1767225600000),
                        (2, '7A1C5C38-4F0E-4C57-9B1D-0C2B8D6A1E02', 'Zutaten für später', 'zutaten für später',
                            'in:Home größer', 1767225600001);
                    INSERT INTO grdb_migrations VALUES ('2');
                    PRAGMA user_version = 2;
                    """)
        }
        try file.close()
        return path
    }

    @Test func `a notebook of version 2 keeps all that was in it`() throws {
        let path = try notebookOfVersion2()
        defer { try? FileManager.default.removeItem(at: URL(filePath: path).deletingLastPathComponent()) }
        let data = """
            SELECT group_concat(uuid || hex(title) || hex(text) || createdDate || updatedDate || starred, ' ')
            FROM (SELECT * FROM note JOIN note_text ON note_text.note = note.id ORDER BY uuid)
            UNION ALL SELECT group_concat(uuid || hex(name) || kind, ' ') FROM (SELECT * FROM container ORDER BY uuid)
            UNION ALL SELECT group_concat(uuid || hex(name) || query || createdDate, ' ')
                FROM (SELECT * FROM saved_search ORDER BY uuid)
            UNION ALL SELECT count(*) FROM note_tag UNION ALL SELECT count(*) FROM note_version
            """
        let file = try DatabaseQueue(path: path)
        let before = try file.read { try String.fetchAll($0, sql: data) }
        try file.close()
        let notebook = try Notebook.open(path)
        defer { try? notebook.close() }  // the folder is removed with the test
        #expect(try notebook.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == Schema.version)
        #expect(try notebook.care.check().isEmpty)
        #expect(try notebook.read { try String.fetchAll($0, sql: data) } == before)
        #expect(try notebook.savedSearches.all().map(\.query) == ["tag:books", "in:Home größer"])
        #expect(try notebook.search.hits("piranesi").map(\.row.title) == ["Reading list"])
        #expect(try notebook.backups.all().count == 1)
    }

    @Test func `a change is marked without reading the other marks, in a notebook of version 9 too`() throws {
        let test = try TestNotebook()
        try test.notebook.database.write { db in
            try db.execute(
                sql: """
                    DROP TRIGGER sync_note_changed;
                    CREATE TRIGGER sync_note_changed AFTER UPDATE OF title ON note BEGIN
                        DELETE FROM sync_mark WHERE (kind, id) IN (SELECT 'note', NEW.uuid);
                    END;
                    DELETE FROM grdb_migrations WHERE identifier = '10'; PRAGMA user_version = 9
                    """)
        }
        try test.restart()
        let plans: [String] = try test.notebook.read { db in
            try String.fetchAll(db, sql: "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'sync%'")
                .flatMap { $0.matches(of: /DELETE FROM sync_mark [^;]*/).map { String($0.output) } }
                .map { statement in
                    let plan = "EXPLAIN QUERY PLAN " + statement.replacing(/(NEW|OLD)\.\w+/, with: "'a'")
                    return try Row.fetchOne(db, sql: plan)?["detail"] ?? ""
                }
        }
        #expect(plans.count >= 22 && plans.allSatisfy { $0.hasSuffix("(kind=? AND id=?)") }, "\(plans)")
    }

    @Test func `the images of an earlier version get their size, and damaged ones none`() throws {
        let path = try notebook(version: 1)
        defer { try? FileManager.default.removeItem(at: URL(filePath: path).deletingLastPathComponent()) }
        let file = try DatabaseQueue(path: path)
        let header = "89504E470D0A1A0A0000000D494844520000028000 0001E00802000000 00000000".replacing(" ", with: "")
        let images = [UUID(), UUID()]
        try file.write { db in
            for (image, data) in zip(images, [header, "89504E470D0A1A0A"]) {
                try db.execute(
                    sql: """
                        INSERT INTO note_image (uuid, hash, mimeType, createdDate, data)
                        VALUES (?, ?, 'image/png', 0, x'\(data)')
                        """, arguments: [image.uuidString, data])
            }
        }
        try file.close()
        let notebook = try Notebook.open(path)
        defer { try? notebook.close() }  // the folder is removed with the test
        let facts = try images.map { try #require(try notebook.images.facts($0)) }
        #expect(facts.map(\.width) == [640, nil] && facts.map(\.height) == [480, nil])
        // Another program may write any value.
        try notebook.write { try $0.run("UPDATE note_image SET width = 'wide', height = -1") }
        #expect(try notebook.images.facts(images[0])?.width == nil)
    }

    @Test func `a backup is made before the schema is changed`() throws {
        let path = try notebook(version: 1)
        defer { try? FileManager.default.removeItem(at: URL(filePath: path).deletingLastPathComponent()) }
        let notebook = try Notebook.open(path)
        defer { try? notebook.close() }
        #expect(try notebook.backups.all().count == 1)
    }
}
