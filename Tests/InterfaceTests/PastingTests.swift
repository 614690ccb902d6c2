import Foundation
import Load
import NoteStore
import Terminal
import TestSupport
import Testing

@testable import Interface
@testable import ViewModel

/// Tests pasting from the system's clipboard, and from the desktop's selection by the middle button.
@MainActor
@Suite(.underLoad) struct PastingTests {
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
        #expect(window.fixture.model.session?.text == "from elsewhere a\nb")
    }

    @Test func `vim's + is the system's clipboard as it is now, also where it answers late`() throws {
        let window = try Window.withVim("one\ntwo\n")
        defer { window.close() }
        window.host.system[.copied] = "web"
        window.press("\"\"+P\"")
        #expect(window.noteText == "webone\ntwo\n")
        window.host.answersLate = true
        window.host.system[.copied] = "line\n"
        window.press("\"j\"", "\"\"+pix\"")
        #expect(window.noteText == "webone\ntwo\n")
        window.host.answerReaders()
        #expect(window.noteText == "webone\ntwo\nxline\n")
        window.host.answersLate = false
        window.host.system[.copied] = "!"
        window.press("Ctrl-R", "\"+\"", "Esc")
        #expect(window.noteText == "webone\ntwo\nx!line\n")
    }

    @Test func `a line that was copied here is pasted as a line, and where no clipboard can be read too`() throws {
        for system in ["a\n", nil] {
            let window = try window()
            defer { window.close() }
            window.host.system[.copied] = system
            window.press("Right", "Ctrl-C", "Ctrl-V")
            #expect(window.fixture.model.session?.text == "a\na\nb")
        }
        let window = try window()
        defer { window.close() }
        window.press("Ctrl-V")
        #expect(window.fixture.model.notice?.kind == .refused)
    }

    @Test func `keys wait for the text that is pasted before them`() throws {
        let window = try window()
        defer { window.close() }
        (window.host.system[.copied], window.host.answersLate) = ("pasted", true)
        window.interface.handle([.key(KeyPress(.character("v"), .control)), .key(KeyPress(typed: "x"))])
        window.press("\"y\"")
        #expect(window.fixture.model.session?.text == "a\nb")
        window.host.answerReaders()
        #expect(window.fixture.model.session?.text == "pastedxya\nb")
        window.press("Ctrl-Z", "Ctrl-Z")
        #expect(window.fixture.model.session?.text == "a\nb")
    }

    @Test func `keys that wait for a paste go to their note or to none`() throws {
        let window = try Window(columns: 120, rows: 20, notes: ["one", "two"])
        defer { window.close() }
        window.press("Enter", "Ctrl-Home")
        let model = window.fixture.model
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
        // Keys are handled again.
        window.press("Ctrl-Home", "\"y\"")
        #expect(model.session?.text.hasPrefix("y") == true)
    }

    /// The smallest header of a PNG.
    private static let png: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 64, 0, 0, 0, 64,
        8, 2, 0, 0, 0, 0, 0, 0, 0,
    ]

    /// The path of a file for a picture, written with `data`.
    private func file(_ data: Data, _ window: Window) throws -> String {
        let file = window.fixture.folder.appendingPathComponent("map.png")
        try data.write(to: file)
        return file.path
    }

    @Test func `a picture takes the place of its pasted path, whatever is typed meanwhile`() throws {
        let window = try window("end")
        defer { window.close() }
        let path = try file(Data(Self.png), window)
        window.send(.paste(path), .key(KeyPress(typed: "x")))
        window.press("Ctrl-Home", "\">\"", "Ctrl-End", "\"<\"")
        let session = try #require(window.fixture.model.session)
        #expect(session.text == ">\(path)xend<")
        #expect(window.fixture.scheduler.run { session.text.contains("takenote") })
        #expect(session.text.hasPrefix(">![map](takenote://image/") && session.text.hasSuffix(")xend<"))
        #expect(session.caretLabel == "1:\(session.text.count + 1)")
        window.press("Ctrl-Z")
        #expect(session.text == ">\(path)xend<")
    }

    @Test func `each caret gets the picture`() throws {
        let window = try window("a\nb")
        defer { window.close() }
        let path = try file(Data(Self.png), window)
        window.interface.perform("carets.below")
        window.send(.paste(path))
        let session = try #require(window.fixture.model.session)
        #expect(session.text == "\(path)a\n\(path)b")
        #expect(window.fixture.scheduler.run { session.text.components(separatedBy: "![map](").count == 3 })
        #expect(!session.text.contains(path))
    }

    @Test func `a path that was changed before the picture came stays as it is, and that is said`() throws {
        let window = try window("")
        defer { window.close() }
        let path = try file(Data(Self.png), window)
        window.send(.paste(path))
        window.press("Backspace")
        #expect(window.fixture.scheduler.run { window.fixture.model.notice?.text == Texts.pathChanged })
        #expect(window.fixture.model.session?.text == String(path.dropLast()))
    }

    @Test func `what cannot be read as a picture stays as text, with the reason, and keys follow it`() throws {
        let window = try window("")
        defer { window.close() }
        let path = try file(Data("no picture".utf8), window)
        window.send(.paste(path), .key(KeyPress(typed: "x")))
        #expect(window.fixture.scheduler.run { window.fixture.model.notice?.text.hasPrefix("Pasted as text") == true })
        #expect(window.fixture.model.session?.text == path + "x")
    }

    /// A file system that answers nothing until it is let go, as a mount whose server is away.
    final class HungMount: Sendable {
        private let gate = DispatchSemaphore(value: 0)

        @MainActor
        func hang(_ window: Window) {
            window.fixture.model.disk = Disk { [gate] _ in
                gate.wait()
                gate.signal()
                return nil
            } entries: { [gate] _ in
                gate.wait()
                gate.signal()
                return []
            }
        }

        func letGo() { gate.signal() }
    }

    @Test func `a mount that hangs holds no key back from the text`() throws {
        let window = try window("")
        defer { window.close() }
        let mount = HungMount()
        mount.hang(window)
        defer { mount.letGo() }
        window.send(.paste("/away/map.png"), .key(KeyPress(typed: "x")))
        #expect(window.fixture.model.session?.text == "/away/map.pngx")
        window.press("Enter", "\"more\"")
        #expect(window.fixture.model.session?.text == "/away/map.pngx\nmore")
    }

    @Test func `a mount that hangs holds the list's keys for a moment only, and the path becomes a note`() throws {
        let window = try Window(columns: 120, rows: 20, notes: ["one"])
        defer { window.close() }
        let mount = HungMount()
        mount.hang(window)
        defer { mount.letGo() }
        window.send(.paste("/away/notes"), .key(KeyPress(typed: "s")))
        #expect(window.fixture.model.noteList.count == 1)
        window.fixture.scheduler.advance(by: .seconds(1))
        #expect(window.fixture.model.session?.text == "/away/notes")
        #expect(window.fixture.model.openNote?.starred == true)
        // The late answer has no effect.
        mount.letGo()
        _ = window.fixture.scheduler.run { true }
        #expect(window.interface.overlays.isEmpty && window.fixture.model.noteList.count == 2)
    }

    @Test func `a path that waits in the list when the program ends becomes a note`() throws {
        let window = try Window(columns: 120, rows: 20, notes: ["one"])
        defer { window.close() }
        let mount = HungMount()
        mount.hang(window)
        defer { mount.letGo() }
        window.send(.paste("/away/notes"))
        window.interface.willTerminate(.quit(status: 0))
        #expect(window.fixture.model.session?.text == "/away/notes")
    }

    @Test func `what is pasted and clicked takes a message away, as a key does`() throws {
        let window = try Window(notes: ["One", "Two"])
        defer { window.close() }
        let model = window.fixture.model
        for act in [InputEvent.paste("text"), .mouse(MouseEvent(.press, .left, at: Position(column: 30, row: 2)))] {
            model.say("said", kind: .done)
            window.draw()
            #expect(window.lines.last?.contains("said") == true)
            window.send(act)
            #expect(model.notice?.text != "said" && window.lines.last?.contains("said") == false)
        }
        // The pointer's movement is not an act.
        model.say("said", kind: .done)
        window.draw()
        window.send(.mouse(MouseEvent(.wheel(columns: 0, rows: 1), .none, at: Position(column: 30, row: 2))))
        #expect(window.lines.last?.contains("said") == true)
    }

    @Test func `a clipboard that takes long shows that it is waited for`() throws {
        let window = try window()
        defer { window.close() }
        (window.host.system[.copied], window.host.answersLate) = ("pasted", true)
        window.press("Ctrl-V")
        #expect(window.lines.last?.contains("Pasting") == false)
        window.fixture.scheduler.advance(by: .seconds(1))
        window.draw()
        #expect(window.lines.last?.contains("Pasting") == true)
        window.host.answerReaders()
        window.draw()
        #expect(window.lines.last?.contains("Pasting") == false)
        #expect(window.fixture.model.session?.text == "pasteda\nb")
    }

    @Test func `Esc gives up a clipboard that does not answer, and no key typed meanwhile is lost`() throws {
        let window = try window()
        defer { window.close() }
        (window.host.system[.copied], window.host.answersLate) = ("pasted", true)
        window.press("Ctrl-V", "\"x\"")
        window.fixture.scheduler.advance(by: .seconds(1))
        #expect(window.fixture.model.session?.text == "a\nb")
        window.press("Esc")
        #expect(window.fixture.model.session?.text == "xa\nb" && window.interface.heldForPaste == nil)
        #expect(window.fixture.model.notice?.text == Texts.pasteGivenUp)
        // A late answer is not taken for that of another paste.
        window.press("Ctrl-V")
        let readers = window.host.waitingReaders
        #expect(readers.count == 2)
        readers[0]()
        #expect(window.fixture.model.session?.text == "xa\nb")
        readers[1]()
        #expect(window.fixture.model.session?.text == "xpasteda\nb")
    }

    @Test func `the middle button pastes what is selected, at the caret`() throws {
        let window = try window()
        defer { window.close() }
        window.host.system = [.copied: "no", .selected: "yes"]
        window.press("Esc")
        let inEditor = Position(column: 100, row: 5)
        window.send(.mouse(MouseEvent(.press, .middle, at: inEditor)))
        #expect(window.fixture.model.session?.text == "yesa\nb")
        window.send(.mouse(MouseEvent(.press, .middle, at: Position(column: 2, row: 5))))
        #expect(window.fixture.model.session?.text == "yesa\nb")
    }
}
