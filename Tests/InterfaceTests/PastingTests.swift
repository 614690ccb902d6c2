import NoteStore
import Terminal
import TestSupport
import Testing

@testable import Interface
@testable import ViewModel

/// Pasting from the system's clipboard, and from the desktop's selection by the middle button.
@MainActor
@Suite struct PastingTests {
    private func window(_ text: String = "a\nb") throws -> Window {
        let window = try Window(columns: 120, rows: 20, notes: [text])
        window.press("Enter", "Ctrl-Home")
        return window
    }

    @Test func `what another program copied is pasted`() throws {
        let window = try window()
        defer { window.close() }
        window.host.system[.copied] = "from elsewhere "
        window.press("Ctrl-C", "Ctrl-V")
        #expect(window.place.model.session?.text == "from elsewhere a\nb")
    }

    @Test func `a line that was copied here is pasted as a line, and where no clipboard can be read too`() throws {
        for system in ["a\n", nil] {
            let window = try window()
            defer { window.close() }
            window.host.system[.copied] = system
            window.press("Right", "Ctrl-C", "Ctrl-V")
            #expect(window.place.model.session?.text == "a\na\nb")
        }
        let window = try window()
        defer { window.close() }
        window.press("Ctrl-V")
        #expect(window.place.model.notice?.kind == .refused)
    }

    @Test func `keys wait for the text that is pasted before them`() throws {
        let window = try window()
        defer { window.close() }
        (window.host.system[.copied], window.host.answersLate) = ("pasted", true)
        window.interface.handle([.key(KeyPress(.character("v"), .control)), .key(KeyPress(typed: "x"))])
        window.press("\"y\"")
        #expect(window.place.model.session?.text == "a\nb")
        window.host.answerReaders()
        #expect(window.place.model.session?.text == "pastedxya\nb")
        window.press("Ctrl-Z", "Ctrl-Z")
        #expect(window.place.model.session?.text == "a\nb")
    }

    @Test func `keys that wait for a paste go to their note or to none`() throws {
        let window = try Window(columns: 120, rows: 20, notes: ["one", "two"])
        defer { window.close() }
        window.press("Enter", "Ctrl-Home")
        let model = window.place.model
        let typedIn = try #require(model.openNote)
        let other = try #require(
            try model.notebook.lists.rows(ListQuery(container: .allNotes), limit: 9).first { $0.id != typedIn.id })
        (window.host.system[.copied], window.host.answersLate) = ("pasted", true)
        window.interface.handle([.key(KeyPress(.character("v"), .control)), .key(KeyPress(typed: "x"))])
        // Another program of the user asks for the other note.
        #expect(window.interface.come(to: other.getURL()) == .typing)
        #expect(model.openNote?.id == typedIn.id)
        // The note is deleted elsewhere, and the next one is opened.
        model.show(other)
        window.host.answerReaders()
        #expect(model.session?.text == "two" || model.session?.text == "one")
        #expect(try [typedIn, other].map { try model.notebook.notes.text($0.id) } == [typedIn.title, other.title])
        // Keys are taken again.
        window.press("Ctrl-Home", "\"y\"")
        #expect(model.session?.text.hasPrefix("y") == true)
    }

    @Test func `the middle button pastes what is selected, at the caret`() throws {
        let window = try window()
        defer { window.close() }
        window.host.system = [.copied: "no", .selected: "yes"]
        window.press("Esc")
        let inEditor = Position(column: 100, row: 5)
        window.send(.mouse(MouseEvent(.press, .middle, at: inEditor)))
        #expect(window.place.model.session?.text == "yesa\nb")
        window.send(.mouse(MouseEvent(.press, .middle, at: Position(column: 2, row: 5))))
        #expect(window.place.model.session?.text == "yesa\nb")
    }
}
