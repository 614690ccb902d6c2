import Load
import Terminal
import TestSupport
import Testing

@testable import Interface

/// Tests finding and replacing in the open note.
@MainActor
@Suite(.serialized, .underLoad)
struct FindTests {
    private func openWindow(_ text: String = "one two\nTwo three\ntwofold") throws -> Window {
        let window = try Window(columns: 50, rows: 14, notes: [text])
        window.press("Enter", "Ctrl-F")
        return window
    }

    private func bar(_ window: Window) -> [String] { Array(window.lines[10...11]) }

    @Test func `matches are counted as the pattern is typed, and Enter walks them round`() throws {
        let window = try openWindow()
        defer { window.close() }
        window.press("\"two\"")
        #expect(bar(window)[0].hasPrefix(" Find    two"))
        #expect(bar(window)[1].hasSuffix("1 of 3"))
        window.press("Enter")
        #expect(bar(window)[1].hasSuffix("2 of 3"))
        window.press("F3", "F3")
        #expect(bar(window)[1].hasSuffix("1 of 3"))
        window.press("Shift-F3")
        #expect(bar(window)[1].hasSuffix("3 of 3"))
    }

    @Test func `what was looked for before is replaced by what is typed, or kept by an arrow`() throws {
        let window = try openWindow()
        defer { window.close() }
        window.press("\"two\"", "Esc", "Ctrl-F", "\"one\"")
        #expect(bar(window)[0].hasPrefix(" Find    one "))
        window.press("Esc", "Ctrl-F", "Backspace")
        #expect(bar(window)[0].hasPrefix(" Find      "))
        window.press("\"thr\"", "Esc", "Ctrl-F", "Right", "\"ee\"")
        #expect(bar(window)[0].hasPrefix(" Find    three"))
    }

    @Test func `the find bar closes when the note is read instead of written, and the other way round`() throws {
        let window = try openWindow()
        defer { window.close() }
        for _ in 0..<2 {
            window.press("Ctrl-F", "\"two\"")
            window.interface.perform("note.preview")
            window.draw()
            #expect(window.interface.state.findBar == nil && !window.lines.contains { $0.contains(" Find ") })
        }
    }

    @Test func `groups of an expression are put into the replacement`() throws {
        let window = try openWindow("Ada Lovelace, Grace Hopper")
        defer { window.close() }
        window.press("Alt-R", "\"(A\\w+|G\\w+) (\\w+)\"", "Tab", "\"$2 $1!\"", "Alt-A")
        #expect(window.lines[0] == " Lovelace Ada!, Hopper Grace!")
        window.press("Esc", "Ctrl-Z")
        #expect(window.lines[0] == " Ada Lovelace, Grace Hopper")
    }

    @Test func `in a long note a key searches a little, and idle moments the rest`() throws {
        let hay = String(repeating: "some hay that is looked through\n", count: 2_000)
        let window = try Window(columns: 50, rows: 14, notes: ["start\n" + hay + "the needle\n" + hay])
        defer { window.close() }
        window.press("Enter", "Ctrl-F", "Alt-R", "\"nee.le\"")
        let session = try #require(window.fixture.model.session)
        #expect(bar(window)[1].hasSuffix("searching"))
        #expect(session.selection.isEmpty)
        window.fixture.scheduler.advance(by: .seconds(1))
        #expect(window.fixture.scheduler.run { session.selectedText == "needle" })
        #expect(window.fixture.scheduler.run { session.findSummary == "1 of 1" })
        window.draw()
        #expect(bar(window)[1].hasSuffix("1 of 1"))
        // A late result does not move the caret of a user who has continued meanwhile.
        window.press("Esc", "Ctrl-Home", "F3", "Right", "Right")
        let label = session.caretLabel
        window.fixture.scheduler.advance(by: .seconds(1))
        #expect(window.fixture.scheduler.run { session.findSummary == "1" })
        #expect(session.caretLabel == label)
    }

    @Test func `an expression that would take years leaves the window alone and ends with what asked for it`() throws {
        let slow = String(repeating: "a", count: 40) + "b"
        let window = try openWindow(slow + "\nlast")
        defer { window.close() }
        window.press("Alt-R", "\"(a+)+$\"")
        let session = try #require(window.fixture.model.session)
        #expect(bar(window)[1].hasSuffix("searching"))
        window.fixture.scheduler.advance(by: .seconds(1))
        // The search is running, and each key still works.
        window.press("Ctrl-U", "\"last\"")
        #expect(session.selectedText == "last")
        window.press("Ctrl-U", "\"(a+)+$\"")
        window.fixture.scheduler.advance(by: .seconds(1))
        window.press("Esc", "Ctrl-Home", "\"x\"")
        #expect(window.lines[0].hasPrefix(" xaaa"))
        #expect(!session.isFinding)
    }

    @Test func `an expression that is too slow says so, and replaces nothing`() throws {
        let window = try openWindow(String(repeating: "a", count: 40) + "b")
        defer { window.close() }
        let session = try #require(window.fixture.model.session)
        session.searchTimeLimit = .milliseconds(20)
        window.press("Alt-R", "\"(a+)+$\"")
        window.fixture.scheduler.advance(by: .seconds(1))
        #expect(window.fixture.scheduler.run { session.findSummary == "stopped after 0 s: regex too slow" })
        window.draw()
        #expect(bar(window)[1].hasSuffix("stopped after 0 s: regex too slow"))
        window.press("Tab", "\"x\"", "Alt-A")
        let isTold = window.fixture.scheduler.run {
            window.draw()
            return window.message.contains("Nothing replaced")
        }
        #expect(isTold)
        #expect(session.text.hasPrefix("aaaa"))
    }

    @Test func `in the replacement, F3 and the arrows go on and leave the text as it is`() throws {
        let window = try openWindow()
        defer { window.close() }
        window.press("\"two\"", "Tab", "\"2\"")
        for (key, summary) in [("F3", "2 of 3"), ("Down", "3 of 3"), ("Up", "2 of 3"), ("Shift-F3", "1 of 3")] {
            window.press(key)
            #expect(bar(window)[1].hasSuffix(summary))
        }
        window.press("F3", "Enter")
        #expect(window.lines.prefix(3) == [" one two", " 2 three", " twofold"])
    }

    @Test func `a group that is not there is reported in the bar, and nothing is replaced`() throws {
        let window = try openWindow("Ada Lovelace")
        defer { window.close() }
        window.press("Alt-R", "\"(Ad\\w+)\"", "Tab", "\"\\2\"")
        #expect(bar(window)[1].hasSuffix("no group 2: the regex has 1"))
        window.press("Alt-A", "Enter")
        #expect(window.lines[0] == " Ada Lovelace")
        #expect(window.lines[13].contains("Nothing replaced: no group 2"))
        window.press("Ctrl-U", "\"<\\1>\"", "Alt-A")
        #expect(window.lines[0] == " <Ada> Lovelace")
    }

    @Test func `empty matches are walked, counted and replaced`() throws {
        let window = try openWindow("one\ntwo\nthree")
        defer { window.close() }
        window.press("Alt-R", "\"^\"")
        #expect(bar(window)[1].hasSuffix("1 of 3"))
        window.press("Enter")
        #expect(bar(window)[1].hasSuffix("2 of 3"))
        window.press("Tab", "\"> \"", "Alt-A")
        #expect(window.lines.prefix(3) == [" > one", " > two", " > three"])
        window.press("Esc", "Ctrl-Z")
        #expect(window.lines.prefix(3) == [" one", " two", " three"])
    }

    @Test func `the match at hand stands out among the others`() throws {
        let window = try openWindow("two two")
        defer { window.close() }
        window.press("\"two\"")
        let styles = [1, 5].map { window.screen[$0, 0].style }
        #expect(styles[0] == window.interface.state.theme.matchAtHand)
        #expect(styles[1] == window.interface.state.theme.match)
    }

    @Test func `case, whole words and expressions narrow it`() throws {
        let window = try openWindow()
        defer { window.close() }
        window.press("\"two\"", "Alt-C")
        #expect(bar(window)[1].hasSuffix("1 of 2"))
        window.press("Alt-W")
        #expect(bar(window)[1].hasSuffix("1 of 1"))
        window.press("Alt-C", "Alt-W", "Alt-R", "Ctrl-U", "\"^t(w|h)\"")
        #expect(bar(window)[1].hasSuffix("1 of 2"))
        window.press("\"(\"")
        #expect(bar(window)[1].hasSuffix("invalid regex"))
    }

    @Test func `replacing all is one step of undo`() throws {
        let window = try openWindow()
        defer { window.close() }
        window.press("\"two\"", "Tab", "\"2\"", "Alt-A")
        #expect(window.lines.prefix(3) == [" one 2", " 2 three", " 2fold"])
        #expect(window.message.contains("3 matches replaced"))
        window.press("Esc", "Ctrl-Z")
        #expect(window.lines.prefix(3) == [" one two", " Two three", " twofold"])
    }

    @Test func `Enter in the replacement replaces this match and goes on`() throws {
        let window = try openWindow()
        defer { window.close() }
        window.press("\"two\"", "Tab", "\"2\"", "Enter")
        #expect(window.lines.prefix(3) == [" one 2", " Two three", " twofold"])
        window.press("Enter")
        #expect(window.lines.prefix(3) == [" one 2", " 2 three", " twofold"])
    }

    @Test func `two presses of Esc that come together as Alt-Esc leave the bar and then the editor`() throws {
        let window = try openWindow()
        defer { window.close() }
        window.press("\"two\"", "Alt-Esc")
        #expect(!window.lines.contains { $0.contains("Replace") })
        #expect(window.interface.state.focus == .list)
        window.press("Ctrl-P", "Alt-Esc")
        #expect(!window.lines.contains { $0.contains("Commands") })
    }

    @Test func `Esc leaves the bar with the match selected, and F3 goes on without it`() throws {
        let window = try openWindow()
        defer { window.close() }
        window.press("\"two\"", "Esc")
        #expect(!window.lines.contains { $0.contains("Replace") })
        window.press("F3", "\"X\"")
        #expect(window.lines[1] == " X three")
    }
}
