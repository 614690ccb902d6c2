import SeededRandom
import Testing

@testable import TextEditing

/// Returns the rows of a text's first line, as strings.
private func rows(_ text: String, columns: Int, tabWidth: Int = 4, indent: Int = 0) -> [String] {
    let buffer = TextBuffer(text)
    var layout = TextLayout(
        configuration: LayoutConfiguration(columns: columns, tabWidth: tabWidth, hangingIndent: { _ in indent }))
    return layout.rows(of: 0, in: buffer).map {
        buffer.string(in: ByteOffset($0.range.lowerBound)..<ByteOffset($0.range.upperBound))
    }
}

@Suite struct RowBreakingTests {
    @Test func `a space behind a full row hangs over`() {
        #expect(rows("1234 678 0", columns: 8) == ["1234 678 ", "0"])
    }

    @Test func `words are kept whole and long ones are broken`() {
        #expect(rows("a bcdefghijkl m", columns: 5) == ["a ", "bcdef", "ghijk", "l m"])
    }

    @Test func `a path or an address breaks behind its slashes`() {
        #expect(rows("see /usr/share/doc", columns: 12) == ["see /usr/", "share/doc"])
    }

    @Test func `an address breaks behind its host, not behind its scheme`() {
        #expect(rows("see https://example.org/a/b", columns: 21) == ["see ", "https://example.org/", "a/b"])
        #expect(rows("voilà https://example.org/a/b", columns: 21) == ["voilà ", "https://example.org/", "a/b"])
        #expect(rows("see file:///usr/share", columns: 15) == ["see ", "file:///usr/", "share"])
    }

    @Test func `a host that is longer than a row begins one`() {
        #expect(rows("see https://example.org/a/b", columns: 14) == ["see ", "https://", "example.org/a/", "b"])
        #expect(rows("[Ana](https://example.org)", columns: 18) == ["[Ana](https://", "example.org)"])
        #expect(rows("[Zoé](https://example.org)", columns: 18) == ["[Zoé](https://", "example.org)"])
    }

    @Test func `a hyphen ends a row but is not the end of a word before a number`() {
        #expect(rows("well-known x-1", columns: 6) == ["well-", "known ", "x-1"])
    }

    @Test func `Chinese breaks between characters but not before a full stop`() {
        #expect(rows("漢字漢字。漢", columns: 8) == ["漢字漢", "字。漢"])
        #expect(rows("「漢字」漢字", columns: 6) == ["「漢", "字」漢", "字"])
    }

    @Test func `quotes hold to what they quote, and a question ends`() {
        #expect(rows("漢字\"漢字\"漢", columns: 6) == ["漢", "字\"漢", "字\"漢"])
        #expect(rows("go?x=1&y", columns: 5) == ["go?", "x=1&y"])
        #expect(rows("one|two|six", columns: 8) == ["one|two|", "six"])
        #expect(rows("he said “no”", columns: 10) == ["he said ", "“no”"])
    }

    @Test func `a long dash may begin a row or end one`() {
        #expect(rows("one—two", columns: 4) == ["one—", "two"])
        #expect(rows("four—two", columns: 4) == ["four", "—two"])
    }

    @Test func `small kana and the mark of length never start a row`() {
        #expect(rows("キャラクター", columns: 10) == ["キャラク", "ター"])
        #expect(rows("ちょっと", columns: 2) == ["ち", "ょ", "っ", "と"])
    }

    @Test func `a wide character never crosses the edge`() {
        #expect(rows("a漢字", columns: 4) == ["a漢", "字"])
    }

    @Test func `a no-break space keeps words together`() {
        #expect(rows("ab 10\u{A0}km", columns: 6) == ["ab ", "10\u{A0}km"])
    }

    @Test func `rows after the first are indented unless that leaves no room`() {
        #expect(rows("- one two six", columns: 8, indent: 2) == ["- one ", "two ", "six"])
        #expect(rows("- one two six", columns: 8, indent: 6) == ["- one ", "two six"])
    }

    @Test func `a tab reaches to the next stop`() {
        #expect(rows("a\tbc\td", columns: 9) == ["a\tbc\td"])
        #expect(rows("a\tbc\tde", columns: 9) == ["a\tbc\t", "de"])
    }

    @Test func `the quick way for ASCII makes the same rows as the general way`() {
        var random = SeededGenerator(seed: 11)
        let alphabet = Array("abc  de-/.,()12")
        for _ in 0..<2000 {
            let text = String(
                (0..<Int.random(in: 0...60, using: &random)).map { _ in random.pick(alphabet) })
            let columns = Int.random(in: 1...20, using: &random)
            // A letter outside ASCII at the end selects the general algorithm.
            let plain = rows(text, columns: columns)
            let mixed = rows(text + "é", columns: columns)
            for (a, b) in zip(plain.dropLast(2), mixed) { #expect(a == b, "\(text.debugDescription) at \(columns)") }
            #expect(plain.joined() == text && mixed.joined() == text + "é")
        }
    }
}

@Suite struct TextLayoutTests {
    private let pieces = [
        "a", "word ", "漢字", "\t", "\n", "\r\n", "e\u{301}", "\u{301}", "👩‍👧", "https://a/b", " ", "\r", "",
    ]

    private func randomEdit(of buffer: TextBuffer, using random: inout SeededGenerator, lines: Bool = true) -> Edit {
        let start = Int.random(in: 0...buffer.scalarCount, using: &random)
        let end = min(buffer.scalarCount, start + Int.random(in: 0...3, using: &random))
        let pieces = lines ? pieces : pieces.filter { !$0.contains(where: \.isNewline) }
        return Edit(
            replacing: buffer.offset(ofScalar: start)..<buffer.offset(ofScalar: end), of: buffer,
            with: random.pick(pieces))
    }

    @Test(arguments: [true, false])
    func `rows that follow edits equal rows made anew`(wraps: Bool) {
        var random = SeededGenerator(seed: 3)
        let configuration = LayoutConfiguration(columns: 17, wraps: wraps, hangingIndent: { $0.first == 0x61 ? 2 : 0 })
        var buffer = TextBuffer(String(repeating: "one two three four five six\n", count: 40))
        var layout = TextLayout(configuration: configuration)
        for _ in 0..<800 {
            let line = LineNumber(Int.random(in: 0..<buffer.lineCount, using: &random))
            var fresh = TextLayout(configuration: configuration)
            #expect(layout.rows(of: line, in: buffer) == fresh.rows(of: line, in: buffer))
            let edit = randomEdit(of: buffer, using: &random)
            edit.apply(to: &buffer)
            layout.update(edit, in: buffer)
        }
    }

    @Test(arguments: [9, 17, 40])
    func `rows of a long paragraph that follow edits within it equal rows made anew`(columns: Int) {
        var random = SeededGenerator(seed: UInt64(columns))
        let within = pieces.filter { !$0.contains(where: \.isNewline) }
        let configuration = LayoutConfiguration(columns: columns, hangingIndent: { $0.first == 0x2D ? 4 : 0 })
        for start in ["- ", ""] {
            let words = (0..<150).map { _ in random.pick(["a", "of", "three", "paragraph", "incomprehensibly"]) }
            var buffer = TextBuffer("before\n" + start + words.joined(separator: " ") + "\nafter")
            var layout = TextLayout(configuration: configuration)
            for step in 0..<500 {
                var fresh = TextLayout(configuration: configuration)
                #expect(layout.rows(of: 1, in: buffer) == fresh.rows(of: 1, in: buffer))
                let place = randomPlace(in: buffer.lineRange(1), of: buffer, using: &random)
                // Half of the keys type a letter or a space, as most keys do; the others put in anything.
                let edit =
                    step.isMultiple(of: 2)
                    ? Edit(replacing: place.lowerBound..<place.lowerBound, of: buffer, with: random.pick(["x", " "]))
                    : Edit(replacing: place, of: buffer, with: random.pick(within))
                edit.apply(to: &buffer)
                layout.update(edit, in: buffer)
            }
        }
    }

    @Test func `a position's cell leads back to the position`() {
        let buffer = TextBuffer("one two three 漢字 four\tfive e\u{301}e\u{301} 👩‍👧 six\n\nlast")
        for wraps in [true, false] {
            var layout = TextLayout(
                configuration: LayoutConfiguration(columns: 9, wraps: wraps, hangingIndent: { _ in 2 }))
            var offset: ByteOffset = 0
            while offset < buffer.end {
                let position = layout.location(of: offset, in: buffer)
                let back = layout.offset(atRow: position.row, of: position.line, column: position.column, in: buffer)
                #expect(back == offset)
                offset = buffer.characterEnd(after: offset)
            }
        }
    }

    @Test(arguments: [true, false])
    func `a line of tens of kilobytes is laid out by blocks that follow edits`(wraps: Bool) {
        var random = SeededGenerator(seed: 4)
        let words = (0..<8000).map { _ in
            random.pick(pieces.filter { !$0.contains(where: \.isNewline) })
        }
        var buffer = TextBuffer("first\n" + words.joined() + "\nlast")
        let configuration = LayoutConfiguration(columns: 40, wraps: wraps, hangingIndent: { _ in 4 })
        var layout = TextLayout(configuration: configuration)
        for step in 0..<150 {
            _ = layout.rowCount(of: 1, in: buffer)
            let edit = Edit(
                replacing: randomPlace(in: buffer.lineRange(1), of: buffer, using: &random), of: buffer,
                with: random.pick(pieces.filter { !$0.contains(where: \.isNewline) }))
            edit.apply(to: &buffer)
            layout.update(edit, in: buffer)
            if step % 50 == 0 { check(layout, buffer) }
            let offset = buffer.characterBoundary(
                atOrBefore: randomPlace(in: buffer.lineRange(1), of: buffer, using: &random).lowerBound)
            let position = layout.location(of: offset, in: buffer)
            if !wraps {
                let plain = buffer.withUTF8(in: buffer.lineStart(1)..<offset) {
                    RowBreaker(measuring: configuration).width(of: $0, from: 0)
                }
                #expect(position.column.rawValue == plain)
            }
            let back = layout.offset(atRow: position.row, of: position.line, column: position.column, in: buffer)
            #expect(layout.location(of: back, in: buffer).column == position.column)
        }
    }

    private func randomPlace(
        in range: Range<ByteOffset>, of buffer: TextBuffer, using random: inout SeededGenerator
    ) -> Range<ByteOffset> {
        let scalars = buffer.scalarOffset(at: range.lowerBound)..<buffer.scalarOffset(at: range.upperBound)
        let start = Int.random(in: scalars.lowerBound...scalars.upperBound, using: &random)
        let end = min(scalars.upperBound, start + Int.random(in: 0...3, using: &random))
        return buffer.offset(ofScalar: start)..<buffer.offset(ofScalar: end)
    }

    private func check(_ layout: TextLayout, _ buffer: TextBuffer) {
        var layout = layout
        let rows = layout.rows(of: 1, in: buffer)
        var position = 0
        for row in rows {
            #expect(row.range.lowerBound == position)
            position = row.range.upperBound
            if layout.configuration.wraps { #expect(row.width <= layout.configuration.columns + 4) }
        }
        #expect(position == buffer.lineRange(1).length)
    }
}

@Suite struct ViewportTests {
    private let buffer = TextBuffer((0..<100).map { "line \($0) of a hundred lines" }.joined(separator: "\n"))

    @Test func `revealing scrolls as little as needed and keeps a margin`() {
        var layout = TextLayout(configuration: LayoutConfiguration(columns: 80))
        var view = Viewport(rows: 10, scrollMargin: 2)
        view.reveal(buffer.lineStart(8), in: buffer, layout: &layout)
        #expect(view.line == 1)
        view.reveal(buffer.lineStart(2), in: buffer, layout: &layout)
        #expect(view.line == 0)
        view.reveal(buffer.lineStart(50), in: buffer, layout: &layout)
        #expect(view.line == 45)
        view.reveal(buffer.lineStart(99), in: buffer, layout: &layout)
        #expect(view.visibleRows(in: buffer, layout: &layout).last?.line == 99)
    }

    @Test func `a jump to the end of a text leaves no empty rows below it`() {
        var layout = TextLayout(configuration: LayoutConfiguration(columns: 80))
        var view = Viewport(rows: 10, scrollMargin: 2)
        view.reveal(buffer.end, in: buffer, layout: &layout)
        #expect(view.visibleRows(in: buffer, layout: &layout).map(\.line.rawValue) == Array(90...99))
        view.reveal(buffer.lineStart(3), in: buffer, layout: &layout)
        view.reveal(buffer.lineStart(96), in: buffer, layout: &layout)
        #expect(view.visibleRows(in: buffer, layout: &layout).map(\.line.rawValue) == Array(90...99))
    }

    @Test func `without a margin nothing scrolls as long as the position is on the screen`() {
        var layout = TextLayout(configuration: LayoutConfiguration(columns: 80))
        var view = Viewport(rows: 10, scrollMargin: 3)
        view.scroll(by: 20, in: buffer, layout: &layout)
        for line in [20, 29, 25] {
            view.reveal(buffer.lineStart(LineNumber(line)), margin: 0, in: buffer, layout: &layout)
            #expect(view.line == 20)
        }
        view.reveal(buffer.lineStart(30), margin: 0, in: buffer, layout: &layout)
        #expect(view.line == 21)
    }

    @Test func `the caret is on the screen wherever it jumps`() {
        var random = SeededGenerator(seed: 13)
        var layout = TextLayout(configuration: LayoutConfiguration(columns: 11))
        var view = Viewport(rows: 7, scrollMargin: 2)
        for _ in 0..<500 {
            let offset = ByteOffset(Int.random(in: 0...buffer.utf8Count, using: &random))
            view.reveal(offset, in: buffer, layout: &layout)
            let position = layout.location(of: offset, in: buffer)
            let rows = view.visibleRows(in: buffer, layout: &layout)
            guard let height = rows.firstIndex(where: { $0.line == position.line && $0.index == position.row }) else {
                Issue.record("the caret is not on the screen")
                return
            }
            let isAtStart = view.line == 0 && view.row == 0
            #expect(height >= 2 || isAtStart)
            #expect(height <= 4 || rows.last?.line == 99)
            if Bool.random(using: &random) {
                view.scroll(by: Int.random(in: -9...9, using: &random), in: buffer, layout: &layout)
            }
        }
    }

    @Test func `the top row keeps its text when the width changes`() {
        var layout = TextLayout(configuration: LayoutConfiguration(columns: 10))
        var view = Viewport(rows: 10)
        view.scroll(by: 71, in: buffer, layout: &layout)
        let top = view.visibleRows(in: buffer, layout: &layout)[0]
        let offset = buffer.lineStart(top.line) + top.visual.range.lowerBound
        view.configure(LayoutConfiguration(columns: 23), in: buffer, layout: &layout)
        let row = view.visibleRows(in: buffer, layout: &layout)[0]
        let start = buffer.lineStart(row.line) + row.visual.range.lowerBound
        #expect(start <= offset && offset < start + row.visual.range.count)
    }

    @Test func `lines put in above leave the screen as it is`() {
        var layout = TextLayout(configuration: LayoutConfiguration(columns: 80))
        var view = Viewport(rows: 5)
        var text = buffer
        view.scroll(by: 40, in: text, layout: &layout)
        let edit = Edit(replacing: 0..<0, of: text, with: "new\nlines\n")
        edit.apply(to: &text)
        layout.update(edit, in: text)
        view.update(edit, in: text)
        #expect(view.line == 42)
    }

    @Test func `of an edit at several places only the lines above the screen move it`() {
        var layout = TextLayout(configuration: LayoutConfiguration(columns: 80))
        var view = Viewport(rows: 5)
        var text = buffer
        view.scroll(by: 40, in: text, layout: &layout)
        let edit = Edit(replacing: [(0..<0, "new\nlines\n"), (text.end..<text.end, "\nlast")], of: text)
        edit.apply(to: &text)
        layout.update(edit, in: text)
        view.update(edit, in: text)
        #expect(view.line == 42)
    }
}

@Suite struct LongLineTests {
    @Test(arguments: [true, false])
    func `long lines that are cut and joined keep rows that cover them`(wraps: Bool) {
        var random = SeededGenerator(seed: 21)
        var buffer = TextBuffer(String(repeating: "words of 漢字 and\tmore, ", count: 1500))
        let configuration = LayoutConfiguration(columns: 30, wraps: wraps, hangingIndent: { $0.first == 0x20 ? 2 : 0 })
        var layout = TextLayout(configuration: configuration)
        for step in 0..<60 {
            for line in 0..<min(buffer.lineCount, 3) { _ = layout.rowCount(of: LineNumber(line), in: buffer) }
            let edit = cutOrJoin(buffer, step, &random)
            edit.apply(to: &buffer)
            layout.update(edit, in: buffer)
            for line in 0..<min(buffer.lineCount, 3) {
                let number = LineNumber(line)
                var position = 0
                for row in layout.rows(of: number, in: buffer) {
                    #expect(row.range.lowerBound == position)
                    position = row.range.upperBound
                }
                #expect(position == buffer.lineRange(number).length)
                if !wraps {
                    let width = buffer.withUTF8(of: number) {
                        RowBreaker(measuring: configuration).width(of: $0, from: 0)
                    }
                    #expect(layout.row(0, of: number, in: buffer).width == width)
                }
            }
        }
    }

    private func cutOrJoin(_ buffer: TextBuffer, _ step: Int, _ random: inout SeededGenerator) -> Edit {
        if step % 2 == 1, buffer.lineCount > 1 {
            let line = LineNumber(Int.random(in: 0..<buffer.lineCount - 1, using: &random))
            return Edit(replacing: buffer.lineEnd(line)..<buffer.lineStart(line + 1), of: buffer, with: "")
        }
        let position = buffer.offset(ofScalar: Int.random(in: 0...buffer.scalarCount, using: &random))
        return Edit(replacing: position..<position, of: buffer, with: ["\n", "\r\n", "\r", "x\ny\nz"][step / 2 % 4])
    }
}
