import Testing
import TextPrimitives

struct ListMarkerTests {
    private func marker(_ line: String, interrupting: Bool = false) -> ListMarker? {
        var line = line
        return line.withUTF8 { ListMarker($0, at: 0, interrupting: interrupting) }
    }

    @Test(arguments: [("- a", 1), ("+\tb", 1), ("*", 1), ("1. a", 2), ("123456789) a", 10)])
    func `a bullet or a number begins an item`(line: String, end: Int) {
        #expect(marker(line)?.end == end)
    }

    @Test(arguments: ["", "-a", "1.a", "1234567890. a", "1", ".", "a"])
    func `anything else begins none`(line: String) {
        #expect(marker(line) == nil)
    }

    @Test func `a paragraph is interrupted by an item with content that is number 1 or a bullet`() {
        #expect(marker("1. a", interrupting: true)?.number == 1)
        #expect(marker("2. a", interrupting: true) == nil)
        #expect(marker("- ", interrupting: true) == nil)
    }

    @Test(arguments: [("[ ] a", false), ("[x] a", true), ("[X]\ta", true)])
    func `a box is open or ticked`(line: String, isDone: Bool) {
        var line = line
        #expect(line.withUTF8 { TaskBox($0, at: 0)?.isDone } == isDone)
    }

    @Test(arguments: ["[ ]", "[y] a", "[x]a", "[] a"])
    func `what only looks like a box is none`(line: String) {
        var line = line
        #expect(line.withUTF8 { TaskBox($0, at: 0) == nil })
    }
}
