import Testing
import TextEditing

/// Tests how far a text is scrolled by pages, and where a caret is in sight.
@Suite struct PageTests {
    private static let buffer = TextBuffer((0..<100).map { "line \($0)" }.joined(separator: "\n"))

    @Test func `pages overlap by two rows on a screen of more than three`() {
        #expect([1, 3, 4, 22].map { Viewport(rows: $0).pageRows } == [1, 3, 2, 20])
    }

    @Test func `a text is scrolled down until its last row keeps the margin to the bottom`() {
        var layout = TextLayout(configuration: LayoutConfiguration(columns: 40))
        var view = Viewport(rows: 10, scrollMargin: 2)
        let below = [LineNumber(0), 85, 92, 95].map { line in
            view.line = line
            return view.rowsBelow(atMost: 50, lastLine: 99, in: Self.buffer, layout: &layout)
        }
        #expect(below == [50, 7, 0, 0])
        layout.folds.add(12..<100)
        view.line = 0
        #expect(view.rowsBelow(atMost: 50, lastLine: 99, in: Self.buffer, layout: &layout) == 4)
    }

    @Test func `a text whose last row is in sight is not scrolled to give it a margin`() {
        var layout = TextLayout(configuration: LayoutConfiguration(columns: 40))
        var view = Viewport(rows: 10, scrollMargin: 2)
        let below = [LineNumber(89), 90, 91].map { line in
            view.line = line
            return view.rowsBelow(atMost: 50, lastLine: 99, in: Self.buffer, layout: &layout)
        }
        #expect(below == [3, 0, 0])
    }

    @Test func `rows of a wrapped line are counted one by one`() {
        let wrapped = TextBuffer("one two three four five six seven\nlast")
        var layout = TextLayout(configuration: LayoutConfiguration(columns: 10))
        let rows = layout.rowCount(of: 0, in: wrapped)
        let view = Viewport(rows: 2, scrollMargin: 0)
        #expect(rows > 2)
        #expect(view.rowsBelow(atMost: 50, lastLine: 1, in: wrapped, layout: &layout) == rows - 1)
    }

    @Test func `a scroll ends where a caret on the last line keeps its margin to the top`() {
        var layout = TextLayout(configuration: LayoutConfiguration(columns: 40))
        var view = Viewport(rows: 10, scrollMargin: 2)
        view.scroll(by: 500, lastLine: 98, in: Self.buffer, layout: &layout)
        #expect(view.line == 96)
        // The wheel may have scrolled further.
        view.line = 99
        view.scroll(by: 1, lastLine: 98, in: Self.buffer, layout: &layout)
        #expect(view.line == 99)
        view.scroll(by: -3, lastLine: 98, in: Self.buffer, layout: &layout)
        #expect(view.line == 96)
    }

    /// A screen, its top line, a line, and the nearest line in sight.
    @Test(arguments: [
        (10, 0, 0, 0), (10, 0, 50, 7), (10, 20, 0, 22), (10, 20, 25, 25), (10, 20, 50, 27), (10, 97, 0, 98),
        (10, 97, 99, 98), (10, 88, 98, 95), (10, 89, 98, 98), (1, 5, 0, 5), (1, 5, 9, 5),
    ])
    func `a row in sight is as far from the edges as the margin asks, but for the ends of the text`(
        rows: Int, top: Int, line: Int, nearest: Int
    ) {
        var layout = TextLayout(configuration: LayoutConfiguration(columns: 40))
        var view = Viewport(rows: rows, scrollMargin: 2)
        view.line = LineNumber(top)
        let found = view.rowInSight(
            nearest: (LineNumber(line), 0), lastLine: 98, in: Self.buffer, layout: &layout)
        #expect(found.line == LineNumber(nearest) && found.row == 0)
    }
}
