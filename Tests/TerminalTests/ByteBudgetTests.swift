import TerminalDriver
import Testing

@testable import Terminal

/// Tests the number of bytes of frames: an increase fails, and a decrease should be recorded here.
struct ByteBudgetTests {
    /// A sample program of three panes, 120 x 40: sidebar, list, editor, status line.
    struct Program {
        static let size = Size(columns: 120, rows: 40)
        static let text = (0..<400).map {
            "Line \($0): the quick brown fox jumps over the lazy dog, as \($0 * 7919 % 1000) say."
        }

        var firstLine = 0
        var selected = 2
        var typed = ""
        var status = "saved"
        var isZoomed = false
        var caret: Int?

        var screen: Screen {
            var screen = Screen(size: Program.size)
            let left = isZoomed ? 0 : 61
            if !isZoomed {
                for row in 0..<38 {
                    screen.write("  Folder \(row)", at: Position(column: 1, row: row), style: .default)
                    screen.write("│", at: Position(column: 20, row: row), style: Style(foreground: .ansi(8)))
                    screen.write(
                        "Note \(row) about things", at: Position(column: 22, row: row), style: Style(attributes: .bold))
                    screen.write("│", at: Position(column: 60, row: row), style: Style(foreground: .ansi(8)))
                }
                screen.restyle(Rect(column: 21, row: selected, columns: 39, rows: 1)) { $0.attributes.insert(.reverse) }
            }
            for row in 0..<38 {
                let line = firstLine + row == 5 ? typed : Program.text[firstLine + row]
                screen.write(line, at: Position(column: left, row: row), style: .default)
                screen.restyle(Rect(column: left, row: row, columns: 4, rows: 1)) { $0.foreground = .rgb(0xFF26B9) }
            }
            screen.write(status, at: Position(column: 1, row: 39), style: Style(attributes: .dim))
            screen.cursor = Cursor(Position(column: left + (caret ?? typed.utf8.count), row: 5))
            return screen
        }
    }

    /// Returns the bytes of the last of several frames.
    private func cost(_ programs: Program..., can capabilities: Capabilities = RendererTests.full) -> Int {
        var renderer = Renderer(capabilities: capabilities)
        renderer.assumeBlank(size: Program.size)
        var emulator = TerminalScreen(size: Program.size)
        var bytes: [UInt8] = []
        for program in programs {
            bytes.removeAll()
            renderer.render(program.screen, into: &bytes)
            emulator.feed(bytes)
            #expect(RendererTests.difference(emulator, program.screen) == nil)
        }
        return bytes.count
    }

    private func expect(_ count: Int, _ budget: Int, _ what: Comment) {
        #expect(count <= budget, what)
        if count < budget { Issue.record("\(what) costs \(count) bytes now: lower the budget of \(budget)") }
    }

    @Test func `a typed character costs its byte`() {
        let (before, now) = (Program(typed: "abcdef"), Program(typed: "abcdefg"))
        expect(cost(before, now, Program(typed: "abcdefgh")), 1, "a character")
        let counted = Program(typed: "abcdefgh", status: "changed · 12 words")
        expect(cost(Program(typed: "abcdefg", status: "changed · 11 words"), counted), 24, "a character and a count")
    }

    @Test func `a character in the middle of a line moves the rest by the terminal`() {
        let line = "the quick brown fox jumps over the lazy dog, and so on"
        func program(_ insert: String) -> Program {
            var program = Program(typed: String(line.prefix(10)) + insert + line.dropFirst(10))
            program.caret = 10 + insert.count
            return program
        }
        expect(cost(program(""), program("x"), program("xy")), 4, "a character inserted")
        expect(cost(program("xyz"), program("xy"), program("x")), 4, "a character deleted")
    }

    @Test func `moving in a list costs two rows' styles`() {
        expect(cost(Program(selected: 2), Program(selected: 3)), 107, "a selection")
    }

    @Test func `scrolling a line costs less than a row or two`() {
        expect(cost(Program(isZoomed: true), Program(firstLine: 1, isZoomed: true)), 126, "a line, whole width")
        expect(cost(Program(), Program(firstLine: 1)), 937, "a line beside other panes")
        expect(
            cost(Program(), Program(firstLine: 1), can: RendererTests.withSideMargins), 147,
            "a line beside other panes, with margins at the sides")
    }

    @Test func `pages and whole screens stay small`() {
        expect(cost(Program(), Program(firstLine: 38)), 1101, "a page")
        var renderer = Renderer(capabilities: RendererTests.full)
        renderer.assumeBlank(size: Program.size)
        var bytes: [UInt8] = []
        renderer.render(Program().screen, into: &bytes)
        expect(bytes.count, 5626, "the first screen")
        renderer.invalidate()
        bytes.removeAll()
        renderer.render(Program().screen, into: &bytes)
        expect(bytes.count, 5672, "a full repaint")
    }
}
