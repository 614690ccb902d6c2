import Terminal
import Testing
import ViewModel

@testable import Interface

/// Tests what the status line shows of its facts and hints, and when a message is seen.
@MainActor
@Suite(.serialized)
struct StatusLineTests {
    private func lastLine(_ window: Window) -> String { window.lines.last ?? "" }

    @Test(arguments: [
        (20, "   saved   Esc list"), (24, "       saved   Esc list"), (30, "   saved · 2 words   Esc list"),
    ])
    func `while writing on a short row, the key that leaves the text comes before all facts but one`(
        columns: Int, line: String
    ) throws {
        let window = try Window(columns: columns, rows: 5, notes: ["Reading list"])
        defer { window.close() }
        window.press("Enter")
        #expect(lastLine(window) == line)
        window.press("Ctrl-F")
        #expect(lastLine(window).hasSuffix("   Esc close") && lastLine(window).contains("saved"))
        window.press("Esc", "Ctrl-E")
        #expect(lastLine(window) == line)
    }

    @Test func `a message is seen although a box covers the status line, and goes with the next key`() throws {
        let window = try Window(columns: 40, rows: 12, notes: ["one cat"])
        defer { window.close() }
        window.interface.perform("notes.replace")
        window.press("\"dog\"")
        #expect(window.waits(for: "no match"))
        window.press("Enter", "Enter", "Enter")
        #expect(lastLine(window) == " Nothing replaced: no match")
        window.press("Up")
        #expect(lastLine(window).hasPrefix("╰─") && window.interface.overlays.count == 1)
    }

    @Test func `while a note is read, the status line does not tell where its caret is`() throws {
        let window = try Window(columns: 80, rows: 24, notes: ["Reading list\n\nOne"])
        defer { window.close() }
        window.press("Enter", "Down")
        #expect(lastLine(window).contains("saved · 3 words · 2:1 "))
        window.press("Ctrl-E")
        #expect(lastLine(window).contains("saved · 3 words  "))
        window.press("Ctrl-E")
        #expect(lastLine(window).contains("saved · 3 words · 2:1 "))
    }
}
