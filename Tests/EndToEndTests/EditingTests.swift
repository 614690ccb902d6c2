import Foundation
import TerminalDriver
import Testing

/// Tests the editor in a real terminal: typed, dragged and pasted text, and the note's contents afterwards.
@Suite(.serialized)
struct EditingTests {
    let workplace: Workplace

    init() throws {
        workplace = try Workplace()
    }

    /// Starts the notebook with one note, and puts the focus into its text.
    private func open(_ text: String, columns: Int = 120, rows: Int = 40) throws -> TmuxTerminal {
        _ = try workplace.tn("new", "--title", "Note", input: text)
        let terminal = try TmuxTerminal(workplace, columns: columns, rows: rows)
        try terminal.startNotebook()
        try terminal.press("Enter")
        try terminal.wait(for: "the caret") { try terminal.fact("cursor_flag") == "1" }
        return terminal
    }

    /// Leaves the find bar; a key sent immediately after Escape would be read as one key with it.
    private func leaveFind(_ terminal: TmuxTerminal) throws {
        try terminal.press("Escape")
        try terminal.waitFor("no find bar") { !$0.contains { $0.contains(" Find ") } }
    }

    private func quit(_ terminal: TmuxTerminal) throws {
        try terminal.press("C-q")
        try terminal.waitForShell()
    }

    /// Returns the note as stored in the notebook, byte for byte.
    private func stored() throws -> [UInt8] {
        Array(try workplace.tn("show", "Note").output.utf8)
    }

    @Test(arguments: [
        ("middle\r\nCRLF and LF\nin one\r\n", "in one"), ("a lone\rCR middle\n", "middle"),
        ("NUL \0 middle\u{1B}[31m\u{7}\n", "middle"), ("\u{FEFF}BOM before the middle\n", "middle"),
        ("middle\n\n\n\n", "middle"), ("no newline at the middle's end", "middle"),
        ("\ttabs\tmiddle \t \n  trailing   \n\u{A0}\u{2028}\u{85}\n", "middle"), ("\r\r\n\n\rmiddle\r", "middle"),
        ("middle e\u{301} \u{212B} ﬁ 한\u{1112}\u{1161}\u{11AB} 👩‍👩‍👧\u{202E}x\n", "middle"),
    ])
    func `a note edited in the middle keeps every other byte`(text: String, word: String) throws {
        let terminal = try open(text)
        try terminal.press("C-f")
        try terminal.type(word)
        try terminal.waitFor("1 of 1")
        try leaveFind(terminal)
        try terminal.type("X")
        try terminal.press("C-s")
        try terminal.waitFor("saved")
        try quit(terminal)
        #expect(try stored() == Array(text.replacing(word, with: "X").utf8))
    }

    @Test func `undo and redo go on after leaving the note, and after quitting`() throws {
        let terminal = try open("start")
        try terminal.press("C-End")
        try terminal.type(" one two three")
        try terminal.waitFor("start one two three")
        try terminal.press("C-z")
        try terminal.waitFor("the last word undone") { $0[0].hasSuffix("start one two") }
        try terminal.press("Escape")
        try terminal.waitFor("? help")
        try terminal.press("Enter", "C-z")
        try terminal.waitFor("another word undone") { $0[0].hasSuffix("start one") }
        try quit(terminal)
        try terminal.startNotebook()
        try terminal.press("Enter", "C-y", "C-y")
        try terminal.waitFor("start one two three")
        try terminal.press("C-z", "C-z", "C-z")
        try terminal.waitFor("all undone") { $0[0].hasSuffix("│ start") }
    }

    @Test func `a drag held at the edge scrolls on and selects as far as it has come`() throws {
        let lines = (1...300).map { "row \($0)." }
        let terminal = try open(lines.joined(separator: "\n"), columns: 40, rows: 12)
        func event(_ button: Int, _ column: Int, _ row: Int, up: Bool = false) -> String {
            "\u{1B}[<\(button);\(column + 1);\(row + 1)\(up ? "m" : "M")"
        }
        try terminal.send(event(0, 1, 1) + event(32, 3, 10))
        try terminal.waitFor("a row beyond the 40th") { rows in
            rows.contains { row in row.contains("row ") && Int(row.filter(\.isNumber)).map { $0 >= 40 } == true }
        }
        try terminal.send(event(32, 1, 4))
        // The caret leaves the edge once the program has read that, and scrolling stops.
        try terminal.wait(for: "the caret") { try terminal.cursor()[1] == 4 }
        let line = try #require(try terminal.settledPicture(quiet: 300).rows.isEmpty ? nil : terminal.screen()[4])
        try terminal.send(event(0, 1, 4, up: true))
        try terminal.press("DC", "C-s")
        try terminal.waitFor("the rest") { $0[0...4].contains(" row 1.") && $0[0...4].contains(line) }
        try quit(terminal)
        let number = try #require(Int(line.filter(\.isNumber)))
        #expect(number > 30)
        #expect(try stored() == Array(([lines[0]] + lines[(number - 1)...]).joined(separator: "\n").utf8))
    }

    @Test func `a double click near the edge takes the word under it`() throws {
        let terminal = try open((1...60).map { "row \($0)." }.joined(separator: "\n"), columns: 40, rows: 12)
        let click = "\u{1B}[<0;6;10M\u{1B}[<0;6;10m"
        try terminal.send(click + click)
        try terminal.type("X")
        try terminal.waitFor("row X.")
        #expect(try terminal.screen().contains(" row 9."))
        #expect(try !terminal.screen().contains(" row 10."))
    }

    @Test(arguments: [(120, 40), (80, 24), (40, 12), (20, 6)])
    func `an expression with groups is found, counted and replaced`(columns: Int, rows: Int) throws {
        let terminal = try open("ab 12\ncd 34\nef", columns: columns, rows: rows)
        try terminal.press("C-f", "M-r")
        try terminal.type(#"(\w+) (\d+)"#)
        try terminal.waitFor("1 of 2")
        try terminal.press("F3")
        try terminal.waitFor("2 of 2")
        try terminal.press("F3", "Tab")
        try terminal.type("$2-$1")
        try terminal.press("Enter")
        try terminal.waitFor("12-ab")
        try terminal.press("M-a")
        try terminal.waitFor("34-cd")
        try leaveFind(terminal)
        try terminal.press("C-z")
        try terminal.waitFor("cd 34")
        #expect(try terminal.screen().contains { $0.hasSuffix("12-ab") })
    }

    @Test func `a copied text comes to the terminal's clipboard, a pasted one is text whatever it holds`() throws {
        let terminal = try open("one 漢字\nétude")
        try terminal.acceptClipboard()
        try terminal.press("C-a", "C-c")
        try terminal.wait(for: "the clipboard") { try terminal.clipboard() == "one 漢字\nétude" }
        try terminal.press("C-End")
        try terminal.paste("\n- [ ] pasted\n\tas it is")
        try terminal.waitFor("as it is")
        try terminal.press("C-s")
        try quit(terminal)
        #expect(try stored() == Array("one 漢字\nétude\n- [ ] pasted\n\tas it is".utf8))
    }

    @Test func `an address pasted over a selection makes a link`() throws {
        let terminal = try open("see the site here")
        try terminal.press("C-Home", "C-Right", "C-Right", "Right", "C-S-Right")
        try terminal.paste("https://example.org/a_b")
        try terminal.waitFor("see the [site](https://example.org/a_b) here")
    }
}
