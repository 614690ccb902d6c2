import Foundation
import GRDB
import Load
import Testing
import TextEditing

@testable import NoteStore

/// Tests that growing tables are cut back to their limits, and that lists of the Trash are complete.
@Suite(.underLoad) struct BoundsTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    private func number(_ sql: String) throws -> Int { try notebook.read { try Int.fetchOne($0, sql: sql) ?? 0 } }

    // MARK: Bounds

    @Test func `words that no note holds any more are forgotten, those in use stay`() throws {
        let note = try test.note("First\nzebra quagga")
        try test.note("Second\nquagga")
        _ = try notebook.notes.save(note.id, text: "First\nhorse", baseRevision: note.revision)
        #expect(try number("SELECT count(*) FROM search_term WHERE term = 'zebra'") == 1)
        try notebook.care.keepWithinBounds()
        #expect(try number("SELECT count(*) FROM search_term WHERE term = 'zebra'") == 0)
        #expect(try number("SELECT count(*) FROM search_term WHERE term IN ('quagga', 'horse', 'first')") == 3)
    }

    @Test func `the names of what was deleted for ever are bounded once they were sent`() throws {
        try notebook.sync.turnOn(url: "memory")
        for _ in 0..<5 {
            let note = try test.note("x")
            try notebook.trash.add([note.id])
            try notebook.trash.deleteForever([note.id], backup: false)
        }
        func trim() throws {
            try notebook.care.keepWithinBounds(versionBytes: .max, historyBytes: .max, gone: 2)
        }
        try trim()
        #expect(try number("SELECT count(*) FROM sync_gone") == 5, "none of them has been sent")
        let kept = try notebook.read { try String.fetchAll($0, sql: "SELECT id FROM sync_gone ORDER BY id LIMIT 2") }
        try notebook.write { try $0.run("DELETE FROM sync_mark") }
        try trim()
        #expect(try notebook.read { try String.fetchAll($0, sql: "SELECT id FROM sync_gone ORDER BY id") } == kept)
    }

    @Test func `what is known of a note goes after the note`() throws {
        let notes = try ["one", "two"].map { try test.note($0) }
        for note in notes {
            try notebook.notes.setSummary("short", of: note.id, madeFrom: "long", author: "a model")
            try notebook.write { try $0.rememberImported("hash", insteadOf: "other", note.id) }
        }
        try notebook.trash.add([notes[0].id])
        try notebook.trash.deleteForever([notes[0].id], backup: false)
        try notebook.care.keepWithinBounds()
        #expect(try number("SELECT count(*) FROM setting WHERE key LIKE 'summary/%' OR key LIKE 'imported/%'") == 2)
        #expect(try notebook.notes.summaryAuthor(of: notes[1].id) == "a model")
        #expect(try notebook.notes.summaryAuthor(of: notes[0].id) == nil)
    }

    @Test func `a word that was forgotten is found by its beginning once a note has it again`() throws {
        let other = try Notebook.open(test.path, options: Notebook.Options(now: test.clock.now))
        defer { try? other.close() }  // the test is over
        let row = try other.notes.create(NewNote(text: "First\nzebra"))
        _ = try other.notes.save(row.id, text: "First\nhorse", baseRevision: row.revision)
        // The other program assumes that the table has the word.
        try notebook.care.forgetWords(evenIfDone: true)
        try other.notes.create(NewNote(text: "Second\nzebra"))
        #expect(try notebook.search.hits("zeb").map(\.row.title) == ["Second"])
    }

    /// Such a word comes after its own text, so that it seemed to be the next one without end.
    @Test(arguments: ["x'7a7a'", "CAST(x'7aff41' AS TEXT)"])
    func `a word that another tool has stored in other bytes does not hold up the care`(_ value: String) throws {
        try notebook.notes.create(NewNote(text: "Pear"))
        try notebook.write { try $0.run("INSERT INTO search_term (length, term) VALUES (length(\(value)), \(value))") }
        try notebook.care.forgetWords(evenIfDone: true)
        #expect(try notebook.search.hits("pear").count == 1)
    }

    @Test func `words keep within their bytes, the shorter stay, and the others are found whole`() throws {
        try notebook.notes.create(NewNote(text: "Pear\nhippopotamus zebra"))
        try notebook.care.forgetWords(evenIfDone: true, bytes: 9)
        #expect(try number("SELECT count(*) FROM search_term") == 2)
        #expect(try notebook.search.hits("zeb").count == 1)
        #expect(try notebook.search.hits("hippopotamus").count == 1)
        // A note that is saved later has its words again.
        try notebook.notes.create(NewNote(text: "hippopotamus"))
        #expect(try number("SELECT count(*) FROM search_term WHERE term = 'hippopotamus'") == 1)
    }

    @Test func `a note's versions keep within their bytes, and the newest stays`() throws {
        let note = try test.note("start")
        try notebook.write { transaction in
            let head = try transaction.head(note.id)
            for letter in ["a", "b", "c"] {
                try transaction.keepVersion(of: head, text: String(repeating: letter, count: 20 << 20), .left)
            }
        }
        #expect(try notebook.versions.all(of: note.id).map(\.number) == [3, 2])
    }

    @Test func `versions of all notes keep within their bytes, the oldest go and each note's newest stays`() throws {
        let notes = try ["one", "two"].map { try test.note($0) }
        // In order of age: versions 1 of both notes, versions 2 of both, and so on, of 1,000 bytes each in UTF-8.
        for number in 1...4 {
            for note in notes {
                try notebook.write { transaction in
                    let text = String(repeating: "é", count: 498) + "\(number)\n" + "é"
                    try transaction.keepVersion(of: transaction.head(note.id), text: text, .left)
                }
            }
        }
        func kept() throws -> [[Int]] { try notes.map { try notebook.versions.all(of: $0.id).map { Int($0.number) } } }
        func trim(_ bytes: Int64) throws {
            try notebook.care.keepWithinBounds(versionBytes: bytes, historyBytes: .max)
        }
        #expect(try kept() == [[4, 3, 2, 1], [4, 3, 2, 1]])
        try trim(6_000)
        #expect(try kept() == [[4, 3, 2, 1], [4, 3, 2, 1]])
        try trim(5_999)
        #expect(try kept() == [[4, 3, 2], [4, 3, 2, 1]])
        try trim(2_000)
        #expect(try kept() == [[4, 3], [4, 3]])
        try trim(0)
        #expect(try kept() == [[4], [4]])
    }

    @Test func `undo histories keep within their bytes, those left last stay`() throws {
        let notes = try ["one", "two", "three"].map { try test.note($0) }
        for (note, text) in zip(notes, ["one", "two", "three"]) {
            try notebook.notes.keepUndoHistory(Data(repeating: 7, count: 1_000), of: note.id, text: TextBuffer(text))
        }
        func kept() throws -> [Bool] {
            try notes.map { try number("SELECT count(*) FROM note_history WHERE note = \($0.key)") == 1 }
        }
        func trim(_ bytes: Int64) throws {
            try notebook.care.keepWithinBounds(versionBytes: .max, historyBytes: bytes)
        }
        try trim(3_000)
        #expect(try kept() == [true, true, true])
        try trim(2_999)
        #expect(try kept() == [false, true, true])
        try trim(1_000)
        #expect(try kept() == [false, false, true])
    }

    @Test func `actions keep within their bytes, and the newest stays`() throws {
        try notebook.write { transaction in
            for _ in 0..<3 {
                let changes = String(repeating: " ", count: 20 << 20)
                try transaction.run(
                    "INSERT INTO action (date, kind, subject, count, changes) VALUES (1, 'star', '', 1, ?)", [changes])
            }
        }
        try notebook.care.keepWithinBounds()
        #expect(try number("SELECT count(*) FROM action") == 2)
    }

    @Test func `former titles of all notes keep within their bytes, those that a link names stay`() throws {
        let note = try test.note("Note")
        try test.note("S\n[[kept]]")
        try notebook.write { transaction in
            try transaction.run("INSERT INTO former_title (titleKey, note, date) VALUES ('kept', ?, 0)", [note.key])
            for number in 0..<10 {
                let key = "\(number)" + String(repeating: "x", count: 500_000)
                try transaction.run(
                    "INSERT INTO former_title (titleKey, note, date) VALUES (?, ?, 1)", [key, note.key])
            }
        }
        try notebook.care.keepWithinBounds()
        #expect(try number("SELECT count(*) FROM former_title") == 9)
        #expect(try notebook.links.note(titled: "kept")?.id == note.id)
    }

    // MARK: Trash

    @Test func `the Trash lists what lies in its folders, and its count agrees`() throws {
        let folder = try notebook.folders.create("F")
        let inner = try notebook.folders.create("Inner", in: folder.id)
        try test.note("Deep", in: inner.id)
        let single = try test.note("Single")
        try notebook.trash.add([single.id])
        try notebook.containers.delete([folder.id])
        #expect(try Set(test.titles(.trash)) == ["Deep", "Single"])
        #expect(try notebook.lists.count(ListQuery(container: .trash)) == 2)
        try notebook.trash.restore([folder.id])
        #expect(try test.titles(.trash) == ["Single"])
        try test.expectSound()
    }

    @Test func `folders nested deeper than a thousand are emptied from the Trash`() throws {
        let top = try notebook.folders.create("Top")
        try notebook.write { transaction in
            var parent = try transaction.containerHead(top.id)
            for number in 0..<1_200 {
                parent = try transaction.insertContainer(.folder, name: "\(number)", parent: parent.key)
            }
        }
        try notebook.containers.delete([top.id])
        #expect(try notebook.trash.empty(backup: false).folders == 1_201)
        #expect(try notebook.trash.contents().isEmpty)
        let other = try notebook.folders.create("Other")
        try notebook.containers.delete([other.id])
        try notebook.trash.deleteForever([other.id], backup: false)
        #expect(try number("SELECT count(*) FROM container WHERE id > 6") == 0)
    }

    @Test(arguments: ["9223372036854775807", "-9223372036854775808"])
    func `counts that another tool has stored can be added up`(value: String) throws {
        let note = try test.note("text")
        try notebook.database.write { db in
            try db.execute(
                sql: "UPDATE note SET size = \(value), wordCount = \(value); UPDATE container SET noteCount = \(value)")
        }
        let row = try #require(try notebook.notes.row(note.id))
        let inbox = try #require(try notebook.containers.load(.inbox))
        for count in [row.size, row.wordCount, inbox.noteCount] { #expect((0...Int.max / 1_000_000).contains(count)) }
    }

    // MARK: Images

    /// Empties the Trash after putting a note into it.
    private func emptyTrash() throws {
        try notebook.trash.add([test.note("rubbish").id])
        try notebook.trash.empty(backup: false)
    }

    @Test func `an image that a note shows by HTML stays when the Trash is emptied`() throws {
        let image = try notebook.images.add(TransferTests.png, name: "a")
        try test.note("<img src=\"\(image.getURL().lowercased())\" width=\"20\">")
        let other = try notebook.images.add(TransferTests.jpeg, name: "b")
        try test.note("text <img alt='x' src='\(other.getURL())'/> text")
        try emptyTrash()
        #expect(try notebook.images.load(image.imageUUID) != nil && notebook.images.load(other.imageUUID) != nil)
    }

    @Test func `an image that was just added stays when the Trash is emptied, for a day`() throws {
        let image = try notebook.images.add(TransferTests.png, name: "a")
        try emptyTrash()
        #expect(try notebook.images.load(image.imageUUID) != nil)
        try notebook.write { transaction in
            try transaction.run(
                "UPDATE note_image SET createdDate = createdDate - ?", [Transaction.unusedImageLife])
        }
        try emptyTrash()
        #expect(try notebook.images.load(image.imageUUID) == nil)
    }

    @Test func `an image in a text whose links are not stored yet stays when the Trash is emptied`() throws {
        let image = try notebook.images.add(TransferTests.png, name: "a")
        let note = try test.note(image.getMarkdown())
        _ = try notebook.notes.save(note.id, text: "without", baseRevision: note.revision)
        let row = try #require(try notebook.notes.row(note.id))
        // So does a program save that is killed while somebody types.
        _ = try notebook.notes.save(
            note.id, text: "again \(image.getMarkdown())", baseRevision: row.revision, scope: .text)
        try emptyTrash()
        #expect(try notebook.images.load(image.imageUUID) != nil)
    }

    @Test(arguments: ["version", "history", "action"])
    func `an image that something earlier refers to stays when the Trash is emptied`(keeper: String) throws {
        let image = try notebook.images.add(TransferTests.png, name: "a")
        let note = try test.note(image.getMarkdown())
        if keeper == "version" { try notebook.versions.keep(of: note.id) }
        let saved = try notebook.notes.save(note.id, text: "without", baseRevision: note.revision)
        guard case .saved(let row) = saved else { Issue.record("merged"); return }
        if keeper == "history" {
            try notebook.notes.keepUndoHistory(
                Data([1, 2] + image.getMarkdown().utf8), of: note.id, text: .init("without"))
        }
        if keeper == "action" {
            try notebook.act(.replaceText, notes: [note.id], withTexts: true) { transaction in
                try transaction.replaceText(image.getMarkdown(), of: transaction.head(note.id))
            }
            try notebook.write { try $0.replaceText("without", of: $0.head(note.id)) }
        }
        _ = row
        try emptyTrash()
        #expect(try notebook.images.load(image.imageUUID) != nil)
        try notebook.write { transaction in
            for table in ["note_version", "note_history", "action"] { try transaction.run("DELETE FROM \(table)") }
        }
        try emptyTrash()
        #expect(try notebook.images.load(image.imageUUID) == nil)
    }
}
