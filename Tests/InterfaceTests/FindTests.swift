import Terminal
import TestSupport
import Testing

@testable import Interface

/// Finding and replacing in the open note.
@MainActor
@Suite(.serialized)
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

    @Test func `groups of an expression are put into the replacement`() throws {
        let window = try openWindow("Ada Lovelace, Grace Hopper")
        defer { window.close() }
        window.press("Alt-R", "\"(A\\w+|G\\w+) (\\w+)\"", "Tab", "\"$2 $1!\"", "Alt-A")
        #expect(window.lines[0] == " Lovelace Ada!, Hopper Grace!")
        window.press("Esc", "Ctrl-Z")
        #expect(window.lines[0] == " Ada Lovelace, Grace Hopper")
    }

    @Test func `in a long note a key searches a little, and idle moments the rest`() throws {
        let hay = String(repeating: "some hay that is looked through\n", count: 100_000)
        let window = try Window(columns: 50, rows: 14, notes: ["start\n" + hay + "the needle\n" + hay])
        defer { window.close() }
        window.press("Enter", "Ctrl-F", "Alt-R", "\"nee.le\"")
        let session = try #require(window.place.model.session)
        #expect(bar(window)[1].hasSuffix("searching"))
        #expect(session.selection.isEmpty)
        window.place.scheduler.advance(by: .seconds(1))
        window.draw()
        #expect(session.selectedText == "needle")
        #expect(bar(window)[1].hasSuffix("1 of 1"))
        // Who goes on meanwhile is not called back.
        window.press("Esc", "Ctrl-Home", "F3", "Right", "Right")
        let label = session.caretLabel
        window.place.scheduler.advance(by: .seconds(1))
        #expect(session.caretLabel == label)
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
        #expect(bar(window)[1].hasSuffix("not an expression"))
    }

    @Test func `replacing all is one step of undo`() throws {
        let window = try openWindow()
        defer { window.close() }
        window.press("\"two\"", "Tab", "\"2\"", "Alt-A")
        #expect(window.lines.prefix(3) == [" one 2", " 2 three", " 2fold"])
        #expect(window.lines[13].contains("3 matches replaced"))
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
