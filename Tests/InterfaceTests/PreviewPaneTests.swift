import Foundation
import Terminal
import TestSupport
import Testing

@testable import Interface

/// Notes as they read: images, long texts, finding.
@MainActor
@Suite(.serialized)
struct PreviewPaneTests {
    private func openWindow(_ text: String, columns: Int = 58, rows: Int = 16) throws -> Window {
        let window = try Window(columns: columns, rows: rows, notes: [text])
        window.press("Enter")
        return window
    }

    @Test func `an image is a box with name, type and size, and a missing one its alternative text`() throws {
        let window = try Window(columns: 58, rows: 16, notes: [])
        defer { window.close() }
        let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 0, count: 12_000))
        let image = try window.place.notebook.addImage(png, name: "map.png")
        let missing = "takenote://image/\(UUID().uuidString)"
        try window.place.add("![The map](\(image.getURL().lowercased()))\n\n![A lost one](\(missing))")
        window.place.model.takeInChanges()
        window.press("Enter", "Ctrl-E")
        #expect(window.lines[1] == " │ The map · PNG · 12 KB │")
        #expect(window.lines[5] == " │ A lost one │")
    }

    /// 2,000 sections, some 200 KB: more than is laid out at once.
    private let long =
        (0..<2_000).map { "## Section \($0)\n\nSome *text* of section \($0), [linked][end].\n" }
        .joined(separator: "\n") + "\n[end]: https://example.org\n"

    @Test func `a long note reads at once at the caret, and its ends are reached before all is laid out`() throws {
        let window = try openWindow(long)
        defer { window.close() }
        window.press("Ctrl-G", "\"4001\"", "Enter", "Ctrl-E")
        #expect(window.lines.contains(" Section 1000"))
        window.press("End")
        #expect(window.lines.contains { $0.hasPrefix(" Some text of section 1999") })
        window.press("Home")
        #expect(window.lines[0] == " Section 0")
        for _ in 0..<60 { window.press("PgDn") }
        let shown = window.lines
        // What was behind the scenes arrives, and nothing moves.
        let preview = window.interface.preview
        let before = try #require(preview.layout?.lines.count)
        #expect(window.place.scheduler.run { (preview.layout?.lines.count ?? 0) > before })
        window.draw()
        #expect(
            window.lines.dropLast().map { $0.replacing("[linked][end]", with: "linked") }
                == shown.dropLast().map { $0.replacing("[linked][end]", with: "linked") })
        #expect(preview.layout?.links.count == 2_000)
        window.press("Esc")
        #expect(window.lines.contains { $0.hasPrefix(" ## Section") })
    }

    @Test func `the match that was gone to shows as selected text, the others as matches`() throws {
        let window = try openWindow("one word, one more")
        defer { window.close() }
        window.press("Ctrl-F", "\"one\"")
        let theme = window.interface.state.theme
        #expect(window.screen[2, 0].style.background == theme.selectedText.background)
        #expect(window.screen[2, 0].style.foreground == theme.selectedText.foreground)
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
        #expect(window.place.model.notice?.text == "Go back to writing to replace")
    }
}
