import Interface
import NoteStore
import TestSupport
import Testing

/// Tests Enter in tables, and the days that are offered in tasks.
@MainActor
@Suite(.serialized)
struct CellsAndDaysTests {
    private func openWindow(_ text: String, columns: Int = 50, rows: Int = 16) throws -> Window {
        let window = try Window(columns: columns, rows: rows, notes: [text])
        window.press("Enter", "Ctrl-End")
        return window
    }

    @Test func `Enter in a cell goes to the cell below, makes a row at the end, and leaves after an empty one`() throws
    {
        let window = try openWindow("| a | b |\n|---|---|\n| c | d |")
        defer { window.close() }
        window.press("Left", "Left", "Enter", "\"x\"", "Enter", "Enter", "\"after\"")
        let text = "| a   | b   |\n| --- | --- |\n| c   | d   |\n|     | x   |\n\nafter"
        #expect(window.fixture.model.session?.text == text)
        // A row that is typed by hand ends with Enter as before.
        window.press("Ctrl-Home", "End", "Enter")
        #expect(window.fixture.model.session?.text.hasPrefix("| a   | b   |\n\n") == true)
    }
}
