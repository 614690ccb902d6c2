import Terminal
import Testing

@testable import Interface

/// Tests that scrolling by Vim's keys takes the caret along.
@MainActor
struct VimScrollingTests {
    private let text = "# Head\n" + (2...60).map { "line \($0)\n" }.joined()

    @Test func `the caret stays in sight when a line is scrolled, and the next motion leaves the text there`() throws {
        let window = try Window.withVim(text)
        defer { window.close() }
        window.press("\"5\"", "Ctrl-E")
        #expect(top(of: window) == "line 6" && place(in: window) == "9:1")
        window.press("\"j\"")
        #expect(top(of: window) == "line 6" && place(in: window) == "10:1")
        window.press("\"k\"", "Ctrl-Y", "Ctrl-Y", "\"j\"")
        #expect(top(of: window) == "line 4" && place(in: window) == "10:1")
        window.press("\"G\"", "\"20\"", "Ctrl-Y")
        let bottom = place(in: window)
        window.press("\"jk\"")
        #expect(place(in: window) == bottom)
    }

    @Test func `the column stays when the caret is taken along`() throws {
        let window = try Window.withVim(text)
        defer { window.close() }
        window.press("\"jfe\"", "\"8\"", "Ctrl-E", "\"x\"")
        #expect(window.noteText?.contains("line 11\nlin 12\n") == true)
    }

    @Test func `a selection grows when its caret is taken along`() throws {
        let window = try Window.withVim(text)
        defer { window.close() }
        window.press("\"V\"", "\"2\"", "Ctrl-E", "\"d\"")
        #expect(window.noteText?.hasPrefix("line 7\n") == true)
    }

    @Test func `what is typed after a page key in Insert mode is on the page that it shows`() throws {
        let window = try Window.withVim(text)
        defer { window.close() }
        window.press("\"i\"", "PgDn")
        let line = try #require(place(in: window)?.split(separator: ":").first)
        window.press("\"x\"")
        #expect(Int(line) ?? 0 > 20 && window.noteText?.contains("\nxline \(line)\n") == true)
    }

    @Test func `the top and the bottom of the screen are reached without a scroll`() throws {
        let window = try Window.withVim(text)
        defer { window.close() }
        window.press("\"30Gzt\"")
        #expect(top(of: window) == "line 27")
        for _ in 0..<2 {
            window.press("\"H\"")
            #expect(top(of: window) == "line 27" && place(in: window) == "30:1")
            window.press("\"L\"")
            #expect(top(of: window) == "line 27" && place(in: window) == "45:1")
        }
        window.press("\"dH\"")
        #expect(window.noteText?.contains("line 26\nline 46\n") == true)
    }

    @Test func `scrolling stops where the last line is at the top`() throws {
        let window = try Window.withVim(text)
        defer { window.close() }
        window.press("\"99\"", "Ctrl-E", "\"x\"")
        #expect(window.noteText?.hasSuffix("line 59\nine 60\n") == true)
    }

    @Test func `pages overlap by two lines, and the caret goes to the start or the end of what is new`() throws {
        let window = try Window.withVim(text)
        defer { window.close() }
        window.press("Ctrl-F")
        #expect(top(of: window) == "line 21" && place(in: window) == "24:1")
        window.press("PgDn")
        #expect(top(of: window) == "line 41" && place(in: window) == "44:1")
        window.press("Ctrl-B")
        #expect(top(of: window) == "line 21" && place(in: window) == "39:1")
        window.press("PgUp")
        #expect(place(in: window) == "19:1")
        window.press("\"2\"", "Ctrl-F")
        #expect(top(of: window) == "line 41" && place(in: window) == "44:1")
        window.press("\"9\"", "Ctrl-F", "Ctrl-F")
        #expect(top(of: window) == "line 57" && place(in: window) == "60:1")
    }

    @Test func `half a page keeps the caret in its row, and a count holds for the next ones`() throws {
        let window = try Window.withVim(text)
        defer { window.close() }
        window.press("\"5j\"", "Ctrl-D")
        #expect(top(of: window) == "line 12" && place(in: window) == "17:1")
        window.press("\"3\"", "Ctrl-D", "Ctrl-D")
        #expect(top(of: window) == "line 18" && place(in: window) == "23:1")
        window.press("Ctrl-U")
        #expect(top(of: window) == "line 15" && place(in: window) == "20:1")
        // A jump from afar leaves the last line nearer to the edge than the next key does.
        window.press("\"G\"")
        window.press("\"G\"")
        let end = top(of: window)
        window.press("Ctrl-D")
        #expect(top(of: window) == end && place(in: window) == "60:1")
        window.press("\"v\"", "Ctrl-U", "\"d\"")
        #expect(window.noteText?.hasSuffix("line 56\nine 60\n") == true)
    }

    @Test func `an operator takes no page`() throws {
        let window = try Window.withVim(text)
        defer { window.close() }
        window.press("\"d\"", "Ctrl-D", "\"x\"")
        #expect(window.noteText?.hasPrefix(" Head\nline 2\n") == true)
    }

    @Test func `keys that come at once see the screen as the key before has left it`() throws {
        let window = try Window.withVim(text)
        defer { window.close() }
        window.interface.handle("GL".map { .key(KeyPress(typed: $0)) })
        window.draw()
        #expect(place(in: window) == "60:1")
    }

    @Test func `rows are counted to the last line`() throws {
        let window = try Window.withVim(text)
        defer { window.close() }
        window.press("\"58G4gj\"")
        #expect(place(in: window) == "60:1")
        window.press("\"j\"")
        #expect(place(in: window) == "60:1")
    }

    @Test func `a page key of the ordinary editor scrolls, and the caret keeps its row and its column`() throws {
        let window = try Window(columns: 80, rows: 24, notes: [text])
        defer { window.close() }
        window.press("Enter", "Ctrl-Home", "Down", "Down", "Down", "Down", "Down", "Right", "PgDn")
        #expect(top(of: window) == "line 21" && place(in: window) == "26:2")
        window.press("PgDn")
        #expect(top(of: window) == "line 41" && place(in: window) == "46:2")
        window.press("PgDn")
        #expect(top(of: window) == "line 43" && place(in: window) == "61:1")
        window.press("PgUp")
        #expect(top(of: window) == "line 23" && place(in: window) == "41:2")
    }

    private func top(of window: Window) -> String? {
        window.lines.first.flatMap { $0.split(separator: "│").last }?.trimmingCharacters(in: .whitespaces)
    }

    private func place(in window: Window) -> String? { window.fixture.model.session?.caretLabel }
}
