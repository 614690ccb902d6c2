import Terminal
import TestSupport
import Testing

@testable import Interface

/// Tests the boxes that complete what is being typed: they open at the caret, and leave its row in sight.
@MainActor
struct CaretPickerTests {
    private nonisolated static let sizes = [(120, 40), (80, 24), (40, 12), (20, 5)]

    /// Puts the caret at the end of each line in sight, types a text and looks at the box.
    private func check(_ line: String, typing text: String, offers item: String, columns: Int, rows: Int) throws {
        let lines = (1...60).map { "\(line)\($0)" }
        let window = try Window(
            columns: columns, rows: rows, notes: [lines.joined(separator: "\n"), "Pears", "Plums", "Quinces"])
        defer { window.close() }
        window.press("Enter", "Ctrl-Home")
        var places: Set<Bool> = []
        for index in 0..<(rows - 2) {
            window.press("End", "\" \(text)\"")
            let place = try #require(window.interface.caretPosition)
            let caret = place.cell
            let field = try #require(window.cursor).position
            #expect(window.lines[caret.row].hasSuffix("\(line)\(index + 1) \(text)"), "\(window.lines)")
            let listed = field.row + 1
            #expect(listed < rows - 1 && window.lines[listed].dropFirst(place.pane.column).contains(item))
            let isBelow = field.row > caret.row
            places.insert(isBelow)
            // The box lies at the caret: there is nothing between the two but the box's frame.
            #expect(isBelow ? field.row <= caret.row + 2 : listed < caret.row, "\(window.lines)")
            window.press("Esc")
            #expect(window.interface.overlays.isEmpty)
            window.press("Down")
        }
        #expect(rows == 5 || places.count == 2)
    }

    @Test(arguments: sizes)
    func `links are offered at the caret`(columns: Int, rows: Int) throws {
        try check("l", typing: "[[", offers: "Pears", columns: columns, rows: rows)
    }

    @Test(arguments: sizes)
    func `days are offered at the caret`(columns: Int, rows: Int) throws {
        try check("- [ ] t", typing: "@", offers: "Today", columns: columns, rows: rows)
    }

    @Test(arguments: ["[[", "- [ ] @"])
    func `a long text that is pasted into the box goes into the note at once, as a paste`(opening: String) throws {
        let window = try Window(notes: ["Here"])
        defer { window.close() }
        window.press("Enter", "Ctrl-End", "Enter", "\"\(opening)\"")
        #expect(!window.interface.overlays.isEmpty)
        let pasted = String(repeating: "word ", count: 2_000)
        window.send(.paste(pasted))
        window.press("Esc")
        #expect(window.interface.overlays.isEmpty)
        let session = try #require(window.fixture.model.session)
        #expect(session.text == "Here\n\(opening)\(pasted)")
        // Keys would be one step with those that opened the box.
        session.undo()
        #expect(session.text == "Here\n\(opening)")
    }

    @Test func `the box stays in the screen at the right edge, and goes with the caret to another size`() throws {
        let window = try Window(columns: 80, rows: 24, notes: [String(repeating: "x", count: 40), "Pears"])
        defer { window.close() }
        window.press("Enter", "Ctrl-End", "\" [[\"")
        #expect(window.lines.contains { $0.contains("Pears") })
        for (columns, rows) in [(60, 10), (40, 12), (20, 5), (120, 40)] {
            window.size = Size(columns: columns, rows: rows)
            window.draw()
            let caret = try #require(window.interface.caretPosition?.cell)
            #expect(window.lines[caret.row].hasSuffix("[["), "\(window.lines)")
            #expect(window.lines.contains { $0.contains("Pears") }, "\(window.lines)")
        }
    }
}
