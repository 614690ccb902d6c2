import Terminal
import TestSupport
import Testing

@testable import Interface

/// Tests that the terminal's cursor, which screen readers follow, is at the object of the next key, even if it is not
/// shown.
@MainActor
@Suite(.serialized)
struct CursorPlaceTests {
    private static let notes = ["Groceries", "Meeting with Ana", "Reading list", "Tmux cheats"]

    /// Returns the text from the cursor to the end of its pane.
    private func spoken(_ window: Window) throws -> String {
        let cursor = try #require(window.cursor)
        let row = Array(window.lines[cursor.position.row])
        let rest = row.dropFirst(cursor.position.column).prefix { $0 != "│" }
        return String(rest).split(separator: "  ").first.map(String.init) ?? ""
    }

    @Test(arguments: [(120, 40), (80, 24), (40, 12), (20, 5)])
    func `in the list and the sidebar it is on the current row, hidden`(columns: Int, rows: Int) throws {
        let window = try Window(columns: columns, rows: rows, notes: Self.notes)
        defer { window.close() }
        for key in ["j", "j", "G", "k", "g", "Down"] {
            window.press(key)
            let note = try #require(window.fixture.model.noteList[window.fixture.model.listCursor])
            #expect(try spoken(window).hasPrefix(String(note.title.prefix(5))), "after \(key)")
            #expect(window.cursor?.isVisible == false)
        }
        window.press("Alt-1")
        for key in ["j", "j", "k", "G", "g"] {
            window.press(key)
            let index = try #require(window.interface.sidebar.cursorIndex)
            let title = window.fixture.model.sidebarRows[index].title
            #expect(try spoken(window).contains(title.prefix(8)), "after \(key)")
            #expect(window.cursor?.isVisible == false)
        }
    }

    @Test func `in a picker it follows the last key: the field while typing, the row after an arrow`() throws {
        let window = try Window(columns: 80, rows: 24, notes: Self.notes)
        defer { window.close() }
        window.press("Ctrl-O")
        let field = try #require(window.cursor)
        #expect(field.isVisible)
        window.press("Down")
        #expect(window.cursor?.isVisible == false)
        #expect(try spoken(window).contains(Self.notes[1]))
        window.press("Up")
        #expect(try spoken(window).contains(Self.notes[0]))
        window.press("\"t\"")
        #expect(window.cursor?.isVisible == true && window.cursor?.position.row == field.position.row)
    }

    @Test func `in a question it is on the answer that Enter gives, and while reading on the selected link`() throws {
        let window = try Window(
            columns: 80, rows: 24, notes: ["Links\n\nsome text\n\n[first](https://a.org)\n\n[second](https://b.org)"])
        defer { window.close() }
        window.press("Enter", "Ctrl-E")
        #expect(window.cursor?.position.row == 0 && window.cursor?.isVisible == false)
        window.press("Tab", "Tab")
        let row = try #require(window.cursor?.position.row)
        #expect(window.lines[row].contains("second"))
        window.press("Esc", "Esc", "d")
        window.press("Alt-1", "X")
        #expect(window.interface.overlays.count == 1)
        let before = try #require(window.cursor)
        #expect(!before.isVisible)
        window.press("Tab")
        let after = try #require(window.cursor)
        #expect(!after.isVisible && after.position.row == before.position.row && after.position != before.position)
    }
}
