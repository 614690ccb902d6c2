import ModalEditing
import NoteStore
import SeededRandom
import Terminal
import TestSupport
import Testing
import TextEditing

@testable import Interface
@testable import ViewModel

/// Tests Vim's keys in the window.
@MainActor
@Suite(.serialized)
struct VimTests {
    @Test func `letters are commands until Insert mode is entered`() throws {
        let window = try Window.withVim("one two\nthree")
        defer { window.close() }
        window.press("\"dw\"")
        #expect(window.noteText == "two\nthree")
        window.press("\"A!\"", "Esc", "\"j.\"")
        #expect(window.noteText == "two!\nthree!")
        window.press("\"u\"")
        #expect(window.noteText == "two!\nthree")
    }

    @Test(arguments: ["i", "R"])
    func `no key is named that would be typed`(key: String) throws {
        let window = try Window.withVim("one two")
        defer { window.close() }
        #expect(window.lines.last?.hasSuffix(":q list  / find  ^Q quit") == true)
        window.press("\"\(key)\"")
        #expect(window.lines.last?.contains(":q") == false && window.lines.last?.hasSuffix("   ^Q quit") == true)
        window.press("Esc")
        #expect(window.lines.last?.hasSuffix(":q list  / find  ^Q quit") == true)
    }

    @Test func `keys that come at once are commands all the same`() throws {
        let window = try Window.withVim("one\ntwo\nthree")
        defer { window.close() }
        window.send(.key(KeyPress(typed: "j")), .key(KeyPress(typed: "j")), .key(KeyPress(typed: "x")))
        #expect(window.noteText == "one\ntwo\nhree")
        window.send(.key(KeyPress(typed: "i")), .key(KeyPress(typed: "a")), .key(KeyPress(typed: "b")))
        #expect(window.noteText == "one\ntwo\nabhree")
    }

    /// In vim a file of four lines that ends in a line feed has four lines.
    @Test(arguments: [
        ("GA!", "a\nb\nc\nd!\n"), (":%s/$/;;/\n", "a;;\nb;;\nc;;\nd;;\n"), (":%normal A!!\n", "a!!\nb!!\nc!!\nd!!\n"),
        (":%sort!\n", "d\nc\nb\na\n"), (":$d\n", "a\nb\nc\n"), ("jdG", "a\n"), ("Gddx", "a\nb\n\n"),
        ("yGGp", "a\nb\nc\nd\na\nb\nc\nd\n"),
        ("9jA!", "a\nb\nc\nd!\n"), ("jjjjjjA!", "a\nb\nc\nd!\n"), ("Gox", "a\nb\nc\nd\nx\n"), (":v/a/d\n", "a\n"),
        ("100%A!", "a\nb\nc\nd!\n"),
        ("dGix", "x"),
    ])
    func `the line after a final line feed is none for motions and ranges`(keys: String, result: String) throws {
        let window = try Window.withVim("a\nb\nc\nd\n")
        defer { window.close() }
        for key in keys { if key == "\n" { window.press("Enter") } else { window.press("\"\(key)\"") } }
        #expect(window.noteText == result)
    }

    /// The results are vim's.
    @Test(arguments: [
        ("llljjx", "abcdef\nab\nabcef"), ("$jjx", "abcdef\nab\nabcde"), ("lll1jjx", "abcdef\nab\nabcef"),
        ("llljkx", "abcef\nab\nabcdef"), ("llljhjx", "abcdef\nab\nbcdef"), ("llljyyjx", "abcdef\nab\nacdef"),
        ("$jjk0jx", "abcdef\nab\nbcdef"), ("$jvjd", "abcdef\na"), ("lllgjgjx", "abcdef\nab\nabcef"),
    ])
    func `a bare j keeps its column over shorter lines, and the end of its line`(keys: String, result: String) throws {
        let window = try Window.withVim("abcdef\nab\nabcdef")
        defer { window.close() }
        for key in keys { window.press("\"\(key)\"") }
        #expect(window.noteText == result)
    }

    @Test(arguments: [
        ("gqG", "# Title\none two\n\n- a b\n- c\n\n```\nx\ny\n```\n"),
        ("jgqj", "# Title\none two\n\n- a\n  b\n- c\n\n```\nx\ny\n```\n"),
        ("3jVGgqu", "# Title\none\ntwo\n\n- a\n  b\n- c\n\n```\nx\ny\n```\n"),
    ])
    func `gq fills paragraphs and keeps headings, items and code`(keys: String, result: String) throws {
        let window = try Window.withVim("# Title\none\ntwo\n\n- a\n  b\n- c\n\n```\nx\ny\n```\n")
        defer { window.close() }
        for key in keys { window.press("\"\(key)\"") }
        #expect(window.noteText == result)
    }

    @Test func `a note that another one follows is in Normal mode, and so is the list`() throws {
        let window = try Window(columns: 80, rows: 24, notes: ["One", "Two"])
        defer { window.close() }
        window.interface.apply(Configuration.read("[editor]\nkeys = \"vim\"\n"))
        let model = window.fixture.model
        let rows = model.recentNotes()
        model.show(rows[0])
        window.press("Alt-3")
        model.show(rows[1])
        window.press("\"i\"", "Ctrl-O", "Esc", "F7")
        #expect(model.openNote?.id == rows[0].id)
        #expect(window.interface.state.vim?.mode == .normal)
        window.press("\"i\"")
        // What closes the note takes its mode along.
        model.moveNoteToTrash([rows[0], rows[1]])
        model.closeNote()
        window.press("Esc")
        #expect(window.interface.state.vim?.mode != .insert && !window.lines.contains { $0.contains("INSERT") })
    }

    @Test func `Ctrl-O goes on to the note before, and :e# goes there too`() throws {
        let window = try Window.withVim("One")
        defer { window.close() }
        try window.fixture.add("Two")
        let model = window.fixture.model
        for character in ":e Two" { window.press("\"\(character)\"") }
        window.press("Enter")
        #expect(model.openNote?.title == "Two")
        window.press("Ctrl-O")
        #expect(model.openNote?.title == "One")
        window.press("\":e#\"", "Enter")
        #expect(model.openNote?.title == "Two")
    }

    @Test func `lists go on while typing, and dot does so again`() throws {
        let window = try Window.withVim("- one\n\n- two")
        defer { window.close() }
        window.press("\"A\"", "Enter", "\"x\"", "Esc")
        #expect(window.noteText == "- one\n- x\n\n- two")
        window.press("\"G.\"")
        #expect(window.noteText == "- one\n- x\n\n- two\n- x")
    }

    @Test func `Esc and a letter that come together are two keys`() throws {
        let window = try Window.withVim("one\ntwo")
        defer { window.close() }
        window.press("\"ix\"", "Alt-J")
        #expect(window.noteText == "xone\ntwo")
        window.press("\"x\"")
        #expect(window.noteText == "xone\nwo")
        window.press("\"A!\"", "Alt-0", "\"x\"")
        #expect(window.noteText == "xone\no!")
    }

    @Test func `the colon writes, leaves and does commands by name`() throws {
        let window = try Window.withVim("one\ntwo")
        defer { window.close() }
        window.press("\":2d\"", "Enter")
        #expect(window.noteText == "one")
        window.press("\":nothing\"", "Enter")
        #expect(window.lines.last?.contains("There is no command nothing") == true)
        window.press("\":view.lineNumbers\"", "Enter")
        #expect(window.fixture.model.editorSettings.lineNumbers)
        window.press("\":set nonu wrap!\"", "Enter")
        #expect(!window.fixture.model.editorSettings.lineNumbers && !window.fixture.model.editorSettings.wrap)
        window.press("\":set nu! invwrap\"", "Enter")
        #expect(window.fixture.model.editorSettings.lineNumbers && window.fixture.model.editorSettings.wrap)
        window.press("\":set spell\"", "Enter")
        #expect(window.lines.last?.contains("“spell” cannot be set here") == true)
        window.press("\":w /tmp/copy\"", "Enter")
        #expect(window.fixture.model.notice?.text.hasPrefix("The text is saved in the notebook by itself") == true)
        window.press("\":wq\"", "Enter")
        #expect(window.interface.state.focus == .list)
    }

    @Test func `Ctrl-W h goes to the list, and the program's own keys stay`() throws {
        let window = try Window.withVim("one")
        defer { window.close() }
        window.press("Ctrl-W", "\"h\"")
        #expect(window.interface.state.focus == .list)
        window.press("Alt-3", "Ctrl-P")
        #expect(window.interface.overlays.count == 1)
    }

    @Test func `the cursor has a shape for each mode`() throws {
        let window = try Window.withVim("one")
        defer { window.close() }
        window.press("\"l\"")
        #expect(window.cursor?.shape == .block)
        window.press("\"i\"")
        #expect(window.cursor?.shape == .bar)
        window.press("Esc", "\"R\"")
        #expect(window.cursor?.shape == .underline)
        window.interface.apply(Configuration.read(""))
        window.draw()
        #expect(window.cursor?.shape == .bar)
    }

    @Test func `what is yanked into + goes to the clipboard`() throws {
        let window = try Window.withVim("one two")
        defer { window.close() }
        window.press("\"\"+yiw\"")
        #expect(window.host.copied.last == "one")
        window.press("\"$\"", "\"\"+p\"")
        #expect(window.noteText == "one twoone")
    }

    @Test func `a bare j goes by rows, and dj takes lines`() throws {
        let words = Array(repeating: "word", count: 40).joined(separator: " ")
        let window = try Window.withVim(words + "\nnext\nlast", columns: 50)
        defer { window.close() }
        window.press("\"j\"")
        #expect(window.fixture.model.session.map { $0.caretLabel.hasPrefix("1:") } == true)
        window.press("\"dj\"")
        #expect(window.noteText == "last")
        window.press("\"ugg\"")
        window.fixture.model.editorSettings.vimMovesByRows = false
        window.press("\"j\"")
        #expect(window.fixture.model.session.map { $0.caretLabel.hasPrefix("2:") } == true)
    }

    @Test func `Esc in Normal mode takes matches away and stays in the note`() throws {
        let window = try Window.withVim("one two one")
        defer { window.close() }
        window.press("\"ix\"", "Esc")
        #expect(window.interface.state.focus == .editor)
        window.press("\"/one\"", "Enter")
        #expect(window.fixture.model.session?.showsVimMatches == true)
        window.press("Esc")
        #expect(window.fixture.model.session?.isFinding == false)
        #expect(window.interface.state.focus == .editor)
        window.press("Esc", "Esc", "\"x\"")
        #expect(window.interface.state.focus == .editor)
        #expect(window.noteText?.utf8.count == "xone two one".utf8.count - 1)
        window.press("\":q\"", "Enter")
        #expect(window.interface.state.focus == .list)
    }

    @Test func `a search is typed in the last row, and n goes on`() throws {
        let window = try Window.withVim("one two\ntwo three\ntwo")
        defer { window.close() }
        window.press("\"/tw\"")
        #expect(window.lines.last == " /tw")
        #expect(window.cursor?.position == Position(column: 4, row: 23))
        window.press("\"o\"", "Enter", "\"n\"")
        #expect(window.fixture.model.session?.caretLabel == "2:1")
        window.press("\"dn\"")
        #expect(window.noteText == "one two\ntwo")
    }

    @Test func `one change is one step of undo, a cursor key parts what is typed`() throws {
        let window = try Window.withVim("one two three")
        defer { window.close() }
        window.press("\"ciwnew words\"", "Enter", "\"more\"", "Esc")
        #expect(window.noteText == "new words\nmore two three")
        window.press("\"u\"")
        #expect(window.noteText == "one two three")
        window.press("Ctrl-R", "\"u\"", "\"iab\"", "Left", "\"c\"", "Esc")
        #expect(window.noteText == "acbone two three")
        window.press("\"u\"")
        #expect(window.noteText == "abone two three")
        window.press("\"uu\"")
        #expect(window.noteText == "one two three")
        #expect(window.lines.last?.contains("Nothing to undo") == true)
    }

    @Test func `counts, a block and a macro`() throws {
        let window = try Window.withVim("ab 1\nab 2\nab 3")
        defer { window.close() }
        window.press("Ctrl-V", "\"jjI- \"", "Esc")
        #expect(window.noteText == "- ab 1\n- ab 2\n- ab 3")
        window.press("\"qq$\"", "Ctrl-A", "\"j0q2@q\"")
        #expect(window.noteText == "- ab 2\n- ab 3\n- ab 4")
    }

    @Test func `what is pasted is typed in Insert mode, put in Normal mode, and goes into the line`() throws {
        let window = try Window.withVim("one\ntwo")
        defer { window.close() }
        window.press("\"i\"")
        window.send(.paste("a b"))
        window.press("Esc", "\"j0.\"")
        #expect(window.noteText == "a bone\na btwo")
        window.send(.paste("dd"))
        #expect(window.noteText?.contains("dd") == true)
        window.press("\":s/\"")
        window.send(.paste("a b\nx"))
        #expect(window.lines.last == " :s/a b")
    }

    @Test func `the mouse places the caret and selects`() throws {
        let window = try Window.withVim("one two\nthree")
        defer { window.close() }
        let left = try #require(window.cursor?.position.column)
        window.press("\"A!\"")
        window.send(.mouse(MouseEvent(.press, .left, at: Position(column: left, row: 0))))
        window.press("\"?\"", "Esc", "\"u\"")
        #expect(window.noteText == "one two!\nthree")
        window.send(.mouse(MouseEvent(.press, .left, at: Position(column: left, row: 1))))
        window.send(.mouse(MouseEvent(.drag, .left, at: Position(column: left + 2, row: 1))))
        window.send(.mouse(MouseEvent(.release, .left, at: Position(column: left + 2, row: 1))))
        #expect(window.lines.last?.contains("VISUAL") == true)
        window.press("\"d\"")
        #expect(window.noteText == "one two!\nree")
    }

    @Test func `the editor's own keys stay where vim has none, and end what was begun`() throws {
        let window = try Window.withVim("one two")
        defer { window.close() }
        window.press("\"2d\"", "Ctrl-P")
        #expect(window.interface.overlays.count == 1)
        window.press("Esc", "\"w\"")
        #expect(window.noteText == "one two")
        window.press("\":\"", "Ctrl-Z", "Delete", "Ctrl-K")
        #expect(window.noteText == "one two")
        window.press("Ctrl-Q")
        #expect(window.host.hasQuit)
    }

    @Test func `another note begins in Normal mode, and the list ends what was begun`() throws {
        let window = try Window(columns: 80, rows: 24, notes: ["one", "two"])
        defer { window.close() }
        window.interface.apply(Configuration.read("[editor]\nkeys = \"vim\"\n"))
        window.press("Enter", "\"ix\"", "Alt-2")
        #expect(window.interface.vim?.machine.mode == .normal)
        window.press("\"j\"", "Enter", "\"dd\"")
        #expect(window.noteText?.isEmpty == true)
    }

    @Test func `Alt and a digit show a pane or lead to it, and are not a count`() throws {
        let window = try Window(columns: 120, rows: 24, notes: ["one", "two"])
        defer { window.close() }
        window.interface.apply(Configuration.read("[editor]\nkeys = \"vim\"\n"))
        window.press("Enter", "Alt-5", "Alt-2", "\"j\"", "Enter", "Alt-4", "\"dd\"")
        #expect(window.noteText?.isEmpty == true)
        #expect(window.fixture.model.sessionBeside?.text == "two")
        window.press("Alt-5")
        #expect(window.fixture.model.noteBeside == nil)
    }

    @Test func `the help tells that vim's keys are on`() throws {
        let window = try Window.withVim("one")
        defer { window.close() }
        window.press("F1")
        #expect(window.lines.contains { $0.contains("Vim's keys") })
        window.press("Esc")
        window.interface.apply(Configuration.read(""))
        window.press("F1")
        #expect(!window.lines.contains { $0.contains("Vim's keys") })
    }

    @Test func `a table at the top of the file is told from vim's keys`() {
        let reading = Configuration.read("keys = \"vim\"\n")
        #expect(reading.problems.first?.text.contains("[editor]") == true)
        #expect(reading.configuration.editor.keys == .plain)
    }

    @Test(arguments: 0..<6)
    func `random keys trap nowhere, and undo leads back to the first text`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed) + 0x7A11)
        let first =
            "# Head\n\nSome (nested [words]) here, *bold*.\n- item one\n- item two\n\n| a | b |\n|---|---|\n| 1 | 2 |\nwide 漢字 end"
        let window = try Window.withVim(first, columns: 60, rows: 20)
        defer { window.close() }
        let keys = [
            "\"d\"", "\"c\"", "\"y\"", "\"w\"", "\"e\"", "\"b\"", "\"j\"", "\"k\"", "\"$\"", "\"0\"", "\"iw\"",
            "\"a(\"", "\"ip\"",
            "\"x\"", "\"p\"", "\"P\"", "\"J\"", "\"~\"", "\">\"", "\"<\"", "\".\"", "\"v\"", "\"V\"", "Ctrl-V", "\"o\"",
            "\"A\"",
            "\"I\"", "\"R\"", "\"text \"", "\"2\"", "\"3\"", "\"fe\"", "\";\"", "\"%\"", "\"n\"", "\"*\"", "\"/e\"",
            "\":s/e/E/g\"",
            "\":g/o/normal Ax\"", "\":%sort\"", "Enter", "Tab", "Backspace", "Delete", "Left", "Right", "Up", "Ctrl-W",
            "Ctrl-U", "Ctrl-A", "Ctrl-X", "Ctrl-R", "Ctrl-O", "\"u\"", "\"qa\"", "\"q\"", "\"@a\"", "\"gv\"", "\"gU\"",
            "\"G\"", "\"gg\"",
            "\"ysiw)\"", "\"ds)\"", "\"ma\"", "\"'a\"", "\"\"+yy\"", "\"\"+p\"", "\"ih\"", "\"il\"", "Ctrl-D", "Ctrl-E",
            "\"zt\"",
        ]
        for _ in 0..<400 {
            // A box that opened is closed, and the focus returns to the editor.
            if random.chance(30) { window.interface.vim?.leave() }
            window.press(random.pick(keys))
            while !window.interface.overlays.isEmpty { window.press("Esc") }
            if window.interface.state.focus != .editor { window.press("Alt-3") }
        }
        window.interface.vim?.leave()
        #expect(window.interface.vim?.machine.mode == .normal)
        let last = window.noteText
        for _ in 0..<40 { window.press("\"99u\"") }
        #expect(window.noteText == first)
        for _ in 0..<40 { window.press("\"99\"", "Ctrl-R") }
        #expect(window.noteText == last)
    }

    @Test func `each mode is shown`() throws {
        let window = try Window.withVim("# Title\n\nSome words to select, and more.\n\n- item")
        defer { window.close() }
        window.press("\"jjw\"")
        try expectFrame(window, "vim-normal", withStatus: true)
        window.press("\"\"a2d\"")
        try expectFrame(window, "vim-pending", withStatus: true)
        window.press("Esc", "\"qqvee\"")
        try expectFrame(window, "vim-visual", withStatus: true)
        window.press("Esc", "\"qVj\"")
        try expectFrame(window, "vim-visual-line", withStatus: true)
        window.press("Esc", "\"o\"")
        try expectFrame(window, "vim-insert", withStatus: true)
        window.press("Esc", "\":%s/words/x\"")
        try expectFrame(window, "vim-command", withStatus: true)
    }
}
