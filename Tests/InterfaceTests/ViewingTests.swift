import Interface
import NoteStore
import Terminal
import TestSupport
import Testing

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
