import Foundation
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

    /// The smallest header of a PNG.
    private static let png: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 64, 0, 0, 0, 64,
        8, 2, 0, 0, 0, 0, 0, 0, 0,
    ]

    @Test func `the path of a picture is read in the background, and keys wait for it`() throws {
        let window = try window("")
        defer { window.close() }
        let file = window.place.folder.appendingPathComponent("map.png")
        try Data(Self.png).write(to: file)
        window.send(.paste(file.path), .key(KeyPress(typed: "x")))
        // The window goes on meanwhile.
        #expect(window.place.model.session?.text == "")
        window.place.scheduler.advance(by: .seconds(1))
        window.draw()
        #expect(window.lines.last?.contains("Pasting") == true || window.place.model.session?.text != "")
        #expect(window.place.scheduler.run { window.place.model.session?.text.isEmpty == false })
        window.draw()
        let text = try #require(window.place.model.session?.text)
        #expect(text.hasPrefix("![map](takenote://image/") && text.hasSuffix(")x"))
        #expect(window.lines.last?.contains("Pasting") == false)
    }

    @Test func `what cannot be read as a picture is pasted as text, and keys follow it`() throws {
        let window = try window("")
        defer { window.close() }
        let file = window.place.folder.appendingPathComponent("map.png")
        try Data("no picture".utf8).write(to: file)
        window.send(.paste(file.path), .key(KeyPress(typed: "x")))
        #expect(window.place.scheduler.run { window.place.model.session?.text == file.path + "x" })
    }

    @Test func `a clipboard that takes long shows that it is waited for`() throws {
        let window = try window()
        defer { window.close() }
        (window.host.system[.copied], window.host.answersLate) = ("pasted", true)
        window.press("Ctrl-V")
        #expect(window.lines.last?.contains("Pasting") == false)
        window.place.scheduler.advance(by: .seconds(1))
        window.draw()
        #expect(window.lines.last?.contains("Pasting") == true)
        window.host.answerReaders()
        window.draw()
        #expect(window.lines.last?.contains("Pasting") == false)
        #expect(window.place.model.session?.text == "pasteda\nb")
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
