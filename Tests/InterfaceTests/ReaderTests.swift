import Terminal
import TestSupport
import Testing

@testable import Interface

/// Tests the window as a screen reader reads it: by the row of its cursor, and by the cells that change.
@MainActor
@Suite(.serialized)
struct ReaderTests {
    private static let notes = [
        "# Groceries\n\n- [ ] milk\n- [x] bread\n\n| a | b |\n|-|-|\n| 1 | 2 |", "Meeting with Ana", "Reading list",
        "Tmux cheats",
    ]

    private func open(columns: Int = 80, rows: Int = 24) throws -> Window {
        let window = try Window(columns: columns, rows: rows, notes: Self.notes)
        window.interface.apply(Configuration.read("[screen]\nreader = true\n"))
        window.place.model.dismissNotice()
        window.draw()
        return window
    }

    /// What a reader speaks of a row.
    private func row(_ window: Window) throws -> String {
        try window.lines[#require(window.cursor).position.row].trimmingPrefix(while: { $0 == " " }).description
    }

    @Test func `a state is a word`() throws {
        let window = try open()
        defer { window.close() }
        window.press("j", "s", "*")
        #expect(try row(window).contains(", marked, starred, "))
    }

    @Test func `a note that is read tells its levels, states and cells in words`() throws {
        let window = try open()
        defer { window.close() }
        window.press("Enter", "Ctrl-E")
        for words in ["Heading 1: Groceries", "open: milk", "done: bread", "a: 1", "b: 2"] {
            #expect(window.lines.contains { $0.contains(words) }, "\(words)")
        }
    }

    @Test func `the environment asks for it as the setting does, and can refuse it`() {
        #expect(Configuration.readFromUser(["HOME": "/nowhere", "TN_READER": "1"]).configuration.screen.isReader)
        #expect(!Configuration.readFromUser(["HOME": "/nowhere", "TN_READER": "0"]).configuration.screen.isReader)
        #expect(!Configuration.readFromUser(["HOME": "/nowhere"]).configuration.screen.isReader)
    }
}
