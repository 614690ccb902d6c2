import Testing

@testable import NoteStore

struct SavedSearchTests {
    @Test func `a saved search keeps its words, and its name is its own`() throws {
        let test = try TestNotebook()
        let search = try test.notebook.savedSearches.create("  To read ", query: "tag:books -borges ")
        #expect(search.name == "To read")
        #expect(search.query == "tag:books -borges")
        #expect(throws: StoreError.nameTaken(name: "TO READ", parent: "", by: ContainerID(search.id.uuid))) {
            try test.notebook.savedSearches.create("TO READ", query: "x")
        }
        #expect(throws: StoreError.emptyName) { try test.notebook.savedSearches.create(" ", query: "x") }
        #expect(throws: StoreError.emptyName) { try test.notebook.savedSearches.create("Nothing", query: " ") }
        try test.restart()
        #expect(try test.notebook.savedSearches.all() == [search])
    }

    @Test func `making, renaming and deleting are undone and done again`() throws {
        let test = try TestNotebook()
        let notebook = test.notebook
        let search = try notebook.savedSearches.create("Books", query: "tag:books")
        try notebook.savedSearches.rename(search.id, to: "Novels")
        try notebook.savedSearches.delete(search.id)
        #expect(try notebook.savedSearches.all().isEmpty)
        #expect(try notebook.actions.undo()?.kind == .deleteSearch)
        #expect(try notebook.savedSearches.all().map(\.name) == ["Novels"])
        #expect(try notebook.actions.undo()?.subject == "Books")
        #expect(try notebook.savedSearches.all().map(\.name) == ["Books"])
        try notebook.actions.undo()
        #expect(try notebook.savedSearches.all().isEmpty)
        for _ in 0..<2 { try notebook.actions.redo() }
        #expect(try notebook.savedSearches.all() == [SavedSearch(search, named: "Novels")])
    }

    @Test(arguments: ["reading", "tag:books", "tag:books reading", "is:starred", "readi", "adin", "-reading", "zzz"])
    func `as many are counted as are found`(query: String) throws {
        let test = try TestNotebook()
        let tag = try test.notebook.tags.create("books")
        for index in 0..<30 {
            try test.notebook.notes.create(
                NewNote(
                    text: "Note \(index) \(index % 3 == 0 ? "reading" : "writing")",
                    tags: index % 2 == 0 ? [tag.id] : [],
                    starred: index % 5 == 0))
        }
        let found = try test.notebook.search.hits(query, limit: 200).count
        #expect(try test.notebook.search.count(query, limit: 1000) == found)
        #expect(try test.notebook.search.count(query, limit: 3) == min(found, 3))
    }

    @Test func `a damaged notebook gives its saved searches back`() throws {
        let test = try TestNotebook()
        let search = try test.notebook.savedSearches.create("Books", query: "tag:books")
        try test.notebook.close()
        let path = test.folder.path + "/saved.sqlite"
        _ = try Notebook.Care.salvage(test.path, into: path)
        test.notebook = try Notebook.open(path)
        #expect(try test.notebook.savedSearches.all() == [search])
    }
}

extension SavedSearch {
    fileprivate init(_ other: SavedSearch, named name: String) {
        self = other
        self.name = name
    }
}
