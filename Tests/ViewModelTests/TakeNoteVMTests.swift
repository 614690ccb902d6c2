import NoteStore
import TestSupport
import Testing
import ViewModel

/// Tests the view-model without a terminal.
@MainActor
@Suite(.serialized)
struct TakeNoteVMTests {
    let fixture: TemporaryNotebook

    init() throws {
        fixture = try TemporaryNotebook()
    }

    private var model: TakeNoteVM { fixture.model }

    private var titles: [String] { (0..<model.noteList.count).compactMap { model.noteList[$0]?.title } }

    @Test func `a first start shows an empty Inbox among the system folders`() throws {
        defer { fixture.close() }
        model.start()
        #expect(model.sidebarRows.prefix(5).map(\.title) == ["Inbox", "Starred", "All Notes", "Trash", "Archive"])
        #expect(model.selectedContainer?.id == .inbox)
        #expect(model.selectedContainerIsEmpty)
        #expect(model.canAddNote)
        #expect(!model.canRenameSelectedContainer)
        #expect(model.openNote == nil)
    }

    @Test func `the newest note is on top and open`() throws {
        defer { fixture.close() }
        try fixture.add("Old", age: 100)
        try fixture.add("New", age: 10)
        model.start()
        #expect(titles == ["New", "Old"])
        #expect(model.openNote?.title == "New")
        #expect(model.session?.text == "New")
    }

    @Test func `typing is saved after an idle moment, and the title follows the text`() throws {
        defer { fixture.close() }
        model.start()
        model.addNote()
        model.session?.type("Shopping")
        let id = try #require(model.openNote?.id)
        #expect(try fixture.notebook.notes.text(id) == "")
        fixture.scheduler.advance(by: .milliseconds(400))
        #expect(fixture.scheduler.run { model.session?.saveState == .saved })
        #expect(try fixture.notebook.notes.text(id) == "Shopping")
        #expect(fixture.scheduler.run { titles == ["Shopping"] })
    }

    @Test func `a note made where none can be goes to the Inbox, and that is said`() throws {
        defer { fixture.close() }
        model.start()
        model.selectContainer(.allNotes)
        #expect(!model.canAddNote)
        model.addNote()
        #expect(model.selectedContainer?.id == .inbox)
        #expect(model.notice?.text == "Created in Inbox")
    }

    @Test func `Trash takes the marked notes, and undo brings all of them back`() throws {
        defer { fixture.close() }
        for index in 0..<4 { try fixture.add("Note \(index)", age: Double(index)) }
        model.start()
        model.toggleMark()
        model.moveListCursor(to: 2)
        model.toggleMark()
        #expect(model.multipleNotesSelected)
        model.moveNoteToTrash()
        #expect(titles == ["Note 1", "Note 3"])
        #expect(model.trashFolder?.noteCount == 2)
        #expect(model.openNote?.title == "Note 3")
        model.undoAction()
        #expect(titles == ["Note 0", "Note 1", "Note 2", "Note 3"])
        model.redoAction()
        #expect(titles == ["Note 1", "Note 3"])
    }

    @Test func `the star goes on, shows the note first, and off again`() throws {
        defer { fixture.close() }
        try fixture.add("First", age: 1)
        try fixture.add("Second", age: 2)
        model.start()
        model.moveListCursor(to: 1)
        model.noteStarredToggle()
        #expect(titles == ["Second", "First"])
        #expect(model.openNote?.title == "Second")
        model.noteStarredToggle()
        #expect(titles == ["First", "Second"])
    }

    @Test func `search shows hits, opens the best, keeps the search in All Notes and comes back`() throws {
        defer { fixture.close() }
        try fixture.add("Reading list\nStarted with Piranesi", age: 5)
        try fixture.add("Groceries\nMilk", age: 1)
        model.start()
        model.search(for: "piranesi")
        #expect(fixture.scheduler.run { titles == ["Reading list"] && model.isSearchRanked })
        #expect(model.openNote?.title == "Reading list")
        model.searchSubmitted()
        #expect(model.selectedContainer?.id == .allNotes)
        #expect(model.noteSearchText == "piranesi")
        model.cancelSearch()
        #expect(model.selectedContainer?.id == .inbox)
        #expect(model.openNote?.title == "Groceries")
    }

    @Test func `a search that is left puts back the marks of the notes that are still there`() throws {
        defer { fixture.close() }
        for (index, title) in ["One", "Two", "Three"].enumerated() { try fixture.add(title, age: Double(index)) }
        model.start()
        for index in 0..<2 {
            model.moveListCursor(to: index)
            model.toggleMark()
        }
        model.search(for: "one")
        #expect(model.markedNotes.isEmpty)
        #expect(fixture.scheduler.run { titles == ["One"] && model.isSearchRanked })
        model.cancelSearch()
        #expect(model.markedNotes.map(\.title) == ["One", "Two"])
        model.search(for: "one")
        #expect(fixture.scheduler.run { titles == ["One"] && model.isSearchRanked })
        model.moveNoteToTrash()
        model.search(for: "")
        #expect(model.markedNotes.map(\.title) == ["Two"])
    }

    @Test func `a search of a filtered list is not said to be filtered, and the filter comes back after it`() throws {
        defer { fixture.close() }
        let rows = try ["One", "Two", "Three"].enumerated().map { try fixture.add($1, age: Double($0)) }
        let tag = try fixture.notebook.tags.create("books")
        try fixture.notebook.tags.add(tag.id, to: [rows[1].id])
        model.start()
        for opens in [false, true] {
            model.filterByTag(tag.id)
            #expect(titles == ["Two"])
            model.search(for: "three")
            #expect(fixture.scheduler.run { titles == ["Three"] && model.isSearchRanked })
            if opens { model.searchSubmitted() }
            #expect(model.tagFilter == nil)
            model.cancelSearch()
            #expect(model.tagFilter == tag.id)
            #expect(titles == ["Two"] && model.openNote?.title == "Two")
        }
    }

    @Test func `while a search runs its hits are unknown, and those before it are not an answer`() throws {
        defer { fixture.close() }
        try fixture.add("Reading list\nStarted with Piranesi")
        model.start()
        model.search(for: "list")
        #expect(model.isSearchPending)
        #expect(fixture.scheduler.run { !model.isSearchPending })
        #expect(titles == ["Reading list"])
        model.search(for: "listless")
        #expect(model.isSearchPending)
        model.cancelSearch()
        #expect(!model.isSearchPending)
    }

    @Test func `changing the container by hand clears the search`() throws {
        defer { fixture.close() }
        try fixture.add("Alpha")
        model.start()
        model.search(for: "alpha")
        #expect(fixture.scheduler.run { model.isSearchRanked && titles == ["Alpha"] })
        model.selectContainer(.trash)
        #expect(model.noteSearchText.isEmpty)
        #expect(titles.isEmpty)
    }

    @Test func `a note captured by another program appears, and the cursor stays on its note`() throws {
        defer { fixture.close() }
        try fixture.add("Mine", age: 10)
        model.start()
        let other = try Notebook.open(fixture.notebook.path, mode: .command)
        _ = try other.notes.create(
            NewNote(text: "Theirs", created: TemporaryNotebook.now, updated: TemporaryNotebook.now))
        try other.close()
        #expect(fixture.scheduler.run { titles == ["Theirs", "Mine"] })
        #expect(model.openNote?.title == "Mine")
        #expect(model.listCursor == 1)
    }

    @Test func `coming back to a note finds its undo history`() throws {
        defer { fixture.close() }
        try fixture.add("One", age: 1)
        try fixture.add("Two", age: 2)
        model.start()
        model.session?.type("X")
        model.moveListCursor(to: 1)
        #expect(fixture.scheduler.run { titles.contains("XOne") })
        let index = try #require(titles.firstIndex(of: "XOne"))
        model.moveListCursor(to: index)
        model.session?.undo()
        #expect(model.session?.text == "One")
    }

    @Test func `a URL of no note says so`() throws {
        defer { fixture.close() }
        model.start()
        model.loadNoteFromURL("takenote://note/00000000-0000-0000-0000-000000000000")
        #expect(model.linkToNoteErrorIsPresented)
    }

    @Test func `a list of thousands is walked from end to end with a window of it at hand`() throws {
        defer { fixture.close() }
        for index in 0..<2_500 { try fixture.add("Note \(index)", age: Double(index)) }
        model.start()
        #expect(model.noteList.count == 2_500)
        model.moveListCursor(to: .max / 2)
        #expect(model.openNote?.title == "Note 2499")
        for index in stride(from: 2_499, through: 0, by: -40) {
            model.moveListCursor(to: index)
            #expect(model.openNote?.title == "Note \(index)")
            #expect(model.noteList.window.count <= 1_200)
        }
        model.moveListCursor(to: 0)
        #expect(model.openNote?.title == "Note 0")
    }
}
