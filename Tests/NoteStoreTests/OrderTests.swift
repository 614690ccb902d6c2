import Foundation
import SeededRandom
import Testing

@testable import NoteStore

/// Tests lists in manual order, and lists restricted to a tag.
struct OrderTests {
    private func titles(_ test: TestNotebook, _ query: ListQuery) throws -> [String] {
        try test.notebook.lists.rows(query, limit: 100).map(\.title)
    }

    private let byHand = ListQuery(container: .inbox, sortBy: .byHand)

    @Test func `notes that nobody moved stand by their creation`() throws {
        let test = try TestNotebook()
        for title in ["One", "Two", "Three"] { try test.note(title) }
        #expect(try titles(test, byHand) == ["Three", "Two", "One"])
    }

    @Test func `a note goes up and down by one, stays in its section, and undo puts it back`() throws {
        let test = try TestNotebook()
        let notes = try ["One", "Two", "Three", "Star"].map { try test.note($0) }
        try test.notebook.notes.setStarred([notes[3].id], true)
        #expect(try titles(test, byHand) == ["Star", "Three", "Two", "One"])
        #expect(try test.notebook.lists.move(notes[0].id, .up, in: .inbox))
        #expect(try titles(test, byHand) == ["Star", "Three", "One", "Two"])
        #expect(try test.notebook.lists.move(notes[0].id, .up, in: .inbox))
        #expect(try titles(test, byHand) == ["Star", "One", "Three", "Two"])
        #expect(try !test.notebook.lists.move(notes[0].id, .up, in: .inbox))
        #expect(try test.notebook.lists.move(notes[0].id, .down, in: .inbox))
        #expect(try titles(test, byHand) == ["Star", "Three", "One", "Two"])
        #expect(try test.notebook.actions.undo()?.kind == .reorder)
        #expect(try titles(test, byHand) == ["Star", "One", "Three", "Two"])
        // Other orders are unaffected.
        #expect(try titles(test, ListQuery(container: .inbox, sortBy: .title, sortOrder: .oldestFirst)).first == "Star")
    }

    @Test func `notes made in the same moment can be parted, whichever way`() throws {
        let test = try TestNotebook()
        let date = Date(milliseconds: 1_700_000_000_000)
        let notes = try (0..<6).map {
            try test.notebook.notes.create(NewNote(text: "Note \($0)", created: date, updated: date))
        }
        var expected = (0..<6).reversed().map { "Note \($0)" }
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let note = notes[Int.random(in: 0..<6, using: &generator)]
            let step: Notebook.Lists.OrderStep = Bool.random(using: &generator) ? .up : .down
            let index = try #require(expected.firstIndex(of: note.title))
            let other = step == .up ? index - 1 : index + 1
            let moved = try test.notebook.lists.move(note.id, step, in: .inbox)
            #expect(moved == expected.indices.contains(other))
            if moved { expected.swapAt(index, other) }
            #expect(try titles(test, byHand) == expected)
        }
    }

    @Test func `windows of a list by hand join without a gap`() throws {
        let test = try TestNotebook()
        let notes = try (0..<20).map { try test.note("Note \($0)") }
        for index in stride(from: 0, to: 20, by: 3) { try test.notebook.lists.move(notes[index].id, .up, in: .inbox) }
        let all = try test.notebook.lists.rows(byHand, limit: 100)
        var found = try test.notebook.lists.rows(byHand, limit: 7)
        while let last = found.last, found.count < 20 {
            #expect(try test.notebook.lists.ordinal(of: last.id, in: byHand) == found.count - 1)
            found += try test.notebook.lists.rows(byHand, from: .after(last), limit: 7)
        }
        #expect(found == all)
        #expect(try test.notebook.lists.rows(byHand, from: .before(all[10]), limit: 4) == Array(all[6..<10]))
    }

    @Test func `a list narrowed to a tag has its notes, its count and its places`() throws {
        let test = try TestNotebook()
        let tag = try test.notebook.tags.create("books")
        let notes = try (0..<10).map { try test.note("Note \($0)") }
        try test.notebook.tags.add(tag.id, to: notes.enumerated().filter { $0.offset % 3 == 0 }.map(\.element.id))
        let query = ListQuery(container: .inbox, sortBy: .title, sortOrder: .oldestFirst, tag: tag.id)
        #expect(try titles(test, query) == ["Note 0", "Note 3", "Note 6", "Note 9"])
        #expect(try test.notebook.lists.count(query) == 4)
        #expect(try test.notebook.lists.ordinal(of: notes[6].id, in: query) == 2)
        #expect(try test.notebook.lists.ordinal(of: notes[5].id, in: query) == nil)
        #expect(try test.notebook.lists.contains(notes[6].id, in: query))
        #expect(try !test.notebook.lists.contains(notes[5].id, in: query))
    }

    @Test func `a symbol is given, and undo takes it`() throws {
        let test = try TestNotebook()
        let folder = try test.notebook.folders.create("Home")
        try test.notebook.containers.setSymbol(folder.id, "heart")
        #expect(try test.notebook.containers.load(folder.id)?.symbol == "heart")
        #expect(try test.notebook.actions.undo()?.kind == .changeSymbol)
        #expect(try test.notebook.containers.load(folder.id)?.symbol == "folder")
    }

    @Test func `copies beside their notes in several folders are one action`() throws {
        let test = try TestNotebook()
        let folder = try test.notebook.folders.create("Home")
        let notes = [try test.note("One"), try test.note("Two", in: folder.id)]
        #expect(try test.notebook.notes.duplicate(notes.map(\.id)).map(\.folderName) == ["Inbox", "Home"])
        #expect(try titles(test, ListQuery(container: folder.id)).count == 2)
        try test.notebook.actions.undo()
        #expect(try titles(test, ListQuery(container: folder.id)) == ["Two"])
        #expect(try titles(test, ListQuery(container: .inbox)) == ["One"])
    }

    @Test func `texts are replaced as one action, and none that changed meanwhile`() throws {
        let test = try TestNotebook()
        let notes = [try test.note("red one"), try test.note("red two"), try test.note("red three")]
        let replaced = try test.notebook.notes.replaceTexts([
            .init(note: notes[0].id, old: "red one", new: "blue one"),
            .init(note: notes[1].id, old: "red two", new: "blue two"),
            .init(note: notes[2].id, old: "stale", new: "blue three"),
        ])
        #expect(replaced == [notes[0].id, notes[1].id])
        #expect(try test.notebook.notes.text(notes[0].id) == "blue one")
        #expect(try test.notebook.notes.text(notes[2].id) == "red three")
        #expect(try test.notebook.search.hits("blue").count == 2)
        #expect(try test.notebook.actions.undo()?.count == 2)
        #expect(try notes.map { try test.notebook.notes.text($0.id) } == ["red one", "red two", "red three"])
        #expect(try test.notebook.lists.wordCount(of: .inbox) == 6)
    }

    @Test func `a rebuild tells how far it is, and stopped leaves all as it was`() throws {
        let test = try TestNotebook()
        for index in 0..<5 { try test.note("Note \(index)") }
        #expect(throws: StoreError.interrupted) { try test.notebook.care.repair { done, _ in done < 2 } }
        #expect(try test.notebook.search.hits("note").count == 5)
        #expect(try test.notebook.care.repair { done, all in done < all }.left.isEmpty)
    }
}
