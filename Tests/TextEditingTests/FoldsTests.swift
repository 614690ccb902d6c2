import Testing

@testable import TextEditing

/// Tests folded lines, which take no rows.
@Suite struct FoldsTests {
    @Test func `hidden lines are passed over, and inner folds wait inside of outer ones`() {
        var folds = Folds()
        folds.add(3..<5)
        folds.add(2..<8)
        folds.add(10..<12)
        #expect(folds.hidden(around: 4) == 2..<8)
        #expect(folds.hidden(around: 8) == nil)
        #expect(folds.line(after: 1) == 8)
        #expect(folds.line(before: 8) == 1)
        #expect(folds.line(after: 8) == 9)
        #expect(folds.visibleLine(at: 11) == 9)
        #expect((0...12).map { folds.visibleLines(before: LineNumber($0)) } == [0, 1, 2, 2, 2, 2, 2, 2, 2, 3, 4, 4, 4])
        folds.remove { $0 == 2..<8 }
        #expect(folds.hidden(around: 4) == 3..<5)
        #expect(folds.fold(under: 2) == 3..<5)
        #expect(folds.fold(under: 3) == nil)
    }

    /// Tests that a fold exists exactly as long as the line breaks at its two ends, and stays between them.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `folds keep to their line breaks through random edits`(seed: UInt64) {
        var edits = RandomEdits(seed: seed)
        var buffer = TextBuffer((0..<30).map { "line \($0)" }.joined(separator: "\n"))
        for _ in 0..<60 {
            var folds = Folds()
            var ends: [(start: ByteOffset, end: ByteOffset)] = []
            for _ in 0..<4 where buffer.lineCount > 3 {
                let start = Int.random(in: 1..<buffer.lineCount - 1, using: &edits.random)
                let end = Int.random(in: start + 1..<buffer.lineCount, using: &edits.random)
                guard folds.fold(under: LineNumber(start - 1)) == nil else { continue }
                folds.add(start..<end)
                ends.append((buffer.lineStart(LineNumber(start)) - 1, buffer.lineStart(LineNumber(end)) - 1))
            }
            let edit = edits.next(of: buffer)
            edit.apply(to: &buffer)
            folds.update(edit, in: buffer)
            let removed = edit.replacements.map(\.range)
            let expected: Set<Range<Int>> = Set(
                ends.compactMap { start, end in
                    guard !removed.contains(where: { $0.contains(start) || $0.contains(end) }) else { return nil }
                    let lines = [start, end].map { buffer.lineNumber(at: edit.map($0 + 1, .before)).rawValue }
                    return lines[0] < lines[1] ? lines[0]..<lines[1] : nil
                })
            #expect(Set(folds.all) == expected)
        }
    }

    @Test func `rows, scrolling and revealing leave hidden lines out`() {
        let buffer = TextBuffer((0..<1000).map { "line \($0)" }.joined(separator: "\n"))
        var layout = TextLayout(configuration: LayoutConfiguration(columns: 40))
        var view = Viewport(rows: 6, scrollMargin: 1)
        layout.folds.add(3..<990)
        let seen = { (view: Viewport, layout: inout TextLayout) in
            view.visibleRows(in: buffer, layout: &layout).map(\.line.rawValue)
        }
        #expect(seen(view, &layout) == [0, 1, 2, 990, 991, 992])
        view.scroll(by: 4, in: buffer, layout: &layout)
        #expect(seen(view, &layout).first == 991)
        view.scroll(by: -2, in: buffer, layout: &layout)
        #expect(seen(view, &layout) == [2, 990, 991, 992, 993, 994])
        // One side of the fold is one row from the other: nothing jumps.
        view.reveal(buffer.lineStart(1), in: buffer, layout: &layout)
        #expect(seen(view, &layout).first == 0)
        view.reveal(buffer.lineStart(992), in: buffer, layout: &layout)
        #expect(seen(view, &layout) == [1, 2, 990, 991, 992, 993])
    }

    @Test func `the caret passes over what is folded, both ways`() {
        var driver = EditorDriver("# A|\none\ntwo\n\n# B")
        driver.layout.folds.add(1..<3)
        for (key, position) in [("<right>", 12), ("<left>", 3), ("<down>", 12), ("<up>", 3), ("<c-right>", 12)] {
            driver.press(key)
            #expect(driver.editor.caret.rawValue == position, "after \(key)")
        }
        driver.press("<c-left>")
        #expect(driver.editor.caret == 3)
    }

    @Test func `at a fold that ends the text, Down goes to the end of what is seen`() {
        var driver = EditorDriver("# A|\none\ntwo")
        driver.layout.folds.add(1..<3)
        driver.press("<home><down>")
        #expect(driver.editor.caret == 3)
        driver.press("<right>")
        #expect(driver.editor.caret == 3)
        driver.press("<c-end>")
        #expect(driver.editor.caret == 11)
    }
}
