import Interface
import NoteStore
import Terminal
import TestSupport
import Testing

/// Tests the meaning of keys in Markdown, and the preview of the result.
@MainActor
@Suite(.serialized)
struct WritingTests {
    private func openWindow(_ text: String, columns: Int = 50, rows: Int = 16) throws -> Window {
        let window = try Window(columns: columns, rows: rows, notes: [text])
        window.press("Enter", "Ctrl-End")
        return window
    }

    @Test func `after the title of a note and a number sign its headings are offered`() throws {
        let window = try Window(notes: ["Here", "# Meeting 3\n\n## Who came\n\n## What is open\n\n## A | B"])
        defer { window.close() }
        window.press("Enter", "Ctrl-End", "\" [[Meeting 3#\"")
        #expect(window.lines.contains { $0.contains("Meeting 3#Who came") })
        #expect(window.lines.contains { $0.contains("Meeting 3#What is open") })
        #expect(!window.lines.contains { $0.contains("#Meeting 3") || $0.contains("#A | B") })
        window.press("\"open\"", "Enter")
        #expect(window.fixture.model.session?.text == "Here [[Meeting 3#What is open]]")
    }

    @Test func `a link is followed from directly behind it, as after it was typed`() throws {
        let window = try Window(notes: ["Here", "Plan"])
        defer { window.close() }
        window.press("Enter", "Ctrl-End", "\" [[Plan]]\"", "Ctrl-]")
        #expect(window.fixture.model.openNote?.title == "Plan")
        window.press("F7", "Ctrl-End", "\" \"", "Ctrl-]")
        #expect(window.fixture.model.notice?.text == "There is no link or tag at the caret")
    }

    @Test func `Enter links to the note whose title was typed in full, not to a newer one`() throws {
        let window = try Window(notes: ["Here", "Plan B", "My plans", "Plan"])
        defer { window.close() }
        window.press("Enter", "Ctrl-End", "\" [[plan\"", "Enter")
        #expect(window.fixture.model.session?.text == "Here [[Plan]]")
    }

    @Test func `Tab goes from a selected cell of a new table to the next, and selects it`() throws {
        let window = try Window(notes: ["Here\n\n"])
        defer { window.close() }
        window.press("Enter", "Ctrl-End")
        let session = try #require(window.fixture.model.session)
        session.insertTable()
        let first = session.selectedText
        window.press("Tab")
        #expect(!session.selectedText.isEmpty && session.selectedText != first)
        window.press("Shift-Tab", "\"A\"", "Tab")
        // A heading that stands for one to be typed is selected from a cell that was written in, too.
        #expect(session.selectedText == "Column 2")
        window.press("\"B\"", "Shift-Tab")
        // Any other text is not: Tab goes behind it.
        #expect(session.selectedText.isEmpty)
    }

    @Test(arguments: [
        ("- one", "- one\n  x"), ("> 1. [ ] one", "> 1. [ ] one\n>        x"), ("plain", "plain\nx"),
        ("> said", "> said\n> x"), ("```\n- code", "```\n- code\nx"),
        ("   - deep\n     more", "   - deep\n     more\n     x"),
    ])
    func `Shift-Enter goes on in the same item`(before: String, after: String) throws {
        let window = try Window(notes: [before])
        defer { window.close() }
        window.press("Enter", "Ctrl-End", "Shift-Enter", "\"x\"")
        #expect(window.fixture.model.session?.text == after)
        window.press("Ctrl-Z", "Ctrl-Z")
        #expect(window.fixture.model.session?.text == before)
        window.press("Ctrl-Y", "Ctrl-Shift-Z")
        #expect(window.fixture.model.session?.text == after)
    }

    @Test func `Enter goes on with a list and ends it on an empty item`() throws {
        let window = try openWindow("- one")
        defer { window.close() }
        window.press("Enter", "\"two\"", "Enter", "Enter", "\"plain\"")
        #expect(window.lines.prefix(3) == [" - one", " - two", " plain"])
    }

    @Test func `numbers go on, and Tab nests an item`() throws {
        let window = try openWindow("1. one")
        defer { window.close() }
        window.press("Enter", "\"two\"", "Tab")
        #expect(window.lines[1].hasSuffix("two"))
        #expect(window.lines[1].hasPrefix("    "))
        window.press("Shift-Tab")
        #expect(window.lines[1] == " 2. two")
    }

    @Test func `a task is ticked by key and by click`() throws {
        let window = try openWindow("- [ ] milk")
        defer { window.close() }
        window.press("Ctrl-T")
        #expect(window.lines[0] == " - [x] milk")
        window.press("Ctrl-Space", "Ctrl-Space")
        #expect(window.lines[0] == " - [x] milk")
        window.press("Ctrl-Space", "Ctrl-T")
        window.send(.mouse(MouseEvent(.press, .left, at: Position(column: 4, row: 0))))
        #expect(window.lines[0] == " - [ ] milk")
    }

    @Test func `in code Enter keeps the indent and means no list`() throws {
        let window = try openWindow("```\n- no list")
        defer { window.close() }
        window.press("Enter", "\"x\"")
        #expect(window.lines[2] == " x")
    }

    @Test func `an address pasted over a selection makes a link`() throws {
        let window = try openWindow("site")
        defer { window.close() }
        window.press("Ctrl-A")
        window.send(.paste("https://example.org"))
        #expect(window.lines[0] == " [site](https://example.org)")
    }

    @Test func `two brackets offer the notes to link to`() throws {
        let window = try Window(columns: 60, rows: 16, notes: ["Here", "Target note"])
        defer { window.close() }
        window.press("Enter", "Ctrl-End", "\" [[\"")
        #expect(window.lines.contains { $0.contains("Link to note") })
        window.press("\"targ\"", "Enter")
        let text = try #require(window.fixture.model.session?.text)
        #expect(text == "Here [[Target note]]")
        // After undo the next letter goes on instead of replacing a selection.
        window.press("Ctrl-Z")
        #expect(window.fixture.model.session?.text == "Here [[")
        window.press("\"x\"")
        #expect(window.fixture.model.session?.text == "Here [[x")
    }

    @Test func `a setting links a chosen note by its address`() throws {
        let window = try Window(columns: 60, rows: 16, notes: ["Here", "Target note"])
        defer { window.close() }
        window.interface.apply(Configuration.read("[editor]\nlink-style = \"address\"\n"))
        let target = try #require(try window.fixture.notebook.links.note(titled: "Target note"))
        window.press("Enter", "Ctrl-End", "\" [[targ\"", "Enter")
        #expect(window.fixture.model.session?.text == "Here [Target note](\(target.getURL()))")
    }

    @Test func `a link to a note that is not there yet is typed to its end`() throws {
        let window = try Window(columns: 60, rows: 16, notes: ["Here", "Target note"])
        defer { window.close() }
        window.press("Enter", "Ctrl-End", "\" [[New idea]] and\"")
        let session = try #require(window.fixture.model.session)
        #expect(session.text == "Here [[New idea]] and")
        window.press("\" [[New\"", "Esc", "\"er]]\"")
        #expect(session.text == "Here [[New idea]] and [[Newer]]")
        window.press("\" [[Nothing such\"", "Enter")
        #expect(session.text == "Here [[New idea]] and [[Newer]] [[Nothing such]]")
        #expect(try window.fixture.notebook.links.note(titled: "Nothing such") != nil)
        window.press("Enter", "\"[[targ\"", "Enter")
        #expect(session.text.hasSuffix("[[Nothing such]]\n[[Target note]]"))
    }

    @Test func `the command for a link writes nothing until a note is chosen`() throws {
        let window = try Window(columns: 60, rows: 16, notes: ["Here it is", "Target note"])
        defer { window.close() }
        window.press("Enter", "Ctrl-End")
        let session = try #require(window.fixture.model.session)
        func insert() {
            window.press("Ctrl-P", "\"link to a note\"", "Enter")
            #expect(window.lines.contains { $0.contains("Link to note") })
        }
        insert()
        window.press("\"targ\"", "Esc")
        #expect(session.text == "Here it is")
        // A selection is unchanged, or becomes the link's text.
        window.press("Ctrl-Home", "Ctrl-Shift-Right")
        let selected = session.selectedText
        insert()
        window.press("Esc")
        #expect(session.text == "Here it is")
        #expect(session.selectedText == selected)
        insert()
        window.press("\"targ\"", "Enter")
        #expect(session.text.hasPrefix("[[Target note|\(selected)]]"))
        window.press("Ctrl-Z")
        #expect(session.text == "Here it is")
        window.press("Ctrl-End")
        insert()
        window.press("\"New]]\"")
        #expect(session.text == "Here it is[[New]]")
        insert()
        window.press("\"Nothing such\"", "Enter")
        #expect(session.text == "Here it is[[New]][[Nothing such]]")
    }

    @Test func `the preview shows the note as it reads and comes back to the same place`() throws {
        let window = try openWindow(
            "# Title\n\nSome **bold** text\n\n- [x] done\n- item\n\n| a | b |\n|---|---|\n| 1 | 2 |")
        defer { window.close() }
        window.press("Ctrl-E")
        #expect(window.lines.contains(" Some bold text"))
        #expect(window.lines.contains { $0.contains("☑") })
        #expect(window.cursor?.isVisible == false)
        window.press("Ctrl-E")
        #expect(window.lines.contains(" Some **bold** text"))
        #expect(window.cursor?.isVisible == true)
    }

    @Test func `backlinks are listed below the note, and b goes to one`() throws {
        let window = try Window(columns: 120, rows: 30, notes: ["Target", "See [[Target]] there"])
        defer { window.close() }
        #expect(window.lines.contains { $0.contains(" 1 backlink ") })
        #expect(window.lines.contains { $0.contains("See [[Target]] there") && $0.contains("See Target there") })
        window.press("b", "Enter")
        #expect(window.fixture.model.openNote?.title.hasPrefix("See") == true)
    }

    @Test func `beside a backlink its link is in sight, however much the line says before it`() throws {
        let line = "# Source\n\nIntro with **bold** and *italic* words and then a word about [[Target]] and more"
        let window = try Window(columns: 120, rows: 30, notes: ["Target", line])
        defer { window.close() }
        #expect(window.lines.contains { $0.contains("Source  …about [[Target]] and more") }, "\(window.lines)")
    }

    @Test func `a link at the caret is followed`() throws {
        let window = try Window(columns: 120, rows: 30, notes: ["See [[Target]]", "Target\nthere"])
        defer { window.close() }
        window.press("Enter", "Right", "Right", "Right", "Right", "Right", "Right", "Right", "Alt-Enter")
        #expect(window.fixture.model.openNote?.title == "Target")
        window.press("F7")
        #expect(window.fixture.model.openNote?.title == "See Target")
    }

    @Test func `a link to a heading or block goes to its line`() throws {
        let text = "Target\n\nline\n\n## Part [one]\n\ntext ^b1"
        let window = try Window(
            columns: 120, rows: 30, notes: ["[[Target#Part one]] here", "[[Target^b1]] there", text])
        defer { window.close() }
        for (source, line) in [("[[Target#Part one]] here", 4), ("[[Target^b1]] there", 6)] {
            let row = try #require(
                try window.fixture.notebook.lists.rows(ListQuery(container: .allNotes), limit: 9)
                    .first { try window.fixture.notebook.notes.text($0.id) == source })
            window.fixture.model.show(row)
            _ = window.fixture.model.followLink()
            #expect(window.fixture.model.openNote?.title == "Target")
            #expect(window.fixture.model.session?.caretLabel == "\(line + 1):1")
        }
        let target = try #require(window.fixture.model.openNote)
        let byAddress = try window.fixture.notebook.notes.create(NewNote(text: "[x](\(target.id.url)#Part%20one)"))
        window.fixture.model.show(byAddress)
        #expect(window.fixture.model.followLink() == .note)
        #expect(window.fixture.model.openNote?.id == target.id)
        #expect(window.fixture.model.session?.caretLabel == "5:1")
        #expect(window.fixture.model.backlinks.contains { $0.source.id == byAddress.id })
        // This is the address as `Y` copies it, without Markdown around it.
        let bare = try window.fixture.notebook.notes.create(NewNote(text: target.id.url))
        window.fixture.model.show(bare)
        #expect(window.fixture.model.followLink() == .note)
        #expect(window.fixture.model.openNote?.id == target.id)
    }

    @Test func `a web link is shown, and opened or copied only when that is chosen`() throws {
        let window = try Window(notes: ["[shop](https://example.org/shop)"])
        defer { window.close() }
        window.press("Enter", "Right", "Alt-Enter")
        #expect(window.lines.contains { $0.contains(" https://example.org/shop ") })
        window.press("Esc")
        #expect(window.host.opened.isEmpty && window.host.copied.isEmpty)
        window.press("Alt-Enter", "\"open\"", "Enter")
        #expect(window.host.opened == ["https://example.org/shop"])
        window.press("Alt-Enter", "\"copy\"", "Enter")
        #expect(window.host.copied == ["https://example.org/shop"])
        #expect(window.host.opened.count == 1)
    }

    @Test func `links are followed in the preview by key and by click`() throws {
        let text = "See [[Target]] or [shop](https://a.b)"
        let window = try Window(columns: 50, rows: 16, notes: [text, "Target\nthere"])
        defer { window.close() }
        window.press("Enter", "Ctrl-E")
        window.press("Tab", "Tab", "Enter")
        #expect(window.lines.contains { $0.contains(" https://a.b ") })
        window.press("Esc", "Shift-Tab", "Enter")
        #expect(window.fixture.model.openNote?.title == "Target")
        window.press("F7")
        let row = try #require(window.lines.firstIndex { $0.hasPrefix(" See Target") })
        window.send(.mouse(MouseEvent(.press, .left, at: Position(column: 6, row: row))))
        #expect(window.fixture.model.openNote?.title == "Target")
    }

    @Test func `Ctrl-G goes to a heading by name and to a line by number`() throws {
        let window = try openWindow("# One\n\ntext\n\n## Two\n\nmore")
        defer { window.close() }
        window.press("Ctrl-G", "\"two\"", "Enter")
        #expect(window.fixture.model.session?.caretLabel == "5:1")
        window.press("Ctrl-G", "\"3\"", "Enter")
        #expect(window.fixture.model.session?.caretLabel == "3:1")
    }

    @Test func `Ctrl-G finds headings that are numbers too, and takes any number for a line`() throws {
        let window = try openWindow("# Years\n\n## 2026\n\nmore\n\nlast")
        defer { window.close() }
        window.press("Ctrl-G", "\"2026\"", "Down", "Enter")
        #expect(window.fixture.model.session?.caretLabel == "3:1")
        window.press("Ctrl-G", "\"2026\"", "Enter")
        #expect(window.fixture.model.session?.caretLabel == "7:1")
        window.press("Ctrl-G", "\"\(Int.min)\"", "Enter")
        #expect(window.fixture.model.session?.caretLabel == "1:1")
    }

    @Test func `the folder of the note being written is shown, not that of the note under the list's cursor`() throws {
        let window = try Window(notes: ["first", "other"])
        defer { window.close() }
        let (model, notebook) = (window.fixture.model, window.fixture.notebook)
        let home = try notebook.folders.create("Home")
        window.press("Enter")
        try notebook.notes.move([try #require(model.openNote?.id)], to: home.id)
        model.readOutsideChanges()
        window.press("Ctrl-P", "\"reveal\"", "Enter")
        #expect(model.selectedContainer?.id == home.id)
        #expect(model.openNote?.title == "first")
    }
}

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

/// Tests folding, line numbers and unwrapped lines on the screen.
@MainActor
@Suite(.serialized)
struct ViewingTests {
    private func openWindow(_ text: String, columns: Int = 50, rows: Int = 16) throws -> Window {
        let window = try Window(columns: columns, rows: rows, notes: [text])
        window.press("Enter")
        return window
    }

    private func perform(_ title: String, in window: Window) {
        window.press("Ctrl-P", "\"\(title)\"", "Enter")
    }

    @Test func `a folded section shows how much is under it, and a click on either mark opens it`() throws {
        let window = try openWindow("# One\n\ntext\n\nmore\n\n# Two")
        defer { window.close() }
        window.press("Down", "Alt-.")
        #expect(window.lines.prefix(3) == ["▸# One … 4 lines", "", " # Two"])
        window.send(.mouse(MouseEvent(.press, .left, at: Position(column: 10, row: 0))))
        #expect(window.lines[2] == " text")
        window.send(.mouse(MouseEvent(.press, .left, at: Position(column: 0, row: 0))))
        #expect(window.lines[0] == "▸# One … 4 lines")
        window.press("Alt-,")
        #expect(window.lines[0] == "▾# One")
    }

    @Test func `folding where nothing can be folded says so`() throws {
        let window = try openWindow("plain")
        defer { window.close() }
        window.press("Alt-.")
        #expect(window.lines.last?.contains("Nothing to fold") == true)
    }

    @Test func `line numbers stand before lines, not before rows`() throws {
        let window = try openWindow("short\n" + String(repeating: "word ", count: 12) + "\nend", columns: 40)
        defer { window.close() }
        perform("toggle line numbers", in: window)
        #expect(window.lines[0] == "  1 short")
        #expect(window.lines[1].hasPrefix("  2 word word"))
        #expect(window.lines[2].hasPrefix("    word"))
        #expect(window.lines[3] == "  3 end")
        #expect(window.cursor?.position.column == 4)
        perform("toggle line numbers", in: window)
        #expect(window.lines[0] == " short")
    }

    @Test func `lines that are not wrapped scroll sideways with the caret, and are marked where they are cut`() throws {
        let window = try openWindow("0123456789abcdefghijklmnopqrstuvwxyz\nshort", columns: 22)
        defer { window.close() }
        perform("toggle line wrapping", in: window)
        #expect(window.lines[0] == " 0123456789abcdefghij…")
        #expect(window.lines[1] == " short")
        window.press("End")
        #expect(window.lines[0].hasPrefix("…"))
        #expect(window.lines[0].hasSuffix("xyz"))
        #expect(window.lines[1] == "…")
        #expect(window.cursor?.position.column == window.lines[0].count)
        let column = window.lines[0].firstIndex(of: "s").map {
            window.lines[0].distance(from: window.lines[0].startIndex, to: $0)
        }
        window.send(.mouse(MouseEvent(.press, .left, at: Position(column: try #require(column), row: 0))))
        #expect(window.fixture.model.session?.caretLabel == "1:29")
        window.press("Home")
        #expect(window.lines[0] == " 0123456789abcdefghij…")
    }

    @Test func `wide characters cut by the left edge leave a blank half`() throws {
        let window = try openWindow("漢字漢字漢字漢字漢字漢字漢字\n0123456789", columns: 22)
        defer { window.close() }
        perform("toggle line wrapping", in: window)
        window.fixture.model.session?.scroll(columns: 3)
        window.draw()
        #expect(window.lines[0].hasPrefix("… 漢字漢字"))
        #expect(window.lines[1] == "…3456789")
    }
}

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
