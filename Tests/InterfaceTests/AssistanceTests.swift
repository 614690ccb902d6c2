import Interface
import NoteStore
import Terminal
import TestSupport
import Testing

/// Tests what Markdown assistance does during writing: aligning tables, numbering lists.
@MainActor
@Suite(.serialized)
struct AssistanceTests {
    private func openWindow(_ text: String) throws -> Window {
        let window = try Window(columns: 58, rows: 16, notes: [text])
        window.press("Enter")
        return window
    }

    private let table = "|a|b|\n|-|-|\n|c|d|\nend"

    @Test func `a table aligns when the caret leaves the row that was changed, and undo takes both back`() throws {
        let window = try openWindow(table)
        defer { window.close() }
        let session = try #require(window.fixture.model.session)
        window.press("Down", "Down", "Right", "Right", "\"xyz\"")
        #expect(session.text == "|a|b|\n|-|-|\n|cxyz|d|\nend")
        window.press("Up")
        #expect(session.text == "| a    | b   |\n| ---- | --- |\n| cxyz | d   |\nend")
        window.press("Ctrl-Z")
        #expect(session.text == table)
        window.press("Down", "Up", "Ctrl-End")
        #expect(session.text == table)
        window.press("Ctrl-Y")
        #expect(session.text == "| a    | b   |\n| ---- | --- |\n| cxyz | d   |\nend")
    }

    @Test func `a table aligns by what is seen of wide characters`() throws {
        let window = try openWindow("| a | b |\n|---|---|\n| 京都 | x |\n| 👩‍👧 | y |")
        defer { window.close() }
        window.press("Down", "Down", "End", "Backspace", "\"|\"", "Up")
        let expected = [" | a    | b   |", " | ---- | --- |", " | 京都 | x   |", " | 👩‍👧   | y   |"]
        #expect(Array(window.lines.prefix(4)) == expected)
    }

    @Test func `a table that was only walked through stays as it is, and so does one in code`() throws {
        let window = try openWindow(table)
        defer { window.close() }
        window.press("Down", "Down", "Down")
        #expect(window.fixture.model.session?.text == table)
        let code = try openWindow("```\n\(table)\n```")
        defer { code.close() }
        code.press("Down", "\"x\"", "Up")
        #expect(code.fixture.model.session?.text == "```\nx\(table)\n```")
    }

    @Test func `the caret stays in its cell when the table around it aligns`() throws {
        let window = try openWindow("| aa | b |\n|--|--|\n| c | d |\n")
        defer { window.close() }
        window.press("Right", "Right", "\"xxxx\"", "Down", "Down")
        window.press("\"!\"")
        #expect(window.fixture.model.session?.text.contains("| c") == true)
        #expect(window.lines[2].contains("!"))
        #expect(window.lines[0] == " | xxxxaa | b   |")
    }

    @Test func `a numbered item that is moved takes the number of its place, as one step of undo`() throws {
        let window = try openWindow("1. one\n2. two\n3. three")
        defer { window.close() }
        let session = try #require(window.fixture.model.session)
        window.press("Down", "Alt-Up")
        #expect(session.text == "1. two\n2. one\n3. three")
        #expect(session.caretLabel == "1:1")
        window.press("Alt-Down", "Alt-Down")
        #expect(session.text == "1. one\n2. three\n3. two")
        window.press("Ctrl-Z", "Ctrl-Z", "Ctrl-Z")
        #expect(session.text == "1. one\n2. two\n3. three")
    }

    @Test func `a folded section moves as a whole, and past another as a whole`() throws {
        let window = try openWindow("# A\none\n# B\ntwo\nthree\nend")
        defer { window.close() }
        let session = try #require(window.fixture.model.session)
        window.press("Alt-.", "Down", "Alt-.")
        #expect(window.lines.prefix(2) == ["▸# A … 1 line", "▸# B … 3 lines"])
        window.press("Alt-Up")
        #expect(session.text == "# B\ntwo\nthree\nend\n# A\none")
        #expect(window.lines.prefix(2) == ["▸# B … 3 lines", "▸# A … 1 line"])
    }

    @Test func `Tab goes through the cells of a table that is aligned already`() throws {
        let window = try Window(notes: ["T\n\n| aaa | bbb |\n| --- | --- |\n| ccc | ddd |\n"])
        defer { window.close() }
        window.press("Enter", "Ctrl-Home", "Down", "Down", "Right", "Right")
        let session = try #require(window.fixture.model.session)
        let text = session.text
        window.press("Tab")
        #expect(session.caretLabel == "3:12")
        window.press("Tab", "Tab")
        #expect(session.caretLabel == "5:12")
        window.press("Shift-Tab")
        #expect(session.caretLabel == "5:6")
        #expect(session.text == text)
    }
}
