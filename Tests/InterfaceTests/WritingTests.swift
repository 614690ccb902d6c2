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
