import Terminal
import TestSupport
import Testing
import ViewModel

/// Tests the effects of palette commands and of the mouse on a text.
@MainActor
@Suite(.serialized)
struct EditingCommandTests {
    private func openWindow(_ text: String, columns: Int = 58, rows: Int = 14) throws -> Window {
        let window = try Window(columns: columns, rows: rows, notes: [text])
        window.press("Enter")
        return window
    }

    @Test func `a line feed makes a new line as Enter does`() throws {
        let window = try openWindow("- one")
        defer { window.close() }
        window.press("End", "Ctrl-J", "\"two\"")
        #expect(window.fixture.model.session?.text == "- one\n- two")
    }

    @Test func `the key that shows the note for reading does so from the list, too`() throws {
        let window = try openWindow("# One", columns: 80)
        defer { window.close() }
        window.press("Esc", "Ctrl-E")
        #expect(window.lines.contains { $0.contains("━━━") }, "\(window.lines)")
        window.press("Ctrl-E")
        #expect(window.lines.contains { $0.contains("# One") }, "\(window.lines)")
    }

    /// Each command without a key: its palette search, preceding keys, a text and the result.
    @Test(arguments: [
        ("duplicate the selection", "", "one\ntwo", "one\none\ntwo"),
        ("duplicate the selection", "Shift-Right", "one", "oone"),
        ("join the lines", "", "one\n  two\nthree", "one two\nthree"),
        ("transpose", "Right", "ab", "ba"),
        ("to upper case", "", "straße x", "STRASSE x"),
        ("to lower case", "Ctrl-A", "ÀB C", "àb c"),
        ("sort the lines", "", "x\nb\nA\nc\na", "x\nA\na\nb\nc"),
        ("sort the lines", "Ctrl-A", "x\nb\nA", "A\nb\nx"),
        ("sort the lines", "", "---\ntags: c\n---\n\nx\n===\nb\na", "---\ntags: c\n---\n\nx\n===\na\nb"),
        ("trim the ends", "", "a  \nb\t\nc", "a\nb\nc"),
    ])
    func `a command without a key is in the palette and is one step of undo`(
        typed: String, keys: String, before: String, after: String
    ) throws {
        let window = try openWindow(before)
        defer { window.close() }
        if !keys.isEmpty { window.press(keys) }
        window.press("Ctrl-P", "\"\(typed)\"", "Enter")
        #expect(window.fixture.model.session?.text == after)
        window.press("Ctrl-Z")
        #expect(window.fixture.model.session?.text == before)
    }

    @Test(arguments: [
        ("sort the lines", "x\na\nb", "The lines are sorted already"),
        ("sort the lines", "x", "The lines are sorted already"),
        ("fold all", "x\na\nb", "Nothing to fold: no heading has text below it"),
        ("unfold all", "# x\na", "Nothing is folded"),
    ])
    func `a command that finds nothing to do says so`(typed: String, text: String, reason: String) throws {
        let window = try openWindow(text)
        defer { window.close() }
        window.press("Ctrl-P", "\"\(typed)\"", "Enter")
        #expect(window.fixture.model.notice?.text == reason)
        #expect(window.fixture.model.session?.text == text)
    }

    @Test func `Ctrl-T makes tasks of the selected lines, then ticks them all, then opens them`() throws {
        let window = try openWindow("# Head\n- [x] one\n\ntwo\n- three\nfour")
        defer { window.close() }
        window.press("Ctrl-A", "Shift-Home", "Ctrl-T")
        let made = "# Head\n- [x] one\n\n- [ ] two\n- [ ] three\nfour"
        #expect(window.fixture.model.session?.text == made)
        window.press("Ctrl-T")
        #expect(window.fixture.model.session?.text == made.replacing("[ ]", with: "[x]"))
        window.press("Ctrl-T")
        #expect(window.fixture.model.session?.text == made.replacing("[x]", with: "[ ]"))
        window.press("Ctrl-Z", "Ctrl-Z")
        #expect(window.fixture.model.session?.text == made)
        // Each of several carets counts, and code is not a task.
        window.press("Ctrl-End", "Enter", "\"x\"", "Alt-Shift-Up", "Ctrl-T")
        #expect(window.fixture.model.session?.text == made.replacing("four", with: "- [ ] four\n- [ ] x"))
    }

    @Test func `a fence below a line of text is one step of undo`() throws {
        let window = try openWindow("text")
        defer { window.close() }
        window.press("Ctrl-P", "\"code in a fence\"", "Enter")
        #expect(window.fixture.model.session?.text == "text\n\n```\n\n```")
        window.press("Ctrl-Z")
        #expect(window.fixture.model.session?.text == "text")
        window.press("Ctrl-Y")
        #expect(window.fixture.model.session?.text == "text\n\n```\n\n```")
    }

    /// Acts that add lines, each with the keys before it and the lines that it makes.
    @Test(arguments: [
        ("- one\n- two\n", ["End", "Enter", "\"x\""], "- one\n- x\n- two\n"),
        ("1. one\n2. two\n", ["Alt-Shift-Down", "End", "Enter"], "1. one\n2. \n3. two\n4. \n"),
        ("> one\n", ["End", "Enter", "\"x\""], "> one\n> x\n"),
        ("| a |\n|---|\n", ["Right", "Right", "Enter"], "| a   |\n| --- |\n|     |\n"),
        ("| a |\n|---|\n| b |\n", ["Down", "Down", "Right", "Tab"], "| a   |\n| --- |\n| b   |\n|     |\n"),
        ("one\n", ["Ctrl-P", "\"code in a fence\"", "Enter"], "one\n\n```\n\n```\n"),
        (
            "one\n", ["Ctrl-P", "\"insert a table\"", "Enter"],
            "one\n\n| Column 1 | Column 2 |\n| -------- | -------- |\n|          |          |\n"
        ),
    ])
    func `new lines in a text with Windows line ends end as the others do`(
        text: String, keys: [String], after: String
    ) throws {
        let window = try openWindow(text.replacing("\n", with: "\r\n"))
        defer { window.close() }
        for key in keys { window.press(key) }
        #expect(window.fixture.model.session?.text == after.replacing("\n", with: "\r\n"))
    }

    @Test func `redo of a new table selects its first heading again`() throws {
        let window = try openWindow("")
        defer { window.close() }
        window.press("Ctrl-P", "\"insert a table\"", "Enter")
        let selected = window.fixture.model.session?.selectedText
        #expect(selected == "Column 1")
        window.press("Ctrl-Z", "Ctrl-Y")
        #expect(window.fixture.model.session?.selectedText == selected)
    }

    @Test func `a line of code is made no task`() throws {
        let window = try openWindow("```\ncode\n```")
        defer { window.close() }
        window.press("Down", "Ctrl-T")
        #expect(window.fixture.model.session?.text == "```\ncode\n```")
    }

    @Test func `pairs come only when they are asked for`() throws {
        let window = try openWindow("")
        defer { window.close() }
        window.press("\"(\"")
        #expect(window.fixture.model.session?.text == "(")
        window.fixture.model.editorSettings.autoPairs = true
        window.press("\" (x)\"")
        #expect(window.fixture.model.session?.text == "( (x)")
    }

    @Test func `words and characters are counted, of the selection when there is one`() throws {
        let window = try openWindow("one two\n漢字 four")
        defer { window.close() }
        window.press("Ctrl-P", "\"count words\"", "Enter")
        #expect(window.fixture.model.notice?.text == "5 words · 14 characters · 2 lines · 1 minute to read")
        window.press("Shift-Down", "Ctrl-P", "\"count words\"", "Enter")
        #expect(window.fixture.model.notice?.text.hasPrefix("Selected: 2 words · 7 characters") == true)
    }

    @Test func `the status line tells the reading time where there is room`() throws {
        let window = try Window(columns: 150, rows: 14, notes: [String(repeating: "word ", count: 1_000)])
        defer { window.close() }
        window.press("Enter")
        window.fixture.scheduler.advance(by: .seconds(2))
        window.draw()
        #expect(window.lines.last?.contains("saved · 1000 words · 5000 characters · 5 min read · 1:1") == true)
        window.size.columns = 110
        window.draw()
        #expect(window.lines.last?.contains("saved · 1000 words · 5 min read · 1:1") == true)
        window.size.columns = 80
        window.draw()
        #expect(window.lines.last?.contains("saved · 1000 words · 1:1") == true)
    }

    private func press(_ window: Window, _ kind: MouseEvent.Kind, _ column: Int, _ row: Int) {
        window.send(.mouse(MouseEvent(kind, .left, at: Position(column: column, row: row))))
    }

    @Test func `a drag after a double click goes by words, after a triple click by lines`() throws {
        let window = try openWindow("alpha beta gamma\nsecond line\nthird")
        defer { window.close() }
        let session = try #require(window.fixture.model.session)
        for _ in 0..<2 {
            press(window, .press, 8, 0)
            press(window, .release, 8, 0)
        }
        #expect(session.selectedText == "beta")
        press(window, .press, 8, 0)
        #expect(session.selectedText == "alpha beta gamma\n")
        press(window, .drag, 3, 1)
        #expect(session.selectedText == "alpha beta gamma\nsecond line\n")
        press(window, .release, 3, 1)
        press(window, .press, 3, 2)
        press(window, .release, 3, 2)
        press(window, .press, 8, 0)
        press(window, .release, 8, 0)
        press(window, .press, 8, 0)
        press(window, .drag, 13, 0)
        #expect(session.selectedText == "beta gamma")
        press(window, .drag, 2, 0)
        #expect(session.selectedText == "alpha beta")
    }

    @Test func `a click near the edge scrolls nothing, so that a double click means the word under it`() throws {
        let window = try openWindow((1...60).map { "line \($0)" }.joined(separator: "\n"))
        defer { window.close() }
        let session = try #require(window.fixture.model.session)
        let last = window.lines.lastIndex { $0.hasPrefix(" line") } ?? 0
        for _ in 0..<2 {
            press(window, .press, 7, last)
            press(window, .release, 7, last)
        }
        #expect(window.lines[0] == " line 1")
        #expect(session.selectedText == "\(last + 1)")
        press(window, .press, 1, last - 1)
        press(window, .drag, 6, last)
        #expect(window.lines[0] == " line 1")
        #expect(session.selectedText == "line \(last)\nline ")
    }

    @Test func `a drag beyond the edge scrolls the text`() throws {
        let window = try openWindow((1...50).map { "line \($0)" }.joined(separator: "\n"))
        defer { window.close() }
        press(window, .press, 1, 2)
        for _ in 0..<10 { press(window, .drag, 4, 13) }
        #expect(window.lines[0] != " line 1")
        #expect(window.fixture.model.session?.selectedText.hasPrefix("line 3\nline 4") == true)
    }

    @Test func `the text scrolls on while the mouse is held beyond its edge`() throws {
        let window = try openWindow((1...400).map { "line \($0)" }.joined(separator: "\n"))
        defer { window.close() }
        let session = try #require(window.fixture.model.session)
        let pass = { (milliseconds: Int) in
            for _ in 0..<milliseconds / 80 { window.fixture.scheduler.advance(by: .milliseconds(80)) }
            return session.selection.head
        }
        press(window, .press, 1, 2)
        press(window, .drag, 4, 13)
        let first = session.selection.head
        let second = pass(800)
        let third = pass(800)
        #expect(first < second && second < third)
        window.draw()
        #expect(!window.lines.contains(" line 3"))
        // Back over the text, scrolling stops; above it, it scrolls up to the start and stops there.
        press(window, .drag, 4, 6)
        let inside = session.selection.head
        #expect(pass(800) == inside)
        press(window, .drag, 4, 0)
        #expect(pass(30_000) == 3, "where the mouse is in the first line")
        // It scrolls to the other end, and stops once the button is released.
        press(window, .drag, 4, 13)
        let before = pass(400)
        press(window, .release, 4, 13)
        #expect(pass(800) == before)
        press(window, .press, 1, 2)
        press(window, .drag, 4, 13)
        window.press("Left")
        let after = session.selection.head
        #expect(pass(800) == after, "a key ends it")
    }
}
