import Foundation
import Terminal
import TestSupport
import Testing

@testable import Interface

/// Tests finding in the preview.
@MainActor
@Suite(.serialized)
struct PreviewFindTests {
    private func openWindow(_ text: String, columns: Int = 58, rows: Int = 16) throws -> Window {
        let window = try Window(columns: columns, rows: rows, notes: [text])
        window.press("Enter")
        return window
    }

    @Test func `the match that was gone to stands out among the others`() throws {
        let window = try openWindow("one word, one more")
        defer { window.close() }
        window.press("Ctrl-F", "\"one\"")
        let theme = window.interface.state.theme
        #expect(window.screen[2, 0].style == theme.matchAtHand)
        #expect(window.screen[11, 0].style == theme.match)
    }

    @Test func `the preview is searched by what is read`() throws {
        let window = try openWindow(
            "# One\n\nsome **bold** word\n\n" + String(repeating: "x\n\n", count: 30) + "a bold end")
        defer { window.close() }
        window.press("Ctrl-E", "/", "\"bold\"")
        #expect(window.lines.contains { $0.hasSuffix("1 of 2") })
        let row = try #require(window.lines.firstIndex { $0.contains("some bold word") })
        #expect(window.screen[6, row].style == window.interface.state.theme.match)
        #expect(window.screen[5, row].style != window.interface.state.theme.match)
        window.press("Enter")
        #expect(window.lines.contains(" a bold end"))
        #expect(window.lines.contains { $0.hasSuffix("2 of 2") })
        window.press("Esc", "N")
        #expect(window.lines.contains(" some bold word"))
        window.press("Ctrl-F", "Tab")
        #expect(window.fixture.model.notice?.text == "Go back to writing to replace")
        #expect(!window.lines.contains { $0.contains("Replace") })
        window.press("Esc", "Ctrl-E", "Ctrl-F")
        #expect(window.lines.contains { $0.contains("Replace") })
    }

    @Test func `an expression that would take years leaves the preview alone, and ends with its search`() throws {
        let window = try openWindow(String(repeating: "a", count: 40) + "b\n\nlast")
        defer { window.close() }
        let preview = window.interface.note.preview
        window.press("Ctrl-E", "/", "Alt-R", "\"(a+)+$\"")
        #expect(window.lines.contains { $0.hasSuffix("searching") })
        // The search is running, and each key still works.
        window.press("Ctrl-U", "\"last\"")
        #expect(window.lines.contains { $0.hasSuffix("1 of 1") })
        window.press("Ctrl-U", "\"(a+)+$\"")
        #expect(preview.background?.isRunning == true)
        window.press("Esc")
        #expect(preview.background?.isRunning == false && preview.search == nil)
    }

    @Test func `an expression that is too slow for the preview says so`() throws {
        let window = try openWindow(String(repeating: "a", count: 40) + "b")
        defer { window.close() }
        window.press("Ctrl-E", "/", "Alt-R")
        window.interface.note.preview.background?.computing = .milliseconds(20)
        window.press("\"(a+)+$\"")
        let isTold = window.fixture.scheduler.run {
            window.draw()
            return window.lines.contains { $0.hasSuffix("stopped after 0 s: regex too slow") }
        }
        #expect(isTold)
    }

    @Test func `matches in a long preview come from the background, and steps wait for them`() throws {
        let lines = (0..<4_000).map { "line \($0) of a long text" }.joined(separator: "\n\n")
        let window = try openWindow("a pear\n\n" + lines + "\n\npear two\n\npear three")
        defer { window.close() }
        window.press("Ctrl-E")
        // The rest is laid out after the first lines, in the background.
        #expect(window.fixture.scheduler.run { (window.interface.note.preview.layout?.lines.count ?? 0) > 8_000 })
        window.press("/", "\"pear\"", "Enter")
        let isThere = window.fixture.scheduler.run {
            window.draw()
            return window.lines.contains { $0.hasSuffix("2 of 3") }
        }
        #expect(isThere)
        #expect(window.lines.contains(" pear two"))
    }
}
