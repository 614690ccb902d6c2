import Terminal
import TestSupport
import Testing

@testable import Interface
@testable import NoteStore
@testable import ViewModel

/// Tests synchronising in the window: the sign, the commands, the conflicts.
@MainActor
@Suite(.serialized)
struct SyncWindowTests {
    private func window(columns: Int = 120, rows: Int = 40) throws -> Window {
        let window = try Window(columns: columns, rows: rows, notes: ["# Colours\n\nblue", "Letters"])
        try window.fixture.notebook.sync.turnOn(url: "/nowhere")
        window.fixture.model.sync.job = { _, _ in .done(sent: 0, received: 3, conflicts: 0) }
        window.fixture.model.sync.readFacts()
        #expect(window.fixture.scheduler.run { window.fixture.model.sync.status.isOn })
        return window
    }

    private func conflict(in window: Window, _ text: String = "# Colours\n\nred") throws {
        let notebook = window.fixture.notebook
        let note = try #require(try notebook.links.note(havingTitle: "Colours"))
        let copy = try notebook.notes.create(NewNote(text: text, title: "Colours (conflict)"))
        try notebook.write {
            try $0.run(
                "UPDATE note SET conflictOf = ? WHERE uuid = ?", [note.id.description, copy.id.description])
        }
        let count = window.fixture.model.sync.status.conflicts
        #expect(window.fixture.scheduler.run { window.fixture.model.sync.status.conflicts > count })
        window.draw()
    }

    private func open(_ window: Window) {
        window.press("Ctrl-P", "\"conflicts between\"", "Enter")
        #expect(
            window.fixture.scheduler.run {
                window.draw()
                return window.lines.contains { $0.contains("- blue") }
            })
    }

    @Test func `the sign stands in the status line, in ASCII too`() throws {
        let window = try window()
        defer { window.close() }
        window.fixture.scheduler.advance(by: .seconds(2))
        #expect(
            window.fixture.scheduler.run {
                if case .done = window.fixture.model.sync.status.outcome { true } else { false }
            })
        window.draw()
        #expect(window.lines.last?.contains("✓ · saved") == true)
        try conflict(in: window)
        #expect(window.lines.last?.contains("!1 ↑") == true)
        window.interface.configuration.screen.glyphs = .ascii
        window.interface.putOnTheme()
        window.draw()
        #expect(window.lines.last?.contains("!1 ^") == true)
    }

    @Test func `a notebook that is not synchronised shows no sign and says how to begin`() throws {
        let window = try Window(notes: ["a"])
        defer { window.close() }
        #expect(window.lines.last?.contains("✓") == false)
        let command = try #require(CommandRegistry.standard["sync.now"])
        #expect(command.availability(window.interface) != .available)
    }

    @Test func `Sync now says what came`() throws {
        let window = try window()
        defer { window.close() }
        window.press("Ctrl-P", "\"sync now\"", "Enter")
        #expect(window.fixture.scheduler.run { window.fixture.model.notice?.text == "3 received. In sync" })
    }

    @Test(arguments: [("1", "# Colours\n\nblue"), ("2", "# Colours\n\nred"), ("3", "# Colours\n\nblue\nred")])
    func `a key settles a conflict`(key: String, text: String) throws {
        let window = try window()
        defer { window.close() }
        try conflict(in: window)
        open(window)
        #expect(window.lines.contains { $0.contains("+ red") })
        window.press(key)
        #expect(window.interface.overlays.isEmpty)
        let notebook = window.fixture.notebook
        let note = try #require(try notebook.links.note(havingTitle: "Colours"))
        #expect(try notebook.notes.text(note.id) == text)
        #expect(window.fixture.model.conflicts().isEmpty)
    }

    @Test func `Enter brings both into the note and opens it`() throws {
        let window = try window()
        defer { window.close() }
        try conflict(in: window)
        open(window)
        window.press("Enter")
        #expect(window.interface.overlays.isEmpty && window.fixture.model.openNote?.title == "Colours")
        #expect(window.fixture.model.session?.text == "# Colours\n\nblue\nred")
    }

    @Test(arguments: [
        ("1", "# Colours\n\nblue", "“Colours” stays as it is; the other text is in the Trash"),
        ("2", "# Colours\n\nred", "“Colours” has the other text now; its own is kept as a version"),
        ("3", "# Colours\n\nblue\nred", "“Colours” has the lines of both texts now"),
    ])
    func `settling a conflict while its copy is open opens the note, and says what became of both`(
        key: String, text: String, message: String
    ) throws {
        let window = try window()
        defer { window.close() }
        try conflict(in: window)
        let model = window.fixture.model
        model.show(try #require(try window.fixture.notebook.links.note(havingTitle: "Colours (conflict)")))
        open(window)
        window.press(key)
        #expect(model.openNote?.title == "Colours" && model.noteUnderCursor?.title == "Colours")
        #expect(model.session?.text == text)
        #expect(model.notice?.text == message)
    }

    @Test func `of several conflicts the next one follows`() throws {
        let window = try window(columns: 40, rows: 12)
        defer { window.close() }
        try conflict(in: window)
        try conflict(in: window, "# Colours\n\ngreen")
        open(window)
        window.press("Down", "1")
        #expect(window.interface.overlays.count == 1 && window.fixture.model.conflicts().count == 1)
        window.press("Up", "1")
        #expect(window.interface.overlays.isEmpty && window.fixture.model.conflicts().isEmpty)
    }

    @Test func `the texts of a conflict are told apart by name`() throws {
        let window = try window()
        defer { window.close() }
        try conflict(in: window)
        open(window)
        #expect(window.lines.contains { $0.contains("- the text of “Colours” (") })
        #expect(window.lines.contains { $0.contains("+ the text which lost, in “Colours (conflict)”") })
    }

    @Test func `where the texts of a conflict are from stands directly above them, in a row for each`() throws {
        let window = try window()
        defer { window.close() }
        try conflict(in: window)
        open(window)
        let row = try #require(window.lines.firstIndex { $0.contains("- the text of “Colours” (") })
        #expect(window.lines[row + 1].contains("+ the text which lost, in “Colours (conflict)”"))
        #expect(window.lines[row - 2].contains("Colours"))
        let changes = window.lines[(row + 2)...]
        #expect(try #require(changes.firstIndex { $0.contains("- blue") }) < row + 5, "\(window.lines)")
    }
}
