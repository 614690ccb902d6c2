import NoteStore
import TestSupport
import Testing

@testable import ViewModel

/// Tests of going back and forward.
@MainActor
@Suite(.serialized)
struct NavigationTests {
    let fixture: TemporaryNotebook

    init() throws {
        fixture = try TemporaryNotebook()
    }

    private var model: TakeNoteVM { fixture.model }
    private var titles: [String] { (0..<model.noteList.count).compactMap { model.noteList[$0]?.title } }

    private func search(for text: String) {
        model.search(for: text)
        #expect(fixture.scheduler.run { !model.isSearchPending && model.isSearchRanked })
    }

    @Test func `going back and forward ends a search and opens the note`() throws {
        defer { fixture.close() }
        let rows = try ["apple", "pear", "plum"].enumerated().map { try fixture.add($1, age: Double($0)) }
        model.start()
        model.show(rows[1])
        search(for: "plum")
        model.goBack()
        #expect(model.noteSearchText.isEmpty)
        #expect(titles == ["apple", "pear", "plum"])
        #expect(model.openNote?.title == "apple")
        search(for: "pear")
        model.goForward()
        #expect(model.noteSearchText.isEmpty)
        #expect(titles == ["apple", "pear", "plum"])
        #expect(model.openNote?.title == "plum")
    }

    @Test func `from an opened hit, going back leads to where the search began`() throws {
        defer { fixture.close() }
        for (index, title) in ["apple", "pear", "plum"].enumerated() { try fixture.add(title, age: Double(index)) }
        model.start()
        search(for: "plum")
        model.searchSubmitted()
        #expect(model.openNote?.title == "plum")
        model.goBack()
        #expect(model.openNote?.title == "apple")
        #expect(model.selectedContainer?.id == .inbox)
        model.goForward()
        #expect(model.openNote?.title == "plum")
    }

    @Test func `a location that is already on the screen is not a step back`() throws {
        defer { fixture.close() }
        let rows = try ["apple", "pear", "plum"].enumerated().map { try fixture.add($1, age: Double($0)) }
        model.start()
        model.show(rows[1])
        search(for: "plum")
        model.searchSubmitted()
        model.cancelSearch()
        #expect(model.openNote?.title == "pear")
        model.goBack()
        #expect(model.openNote?.title == "apple")
    }

    @Test func `going back finds a note in the folder to which it was moved`() throws {
        defer { fixture.close() }
        let rows = try ["apple", "pear"].enumerated().map { try fixture.add($1, age: Double($0)) }
        let home = try fixture.notebook.folders.create("Home")
        model.start()
        model.show(rows[1])
        try fixture.notebook.notes.move([rows[0].id], to: home.id)
        model.readOutsideChanges()
        model.goBack()
        #expect(model.openNote?.title == "apple")
        #expect(model.selectedContainer?.id == home.id)
    }

    @Test func `another way from a note forgets where going forward led`() throws {
        defer { fixture.close() }
        let rows = try ["apple", "pear", "plum", "fig"].enumerated().map { try fixture.add($1, age: Double($0)) }
        model.start()
        model.show(rows[1])
        model.show(rows[2])
        model.goBack()
        model.moveListCursor(to: 0)
        model.show(rows[3])
        model.goForward()
        #expect(model.openNote?.title == "fig")
        #expect(model.notice?.kind == .refused)
    }
}
