import Terminal
import TestSupport
import Testing

@testable import Interface
@testable import ViewModel

/// Tests several carets in the window: their keys, their display, and the return to a single one.
@MainActor
@Suite struct CaretTests {
    private func window(_ text: String = "one two\ntwo three\nx", columns: Int = 80) throws -> Window {
        let window = try Window(columns: columns, rows: 12, notes: [text])
        window.press("Enter", "Ctrl-Home")
        return window
    }

    @Test func `keys type at each caret, and Esc leaves one before it leaves the text`() throws {
        let window = try window()
        defer { window.close() }
        window.press("Alt-Shift-Down", "Ctrl-Alt-Down", "\"- \"")
        #expect(window.fixture.model.session?.text == "- one two\n- two three\n- x")
        #expect(window.lines.last?.contains("3 carets") == true)
        #expect(window.lines.last?.contains("one caret") == true)
        window.press("Ctrl-Z")
        #expect(window.fixture.model.session?.text == "one two\ntwo three\nx")
        window.press("Esc")
        #expect(window.interface.state.focus == .editor)
        #expect(window.fixture.model.session?.hasSeveralCarets == false)
        #expect(window.lines.last?.contains("one caret") == false)
        window.press("Esc")
        #expect(window.interface.state.focus == .list)
    }

    @Test func `matches of a word are selected one by one or all at once, and typed over`() throws {
        let window = try window()
        defer { window.close() }
        window.press("End", "Ctrl-D", "Ctrl-D", "\"2\"")
        #expect(window.fixture.model.session?.text == "one 2\n2 three\nx")
        window.press("Ctrl-D")
        #expect(window.fixture.model.notice == nil)
        window.press("Esc", "Ctrl-Home", "Alt-A", "Ctrl-X")
        #expect(window.fixture.model.session?.text == " 2\n2 three\nx")
        window.press("Ctrl-End", "Enter", "Alt-A")
        #expect(window.fixture.model.notice?.kind == .refused)
    }

    @Test func `a click, a search and a motion to one place leave one caret`() throws {
        for keys in [["Ctrl-Home"], ["Ctrl-A"], ["F7"], ["Ctrl-F", "\"three\"", "Esc"]] {
            let window = try window()
            defer { window.close() }
            window.press("Alt-Shift-Down")
            #expect(window.fixture.model.session?.hasSeveralCarets == true)
            for key in keys { window.press(key) }
            if keys != ["F7"] { #expect(window.fixture.model.session?.hasSeveralCarets == false, "\(keys)") }
        }
    }

    @Test func `a caret shows with colours and without, in a selection and at the end of a line`() throws {
        let window = try window()
        defer { window.close() }
        window.press("End", "Alt-Shift-Down", "Alt-Shift-Down")
        func reversed() -> Int {
            (0..<window.size.rows).reduce(0) { count, row in
                count
                    + (0..<window.size.columns).count {
                        window.screen[$0, row].style.attributes.contains(.reverse)
                    }
            }
        }
        // The third caret is shown by the terminal's own cursor.
        let carets = reversed()
        window.press("Esc")
        #expect(carets - reversed() == 2)
        window.show(Theme())
        let plain = reversed()
        window.press("Home", "Shift-Right", "Alt-Shift-Up")
        #expect(reversed() > plain)
    }

    @Test func `Enter continues a list at each caret, and Tab nests its items`() throws {
        func typed(_ text: String, _ keys: String...) throws -> String? {
            let window = try Window(notes: [text])
            defer { window.close() }
            window.press("Enter", "Ctrl-Home", "End")
            for key in keys { window.press(key) }
            let result = window.fixture.model.session?.text
            window.press("Ctrl-Z")
            return result
        }
        let below = "Alt-Shift-Down"
        #expect(try typed("- aa\n- bb\n- cc", below, below, "Enter", "\"x\"") == "- aa\n- x\n- bb\n- x\n- cc\n- x")
        #expect(
            try typed("- [ ] aa\n> bb", "Alt-Shift-Down", "Enter", "\"x\"")?.hasPrefix("- [ ] aa\n- [ ] x\n> ") == true)
        // A renumbering by one caret moves the others.
        let nine = (1...11).map { "\($0). aa" }.joined(separator: "\n")
        let numbered = try typed(nine, below, below, below, below, below, below, below, below, "Enter", "\"x\"")
        #expect(numbered?.split(separator: "\n").count { $0.hasSuffix(" x") } == 9, "\(numbered ?? "")")
        #expect(numbered?.hasPrefix("1. aa\n2. x\n3. aa\n4. x") == true && numbered?.hasSuffix("20. aa") == true)
        #expect(try typed("- aa\n- bb\n- cc", below, "Tab", "\"x\"")?.hasSuffix("  - bbx\n- cc") == true)
        #expect(try typed("plain\n- list", below, "Enter", "\"x\"") == "plain\nx\n- lis\n- xt")
        #expect(try typed("plain\nother", below, "Enter", "\"x\"") == "plain\nx\nother\nx")
    }

    @Test func `Enter at several carets is one step of undo`() throws {
        let window = try Window(notes: ["- aa\n- bb"])
        defer { window.close() }
        window.press("Enter", "Ctrl-Home", "End", "Alt-Shift-Down", "Enter")
        #expect(window.fixture.model.session?.text == "- aa\n- \n- bb\n- ")
        window.press("Ctrl-Z")
        #expect(window.fixture.model.session?.text == "- aa\n- bb" && window.fixture.model.session?.caretCount == 2)
    }

    @Test(arguments: [
        ("1. x\n2. \n3. \n4. y", "1. x\n\n\n2. y"), ("- x\n  - \n  - \n- y", "- x\n- \n- \n- y"),
        ("- x\n- [ ] \n- [ ] \ny", "- x\n\n\ny"), ("x\n- ab\n- cd\ny", "x\n- a\n- c\ny"),
    ])
    func `Backspace at several empty items removes their markers`(before: String, after: String) throws {
        let window = try Window(notes: [before])
        defer { window.close() }
        window.press("Enter", "Ctrl-Home", "Down", "End", "Alt-Shift-Down", "Backspace")
        #expect(window.fixture.model.session?.text == after)
        window.press("Ctrl-Z")
        #expect(window.fixture.model.session?.text == before && window.fixture.model.session?.caretCount == 2)
    }

    @Test func `vim's keys have one caret`() throws {
        let window = try window()
        defer { window.close() }
        window.press("Alt-Shift-Down")
        window.fixture.model.editorSettings.keys = .vim
        window.interface.turnVimKeys(on: true)
        #expect(window.fixture.model.session?.hasSeveralCarets == false)
        window.interface.perform("carets.below")
        #expect(window.fixture.model.notice?.kind == .refused)
    }

    @Test func `Enter at many carets numbers a list once, not once for each caret`() throws {
        func readLines(_ count: Int) throws -> Int {
            let window = try Window(notes: [(1...count).map { "\($0). item" }.joined(separator: "\n")])
            defer { window.close() }
            window.press("Enter", "Ctrl-Home", "End", "Ctrl-Left", "Alt-A", "End", "Enter")
            let session = try #require(window.fixture.model.session)
            #expect(session.caretCount == count)
            let expected = (1...count).map { "\(2 * $0 - 1). item\n\(2 * $0). " }.joined(separator: "\n")
            #expect(session.text == expected)
            window.press("\"x\"")
            #expect(session.text == expected.replacing(". \n", with: ". x\n") + "x")
            return session.renumberedLines
        }
        #expect(try readLines(400) < 5 * readLines(100))
    }

    @Test func `lists keep their own numbers and levels at several carets`() throws {
        let text = "3. a\n   1. b\n   2. c\n4. a\n\ntext\n\n1) d\n1) a\n1) e"
        let window = try Window(notes: [text])
        defer { window.close() }
        window.press("Enter", "Ctrl-Home", "End", "Left", "Alt-A", "End", "Enter", "\"x\"")
        #expect(
            window.fixture.model.session?.text
                == "3. a\n4. x\n   1. b\n   2. c\n5. a\n6. x\n\ntext\n\n1) d\n1) a\n1) x\n1) e")
    }
}
