import Foundation
import GRDB
import Testing
import TextEditing

@testable import NoteStore

@Suite struct DurabilityTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    @Test func `an undo history is good for exactly its text`() throws {
        let row = try test.note("text")
        try notebook.notes.keepUndoHistory(Data([1, 2]), of: row.id, text: TextBuffer("text"))
        #expect(try notebook.notes.undoHistory(of: row.id, text: "text") == Data([1, 2]))
        #expect(try notebook.notes.undoHistory(of: row.id, text: "other") == nil)
    }

    // MARK: - Two programs

    @Test func `a note changed in two programs is merged, or kept twice`() throws {
        let base = "first\n\nmiddle\n\nlast\n"
        let row = try test.note(base)
        let other = try Notebook.open(test.path, mode: .command)
        _ = try other.notes.save(row.id, text: "FIRST\n\nmiddle\n\nlast\n", baseRevision: 1, base: base)
        let outcome = try notebook.notes.save(row.id, text: "first\n\nmiddle\n\nLAST\n", baseRevision: 1, base: base)
        guard case .merged(let merged, let text) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(text == "FIRST\n\nmiddle\n\nLAST\n" && merged.revision == 3)
        let clash = try notebook.notes.save(row.id, text: "Erste\n\nmiddle\n\nlast\n", baseRevision: 1, base: base)
        guard case .conflict(let kept, let theirs, let copy) = clash else {
            Issue.record("\(clash)")
            return
        }
        #expect(theirs == text && kept.revision == 3)
        #expect(copy.title == "FIRST (conflict)")
        #expect(try notebook.notes.text(copy.id) == "Erste\n\nmiddle\n\nlast\n")
        #expect(try notebook.versions.all(of: row.id).contains { $0.reason == .merged })
        try test.expectSound()
    }

    // MARK: - Versions

    @Test func `a version is kept once, compared, restored, and the restoring undone`() throws {
        let row = try test.note("one\ntwo")
        try notebook.versions.keep(of: row.id)
        try notebook.versions.keep(of: row.id)
        _ = try notebook.notes.save(row.id, text: "one\nthree", baseRevision: 1)
        #expect(try notebook.versions.all(of: row.id).map(\.number) == [1])
        let changes = try notebook.versions.compare(row.id, version: 1)
        #expect(changes.lines.count { $0.kind == .added } == 1)
        try notebook.versions.restore(1, of: row.id)
        #expect(try notebook.notes.text(row.id) == "one\ntwo")
        #expect(try notebook.versions.all(of: row.id).count == 2)
        try notebook.actions.undo()
        #expect(try notebook.notes.text(row.id) == "one\nthree")
        #expect(throws: StoreError.noSuchVersion(note: row.id, number: 9)) {
            try notebook.versions.restore(9, of: row.id)
        }
    }

    @Test func `versions thin with age, never to nothing`() {
        let minute: Int64 = 60_000
        let now = minute * 60 * 24 * 400
        var versions = (0..<20_000).map { (number: 20_000 - $0, date: now - Int64($0) * 25 * minute) }
        let dropped = Set(VersionThinning.dropped(versions, now: now))
        versions.removeAll { dropped.contains($0.number) }
        #expect(versions.prefix(10).map(\.number) == Array((19_991...20_000).reversed()))
        #expect((50...90).contains(versions.count))
        #expect(versions.last?.number == 1)
        #expect(VersionThinning.dropped(versions, now: now).isEmpty)
    }

    // MARK: - The file

    @Test func `a schema from the future is refused without a change, at start and while running`() throws {
        try test.note("one")
        try notebook.database.write { try $0.execute(sql: "PRAGMA user_version = 99") }
        let expected = StoreError.newerSchema(path: test.path, found: 99, known: Schema.version)
        #expect(throws: expected) { try test.note("two") }
        #expect(try test.titles(.inbox) == ["one"])
        #expect(throws: expected) { try Notebook.open(test.path, mode: .command) }
    }

    @Test func `a file of another program is refused`() throws {
        let path = test.folder.path + "/other.sqlite"
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: "CREATE TABLE t (a)") }
        try queue.close()
        #expect(throws: StoreError.notANotebook(path: path)) { try Notebook.open(path, mode: .command) }
        try Data(repeating: 7, count: 5000).write(to: URL(fileURLWithPath: path))
        #expect(throws: StoreError.notANotebook(path: path)) { try Notebook.open(path) }
    }

    @Test func `a full disk loses nothing and saving resumes`() throws {
        let row = try test.note("kept")
        try notebook.database.writeWithoutTransaction { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(pages)")
        }
        let long = String(repeating: "many words ", count: 10_000)
        #expect(throws: StoreError.diskFull(path: test.path)) {
            _ = try notebook.notes.save(row.id, text: long, baseRevision: 1)
        }
        #expect(try notebook.notes.text(row.id) == "kept")
        try notebook.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
        _ = try notebook.notes.save(row.id, text: long, baseRevision: 1)
        try test.expectSound()
    }

    @Test func `a file system that cannot lock files is not called one without permissions`() {
        let error = StoreError.cannotCreate(path: "/n/sessions", errno: ENOLCK)
        #expect(error.sentence.contains("its file system cannot lock files"))
    }

    @Test func `a quota that is used up is not called a full disk`() {
        for error in [StoreError(writing: test.path, .diskQuotaExceeded), StoreError(errno: EDQUOT, path: test.path)] {
            #expect(error == .quotaUsedUp(path: test.path))
            #expect(error.sentence.contains("(quota)"))
        }
    }

    @Test func `a locked notebook is busy for a writer and open for a reader`() throws {
        try test.note("one")
        let other = try Notebook.open(test.path, options: Notebook.Options(busyTimeout: 0.1))
        try notebook.database.writeWithoutTransaction { db in
            try db.execute(sql: "BEGIN IMMEDIATE")
            #expect(throws: StoreError.busy(path: test.path)) { try other.notes.create(NewNote(text: "two")) }
            #expect(try other.lists.rows(ListQuery(container: .inbox), limit: 9).count == 1)
            try db.execute(sql: "COMMIT")
        }
        try other.notes.create(NewNote(text: "two"))
        try other.close()
    }

    @Test func `backups are whole, thinned by size, and the newest two always stay`() throws {
        try test.note("in the backup")
        for _ in 0..<6 { try notebook.backups.create(.daily) }
        let backups = try notebook.backups.all()
        #expect((2...4).contains(backups.count))
        #expect(try notebook.backups.createDaily() == nil)
        let path = test.folder.path + "/copy.sqlite"
        try notebook.backups.write(to: path)
        let copy = try Notebook.open(path, mode: .command)
        #expect(try copy.search.hits("backup").count == 1)
        #expect(throws: StoreError.self) { try Notebook.Backups.restore(test.folder.path, to: path) }
        try test.note("after the backup")
        try notebook.close()
        try Notebook.Backups.restore(backups[0].path, to: test.path)
        test.notebook = try Notebook.open(test.path)
        #expect(try test.titles(.inbox) == ["in the backup"])
        try test.expectSound()
    }

    @Test func `repair puts right what another tool has broken`() throws {
        let folder = try notebook.folders.create("F")
        for index in 0..<5 { try test.note("note \(index) [[note 1]]", in: folder.id) }
        try notebook.database.write { db in
            try db.execute(
                sql: """
                    UPDATE container SET noteCount = 77; DELETE FROM listing WHERE note < 3;
                    INSERT INTO search (search) VALUES ('delete-all'); UPDATE note SET titleKey = 'x', preview = '';
                    DELETE FROM note_link; UPDATE note_text SET text = 'other' WHERE note = 2;
                    DROP TRIGGER note_listed; DROP TRIGGER listing_inserted;
                    """)
        }
        #expect(try !notebook.care.check().isEmpty)
        let report = try notebook.care.repair()
        #expect(report.left.isEmpty && !report.repaired.isEmpty, "\(report.left)")
        #expect(try notebook.search.hits("note").count == 4)
    }

    @Test func `a damaged search index stops no save and is rebuilt`() throws {
        let row = try test.note("apple")
        try test.note("apple too")
        try notebook.database.write { try $0.execute(sql: "INSERT INTO search (search) VALUES ('delete-all')") }
        _ = try notebook.notes.save(row.id, text: "pear", baseRevision: 1)
        #expect(try notebook.care.maintain().indexWasDamaged)
        #expect(try notebook.search.hits("apple").count == 1 && notebook.search.hits("pear").count == 1)
        try test.expectSound()
    }

    @Test func `a damaged file gives what it still holds`() throws {
        let folder = try notebook.folders.create("Folder")
        for index in 0..<400 {
            try test.note("note \(index)\n" + String(repeating: "text ", count: 300), in: folder.id)
        }
        try notebook.close()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: test.path))
        let size = try file.seekToEnd()
        // Every fortieth page from page 100 on is lost.
        for page in stride(from: UInt64(100), to: size / 4096, by: 40) {
            try file.seek(toOffset: page * 4096)
            try file.write(contentsOf: Data(repeating: 0xAA, count: 4096))
        }
        try file.close()
        let path = test.folder.path + "/saved.sqlite"
        let report = try Notebook.Care.salvage(test.path, into: path)
        #expect(report.notes > 150, "\(report)")
        test.notebook = try Notebook.open(path)
        #expect(try test.notebook.lists.rows(ListQuery(container: .allNotes), limit: 1000).count == report.notes)
        try test.expectSound()
    }

    @Test func `the plain sqlite3 tool can read notes by the view`() throws {
        let tag = try notebook.tags.create("t")
        let row = try notebook.notes.create(NewNote(text: "# A\nbody", tags: [tag.id]))
        let found = try notebook.read { db in
            try Row.fetchOne(
                db, sql: "SELECT title, content, folder, tags, place, createdDate FROM notes WHERE uuid = ?",
                arguments: [row.id.description.lowercased()])
        }
        let values = try Array(#require(found).databaseValues).map { String.fromDatabaseValue($0) ?? "" }
        #expect(values == ["A", "# A\nbody", "Inbox", "t", "live", "2023-11-14T22:13:22.000Z"])
    }

    @Test func `a notebook in a mirrored folder is warned of once`() throws {
        let folder = test.folder.appending(path: "Dropbox/notes")
        let mirrored = try Notebook.open(folder.path + "/notes.sqlite", mode: .command)
        #expect(try mirrored.care.syncWarning() == "Dropbox")
        #expect(try mirrored.care.syncWarning() == nil)
        #expect(try notebook.care.syncWarning() == nil)
    }

    @Test func `the snapshot has the app's fields`() throws {
        for index in 0..<7 { try test.note("note \(index)\nbody") }
        let path = test.folder.path + "/state/snapshot.json"
        try notebook.transfer.writeSnapshot(to: path)
        let read = try JSONDecoder().decode(
            NotebookSnapshot.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(read.containers.map(\.name) == ["Inbox", "All Notes"])
        #expect(read.containers[0].totalNoteCount == 7 && read.containers[0].notes.count == 5)
        #expect(read.containers[0].notes[0].excerpt == "note 6\nbody" && read.containers[0].isInbox)
    }

    // MARK: - Costs

    @Test func `every list is read from an index without sorting`() throws {
        for sort in [SortBy.created, .updated, .title] {
            for order in ["ASC", "DESC"] {
                let column = ["createdDate", "updatedDate", "titleSort"][sort.rawValue]
                let index = ["listing_created", "listing_updated", "listing_title"][sort.rawValue]
                let comparison = order == "ASC" ? ">" : "<"
                let plan = try notebook.read { db in
                    try Row.fetchAll(
                        db,
                        sql: """
                            EXPLAIN QUERY PLAN SELECT \(column), note FROM listing INDEXED BY \(index)
                            WHERE list = 1 AND starred = 0 AND (\(column), note) \(comparison) (5, 5)
                            ORDER BY \(column) \(order), note \(order) LIMIT 60
                            """
                    ).map { $0["detail"] as String }
                }
                #expect(plan.count == 1 && plan[0].contains("SEARCH listing USING COVERING INDEX \(index)"), "\(plan)")
            }
        }
    }
}
