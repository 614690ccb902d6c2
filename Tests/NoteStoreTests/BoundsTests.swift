import Foundation
import GRDB
import Testing

@testable import NoteStore

/// Tables that would only grow are brought back to their bounds, and lists of the Trash tell all that is in it.
@Suite struct BoundsTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    private func number(_ sql: String) throws -> Int { try notebook.read { try Int.fetchOne($0, sql: sql) ?? 0 } }

    // MARK: Bounds

    @Test func `words that no note holds any more are forgotten, those in use stay`() throws {
        let note = try test.note("First\nzebra quagga")
        try test.note("Second\nquagga")
        _ = try notebook.save(note.id, text: "First\nhorse", baseRevision: note.revision)
        #expect(try number("SELECT count(*) FROM search_term WHERE term = 'zebra'") == 1)
        try notebook.keepWithinBounds()
        #expect(try number("SELECT count(*) FROM search_term WHERE term = 'zebra'") == 0)
        #expect(try number("SELECT count(*) FROM search_term WHERE term IN ('quagga', 'horse', 'first')") == 3)
    }

    @Test func `a word that was forgotten is found by its beginning once a note has it again`() throws {
        let other = try Notebook.open(test.path, options: Notebook.Options(now: test.clock.now))
        defer { try? other.close() }  // the test is over
        let row = try other.create(NewNote(text: "First\nzebra"))
        _ = try other.save(row.id, text: "First\nhorse", baseRevision: row.revision)
        // The other program believes that the table has the word.
        try notebook.forgetWords(evenIfDone: true)
        try other.create(NewNote(text: "Second\nzebra"))
        #expect(try notebook.search("zeb").map(\.row.title) == ["Second"])
    }

    @Test func `a note's versions keep within their bytes, and the newest stays`() throws {
        let note = try test.note("start")
        try notebook.write { transaction in
            let head = try transaction.head(note.id)
            for letter in ["a", "b", "c"] {
                try transaction.keepVersion(of: head, text: String(repeating: letter, count: 20 << 20), .left)
            }
        }
        #expect(try notebook.versions(of: note.id).map(\.number) == [3, 2])
    }

    @Test func `actions keep within their bytes, and the newest stays`() throws {
        try notebook.write { transaction in
            for _ in 0..<3 {
                let changes = String(repeating: " ", count: 20 << 20)
                try transaction.run(
                    "INSERT INTO action (date, kind, subject, count, changes) VALUES (1, 'star', '', 1, ?)", [changes])
            }
        }
        try notebook.keepWithinBounds()
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
        try notebook.keepWithinBounds()
        #expect(try number("SELECT count(*) FROM former_title") == 9)
        #expect(try notebook.note(titled: "kept")?.id == note.id)
    }

    // MARK: Trash

    @Test func `the Trash lists what lies in its folders, and its count agrees`() throws {
        let folder = try notebook.addFolder("F")
        let inner = try notebook.addFolder("Inner", in: folder.id)
        try test.note("Deep", in: inner.id)
        let single = try test.note("Single")
        try notebook.moveToTrash([single.id])
        try notebook.delete([folder.id])
        #expect(try Set(test.titles(.trash)) == ["Deep", "Single"])
        #expect(try notebook.count(ListQuery(container: .trash)) == 2)
        try notebook.restore([folder.id])
        #expect(try test.titles(.trash) == ["Single"])
        try test.expectSound()
    }

    @Test func `folders nested deeper than a thousand are emptied from the Trash`() throws {
        let top = try notebook.addFolder("Top")
        try notebook.write { transaction in
            var parent = try transaction.containerHead(top.id)
            for number in 0..<1_200 {
                parent = try transaction.insertContainer(.folder, name: "\(number)", parent: parent.key)
            }
        }
        try notebook.delete([top.id])
        #expect(try notebook.emptyTrash(backup: false).folders == 1_201)
        #expect(try notebook.trashContents().isEmpty)
        let other = try notebook.addFolder("Other")
        try notebook.delete([other.id])
        try notebook.deleteForever([other.id], backup: false)
        #expect(try number("SELECT count(*) FROM container WHERE id > 6") == 0)
    }

    // MARK: Images

    /// Empties the Trash, in which something is.
    private func emptyTrash() throws {
        try notebook.moveToTrash([test.note("rubbish").id])
        try notebook.emptyTrash(backup: false)
    }

    @Test func `an image that a note shows by HTML stays when the Trash is emptied`() throws {
        let image = try notebook.addImage(TransferTests.png, name: "a")
        try test.note("<img src=\"\(image.getURL().lowercased())\" width=\"20\">")
        let other = try notebook.addImage(TransferTests.jpeg, name: "b")
        try test.note("text <img alt='x' src='\(other.getURL())'/> text")
        try emptyTrash()
        #expect(try notebook.image(image.imageUUID) != nil && notebook.image(other.imageUUID) != nil)
    }

    @Test func `an image that was just added stays when the Trash is emptied, for a day`() throws {
        let image = try notebook.addImage(TransferTests.png, name: "a")
        try emptyTrash()
        #expect(try notebook.image(image.imageUUID) != nil)
        try notebook.write { transaction in
            try transaction.run(
                "UPDATE note_image SET createdDate = createdDate - ?", [Transaction.unusedImageLife])
        }
        try emptyTrash()
        #expect(try notebook.image(image.imageUUID) == nil)
    }

    @Test(arguments: ["version", "history", "action"])
    func `an image that something earlier refers to stays when the Trash is emptied`(keeper: String) throws {
        let image = try notebook.addImage(TransferTests.png, name: "a")
        let note = try test.note(image.getMarkdown())
        if keeper == "version" { try notebook.keepVersion(of: note.id) }
        let saved = try notebook.save(note.id, text: "without", baseRevision: note.revision)
        guard case .saved(let row) = saved else { Issue.record("merged"); return }
        if keeper == "history" {
            try notebook.keepHistory(Data([1, 2] + image.getMarkdown().utf8), of: note.id, text: .init("without"))
        }
        if keeper == "action" {
            try notebook.act(.replaceText, notes: [note.id], withTexts: true) { transaction in
                try transaction.replaceText(image.getMarkdown(), of: transaction.head(note.id))
            }
            try notebook.write { try $0.replaceText("without", of: $0.head(note.id)) }
        }
        _ = row
        try emptyTrash()
        #expect(try notebook.image(image.imageUUID) != nil)
        try notebook.write { transaction in
            for table in ["note_version", "note_history", "action"] { try transaction.run("DELETE FROM \(table)") }
        }
        try emptyTrash()
        #expect(try notebook.image(image.imageUUID) == nil)
    }
}
