import Dispatch
import GRDB
import Testing
import TextEditing

@testable import NoteStore

/// Tests saving during typing, which postpones links and index, and what other programs can do meanwhile.
@Suite struct SavingTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    private func revision(_ outcome: SaveOutcome) throws -> Int64 {
        guard case .saved(let row) = outcome else {
            Issue.record("\(outcome)")
            throw StoreError.interrupted
        }
        return row.revision
    }

    private func isMarked() throws -> Bool {
        try notebook.read { try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM search_mark)") ?? false }
    }

    @Test func `a character as long as a text makes a short preview`() throws {
        let long = "b" + String(repeating: "\u{301}", count: 100_000)
        let row = try test.note("Title\n\n" + long)
        #expect(row.preview.unicodeScalars.count == 2_048 && row.preview.unicodeScalars.first == "b")
        let family = String(repeating: "👨‍👩‍👧‍👦", count: 200)
        #expect(try test.note("Title\n\n" + family).preview == family)
        try test.expectSound()
    }

    @Test func `a text saved while somebody types is stored with its title and counts, and is found`() throws {
        let row = try test.note("# Apples\n\none")
        let text = "# Pears\n\none two\nthree [[Apples]]"
        guard case .saved(let saved) = try notebook.notes.save(row.id, text: text, baseRevision: 1, scope: .text) else {
            Issue.record()
            return
        }
        #expect(saved.title == "Pears" && saved.wordCount == 5 && saved.preview == "one two three Apples")
        #expect(try notebook.notes.text(row.id) == text)
        #expect(try isMarked())
        #expect(try notebook.search.hits("three", stage: .instant).isEmpty)
        #expect(try notebook.search.hits("three").map(\.id) == [row.id])
        #expect(try notebook.search.hits("apples").map(\.id) == [row.id])
        #expect(try !isMarked())
        #expect(try notebook.links.outgoing(of: row.id).map(\.target) == ["Apples"])
        #expect(try notebook.notes.row(row.id)?.revision == saved.revision)
        #expect(try notebook.versions.all(of: row.id).isEmpty)
        try test.expectSound()
    }

    @Test func `a whole save finishes what saves of the text alone have left, and changes nothing else`() throws {
        let row = try test.note("one")
        var last = row.revision
        for number in 2...5 {
            last = try revision(notebook.notes.save(row.id, text: "text \(number)", baseRevision: last, scope: .text))
        }
        let before = try #require(try notebook.notes.row(row.id))
        #expect(try revision(notebook.notes.save(row.id, text: "text 5", baseRevision: last)) == last)
        #expect(try notebook.notes.row(row.id) == before)
        #expect(try !isMarked())
        #expect(try notebook.search.hits("text 5", stage: .instant).count == 1)
        #expect(try notebook.search.hits("one").isEmpty)
        last = try revision(notebook.notes.save(row.id, text: "more", baseRevision: last, scope: .text))
        last = try revision(notebook.notes.save(row.id, text: "and more", baseRevision: last))
        #expect(try notebook.search.hits("and", stage: .instant).count == 1)
        try test.expectSound()
    }

    @Test func `a save that only finds the links is told to observers`() throws {
        let target = try test.note("Target")
        let row = try test.note("one")
        let last = try revision(notebook.notes.save(row.id, text: "[[Target]]", baseRevision: 1, scope: .text))
        #expect(try notebook.links.backlinks(of: target.id).isEmpty)
        let told = DispatchSemaphore(value: 0)
        let observation = notebook.observeChanges { change in
            if change.notes?.contains(row.id) == true { told.signal() }
        }
        _ = try notebook.notes.save(row.id, text: "[[Target]]", baseRevision: last)
        #expect(try notebook.links.backlinks(of: target.id).count == 1)
        #expect(told.wait(timeout: .now() + 600) == .success)
        observation.cancel()
    }

    @Test func `what a killed program has left unindexed is found by the next one`() throws {
        let row = try test.note("one")
        _ = try notebook.notes.save(row.id, text: "two", baseRevision: 1, scope: .text)
        try test.restart(mode: .command)
        #expect(test.notebook.recovered.isEmpty)
        #expect(try test.notebook.search.hits("two").map(\.id) == [row.id])
        try test.expectSound()
    }

    @Test func `a note whose index waits can be renamed, thrown away, deleted and changed back`() throws {
        let rows = try (1...4).map { try test.note("note \($0)") }
        for row in rows {
            _ = try notebook.notes.save(row.id, text: "changed \(row.title)", baseRevision: 1, scope: .text)
        }
        try notebook.notes.setTitle(rows[0].id, "Renamed")
        try notebook.trash.add([rows[1].id, rows[2].id])
        try notebook.trash.deleteForever([rows[1].id], backup: false)
        _ = try notebook.notes.save(rows[3].id, text: "note 4", baseRevision: 2)
        try notebook.care.maintain()
        #expect(try notebook.search.hits("changed").map(\.row.title) == ["Renamed"])
        #expect(try notebook.search.hits("changed in:trash").map(\.id) == [rows[2].id])
        #expect(try notebook.search.hits("note").count == 2)
        try test.expectSound()
    }

    @Test func `a text that another tool has changed is merged with ours, not written over`() throws {
        let base = "title\n\none\n\ntwo\n"
        let row = try test.note(base)
        let outside = "title\n\nONE\n\ntwo\n"
        try notebook.database.write { db in
            try db.execute(sql: "UPDATE note_text SET text = ? WHERE note = ?", arguments: [outside, row.key])
        }
        let outcome = try notebook.notes.save(row.id, text: "title\n\none\n\nTWO\n", baseRevision: 1, base: base)
        guard case .merged(_, let text) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(text == "title\n\nONE\n\nTWO\n")
        #expect(try Set(notebook.versions.all(of: row.id).map(\.reason)) == [.outside, .merged])
        try test.expectSound()
    }

    @Test func `another tool's change is seen even behind a mark of ours`() throws {
        let base = "title\n\none\n\ntwo\n"
        let row = try test.note(base)
        let ours = base + "more\n"
        let last = try revision(notebook.notes.save(row.id, text: ours, baseRevision: 1, base: base, scope: .text))
        let outside = ours.replacing("one", with: "ONE")
        try notebook.database.write { db in
            try db.execute(sql: "UPDATE note_text SET text = ? WHERE note = ?", arguments: [outside, row.key])
        }
        let outcome = try notebook.notes.save(
            row.id, text: ours.replacing("two", with: "TWO"), baseRevision: last, base: ours, scope: .text)
        guard case .merged(_, let text) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(text == "title\n\nONE\n\nTWO\nmore\n")
        #expect(try notebook.search.hits("ONE").count == 1)
        try test.expectSound()
    }

    @Test func `another program's notes that wait are left to it by opening and by its changes`() throws {
        let row = try test.note("one")
        _ = try notebook.notes.save(row.id, text: "two", baseRevision: 1, scope: .text)
        let other = try Notebook.open(test.path)
        #expect(try other.care.maintain(unfinished: false).isEmpty)
        #expect(try isMarked())
        #expect(try other.care.maintain().refreshedNotes == 0)
        #expect(try !isMarked())
        try other.close()
    }

    @Test func `a link that was saved while typing is a backlink once what waits is indexed`() throws {
        let target = try test.note("target", title: "Target")
        let source = try test.note("source")
        _ = try notebook.notes.save(source.id, text: "to [[Target]], [[Target]]", baseRevision: 1, scope: .text)
        notebook.search.indexUnfinished()
        #expect(try notebook.links.backlinks(of: target.id).map(\.source.id) == [source.id, source.id])
    }
}
