import SeededRandom
import Testing

@testable import TextEditing

/// Tests concurrent edits of one text.
@Suite struct TransformTests {
    private func applied(_ edits: Edit..., to buffer: TextBuffer) -> String {
        var buffer = buffer
        for edit in edits {
            #expect(edit.fits(buffer))
            edit.apply(to: &buffer)
        }
        return buffer.string()
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `two edits of one text lead to the same text whichever is made first`(seed: UInt64) {
        var edits = RandomEdits(seed: seed)
        var buffer = TextBuffer("a text to start with, 漢字 and all\nand more\n")
        for _ in 0..<60 {
            let (a, b) = (edits.next(of: buffer), edits.next(of: buffer))
            for (side, other) in [(Bias.before, Bias.after), (.after, .before)] {
                let first = applied(a, b.transformed(over: a, tie: other), to: buffer)
                let second = applied(b, a.transformed(over: b, tie: side), to: buffer)
                #expect(first == second)
                #expect(TextBuffer(first) == TextBuffer(second))
            }
            edits.next(of: buffer).apply(to: &buffer)
        }
    }

    @Test func `what the other edit put in stays, in the middle of what is removed as well`() {
        let buffer = TextBuffer("one two three")
        let remove = Edit(replacing: 0..<7, of: buffer, with: "")
        let insert = Edit(replacing: [(4..<4, "and "), (13..<13, "!")], of: buffer)
        #expect(applied(insert, remove.transformed(over: insert, tie: .after), to: buffer) == "and  three!")
    }

    @Test func `two texts at one position stand in the order of the tie`() {
        let buffer = TextBuffer("ab")
        let (x, y) = (Edit(replacing: 1..<1, of: buffer, with: "x"), Edit(replacing: 1..<1, of: buffer, with: "y"))
        #expect(applied(x, y.transformed(over: x, tie: .after), to: buffer) == "axyb")
        #expect(applied(x, y.transformed(over: x, tie: .before), to: buffer) == "ayxb")
    }

    @Test func `what both removed is removed once`() {
        let buffer = TextBuffer("0123456789")
        let (a, b) = (Edit(replacing: 2..<6, of: buffer, with: "A"), Edit(replacing: 4..<8, of: buffer, with: "B"))
        #expect(applied(a, b.transformed(over: a, tie: .after), to: buffer) == "01AB89")
        #expect(applied(a, a.transformed(over: a, tie: .after), to: buffer) == "01AA6789")
    }

    @Test func `many positions are mapped as each by itself`() {
        var edits = RandomEdits(seed: 77)
        let buffer = TextBuffer("a text to start with, 漢字 and all\n")
        let offsets = (0...buffer.utf8Count).map { ByteOffset($0) }
        for _ in 0..<200 {
            let edit = edits.next(of: buffer)
            for bias in [Bias.before, .after] {
                #expect(edit.map(ascending: offsets, bias) == offsets.map { edit.map($0, bias) })
            }
        }
    }
}

/// Tests line mapping through edits at several positions.
@Suite struct LineMapTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `the changed lines of each position, replaced one by one, make the new text`(seed: UInt64) {
        var edits = RandomEdits(seed: seed)
        for _ in 0..<40 {
            var buffer = TextBuffer("a\nb\nc\n\nd\r\ne\nf\n")
            let old = buffer.lines(in: buffer.range).map { Array($0.utf8) }
            let edit = edits.next(of: buffer)
            edit.apply(to: &buffer)
            let new = buffer.lines(in: buffer.range).map { Array($0.utf8) }
            var text = old
            var growth = 0
            let changes = LineMap(edit, in: buffer).changes
            #expect(zip(changes, changes.dropFirst()).allSatisfy { $0.oldLines.upperBound <= $1.oldLines.lowerBound })
            for change in changes {
                let range = change.newLines.lowerBound + growth..<change.newLines.upperBound + growth
                text.replaceSubrange(
                    change.oldLines.lowerBound + growth..<change.oldLines.upperBound + growth, with: new[range])
                growth += change.growth
            }
            #expect(text == new)
        }
    }

    @Test func `lines added above and below the screen leave its top row at its text`() {
        var buffer = TextBuffer((0..<1000).map { "line \($0)" }.joined(separator: "\n"))
        var layout = TextLayout(configuration: LayoutConfiguration(columns: 40))
        var view = Viewport(rows: 20)
        view.line = 500
        func shown() -> [String] {
            view.visibleRows(in: buffer, layout: &layout).map { buffer.string(in: buffer.lineRange($0.line)) }
        }
        let before = shown()
        let ten = String(repeating: "new\n", count: 10)
        let positions = [100, 900].map { buffer.lineStart(LineNumber($0)) }
        let edit = Edit(
            replacing: [(positions[0]..<positions[0], ten), (positions[1]..<positions[1], "new\n")], of: buffer)
        edit.apply(to: &buffer)
        layout.update(edit, in: buffer)
        view.update(edit, in: buffer)
        #expect(view.line == 510)
        #expect(shown() == before)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `rows are laid out as anew after edits at several positions`(seed: UInt64) {
        var edits = RandomEdits(seed: seed)
        var buffer = TextBuffer((0..<60).map { "line \($0) of some words" }.joined(separator: "\n"))
        var layout = TextLayout(configuration: LayoutConfiguration(columns: 12))
        for _ in 0..<40 {
            for line in 0..<buffer.lineCount { _ = layout.rowCount(of: LineNumber(line), in: buffer) }
            let edit = edits.next(of: buffer, most: 6)
            edit.apply(to: &buffer)
            layout.update(edit, in: buffer)
            var fresh = TextLayout(configuration: LayoutConfiguration(columns: 12))
            for line in 0..<buffer.lineCount {
                let line = LineNumber(line)
                #expect(layout.rows(of: line, in: buffer) == fresh.rows(of: line, in: buffer))
            }
        }
    }
}
