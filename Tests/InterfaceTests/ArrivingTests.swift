import NoteStore
import Terminal
import TestSupport
import Testing
import TextEditing

@testable import Interface
@testable import ViewModel

/// Tests that the window shows a note at the request of another program, and that no key acts on the wrong note.
@MainActor
@Suite struct ArrivingTests {
    private func window() throws -> (Window, address: String) {
        let window = try Window(notes: ["First\n", "Second\n"])
        let other = try window.fixture.notebook.notes.resolve(reference: "Second")
        window.host.inputAge = .seconds(1)
        window.interface.model.show(try window.fixture.notebook.notes.resolve(reference: "First"))
        window.interface.focusEditor()
        window.draw()
        return (window, other.getURL())
    }

    @Test func `it comes to the note with the focus in its text, and says so`() throws {
        let (window, address) = try window()
        window.press("\"typed \"")
        window.host.inputAge = .seconds(1)
        #expect(window.interface.come(to: address) == .done)
        window.draw()
        #expect(window.interface.model.openNote?.title == "Second")
        #expect(window.interface.state.focus == .editor)
        #expect(window.lines.contains { $0.contains("Opened “Second” from outside; F7 goes back") })
        #expect(try window.fixture.notebook.notes.resolve(reference: "typed First").place == .live)
    }

    @Test func `while keys are being typed it waits`() throws {
        let (window, address) = try window()
        window.host.inputAge = .milliseconds(100)
        #expect(window.interface.come(to: address) == .typing)
        window.host.inputAge = .seconds(1)
        window.host.hasPendingInput = true
        #expect(window.interface.come(to: address) == .typing)
        #expect(window.interface.model.openNote?.title == "First")
    }

    @Test func `an open dialog keeps its keys`() throws {
        let (window, address) = try window()
        window.press("Ctrl-P")
        #expect(window.interface.come(to: address) == .dialog)
        #expect(window.interface.model.openNote?.title == "First")
        window.press("Esc")
        #expect(window.interface.come(to: address) == .done)
    }

    @Test func `a note that is gone is not opened, and the window stays where it was`() throws {
        let (window, _) = try window()
        #expect(window.interface.come(to: NoteID().url) == .noNote)
        #expect(window.interface.come(to: "takenote://note/") == .noNote)
        #expect(window.interface.come(to: "\u{1B}]0;x\u{7}") == .noNote)
        #expect(window.interface.model.openNote?.title == "First")
    }

    @Test func `it comes also from the middle of a search`() throws {
        let (window, address) = try window()
        window.press("Esc", "/", "\"fir\"")
        window.host.inputAge = .seconds(1)
        #expect(window.interface.come(to: address) == .done)
        window.press("\"x\"")
        #expect(window.interface.model.session?.text.hasPrefix("xSecond") == true)
    }

    @Test func `a text copied elsewhere is pasted as if it had been copied here`() throws {
        let (window, _) = try window()
        window.interface.take(Clipping(text: "from elsewhere\n", isWholeLine: true))
        window.press("Ctrl-V")
        #expect(window.interface.model.session?.text.hasPrefix("from elsewhere\nFirst") == true)
        var told: [Clipping] = []
        window.interface.textCopied = { told.append($0) }
        window.press("Ctrl-C")
        #expect(told == [Clipping(text: "First\n", isWholeLine: true)])
    }

    @Test func `notes copied elsewhere are pasted as copies`() throws {
        let (window, _) = try window()
        let model = window.interface.model
        var told: [NoteID] = []
        model.notesCopied = { told = $0 }
        model.copyNotes()
        #expect(told == model.copiedNotes && told.count == 1)
        model.take(copiedNotes: [try window.fixture.notebook.notes.resolve(reference: "Second").id])
        model.pasteNotes()
        #expect(
            try window.fixture.notebook.lists.rows(
                ListQuery(container: .inbox, sortBy: .title, sortOrder: .newestFirst, starredFirst: false),
                from: .start, limit: 9
            ).filter { $0.title == "Second" }.count == 2)
    }
}
