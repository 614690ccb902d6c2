import NoteStore
import TestSupport
import Testing
import ViewModel

/// Tests manual order, the list restricted to a tag, word counts, saved searches.
@MainActor
@Suite(.serialized)
struct ListOrderTests {
    let fixture: TemporaryNotebook

    init() throws {
        fixture = try TemporaryNotebook()
    }

    private var model: TakeNoteVM { fixture.model }
    private var titles: [String] { (0..<model.noteList.count).compactMap { model.noteList[$0]?.title } }

    @Test func `lists begin with what was created last, and every change of the order is reported at once`() throws {
        defer { fixture.close() }
        let old = try fixture.add("Old", age: 100)
        try fixture.add("New", age: 10)
        _ = try fixture.notebook.notes.save(old.id, text: "Old, changed", baseRevision: old.revision, base: "Old")
        var kept: [SortBy] = []
        model.orderChanged = { [model] in kept.append(model.savedState.sortBy) }
        model.start()
        #expect(model.listSortBy == .created)
        #expect(titles == ["New", "Old, changed"])
        for _ in 0..<3 { model.sortByNext() }
        #expect(kept == [.title, .updated, .created])
        model.reverseOrder()
        #expect(titles == ["Old, changed", "New"])
        #expect(kept.count == 4)
    }

    // MARK: By hand

    @Test func `moving a note begins with the order that is seen, and the folder keeps it`() throws {
        defer { fixture.close() }
        let home = try fixture.notebook.folders.create("Home")
        for (age, title) in ["A", "B", "C", "D"].enumerated() {
            try fixture.add(title, age: Double(age), folder: home.id)
        }
        model.start()
        model.selectContainer(home.id)
        #expect(titles == ["A", "B", "C", "D"])
        model.moveListCursor(to: 2)
        model.moveByHand(.up)
        #expect(titles == ["A", "C", "B", "D"])
        #expect(model.listSortBy == .byHand)
        #expect(model.noteUnderCursor?.title == "C")
        model.moveByHand(.down)
        model.moveByHand(.down)
        #expect(titles == ["A", "B", "D", "C"])
        model.moveByHand(.down)
        #expect(model.notice?.text == "It is already the last")
        model.undoAction()
        #expect(titles == ["A", "B", "C", "D"])
        model.selectContainer(.inbox)
        #expect(model.listSortBy == .created)
        model.selectContainer(home.id)
        #expect(model.listSortBy == .byHand)
        model.sortByNext()
        #expect(model.listSortBy == .created)
    }

    @Test func `what stops a note that is moved by hand is said`() throws {
        defer { fixture.close() }
        for title in ["A", "B", "C"] { try fixture.add(title) }
        model.start()
        model.noteStarredToggle()
        model.moveListCursor(to: 0)
        model.moveByHand(.down)
        #expect(model.notice?.text == "Starred notes stay above the others")
        model.moveListCursor(to: 1)
        model.moveByHand(.up)
        #expect(model.notice?.text == "Starred notes stay above the others")
        model.toggleMark()
        #expect(model.canMoveByHand == .unavailable("Only one note can be moved at a time; unmark the others first"))
    }

    @Test func `the first move by hand says how to sort by date again`() throws {
        defer { fixture.close() }
        for title in ["A", "B"] { try fixture.add(title) }
        model.start()
        model.moveByHand(.down)
        #expect(model.notice?.text == "“Inbox” is sorted by hand now")
        model.moveByHand(.up)
        #expect(model.listCursor == 0)
    }

    @Test func `a new note stands on top of a list by hand, and the order is there at the next start`() throws {
        defer { fixture.close() }
        for title in ["A", "B"] { try fixture.add(title) }
        model.start()
        model.sortByHand()
        let before = titles
        model.addNote()
        #expect(titles == ["New Note"] + before)
        let state = model.savedState
        let other = TakeNoteVM(
            notebook: fixture.notebook, scheduler: fixture.scheduler, configuration: TemporaryNotebook.unhurried)
        other.restore(state)
        other.start()
        defer { other.stop() }
        #expect(other.listSortBy == .byHand)
    }

    @Test func `computed lists and the Trash have no order by hand`() throws {
        defer { fixture.close() }
        try fixture.add("A")
        model.start()
        for id in [ContainerID.allNotes, .starred, .trash] {
            model.selectContainer(id)
            #expect(model.canSortByHand == .unavailable("Folders, projects and tags can be sorted by hand"))
        }
        model.search(for: "A")
        #expect(model.canMoveByHand == .unavailable("Leave the search to sort by hand"))
    }

    // MARK: By tag

    @Test func `a list is narrowed to a tag, and a change of container shows all again`() throws {
        defer { fixture.close() }
        let notes = try ["A", "B", "C"].enumerated().map { try fixture.add($1, age: Double($0)) }
        model.start()
        #expect(model.canFilterByTag == .unavailable("There are no tags yet"))
        let tag = try fixture.notebook.tags.create("books")
        try fixture.notebook.tags.add(tag.id, to: [notes[0].id, notes[2].id])
        model.readOutsideChanges()
        model.filterByTag(tag.id)
        #expect(Set(titles) == ["A", "C"])
        #expect(model.noteList.count == 2)
        model.toggleAllMarks()
        #expect(model.markedNotes.count == 2)
        #expect(model.canMoveByHand == .unavailable("Show all notes to move one by hand"))
        model.filterByTag(nil)
        #expect(titles.count == 3)
        model.filterByTag(tag.id)
        model.selectContainer(.allNotes)
        #expect(model.tagFilter == nil)
        model.filterByTag(tag.id)
        model.onTagDelete(tag.id)
        #expect(titles.count == 3)
    }

    @Test func `the words of a folder and of a project are counted`() throws {
        defer { fixture.close() }
        let home = try fixture.notebook.folders.create("Home")
        try fixture.add("one two three", folder: home.id)
        try fixture.add("four five", folder: home.id)
        model.start()
        #expect(model.containerWordCount == nil)
        model.selectContainer(home.id)
        #expect(fixture.scheduler.run { model.containerWordCount == 5 })
        try fixture.add("six", folder: home.id)
        #expect(fixture.scheduler.run { model.containerWordCount == 6 })
        model.selectContainer(.inbox)
        #expect(model.containerWordCount == nil)
    }

    // MARK: Saved searches

    private func search(_ text: String) {
        model.search(for: text)
        _ = fixture.scheduler.run { model.isSearchRanked && !model.searchHits.isEmpty }
    }

    @Test func `a search is kept, counted, shown again, renamed, deleted and brought back`() throws {
        defer { fixture.close() }
        for index in 0..<3 { try fixture.add("reading \(index)") }
        try fixture.add("writing")
        model.start()
        #expect(model.canSaveSearch == .unavailable("Search for something first"))
        search("reading")
        #expect(model.saveSearch(named: " ") == "a name cannot be empty")
        #expect(model.saveSearch(named: "Books") == nil)
        let saved = try #require(model.savedSearches.first)
        #expect(model.selectedSavedSearch == saved.id)
        #expect(model.navigationTitle == "Books")
        #expect(fixture.scheduler.run { model.savedSearchCounts[saved.id] == 3 })
        #expect(model.sidebarRows.last?.title == "Books")
        #expect(model.sidebarRows.last?.count == 3)

        model.selectContainer(.inbox)
        model.cancelSearch()
        #expect(model.selectedSavedSearch == nil)
        try fixture.add("reading 4")
        #expect(fixture.scheduler.run { model.savedSearchCounts[saved.id] == 4 })
        model.select(saved)
        #expect(fixture.scheduler.run { model.noteList.count == 4 })

        #expect(model.searchNameProblem("books") == "A search with this name already exists")
        #expect(model.searchNameProblem("books", except: saved.id) == nil)
        #expect(model.rename(saved, to: "Novels") == nil)
        #expect(model.sidebarRows.last?.title == "Novels")
        model.delete(saved)
        #expect(model.savedSearches.isEmpty)
        #expect(model.noteSearchText.isEmpty)
        model.undoAction()
        #expect(model.savedSearches.map(\.name) == ["Novels"])
        #expect(model.notice?.text == "Undone: delete search “Novels”")
    }

    @Test func `the section of searches folds, and typing leaves the saved search`() throws {
        defer { fixture.close() }
        try fixture.add("reading")
        model.start()
        search("reading")
        model.saveSearch(named: "Books")
        model.setExpanded(.section(.searches), false)
        #expect(model.sidebarRows.last?.item == .section(.searches))
        model.search(for: "readin")
        #expect(model.selectedSavedSearch == nil)
        #expect(model.navigationTitle == "Search")
    }

    // MARK: Search completion

    @Test(arguments: [
        ("tag:bo", ["tag:books", "tag:borges"]), ("pira TAG:b", ["tag:books", "tag:borges"]),
        ("in:my", ["in:\"My notes\""]),
        ("in:note", ["in:\"My notes\""]), ("is:", ["is:starred", "is:archived", "is:trashed"]),
        ("-tag:boo", ["-tag:books"]), ("-has:b", ["-has:backlink", "-has:broken"]),
        ("ha", ["has:"]), ("tag:books", []), ("piranesi", []), ("updated:tod", ["updated:today"]), ("", []),
    ])
    func `the word at the end is completed`(text: String, candidates: [String]) {
        let completion = SearchCompletion(text, tags: ["books", "borges"], folders: ["Home", "My notes"])
        #expect(completion.candidates == candidates)
    }

    @Test func `a completed value is finished, a filter waits for one`() {
        let completion = SearchCompletion("pira tag:bo", tags: ["books"], folders: [])
        #expect(completion.text(with: completion.candidates[0]) == "pira tag:books ")
        let filter = SearchCompletion("pira has", tags: [], folders: [])
        #expect(filter.text(with: filter.candidates[0]) == "pira has:")
    }
}
