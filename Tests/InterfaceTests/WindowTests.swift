import Interface
import Terminal
import TestSupport
import Testing

/// Tests the window's contents and its handling of keys, without a terminal.
@MainActor
@Suite(.serialized)
struct WindowTests {
    private static let notes = [
        "Reading list\n\nStarted with **Piranesi**; next is the Borges one.",
        "Meeting with Ana\n\nMove the stand-up to ten, ask about the venue.",
        "Groceries\n\nMilk, eggs, coffee filters, rye bread.",
    ]

    @Test func `three panes stand side by side on a wide screen`() throws {
        let window = try Window(notes: Self.notes)
        defer { window.close() }
        #expect(window.lines[0] == " TakeNote            │ Inbox                   3 notes ↓ created │ Reading list")
        #expect(window.lines[2].hasPrefix(" ▌⌂ Inbox          3 │ ▌Reading list"))
        #expect(
            window.lines[38] == String(repeating: "─", count: 21) + "┴" + String(repeating: "─", count: 43) + "┴"
                + String(repeating: "─", count: 54))
        #expect(window.lines[39].hasPrefix(" Inbox › Reading list"))
        #expect(window.lines[39].hasSuffix("? help  ^P commands  ^Q quit"))
    }

    @Test func `a pane that was alone on the screen is beside the others as soon as zooming ends`() throws {
        let window = try Window(columns: 80, rows: 20, notes: Self.notes)
        defer { window.close() }
        window.press("F10", "Alt-1")
        #expect(!window.lines.contains { $0.contains("│") })
        window.press("F10")
        #expect(window.lines[0].hasPrefix(" TakeNote") && window.lines[0].contains("│"))
    }

    @Test func `the list shows age and a line of text`() throws {
        let window = try Window(notes: Self.notes)
        defer { window.close() }
        #expect(window.lines[2].contains("now"))
        #expect(window.lines[4].contains("Meeting with Ana") && window.lines[4].contains("yesterday"))
        #expect(window.lines[5].contains("Move the stand-up to ten"))
    }

    @Test func `an empty notebook says what to do`() throws {
        let window = try Window()
        defer { window.close() }
        #expect(window.lines.contains { $0.contains("No notes yet.") })
        #expect(window.lines.contains { $0.contains("Press n to write one.") })
    }

    @Test func `nothing is drawn when nothing has changed`() throws {
        let window = try Window(notes: Self.notes)
        defer { window.close() }
        #expect(!window.draw())
        window.interface.handle([.focus(true)])
        #expect(!window.draw())
    }

    @Test func `typing writes at the caret and the list follows`() throws {
        let window = try Window()
        defer { window.close() }
        window.press("n", "\"Hello, world\"")
        #expect(window.lines[0].hasSuffix("Hello, world"))
        #expect(window.cursor?.position == Position(column: 66 + 1 + 12, row: 0))
        window.press("Backspace", "Enter", "\"x\"")
        #expect(window.lines[0].hasSuffix("Hello, worl"))
        #expect(window.lines[1].hasSuffix(" x"))
        window.fixture.scheduler.advance(by: .milliseconds(400))
        #expect(
            window.fixture.scheduler.run {
                // After a slow save, the list is updated after a pause, which runs on the scheduler's clock.
                window.fixture.scheduler.advance(by: .milliseconds(10))
                window.draw()
                return window.lines[39].contains("saved") && window.lines[2].contains("Hello, worl")
            })
    }

    @Test func `a text that changes without a key is drawn again, also after another note was open`() throws {
        let window = try Window(notes: ["# Pears\n", "# Plums\n"])
        defer { window.close() }
        window.press("Enter", "Esc", "j", "Enter", "Esc", "k", "Enter")
        let session = try #require(window.fixture.model.session)
        #expect(!window.draw())
        session.paste("ripe by now")
        #expect(window.draw() && window.lines.contains { $0.contains("ripe by now") })
    }

    @Test func `Esc goes from the editor to the list, and the arrows walk it`() throws {
        let window = try Window(notes: Self.notes)
        defer { window.close() }
        window.press("Enter", "Esc", "j")
        #expect(window.lines[0].hasSuffix("Meeting with Ana"))
        window.press("G")
        #expect(window.lines[0].hasSuffix("Groceries"))
        window.press("g")
        #expect(window.lines[0].hasSuffix("Reading list"))
        #expect(window.cursor?.isVisible == false)
    }

    @Test func `one pane at a time on a narrow screen`() throws {
        let window = try Window(columns: 40, rows: 12, notes: Self.notes)
        defer { window.close() }
        #expect(window.lines[0].hasPrefix(" Inbox"))
        #expect(!window.lines.contains { $0.contains("│") })
        window.press("Enter")
        #expect(window.lines[0] == " Reading list")
        window.press("Alt-1")
        #expect(window.lines[0] == " TakeNote")
    }

    @Test func `the smallest screen is used, and a smaller one says so`() throws {
        let window = try Window(columns: 20, rows: 5, notes: Self.notes)
        defer { window.close() }
        #expect(window.lines[0].hasPrefix(" Inbox"))
        #expect(window.lines[1].hasPrefix(" ▌Reading list"))
        window.size = Size(columns: 19, rows: 5)
        window.send(.resized(window.size))
        #expect(window.lines[0] == "tn needs 20x5")
        window.size = Size(columns: 1, rows: 1)
        window.send(.resized(window.size))
        window.size = Size(columns: 60, rows: 20)
        window.send(.resized(window.size))
        #expect(window.lines[0].hasPrefix(" Inbox"))
    }

    @Test func `in a terminal that is too small no key goes to a note that nobody sees`() throws {
        let window = try Window(columns: 60, rows: 20, notes: Self.notes)
        defer { window.close() }
        let model = window.fixture.model
        window.press("Enter")
        let (note, text) = (try #require(model.openNote), try #require(model.session?.text))
        window.size = Size(columns: 1, rows: 1)
        window.send(.resized(window.size))
        window.press("\"ab\"", "Enter", "Ctrl-D", "Alt-2", "d")
        window.send(.mouse(MouseEvent(.press, .left, at: Position(column: 0, row: 0))))
        #expect(model.openNote?.id == note.id && model.session?.text == text)
        // What is pasted is a text and no command, and goes to the open note.
        window.send(.paste("pasted "))
        window.size = Size(columns: 60, rows: 20)
        window.send(.resized(window.size))
        window.press("\"ab\"")
        #expect(model.openNote?.id == note.id && model.session?.text == "pasted ab" + text)
        window.size = Size(columns: 19, rows: 5)
        window.send(.resized(window.size))
        window.press("Ctrl-Q")
        #expect(window.host.hasQuit)
    }

    @Test func `search filters as it is typed and marks where it matched`() throws {
        let window = try Window(notes: Self.notes)
        defer { window.close() }
        window.press("/", "\"coffee\"")
        #expect(
            window.fixture.scheduler.run {
                window.draw(); return window.lines[0].contains("1 hit")
            })
        #expect(window.lines[0].contains("/ coffee"))
        #expect(window.lines[2].contains("Groceries"))
        #expect(window.lines[0].hasSuffix("Groceries"))
        window.press("Esc")
        #expect(window.lines[0].contains("3 notes"))
    }

    @Test func `help is generated from the commands and closes with Esc`() throws {
        let window = try Window(notes: Self.notes)
        defer { window.close() }
        window.press("?")
        #expect(window.lines.contains { $0.contains("Esc closes") })
        window.press("Esc")
        #expect(!window.lines.contains { $0.contains("Esc closes") })
    }

    @Test func `a command that cannot act says why`() throws {
        let window = try Window()
        defer { window.close() }
        window.press("d")
        #expect(window.lines[39].contains("No note is selected"))
    }

    @Test func `a click focuses and selects, the wheel scrolls what is under it`() throws {
        let window = try Window(notes: Self.notes)
        defer { window.close() }
        window.send(.mouse(MouseEvent(.press, .left, at: Position(column: 30, row: 6))))
        #expect(window.lines[0].hasSuffix("Groceries"))
        window.send(.mouse(MouseEvent(.wheel(columns: 0, rows: -1), .none, at: Position(column: 30, row: 6))))
        #expect(window.lines[0].hasSuffix("Groceries"))
        window.send(.mouse(MouseEvent(.press, .left, at: Position(column: 70, row: 0))))
        #expect(window.cursor?.position == Position(column: 70, row: 0))
    }

    @Test func `copying a link says what was copied and where it went, and it can be pasted here`() throws {
        let window = try Window(notes: Self.notes)
        defer { window.close() }
        window.press("y")
        #expect(window.host.copied.first?.hasPrefix("[Reading list](takenote://note/") == true)
        #expect(window.lines[39] == " Copied the link of “Reading list” to tmux")
        #expect(window.interface.clipboard?.text == window.host.copied.first)
        window.press("Y")
        #expect(window.host.copied.last?.hasPrefix("takenote://note/") == true)
        #expect(window.lines[39] == " Copied the URL of “Reading list” to tmux")
        window.press("*", "y")
        #expect(window.host.copied.last?.split(separator: "\n").count == Self.notes.count)
        #expect(window.lines[39] == " Copied the links of \(Self.notes.count) notes to tmux")
        window.press("Ctrl-Q")
        #expect(window.host.hasQuit)
    }

    @Test func `escape sequences of a note never become cells`() throws {
        let window = try Window(notes: ["Evil \u{1B}[31m\u{9B}2J\u{202E}title\n\u{07}bell"])
        defer { window.close() }
        let scalars = window.lines.joined().unicodeScalars
        #expect(!scalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0.value == 0x202E })
    }
}
