import Terminal
import Testing

struct ScreenTests {
    private func screen(_ columns: Int, _ rows: Int = 1) -> Screen {
        Screen(size: Size(columns: columns, rows: rows))
    }

    private let origin = Position(column: 0, row: 0)

    @Test func `text is written from left to right and its columns are returned`() {
        var screen = screen(10)
        #expect(screen.write("héllo", at: origin, style: .default) == 5)
        #expect(screen.text(row: 0) == "héllo     ")
    }

    @Test func `a wide glyph never starts in the last column`() {
        var screen = screen(3)
        #expect(screen.write("世界", at: origin, style: .default) == 2)
        #expect(screen.text(row: 0) == "世 ")
    }

    @Test func `half of a wide glyph that is written over leaves a blank`() {
        var screen = screen(6)
        screen.write("世界世", at: origin, style: .default)
        screen.write("x", at: Position(column: 1, row: 0), style: .default)
        #expect(screen.text(row: 0) == " x界世")
        screen.write("y", at: Position(column: 2, row: 0), style: .default)
        #expect(screen.text(row: 0) == " xy 世")
        screen.write("界", at: Position(column: 3, row: 0), style: .default)
        #expect(screen.text(row: 0) == " xy界 ")
    }

    @Test func `a wide character fills pairs of columns, and a column that is left over is blank`() {
        var screen = screen(8)
        screen.write("世界世界", at: origin, style: .default)
        screen.fill(Rect(column: 1, row: 0, columns: 5, rows: 1), with: "字", style: .default)
        #expect(screen.text(row: 0) == " 字字 界")
        screen.fill(Rect(column: 2, row: 0, columns: 4, rows: 1), with: "─", style: .default)
        #expect(screen.text(row: 0) == "  ────界")
    }

    @Test func `control characters become symbols`() {
        var screen = screen(20)
        screen.write("a\u{1B}[m\u{7F}\u{9B}\u{202E}", at: origin, style: .default)
        #expect(screen.text(row: 0).hasPrefix("a␛[m␡<9B><202E>"))
        // A text cannot place a picture: kitty would draw one that another program has sent.
        screen.write("\u{10EEEE}\u{305}\u{30D}b", at: origin, style: .default)
        #expect(screen.text(row: 0).hasPrefix("<10EEEE>"))
        #expect(Sanitizer.visible("a\u{10EEEE}\u{305}").hasPrefix("a<10EEEE>"))
    }

    @Test func `only rows that have changed since they were drawn are drawn again`() {
        var pane = screen(3, 3)
        pane.write("one", at: origin, style: .default)
        pane.write("two", at: Position(column: 0, row: 1), style: .default)
        var frame = screen(5, 4)
        let place = Position(column: 1, row: 1)
        frame.draw(pane, at: place)
        let drawn = pane.rowStamps
        // The rest shows whether a row is drawn at all.
        frame.fill(frame.bounds, with: ".", style: .default)
        pane.write("TWO", at: Position(column: 0, row: 1), style: .default)
        frame.draw(pane, at: place, changedSince: drawn)
        #expect((0..<4).map { frame.text(row: $0) } == [".....", ".....", ".TWO.", "....."])
        frame.draw(pane, at: place)
        #expect((0..<4).map { frame.text(row: $0) } == [".....", ".one.", ".TWO.", ".   ."])
    }

    @Test func `a clip cuts text on both sides`() {
        var screen = screen(10)
        let clip = Rect(column: 2, row: 0, columns: 3, rows: 1)
        #expect(screen.write("世界世界", at: Position(column: 1, row: 0), style: .default, clip: clip) == 4)
        #expect(screen.text(row: 0) == "   界     ")
    }

    @Test func `a pane drawn at an edge cuts its wide glyphs into blanks`() {
        var pane = screen(4)
        pane.write("世界", at: origin, style: .default)
        var frame = screen(6)
        frame.draw(pane, at: Position(column: -1, row: 0))
        #expect(frame.text(row: 0) == " 界   ")
        frame.draw(pane, at: Position(column: 3, row: 0))
        #expect(frame.text(row: 0) == " 界世 ")
    }
}
