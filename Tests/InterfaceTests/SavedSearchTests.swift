import NoteStore
import Terminal
import TestSupport
import Testing
import ViewModel

@testable import Interface

/// Tests the search field's help, saved searches, and order and columns of the list, by key and palette.
@MainActor
@Suite(.serialized)
struct SavedSearchTests {
    private func window() throws -> Window {
        let window = try Window(notes: ["# Reading list\n\nPiranesi", "# Reading more\n\nBorges", "# Groceries"])
        let model = window.fixture.model
        model.addTag("books")
        model.selectContainer(.inbox)
        model.toggleTag(try #require(model.tags.first), on: [try #require(model.noteUnderCursor)])
        model.dismissNotice()
        window.draw()
        return window
    }

    private func wait(_ window: Window, for count: Int) {
        #expect(window.fixture.scheduler.run { window.fixture.model.noteList.count == count })
        window.draw()
    }

    @Test func `the field shows the grammar, then what a word can become, and Tab takes it`() throws {
        let window = try window()
        defer { window.close() }
        window.press("/")
        #expect(window.lines[1].contains("tag:"))
        #expect(window.lines[1].contains("is:starred"))
        window.press("\"read tag:b\"")
        #expect(window.lines[1].contains("tag:books"))
        window.press("Tab")
        #expect(window.interface.state.searchField?.text == "read tag:books ")
        wait(window, for: 1)
        window.press("Esc")
        #expect(window.fixture.model.noteList.count == 3)
    }

    @Test func `Tab completes the word before the caret, and the caret stays between it and the rest`() throws {
        let window = try window()
        defer { window.close() }
        window.press("/", "\" e\u{301}clair\"", "Home", "\"tag:b\"", "Tab")
        #expect(window.interface.state.searchField?.text == "tag:books  e\u{301}clair")
        window.press("\"x\"")
        #expect(window.interface.state.searchField?.text == "tag:books x e\u{301}clair")
    }

    @Test func `Ctrl-S keeps the search, the sidebar shows it with its count, r renames and d deletes it`() throws {
        let window = try window()
        defer { window.close() }
        let model = window.fixture.model
        window.press("/", "\"reading\"")
        wait(window, for: 2)
        window.press("Ctrl-S", "Ctrl-U", "\"To read\"", "Enter")
        #expect(model.savedSearches.map(\.name) == ["To read"])
        #expect(window.fixture.scheduler.run { !model.savedSearchCounts.isEmpty })
        window.draw()
        let row = try #require(window.lines.firstIndex { $0.contains("/To read") })
        #expect(window.lines[row].contains("2 │"))
        #expect(window.lines[0].contains("To read"))

        // The cursor goes up and down again in the sidebar.
        window.press("Alt-1", "g")
        #expect(model.noteSearchText.isEmpty)
        window.press("G")
        wait(window, for: 2)
        window.press("c")
        #expect(window.lines[39].contains("Choose a folder, project or tag first"))
        window.press("r", "Ctrl-U", "\"Novels\"", "Enter")
        #expect(model.savedSearches.map(\.name) == ["Novels"])
        window.press("d")
        #expect(model.savedSearches.isEmpty)
        window.press("u")
        #expect(model.savedSearches.map(\.name) == ["Novels"])
    }

    @Test func `the palette keeps a search too, and says why it cannot`() throws {
        let window = try window()
        defer { window.close() }
        window.press("Ctrl-P", "\"save the search\"", "Enter")
        #expect(window.lines[39].contains("Search for something first"))
        window.press("/", "\"reading\"")
        wait(window, for: 2)
        window.press("Alt-Enter")
        #expect(window.interface.state.focus == .list)
        #expect(window.fixture.model.noteSearchText == "reading")
        window.press("j")
        #expect(window.fixture.model.listCursor == 1)
        window.press("Ctrl-P", "\"save the search\"", "Enter", "Enter")
        #expect(window.fixture.model.savedSearches.map(\.query) == ["reading"])
    }

    @Test func `a saved search is clicked like a folder`() throws {
        let window = try window()
        defer { window.close() }
        let model = window.fixture.model
        model.search(for: "reading")
        model.saveSearch(named: "To read")
        model.cancelSearch()
        window.draw()
        let row = try #require(window.lines.firstIndex { $0.contains("/To read") })
        let cell = Position(column: 6, row: row)
        window.send(.mouse(MouseEvent(.press, .left, at: cell)))
        wait(window, for: 2)
        #expect(model.selectedSavedSearch != nil)
    }

    // MARK: Order

    @Test func `Alt-Up and Alt-Down move the note, and the header says that it is by hand`() throws {
        let window = try window()
        defer { window.close() }
        let model = window.fixture.model
        #expect(window.lines[0].contains("3 notes ↓ created"))
        window.press("G", "Alt-Up")
        #expect(model.listCursor == 1)
        #expect(window.lines[0].contains("by hand"))
        window.press("Alt-Down", "Alt-Down")
        #expect(window.lines[39].contains("It is already the last"))
        window.press("o")
        #expect(window.lines[0].contains("↓ created"))
        window.press("Ctrl-P", "\"sort by hand\"", "Enter")
        #expect(window.lines[0].contains("by hand"))
    }

    @Test func `f narrows the list to a tag, the header shows it, and Esc shows all`() throws {
        let window = try window()
        defer { window.close() }
        window.press("f", "\"books\"", "Enter")
        #expect(window.fixture.model.noteList.count == 1)
        #expect(window.lines[0].contains("Inbox #books"))
        #expect(window.lines[0].contains("1 note"))
        window.press("Esc")
        #expect(window.fixture.model.noteList.count == 3)
        #expect(!window.lines[0].contains("#books"))
        window.press("Ctrl-P", "\"show only notes\"", "Enter", "Enter")
        #expect(window.fixture.model.noteList.count == 1)
    }

    @Test func `the header of a folder has its words`() throws {
        let window = try window()
        defer { window.close() }
        let model = window.fixture.model
        model.addFolder("Home")
        let home = try #require(model.selectedContainer)
        try window.fixture.add("one two three", folder: home.id)
        let hasWords = window.fixture.scheduler.run {
            // The words are counted in the background, and again when the folder changes.
            window.draw()
            return window.lines[0].contains("1 note, 3 words ↓ created")
        }
        #expect(hasWords)
    }

    @Test func `a symbol is chosen for a folder and for a tag, and undone`() throws {
        let window = try window()
        defer { window.close() }
        let model = window.fixture.model
        model.addFolder("Home")
        window.press("Alt-1", "Ctrl-P", "\"symbol of the\"", "Enter", "\"heart fill\"", "Enter")
        #expect(window.lines.contains { $0.contains("♥ Home") })
        window.press("G", "Ctrl-P", "\"symbol of the\"", "Enter", "\"pencil\"", "Enter")
        #expect(window.lines.contains { $0.contains("✎ books") })
        window.press("u", "u")
        #expect(!window.lines.contains { $0.contains("♥ Home") })
        #expect(window.lines.contains { $0.contains("#books") })
    }
}
