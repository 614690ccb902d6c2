import TestSupport
import Testing

@testable import Interface

/// Tests vim's commands for the shell, and those that open notes.
@MainActor
@Suite(.serialized)
struct VimShellTests {
    @Test func `lines are piped through a command that is asked about once, and undone in one step`() throws {
        let window = try Window.withVim("c\nb\n a\nlast")
        defer { window.close() }
        window.press("\"!jsort\"", "Enter")
        #expect(window.lines.contains { $0.contains("Run “sort”?") })
        #expect(window.host.scripts.isEmpty)
        window.press("y")
        #expect(window.host.scripts.last?.script == "sort")
        #expect(window.host.scripts.last.map { String(decoding: $0.input, as: UTF8.self) } == "c\nb\n")
        window.host.endScript(.answer("b\nc\n"))
        #expect(window.noteText == "b\nc\n a\nlast")
        window.press("\"u\"")
        #expect(window.noteText == "c\nb\n a\nlast")
        // The line has been allowed, and the range of `!!` with a count is that of the lines.
        window.press("\"gg3!!sort\"", "Enter")
        #expect(window.interface.overlays.isEmpty)
        #expect(window.host.scripts.last.map { String(decoding: $0.input, as: UTF8.self) } == "c\nb\n a\n")
        window.host.endScript(.answer(" a\nb\nc\n"))
        #expect(window.noteText == " a\nb\nc\nlast")
        #expect(window.fixture.model.session?.caretLabel == "1:2")
    }

    @Test func `a range, a selection and the whole text are filtered, and r inserts what a command prints`() throws {
        let window = try Window.withVim("one\ntwo\nthree")
        defer { window.close() }
        window.host.allowedLines = ["tac", "true", "date", "wc"]
        window.press("\":2,3!tac\"", "Enter")
        window.host.endScript(.answer("three\ntwo\n"))
        #expect(window.noteText == "one\nthree\ntwo")
        window.press("\"ggVj!true\"", "Enter")
        window.host.endScript(.answer(""))
        #expect(window.noteText == "two")
        window.press("\":r !date\"", "Enter")
        #expect(window.host.scripts.last?.input == [])
        window.host.endScript(.answer("today\n"))
        #expect(window.noteText == "two\ntoday")
        window.press("\":w !wc\"", "Enter")
        #expect(window.host.scripts.last.map { String(decoding: $0.input, as: UTF8.self) } == "two\ntoday\n")
        window.host.endScript(.answer("2 2 10\n"))
        window.draw()
        #expect(window.lines.contains { $0.contains("2 2 10") } && window.noteText == "two\ntoday")
        window.press("Esc", "\":%!true\"", "Enter")
        window.host.endScript(.failed("ended with status 1", details: "no such thing"))
        window.draw()
        #expect(window.noteText == "two\ntoday")
        #expect(window.message.contains("no such thing"))
    }

    @Test func `lines that end in CRLF keep their ends`() throws {
        let window = try Window.withVim("b\r\na\r\nc\r\n")
        defer { window.close() }
        window.host.allowedLines = ["sort", "date"]
        window.press("\":1,2!sort\"", "Enter")
        #expect(window.host.scripts.last.map { String(decoding: $0.input, as: UTF8.self) } == "b\r\na\r\n")
        window.host.endScript(.answer("a\r\nb\r\n"))
        #expect(window.noteText == "a\r\nb\r\nc\r\n")
        window.press("\":1r !date\"", "Enter")
        window.host.endScript(.answer("to\nday\n"))
        #expect(window.noteText == "a\r\nto\r\nday\r\nb\r\nc\r\n")
        #expect(window.fixture.model.session?.caretLabel == "2:1")
    }

    @Test func `what is typed before a filter has answered keeps its text`() throws {
        let window = try Window.withVim("one\ntwo")
        defer { window.close() }
        window.host.allowedLines = ["tac"]
        window.press("\":%!tac\"", "Enter", "\"x\"")
        window.host.endScript(.answer("two\none\n"))
        #expect(window.noteText == "ne\ntwo")
        #expect(window.interface.clipboard?.text == "two\none\n")
    }

    @Test(arguments: [
        (":g/o/.!tac", "cannot be part of g"), (":%!", "needs a shell command"),
        (":r file", "r inserts the output of a shell command"), (":e!", "The text is saved in the notebook by itself"),
    ])
    func `a filter that cannot be is refused with its reason`(keys: String, reason: String) throws {
        let window = try Window.withVim("one\ntwo")
        defer { window.close() }
        window.press("\"\(keys)\"", "Enter")
        #expect(window.host.scripts.isEmpty && window.noteText == "one\ntwo")
        #expect(window.message.contains(reason), "\(window.message)")
    }

    @Test func `e opens a note by its title, which Tab completes`() throws {
        let window = try Window(columns: 80, rows: 24, notes: ["# Here", "# Reading list", "# Recipes"])
        defer { window.close() }
        window.interface.apply(Configuration.read("[editor]\nkeys = \"vim\"\n"))
        window.press("Enter", "\":e Reading list\"", "Enter")
        #expect(window.fixture.model.openNote?.title == "Reading list")
        #expect(window.interface.state.focus == .editor)
        window.press("\":e Rec\"", "Tab")
        #expect(window.lines.last?.contains(":e Recipes") == true)
        window.press("Enter")
        #expect(window.fixture.model.openNote?.title == "Recipes")
        // Tab goes on to the next title.
        window.press("\":e Re\"", "Tab")
        let first = window.lines.last
        window.press("Tab")
        #expect(window.lines.last != first && window.lines.last?.contains(":e Re") == true)
        window.press("Esc", "\":e Nothing such\"", "Enter")
        #expect(window.lines.contains { $0.contains("New note “Nothing such”") })
        window.press("Esc", "\":note.prev\"", "Tab", "Enter")
        #expect(window.interface.state.isPreviewing)
    }

    @Test func `ZZ saves and goes to the list`() throws {
        let window = try Window.withVim("one")
        defer { window.close() }
        window.press("\"xZZ\"")
        #expect(window.interface.state.focus == .list && window.noteText == "ne")
    }
}
