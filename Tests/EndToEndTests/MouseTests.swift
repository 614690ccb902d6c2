import Foundation
import TerminalDriver
import Testing

/// Tests the mouse in a real terminal, reported by SGR bytes as terminals do.
@Suite(.serialized)
struct MouseTests {
    let workplace: Workplace

    init() throws {
        workplace = try Workplace()
    }

    /// Starts the notebook with notes; the last one is the newest.
    private func terminal(notes: String...) throws -> TmuxTerminal {
        for note in notes { _ = try workplace.tn("new", input: note) }
        let terminal = try TmuxTerminal(workplace)
        try terminal.startNotebook()
        try terminal.waitFor("? help")
        // The terminal's answers may change the layout of the text, which scrolls back to the caret.
        _ = try terminal.settledPicture(quiet: 100)
        return terminal
    }

    /// Returns the cell at which a text begins; column and row are counted from 0.
    private func place(
        of text: String, in terminal: TmuxTerminal, after start: Int = 0, below top: Int = 0
    ) throws -> (Int, Int) {
        try terminal.waitFor(text)
        for (row, line) in try terminal.screen().enumerated() where row >= top {
            guard let range = line.dropFirst(start).range(of: text) else { continue }
            return (line.distance(from: line.startIndex, to: range.lowerBound), row)
        }
        throw TmuxTerminal.Failure(description: "no \(text) behind column \(start)")
    }

    private func event(_ button: Int, _ place: (Int, Int), up: Bool = false) -> String {
        "\u{1B}[<\(button);\(place.0 + 1);\(place.1 + 1)\(up ? "m" : "M")"
    }

    private func click(_ place: (Int, Int), _ terminal: TmuxTerminal, times: Int = 1) throws {
        let click = event(0, place) + event(0, place, up: true)
        try terminal.send(String(repeating: click, count: times))
    }

    /// Presses at a position, moves to another, and releases there.
    private func drag(_ start: (Int, Int), to end: (Int, Int), _ terminal: TmuxTerminal) throws {
        let middle = ((start.0 + end.0) / 2, (start.1 + end.1) / 2)
        try terminal.send(event(0, start) + event(32, middle) + event(32, end) + event(0, end, up: true))
    }

    @Test func `a click selects a note, a double click opens it for writing`() throws {
        let terminal = try terminal(notes: "Older\n\nits own text", "Newer\n\nanother text")
        let older = try place(of: "Older", in: terminal, below: 1)
        try click(older, terminal)
        try terminal.waitFor("the older note") { $0[0].contains("Older") && $0[2].contains("its own text") }
        #expect(try terminal.screen()[39].contains("? help"))
        try click(try place(of: "Newer", in: terminal, below: 1), terminal, times: 2)
        try terminal.waitFor("Esc list")
        try terminal.press("C-End")
        try terminal.type(" and more")
        try terminal.waitFor("another text and more")
    }

    @Test func `the wheel scrolls what is under it, and the keys stay where they are`() throws {
        let lines = (1...100).map { "line \($0) of it" }.joined(separator: "\n\n")
        let terminal = try terminal(notes: lines)
        try terminal.send(event(65, (90, 10)) + event(65, (90, 10)))
        try terminal.waitFor("the text further down") { $0[0].contains("line 4 of it") }
        #expect(try terminal.screen()[39].contains("? help"))
        try terminal.send(event(64, (90, 10)) + event(64, (90, 10)))
        try terminal.waitFor("the start again") { $0[0].contains("line 1 of it") }
    }

    @Test func `a double click selects a word, a drag what it passes over`() throws {
        let terminal = try terminal(notes: "hello world of mine")
        let word = try place(of: "world", in: terminal, after: 66)
        try click(word, terminal, times: 2)
        try terminal.waitFor("Esc list")
        try terminal.type("there")
        try terminal.waitFor("hello there of mine")
        let start = try place(of: "hello", in: terminal, after: 66)
        try drag(start, to: (start.0 + 11, start.1), terminal)
        try terminal.type("X")
        try terminal.waitFor("a shorter text") { $0[0].hasSuffix("X of mine") }
    }

    @Test func `a border is dragged, and stays where it was left`() throws {
        let terminal = try terminal(notes: "Only note")
        func borders() throws -> [Int] {
            try terminal.screen()[1].enumerated().filter { $0.element == "│" }.map(\.offset)
        }
        #expect(try borders() == [21, 65])
        try drag((65, 5), to: (55, 5), terminal)
        try terminal.wait(for: "a narrower list") { try borders() == [21, 55] }
        try drag((21, 5), to: (30, 5), terminal)
        try terminal.wait(for: "a wider sidebar") { try borders() == [30, 64] }
        try terminal.press("C-q")
        try terminal.waitForShell()
        try terminal.startNotebook()
        #expect(try borders() == [30, 64])
    }

    @Test func `a click ticks a box, one in the preview asks where a link leads`() throws {
        let terminal = try terminal(notes: "- [ ] milk\n- [ ] eggs\n\n[shop](https://example.org/shop)")
        let box = try place(of: "[ ] eggs", in: terminal, after: 66)
        try click((box.0 + 1, box.1), terminal)
        try terminal.waitFor("- [x] eggs")
        #expect(try terminal.screen().contains { $0.contains("- [ ] milk") })
        try terminal.waitFor("Esc list")
        try terminal.press("Escape")
        try terminal.waitFor("? help")
        try terminal.press("p")
        try terminal.waitFor("the note as it reads") { !$0.contains { $0.contains("](https") } }
        try click(try place(of: "shop", in: terminal, after: 66), terminal)
        try terminal.waitFor("Copy the address")
        #expect(try terminal.screen().contains { $0.contains("https://example.org/shop") })
    }

    @Test func `a note is dragged into a folder, a heading folds, a hint does what it says`() throws {
        _ = try workplace.tn("folder", "add", "Home")
        let terminal = try terminal(notes: "To be moved")
        let note = try place(of: "To be moved", in: terminal, below: 1)
        try drag(note, to: try place(of: "Home", in: terminal), terminal)
        try terminal.waitFor("moved to Home")
        #expect(try workplace.tn("list", "--folder", "Home").output.contains("To be moved"))
        try click(try place(of: "Folders", in: terminal), terminal)
        try terminal.waitFor("a folded section") { !$0.contains { $0.prefix(20).contains("Home") } }
        // First click the notice away, then the hint below it.
        try click((5, 39), terminal)
        try terminal.waitFor("? help")
        try click(try place(of: "? help", in: terminal), terminal)
        try terminal.waitFor("Esc closes")
    }
}
