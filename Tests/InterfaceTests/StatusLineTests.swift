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

    @Test func `vim's mode is not shown while its keys do not apply`() throws {
        let window = try Window.withVim("Reading list")
        defer { window.close() }
        #expect(lastLine(window).hasPrefix(" NORMAL "))
        window.press("\":note.preview\"", "Enter")
        #expect(window.interface.state.isPreviewing && !lastLine(window).contains("NORMAL"))
        window.press("p")
        #expect(lastLine(window).hasPrefix(" NORMAL "))
    }

    @Test func `an open note that is cut has no path through the hidden place of cut notes`() throws {
        let window = try Window(columns: 100, rows: 24, notes: ["One", "Two"])
        defer { window.close() }
        window.press("x")
        #expect(lastLine(window).contains("“One” cut"))
        window.press("F5", "Alt-2")
        #expect(window.fixture.model.openNote?.title == "One")
        #expect(lastLine(window).hasPrefix(" 1 note cut · One "), "\(lastLine(window))")
    }

    @Test func `a message is seen although a box covers the status line, and goes with the next key`() throws {
        let window = try Window(columns: 40, rows: 12, notes: ["one cat"])
        defer { window.close() }
        window.interface.perform("notes.replace")
        window.press("\"dog\"")
        #expect(window.waits(for: "no match"))
        window.press("Enter", "Enter", "Enter")
        #expect(lastLine(window) == " Nothing replaced: no match")
        // The box is above it, and its last row says what its keys do.
        #expect(window.lines[10].hasPrefix("╰─") && window.lines[10].contains("Esc cancel"), "\(window.lines)")
        window.press("Up")
        #expect(lastLine(window).hasPrefix("╰─") && window.interface.overlays.count == 1)
    }

    @Test(arguments: [(80, 24), (40, 12), (20, 12)])
    func `a path that is longer than the line is read as a whole, as a message and as the last one`(
        columns: Int, rows: Int
    ) throws {
        let window = try Window(columns: columns, rows: rows, notes: ["one"])
        defer { window.close() }
        let path = "/home/somebody/.local/share/takenote/backups/notes-000042-2026-03-01T093000.000Z-manual.sqlite"
        let text = { window.lines.joined().filter { !" │▐".contains($0) } }
        window.interface.model.say("Backup made: \(path)")
        window.draw()
        #expect(text().contains("Backupmade:\(path)"), "\(window.lines)")
        window.press("Down")
        #expect(!text().contains(path))
        window.interface.perform("app.message")
        window.draw()
        #expect(text().contains("Backupmade:\(path)"), "\(window.lines)")
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

    /// A hundred paragraphs of a line each, which are laid out in 201 lines.
    private let paragraphs = "Reading list\n\n" + (1...100).map { "Line \($0)" }.joined(separator: "\n\n")

    @Test func `while a long note is read, the status line tells how much of it is above the end of the pane`() throws {
        let window = try Window(columns: 80, rows: 24, notes: [paragraphs])
        defer { window.close() }
        window.press("Enter", "Ctrl-E")
        let preview = window.interface.note.preview
        #expect(preview.layout?.lines.count == 201 && preview.rows == 22)
        #expect(lastLine(window).contains(" · 10%  "), "\(lastLine(window))")
        window.press("PgDn")
        #expect(lastLine(window).contains(" · 20%  "), "\(lastLine(window))")
        window.press("G")
        #expect(lastLine(window).contains(" · 100%  "), "\(lastLine(window))")
        window.press("g")
        #expect(lastLine(window).contains(" · 10%  "), "\(lastLine(window))")
        window.press("Ctrl-E")
        #expect(!lastLine(window).contains("%"))
    }

    @Test(arguments: [(20, 5, "1%   Esc list"), (40, 12, " 4% · 202 words   Esc list  p write")])
    func `on a short row, how far a note has been read comes before its length`(
        columns: Int, rows: Int, end: String
    ) throws {
        let window = try Window(columns: columns, rows: rows, notes: [paragraphs])
        defer { window.close() }
        window.press("Enter", "Ctrl-E")
        #expect(lastLine(window).hasSuffix(end), "\(lastLine(window))")
    }

    @Test func `of a note that is too long to be laid out at once, the share of its bytes is told`() throws {
        let text = (0..<2_000).map { "## Section \($0)\n\nSome text of section \($0), which goes on.\n" }
            .joined(separator: "\n")
        let window = try Window(columns: 80, rows: 24, notes: [text])
        defer { window.close() }
        window.press("Enter", "Ctrl-G", "\"4001\"", "Enter", "Ctrl-E")
        #expect(lastLine(window).contains(" · 49%  ") || lastLine(window).contains(" · 50%  "), "\(lastLine(window))")
        window.press("G")
        #expect(lastLine(window).contains(" · 100%  "), "\(lastLine(window))")
        window.press("g")
        #expect(lastLine(window).contains(" · 0%  "), "\(lastLine(window))")
    }

    @Test func `while a long note is written, a wide status line tells how much of it is before the caret`() throws {
        let window = try Window(columns: 120, rows: 40, notes: [paragraphs])
        defer { window.close() }
        window.press("Enter")
        #expect(lastLine(window).contains(" · 1:1 · 0%  "), "\(lastLine(window))")
        window.press("Ctrl-End")
        #expect(lastLine(window).contains(" · 201:9 · 100%  "), "\(lastLine(window))")
        window.size = Size(columns: 80, rows: 24)
        window.draw()
        #expect(lastLine(window).contains(" · 201:9  "), "\(lastLine(window))")
    }
}
