import SeededRandom
import Testing

@testable import TextEditing

/// An editor with several carets, in the notation of `CursorNotation`: `^ab|` is a selection, `|` a caret.
private struct SeveralCarets {
    var editor: TextEditor
    var layout = TextLayout(configuration: LayoutConfiguration(columns: 40))

    init(_ notation: String) {
        var text = ""
        var selections: [Selection] = []
        var anchor: ByteOffset?
        for scalar in notation.unicodeScalars {
            let offset = ByteOffset(text.utf8.count)
            switch scalar {
            case "^": anchor = offset
            case "|":
                selections.append(Selection(anchor: anchor ?? offset, head: offset))
                anchor = nil
            default: text.unicodeScalars.append(scalar)
            }
        }
        editor = TextEditor(text: text, configuration: EditorConfiguration(now: { .zero }))
        editor.select(all: selections, main: selections.count - 1)
    }

    var notation: String {
        var marks: [ByteOffset: String] = [:]
        for selection in editor.selections {
            if !selection.isEmpty { marks[selection.anchor, default: ""] += "^" }
            marks[selection.head, default: ""] += "|"
        }
        var result = ""
        for line in 0...editor.buffer.utf8Count {
            result += marks[ByteOffset(line)] ?? ""
            if line < editor.buffer.utf8Count,
                editor.buffer.characterBoundary(atOrBefore: ByteOffset(line)).rawValue == line
            {
                let start = ByteOffset(line)
                result += editor.buffer.string(in: start..<editor.buffer.characterEnd(after: start))
            }
        }
        return result
    }
}

@Suite struct CaretTests {
    private func expect(
        _ before: String, _ after: String, at location: SourceLocation = #_sourceLocation,
        _ body: (inout SeveralCarets) -> Void
    ) {
        var state = SeveralCarets(before)
        body(&state)
        #expect(state.notation == after, sourceLocation: location)
    }

    @Test func `many selections are mapped at once as one by one`() {
        var random = SeededGenerator(seed: 31)
        for _ in 0..<300 {
            let text = String(repeating: "abcdefghij", count: 6)
            let buffer = TextBuffer(text)
            var parts: [(range: Range<ByteOffset>, text: String)] = []
            var position = 0
            while position < 55 {
                let start = position + Int.random(in: 0...9, using: &random)
                let end = min(60, start + Int.random(in: 0...5, using: &random))
                guard start <= end else { break }
                parts.append(
                    (
                        ByteOffset(start)..<ByteOffset(end),
                        ["", "x", "long text"][Int.random(in: 0..<3, using: &random)]
                    ))
                position = end + 1
            }
            let edit = Edit(replacing: parts, of: buffer)
            var selections: [Selection] = []
            var place = 0
            while place < 60 {
                let end = min(60, place + Int.random(in: 0...6, using: &random))
                let (low, high) = (ByteOffset(place), ByteOffset(end))
                selections.append(
                    Bool.random(using: &random)
                        ? Selection(anchor: low, head: high) : Selection(anchor: high, head: low))
                place = end + Int.random(in: 0...4, using: &random)
                if place == end, selections.last?.isEmpty == true { place += 1 }
            }
            #expect(edit.map(ascending: selections) == selections.map { edit.map($0) })
        }
    }

    @Test func `ten thousand carets undo what they typed, and stay`() {
        var editor = TextEditor(text: String(repeating: "ab\n", count: 10_000))
        editor.select(all: (0..<10_000).map { Selection(ByteOffset($0 * 3 + 1)) }, main: 5_000)
        for _ in 0..<3 { _ = editor.insert("x") }
        #expect(editor.buffer.utf8Count == 60_000)
        while editor.history.canUndo { _ = editor.undo() }
        #expect(editor.buffer.utf8Count == 30_000 && editor.selections.count == 10_000)
        #expect(editor.selections[7].head == ByteOffset(22))
    }

    @Test func `keys act at each caret`() {
        expect("a|b\nc|d", "axy|b\ncxy|d") { $0.editor.type("xy") }
        expect("^ab| c ^de|", "x| c x|") { $0.editor.type("x") }
        expect("^ab| ^cd|", "*^ab|* *^cd|*") { $0.editor.type("*") }
        expect("漢|字|", "|") { $0.editor.delete(.backward) }
        expect("a|b c|d", "a| c|") { $0.editor.delete(.wordForward) }
        expect("  a|b\nc|d", "  a\n  |b\nc\n|d") { $0.editor.insertNewline() }
        expect("a|b\nabc|d", "a   |b\nabc |d") { $0.editor.insertTab() }
        expect("o|ne t|wo", "ONE| TWO|") { $0.editor.changeCase(.upper) }
        // Two carets in the same word change it once.
        var editor = SeveralCarets("he|l|lo").editor
        _ = editor.changeCase(.upper)
        #expect(editor.buffer.string() == "HELLO")
    }

    @Test func `what is done at all carets is one step of undo, and they come back with it`() {
        expect("a|b\nc|d", "a|b\nc|d") {
            $0.editor.type("x")
            $0.editor.type("y")
            _ = $0.editor.undo()
        }
        expect("ab|c d|", "axyz|c xyz|") {
            $0.editor.delete(.backward)
            $0.editor.insert("xyz", as: .paste)
            _ = $0.editor.undo()
            _ = $0.editor.redo()
        }
        expect("^ab| ^cd|", "^ab| ^cd|") {
            $0.editor.type("x")
            _ = $0.editor.undo()
        }
    }

    @Test func `carets that meet become one`() {
        expect("a|b|", "|") {
            $0.editor.delete(.toLineStart)
        }
        expect("a|b|\nc", "|ab\nc") { $0.editor.move(.lineStart, layout: &$0.layout) }
        expect("a|b|c", "^abc|") {
            $0.editor.move(.documentStart, layout: &$0.layout)
            $0.editor.move(.documentEnd, extending: true, layout: &$0.layout)
        }
        // Two adjacent matches stay two.
        expect("^aa|aa", "x|x|") {
            _ = $0.editor.addCaretAtNextMatch()
            $0.editor.type("x")
        }
    }

    @Test func `carets are added in the rows above and below, in the column of the first`() {
        expect("abc|d\nx\nabcd", "abc|d\nx|\nabc|d") {
            #expect($0.editor.addCaret(below: true, layout: &$0.layout))
            #expect($0.editor.addCaret(below: true, layout: &$0.layout))
            #expect(!$0.editor.addCaret(below: true, layout: &$0.layout))
        }
        expect("abcd\na^b|", "a^b|cd\na^b|") { #expect($0.editor.addCaret(below: false, layout: &$0.layout)) }
        expect("ab|c\nx|\nabc", "abc\nx|\na|bc") { $0.editor.move(.down, layout: &$0.layout) }
        expect("a|b|", "a|b|") { #expect(!$0.editor.addCaret(below: false, layout: &$0.layout)) }
    }

    @Test func `carets are added at matches`() {
        expect("one t|wo one two", "one ^two| one ^two|") {
            #expect($0.editor.addCaretAtNextMatch() == .word)
            #expect($0.editor.addCaretAtNextMatch() == .added(1, isAll: true))
            #expect($0.editor.addCaretAtNextMatch() == .added(0, isAll: true))
        }
        // A word selected from the caret is found as a whole word; a selected part of a word is found anywhere.
        expect("a|t cat at bat at", "^at| cat ^at| bat ^at|") {
            #expect($0.editor.addCaretAtNextMatch() == .word)
            #expect($0.editor.addCaretAtNextMatch() == .added(1, isAll: true))
            #expect($0.editor.addCaretAtNextMatch() == .added(1, isAll: true))
            #expect($0.editor.addCaretAtNextMatch() == .added(0, isAll: true))
        }
        expect("^at| cat at", "^at| c^at| at") { _ = $0.editor.addCaretAtNextMatch() }
        // The search continues at the start of the text after the last match.
        expect("ab ab ^ab|", "^ab| ab ^ab|") { _ = $0.editor.addCaretAtNextMatch() }
        expect("a|t cat at", "^at| cat ^at|") { _ = $0.editor.putCaretsAtAllMatches() }
        expect("^at| cat at", "^at| c^at| ^at|") { _ = $0.editor.putCaretsAtAllMatches() }
        expect("at| cat at", "^at| cat ^at|") { _ = $0.editor.putCaretsAtAllMatches() }
        expect("a |  b", "a |  b") { #expect($0.editor.putCaretsAtAllMatches() == .nothing) }
        expect("|", "|") { #expect($0.editor.addCaretAtNextMatch() == .nothing) }
    }

    @Test func `carets are put at the ends of lines`() {
        expect("a^b\ncd\n|e", "ab|\ncd|\ne") { $0.editor.putCaretsAtLineEnds() }
        expect("a|b\nc|d", "ab|\ncd|") { $0.editor.putCaretsAtLineEnds() }
    }

    @Test func `a text of as many lines as carets is pasted a line each`() {
        expect("^a| ^b| c", "^a| ^b| c") { #expect($0.editor.copy()?.text == "a\nb") }
        expect("x|\ny|", "x1|\ny2|") { $0.editor.paste(Clipping(text: "1\n2")) }
        expect("x|\ny|", "x1\n2\n3|\ny1\n2\n3|") { $0.editor.paste(Clipping(text: "1\n2\n3")) }
        expect("a|\nb\nc|", "|b\n|") {
            let taken = $0.editor.cut()
            #expect(taken?.clipping == Clipping(text: "a\nc\n", isWholeLine: true))
        }
    }

    @Test func `somebody else's edit and commands for one caret leave the others at their text`() {
        expect("a|b\nc|d", "-a|b\nc|d") {
            let edit = Edit(replacing: 0..<0, of: $0.editor.buffer, with: "-")
            $0.editor.apply(edit, kind: .external)
        }
        expect("a|b\nc|d", "a|b\ndc|") { $0.editor.transpose() }
    }

    /// A text of characters with carets as indices, without bytes, edits and ropes.
    private struct Model {
        var text: [Character]
        var carets: [(anchor: Int, head: Int)]
        var main: Int

        /// Replaces ranges of the text, each of which belongs to a caret, and puts each caret after its new text.
        mutating func replace(_ ranges: [Range<Int>], with new: [Character]) {
            var isDeleted = Array(repeating: false, count: text.count)
            for range in ranges { for index in range { isDeleted[index] = true } }
            var positions: [Int] = []
            for (number, range) in ranges.enumerated() {
                let kept = (0..<range.upperBound).count { !isDeleted[$0] }
                positions.append(kept + (number + 1) * new.count)
            }
            var result: [Character] = []
            for index in 0...text.count {
                for range in ranges where range.lowerBound == index { result += new }
                if index < text.count, !isDeleted[index] { result.append(text[index]) }
            }
            text = result
            carets = positions.map { ($0, $0) }
            merge()
        }

        mutating func merge() {
            var tagged = carets.enumerated().map {
                (range: Self.range($1), isBack: $1.head < $1.anchor, isMain: $0 == main)
            }
            tagged.sort { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
            var index = 0
            while index + 1 < tagged.count {
                let (a, b) = (tagged[index], tagged[index + 1])
                let meets = a.range.upperBound == b.range.lowerBound && (a.range.isEmpty || b.range.isEmpty)
                guard a.range.upperBound > b.range.lowerBound || meets else {
                    index += 1
                    continue
                }
                let whole = a.range.lowerBound..<max(a.range.upperBound, b.range.upperBound)
                tagged[index] = (whole, b.isMain ? b.isBack : a.isBack, a.isMain || b.isMain)
                tagged.remove(at: index + 1)
            }
            carets = tagged.map {
                $0.isBack ? ($0.range.upperBound, $0.range.lowerBound) : ($0.range.lowerBound, $0.range.upperBound)
            }
            main = tagged.firstIndex { $0.isMain } ?? 0
        }

        static func range(_ caret: (anchor: Int, head: Int)) -> Range<Int> {
            min(caret.anchor, caret.head)..<max(caret.anchor, caret.head)
        }

        func lineStart(_ position: Int) -> Int { (text[..<position].lastIndex(of: "\n") ?? -1) + 1 }
        func lineEnd(_ position: Int) -> Int { text[position...].firstIndex(of: "\n") ?? text.count }

        mutating func press(_ key: String) {
            let ranges = carets.map(Self.range)
            func deleting(_ span: (Int) -> Range<Int>) -> [Range<Int>] {
                ranges.map { $0.isEmpty ? span($0.lowerBound) : $0 }
            }
            switch key {
            case "bs": replace(deleting { max(0, $0 - 1)..<$0 }, with: [])
            case "del": replace(deleting { $0..<min(text.count, $0 + 1) }, with: [])
            case "c-u": replace(deleting { $0 == lineStart($0) ? max(0, $0 - 1)..<$0 : lineStart($0)..<$0 }, with: [])
            case "c-k":
                replace(deleting { $0 == lineEnd($0) ? $0..<min(text.count, $0 + 1) : $0..<lineEnd($0) }, with: [])
            case "left", "right", "s-left", "s-right", "home", "end", "s-home", "s-end":
                let extends = key.hasPrefix("s-")
                carets = carets.map { caret in
                    let range = Self.range(caret)
                    let head: Int
                    switch key {
                    case "left" where !range.isEmpty: head = range.lowerBound
                    case "right" where !range.isEmpty: head = range.upperBound
                    case "left", "s-left": head = max(0, caret.head - 1)
                    case "right", "s-right": head = min(text.count, caret.head + 1)
                    case "home", "s-home": head = lineStart(caret.head)
                    default: head = lineEnd(caret.head)
                    }
                    return (extends ? caret.anchor : head, head)
                }
                merge()
            default: replace(ranges, with: Array(key))
            }
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `several carets do what a plain model of them does`(seed: UInt64) {
        var random = SeededGenerator(seed: seed &* 911)
        let letters: [Character] = ["a", "b", " ", "漢", "é", "\n", "\n"]
        var model = Model(text: (0..<60).map { _ in random.pick(letters) }, carets: [], main: 0)
        // Each edit is a separate undo step, however fast the keys come.
        let editor = TextEditor(text: String(model.text), configuration: EditorConfiguration(now: { .zero }))
        var driver = EditorDriver("|")
        driver.editor = editor
        func offset(_ index: Int) -> ByteOffset { ByteOffset(String(model.text[..<index]).utf8.count) }
        let named = ["bs", "del", "c-u", "c-k", "left", "right", "s-left", "s-right", "home", "end", "s-home", "s-end"]
        var log: [String] = []
        for step in 0..<120 {
            if step % 30 == 0 {
                model.carets = (0..<random.number(in: 2...12)).map { _ in
                    let (a, b) = (random.below(model.text.count + 1), random.below(model.text.count + 1))
                    return random.chance(70) ? (a, a) : (a, b)
                }
                model.main = random.below(model.carets.count)
                driver.editor.select(
                    all: model.carets.map { Selection(anchor: offset($0.anchor), head: offset($0.head)) },
                    main: model.main)
                model.merge()
            }
            let key = random.chance(45) ? String(random.pick(["x", "漢", "\n", "é", "yz"])) : random.pick(named)
            log.append(key)
            let before = model.text
            model.press(key)
            let edits =
                named.contains(key) ? driver.pressCollecting("<\(key)>") : [driver.editor.insert(key)].compactMap { $0 }
            if !named.contains(key) { edits.forEach { driver.layout.update($0, in: driver.editor.buffer) } }
            #expect(edits.count <= 1)
            let isSame =
                driver.editor.buffer.string() == String(model.text)
                && driver.editor.selections
                    == model.carets.map { Selection(anchor: offset($0.anchor), head: offset($0.head)) }
                && driver.editor.selection == driver.editor.selections[model.main]
            guard isSame else {
                Issue.record("seed \(seed) step \(step): \(log)")
                return
            }
            if let edit = edits.first, random.chance(20) {
                var undone = driver.editor.buffer
                edit.inverse.apply(to: &undone)
                #expect(undone.string() == String(before))
            }
        }
        while driver.editor.undo() != nil {}
        #expect(driver.editor.buffer == editor.buffer)
        while driver.editor.redo() != nil {}
        #expect(driver.editor.buffer.string() == String(model.text))
    }

    @Test func `a thousand carets type together, and are undone together`() {
        let text = String(repeating: "some words of a line\n", count: 1_000)
        var editor = TextEditor(text: text, configuration: EditorConfiguration(now: { .zero }))
        editor.select(Selection(0..<4))
        #expect(editor.putCaretsAtAllMatches() == .added(999, isAll: true))
        for key in ["x", "y", "z"] { editor.type(key) }
        #expect(editor.selections.count == 1_000)
        #expect(editor.history.done.count == 1)
        #expect(editor.buffer.string(of: 999) == "xyz words of a line")
        _ = editor.undo()
        #expect(editor.buffer == TextBuffer(text))
    }
}
