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

    @Test func `a day is offered behind an at sign in a task, and other words stay as they are typed`() throws {
        let window = try openWindow("- [ ] Call Ana")
        defer { window.close() }
        let today = Day(TemporaryNotebook.now)
        func text() -> String? { window.fixture.model.session?.text }
        window.press("\" @\"")
        #expect(window.lines.contains { $0.contains("Tomorrow") && $0.contains(today.adding(1).description) })
        window.press("\"tom\"", "Enter", "\" now\"")
        #expect(text() == "- [ ] Call Ana @\(today.adding(1)) now")
        window.press("Enter", "\"Mail @tomorrow again\"")
        #expect(text()?.hasSuffix("\n- [ ] Mail @\(today.adding(1)) again") == true)
        window.press("Enter", "\"Write @2w\"", "Enter", "\" @ben about @2026-12-01 and @Ann\"", "Enter", "\"x\"")
        #expect(
            text()?.hasSuffix("\n- [ ] Write @\(today.adding(14)) @ben about @2026-12-01 and @Ann\n- [ ] x") == true,
            "\(text() ?? "")")
        window.press("\" @fr\"", "Esc", "\"!\"")
        #expect(text()?.hasSuffix("- [ ] x @fr!") == true)
        // In prose an at sign is an at sign.
        window.press("Enter", "Enter", "\"see @tomorrow \"")
        #expect(text()?.hasSuffix("\nsee @tomorrow ") == true, "\(text() ?? "")")
    }
}
