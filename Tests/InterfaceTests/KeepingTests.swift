import Interface
import NoteStore
import Terminal
import TestSupport
import Testing

/// Tests storing a note over time, from inside the window.
@MainActor
@Suite(.serialized)
struct KeepingTests {
    @Test func `ten thousand keys at once give the text that was typed, line ends and all`() throws {
        let window = try Window(notes: [""])
        defer { window.close() }
        window.press("Enter")
        let text = String(repeating: "the quick brown fox (ünï) jumps. ", count: 300)
        let events = text.map { InputEvent.key(KeyPress(typed: $0)) }
        let newLine = InputEvent.key(KeyPress(.enter))
        window.interface.handle(events + [newLine] + events)
        #expect(window.fixture.model.session?.text == text + "\n" + text)
        window.press("Ctrl-Z")
        #expect(window.fixture.model.session?.text != text + "\n" + text)
    }

    @Test func `keys typed over a selection replace it or wrap it, however fast they come`() throws {
        let window = try Window(notes: ["old"])
        defer { window.close() }
        window.press("Enter", "Ctrl-A")
        window.interface.handle("*x".map { .key(KeyPress(typed: $0)) })
        #expect(window.fixture.model.session?.text == "*x*")
    }

    @Test func `a text that was left can be brought back, and undo takes it away again`() throws {
        let window = try Window(notes: ["first", "other"])
        defer { window.close() }
        window.press("Enter", "Ctrl-End", "\" draft\"", "Esc", "j", "k")
        window.fixture.model.saveNow()
        window.press("Enter", "Ctrl-A", "\"x\"")
        window.fixture.model.saveNow()
        window.press("Esc", "H")
        #expect(window.lines.contains { $0.contains("first draft (2 words)") })
        #expect(window.lines.contains { $0.contains("+ x") })
        window.press("Enter")
        #expect(window.fixture.model.session?.text == "first draft")
        window.press("u")
        #expect(window.fixture.model.session?.text == "x")
    }

    @Test func `e lends the note to the user's own editor`() throws {
        let window = try Window(notes: ["Mine"])
        defer { window.close() }
        window.press("e")
        #expect(window.host.editedOutside == ["Mine"])
    }
}
