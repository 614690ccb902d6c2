import Terminal
import Testing
import ViewModel

@testable import Interface

/// Tests the mark on the frame of a box that shows which part of a list or a text is in sight.
@MainActor
@Suite(.serialized)
struct ScrollMarkTests {
    /// Returns the column of characters at the right side of the frame, from the first row inside it to the last.
    private func side(of window: Window) -> String {
        let lines = window.lines
        guard let top = lines.firstIndex(where: { $0.contains("╭─") }),
            let column = Array(lines[top]).lastIndex(of: "╮"),
            let bottom = lines.firstIndex(where: { $0.contains("╰─") })
        else { return "" }
        return String((top + 1..<bottom).map { window.screen[column, $0].text.first ?? " " })
    }

    @Test(
        arguments: [
            (0, 4, 4, nil), (0, 4, 3, nil), (0, 4, 8, 0..<2), (1, 4, 8, 1..<3), (3, 4, 8, 1..<3), (4, 4, 8, 2..<4),
            (0, 3, 1_000, 0..<1), (1, 3, 1_000, 1..<2), (996, 3, 1_000, 1..<2), (997, 3, 1_000, 2..<3),
            (0, 2, 9, 0..<1), (6, 2, 9, 0..<1), (7, 2, 9, 1..<2), (4, 1, 9, 0..<1), (0, 0, 9, nil),
        ] as [(Int, Int, Int, Range<Int>?)])
    func `it is at an end only where the text ends`(top: Int, room: Int, count: Int, rows: Range<Int>?) {
        #expect(ScrollMark(top: top, room: room, count: count)?.rows == rows)
    }

    @Test func `it stays within the viewport, and moves only down while one scrolls down`() throws {
        for room in 1...12 {
            for count in room + 1...40 {
                var last = 0
                for top in 0...count - room {
                    let rows = try #require(ScrollMark(top: top, room: room, count: count)).rows
                    #expect(rows.lowerBound >= last && rows.upperBound <= room, "\(top) of \(count) in \(room)")
                    last = rows.lowerBound
                }
                #expect(ScrollMark(top: count - room, room: room, count: count)?.rows.upperBound == room)
            }
        }
    }

    @Test(arguments: DialogTests.sizes)
    func `a text longer than its box has it, from the top to the end`(size: Size) throws {
        let window = try Window(columns: size.columns, rows: size.rows, notes: ["One"])
        defer { window.close() }
        window.press("?")
        #expect(side(of: window).hasPrefix("▐") && side(of: window).hasSuffix("│"), "\(window.lines)")
        window.press("G")
        #expect(side(of: window).hasPrefix("│") && side(of: window).hasSuffix("▐"), "\(window.lines)")
    }

    @Test(arguments: DialogTests.sizes)
    func `a list longer than its box has it, from the first item to the last`(size: Size) throws {
        let window = try Window(columns: size.columns, rows: size.rows, notes: ["One"])
        defer { window.close() }
        let items = (1...30).map { PickerOverlay.Item(title: "Item \($0)") {} }
        window.interface.show(PickerOverlay(title: "Items", from: items))
        window.draw()
        // The field in the first row does not scroll.
        #expect(side(of: window).hasPrefix("│▐"), "\(window.lines)")
        for _ in items { window.press("PgDn") }
        #expect(side(of: window).hasPrefix("│") && side(of: window).hasSuffix("▐"), "\(window.lines)")
    }

    @Test func `a list that is whole in sight has none, and a screen reader gets none`() throws {
        let window = try Window(columns: 80, rows: 24, notes: ["One"])
        defer { window.close() }
        window.press("Ctrl-O")
        #expect(side(of: window).hasPrefix("│") && !side(of: window).contains("▐"))
        window.press("Esc")
        window.interface.apply(Configuration.read("[screen]\nreader = true\n"))
        window.press("?")
        #expect(!window.lines.contains { $0.contains("▐") || $0.hasSuffix("#") }, "\(window.lines)")
    }

    @Test func `in ASCII it is a number sign`() throws {
        let window = try Window(columns: 20, rows: 5, notes: ["One"])
        defer { window.close() }
        window.interface.apply(Configuration.read("[screen]\nglyphs = \"ascii\"\n"))
        window.press("?")
        #expect((1...3).map { window.screen[19, $0].text } == ["#", "|", "|"], "\(window.lines)")
    }
}
