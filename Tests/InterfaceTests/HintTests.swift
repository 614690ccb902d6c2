import NoteStore
import Terminal
import Testing
import ViewModel

@testable import Interface

/// Tests that a hint names the key that works with the present focus, as the user has configured it.
@MainActor
@Suite(.serialized)
struct HintTests {
    private func window(_ keys: String = "") throws -> Window {
        let window = try Window(notes: [])
        if !keys.isEmpty { window.interface.apply(Configuration.read(keys)) }
        window.draw()
        return window
    }

    @Test func `an empty folder names the key that writes a note where the focus is`() throws {
        let window = try window()
        defer { window.close() }
        #expect(window.lines.contains { $0.contains("Press n to write one.") })
        // In the sidebar, n creates a folder.
        window.press("Alt-1")
        #expect(window.lines.contains { $0.contains("Press ^N to write one.") })
    }

    @Test func `a place without notes says what it has`() throws {
        let window = try window()
        defer { window.close() }
        let notebook = window.fixture.notebook
        func says(_ text: String) -> Bool {
            window.draw()
            return window.lines.contains { $0.contains(text) }
        }
        window.fixture.model.selectContainer(.trash)
        #expect(says("The Trash is empty."))
        let attic = try notebook.folders.create("Attic")
        let old = try notebook.projects.create("Old plays", type: .drama, details: "")
        try notebook.containers.delete([attic.id, old.id])
        window.fixture.model.readOutsideChanges()
        #expect(!says("The Trash is empty."))
        #expect(says("No notes, but ") && says(" folders and 1 pro"))
        try notebook.projects.create("Poems", type: .poetry, details: "")
        window.fixture.model.readOutsideChanges()
        let all = try #require(try notebook.containers.all().first { $0.role == .all && !$0.isInTrash })
        window.fixture.model.selectContainer(all.id)
        #expect(says("No notes in this project's folders yet."))
        #expect(!says("This folder holds folders only."))
    }

    @Test func `the status line names the key that ends a search, a filter, marks and a cut`() throws {
        let window = try Window(notes: ["Pears #fruit", "Plums"])
        defer { window.close() }
        func footer() -> String { window.lines.last ?? "" }
        window.press("/", "\"pears\"")
        let model = window.fixture.model
        #expect(window.fixture.scheduler.run { model.noteList.count == 1 && model.isSearchRanked })
        window.press("Enter", "Alt-2")
        #expect(footer().contains("Esc end search  / search  ? help"))
        window.press("Esc", "Space")
        #expect(footer().contains("Esc unmark  ? help"))
        window.press("Esc", "x")
        // The next key takes the message away.
        window.press("j")
        #expect(footer().contains("v paste  Esc put back  ? help"))
        window.press("Esc")
        window.press("j")
        #expect(footer().contains("n new  / search  ? help"))
        window.size = Size(columns: 40, rows: 12)
        window.press("Space")
        #expect(footer().hasSuffix("Esc unmark  ? help"))
    }

    @Test func `keys that were changed are named as they are now, and those taken away are not named`() throws {
        let window = try window("[keys.list]\nnote.new = \"w w\"\nnote.star = \"\"\n")
        defer { window.close() }
        #expect(!window.lines.contains { $0.contains("Press n ") })
        window.fixture.model.selectContainer(.starred)
        window.draw()
        #expect(window.lines.contains { $0.contains("No starred notes.") })
        #expect(!window.lines.contains { $0.contains("to star it") })
    }

    @Test func `a key that does something else where the focus is, is not named there`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        let keys = "app.quit = \"Ctrl-X Ctrl-C\"\napp.palette = [\"Ctrl-F\", \"Ctrl-P\"]\n"
        window.interface.apply(Configuration.read("[keys.everywhere]\n" + keys))
        window.draw()
        // That these keys are taken in the editor is said until the next key.
        window.press("j")
        func footer() -> String { window.lines.last ?? "" }
        #expect(footer().contains("^F commands") && footer().contains("^X ^C quit"), "\(footer())")
        // In the editor Ctrl-F finds, and Ctrl-X cuts.
        window.press("Enter")
        #expect(footer().contains("^F find") && footer().contains("^P commands"), "\(footer())")
        #expect(!footer().contains("quit"), "\(footer())")
    }

    @Test func `what is said names the key that does it now`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        window.press("x")
        #expect(window.fixture.model.notice?.text.hasSuffix("cut; v pastes in another folder") == true)
        window.press("u")
        window.interface.apply(Configuration.read("[keys.browsing]\nnote.paste = \"F12\"\n"))
        window.press("x")
        #expect(window.fixture.model.notice?.text.hasSuffix("cut; F12 pastes in another folder") == true)
    }

    @Test func `a flood of typed keys is one change of the note, and one search`() throws {
        let window = try Window(notes: ["One"])
        defer { window.close() }
        let flood = String(repeating: "\u{FFFD}é.,;!?-", count: 50)
        window.press("n")
        let before = window.fixture.model.session?.revision
        window.interface.handle(flood.map { .key(KeyPress(typed: $0)) })
        window.draw()
        #expect(window.fixture.model.session?.text == flood)
        #expect(window.fixture.model.session?.revision == before.map { $0 + 1 })
        window.press("Esc", "/")
        window.interface.handle("\"a b\" [c]".map { .key(KeyPress(typed: $0)) })
        #expect(window.interface.state.searchField?.text == "\"a b\" [c]")
    }
}
