import SeededRandom
import Testing

@testable import TextEditing

@Suite struct FindTests {
    private func found(_ query: FindQuery, _ text: String) throws -> [String] {
        let buffer = TextBuffer(text)
        return try TextFinder(query).matches(in: buffer, within: buffer.range).map { buffer.string(in: $0) }
    }

    @Test func `a plain text is found in any case unless case counts`() throws {
        #expect(try found(FindQuery("fox"), "Fox fox FOX") == ["Fox", "fox", "FOX"])
        #expect(try found(FindQuery("fox", isCaseSensitive: true), "Fox fox FOX") == ["fox"])
        #expect(try found(FindQuery("straße ÉTÉ"), "STRAßE été") == ["STRAßE été"])
        #expect(try found(FindQuery("ЖУК"), "жук Жук") == ["жук", "Жук"])
        #expect(try found(FindQuery("k"), "k K \u{212A}") == ["k", "K", "\u{212A}"])
        #expect(try found(FindQuery("漢"), "漢字漢") == ["漢", "漢"])
    }

    @Test func `whole words are not parts of words`() throws {
        #expect(try found(FindQuery("an", isWholeWord: true), "an ant an. plan") == ["an", "an"])
        #expect(try found(FindQuery("漢", isWholeWord: true), "漢字") == ["漢"])
    }

    @Test func `a match that cuts a word leaves its text to the next one`() throws {
        for isCaseSensitive in [true, false] {
            let query = FindQuery("a a", isCaseSensitive: isCaseSensitive, isWholeWord: true)
            #expect(try found(query, "ba a a") == ["a a"])
        }
    }

    @Test func `a letter is not found inside of a character with marks`() throws {
        #expect(try found(FindQuery("e"), "e\u{301} e") == ["e"])
    }

    @Test(arguments: [false, true])
    func `nothing is replaced at the end of a text, where nothing matches`(isRegularExpression: Bool) throws {
        let finder = try TextFinder(FindQuery("x", isRegularExpression: isRegularExpression))
        for text in ["", "one x", "世界"] {
            let buffer = TextBuffer(text)
            #expect(finder.replacing(buffer.end..<buffer.end, in: buffer, with: "y") == nil)
        }
    }

    @Test func `matches do not overlap`() throws {
        #expect(try found(FindQuery("aa"), "aaaaa").count == 2)
    }

    @Test func `expressions match at lines and over them`() throws {
        #expect(try found(FindQuery("^b.*$", isRegularExpression: true), "ab\nbc é\nb") == ["bc é", "b"])
        #expect(try found(FindQuery("a\\nb", isRegularExpression: true), "a\nb") == ["a\nb"])
        #expect(try found(FindQuery("(?<=é )x", isRegularExpression: true), "é x x") == ["x"])
        #expect(throws: FindError.invalidExpression(pattern: "(")) {
            try TextFinder(FindQuery("(", isRegularExpression: true))
        }
        #expect(throws: FindError.emptyPattern) { try TextFinder(FindQuery("")) }
    }

    @Test func `matches at the edges of windows are found once`() throws {
        let filler = String(repeating: "é", count: TextFinder.window / 2 - 3)
        let text = filler + "needle" + filler + "NEEDLE" + filler + "needle"
        for query in [
            FindQuery("needle"), FindQuery("needle", isRegularExpression: true),
        ] {
            #expect(try found(query, text).count == 3)
        }
        #expect(try found(FindQuery("needle", isCaseSensitive: true), text).count == 2)
    }

    @Test func `next and previous go around the text's ends`() throws {
        let buffer = TextBuffer("x one x two x")
        let finder = try TextFinder(FindQuery("x"))
        #expect(finder.next(from: 1, in: buffer) == 6..<7)
        #expect(finder.next(from: 13, in: buffer) == 0..<1)
        #expect(finder.previous(before: 6, in: buffer) == 0..<1)
        #expect(finder.previous(before: 0, in: buffer) == 12..<13)
    }

    @Test func `replacing with groups, one or all, is one step`() throws {
        var editor = TextEditor(text: "ada lovelace, alan turing")
        let finder = try TextFinder(FindQuery(#"(\w+) (\w+)"#, isRegularExpression: true))
        editor.selectNext(finder)
        #expect(editor.selectedText == "ada lovelace")
        editor.replaceMatch(finder, with: "$2 $1")
        #expect(CursorNotation.of(editor) == "lovelace ada, ^alan turing|")
        _ = editor.undo()
        editor.replaceAll(finder, with: #"$2\t$1\$"#)
        #expect(editor.buffer.string() == "lovelace\tada$, turing\talan$")
        _ = editor.undo()
        #expect(editor.buffer.string() == "ada lovelace, alan turing")
        let plain = try TextFinder(FindQuery("a"))
        editor.replaceAll(plain, within: 0..<12, with: "$1")
        #expect(editor.buffer.string() == "$1d$1 lovel$1ce, alan turing")
    }

    @Test(arguments: [
        FindQuery("ab"), FindQuery("aB", isCaseSensitive: true), FindQuery("a", isWholeWord: true),
        FindQuery("a+b", isRegularExpression: true), FindQuery("é"),
    ])
    func `results that follow edits equal results found anew`(query: FindQuery) throws {
        var random = SeededGenerator(seed: 31)
        let finder = try TextFinder(query)
        let pieces = ["a", "b", "aB", " ", "é", "É", "\n", "", "\u{301}"]
        var buffer = TextBuffer((0..<300).map { _ in random.pick(pieces) }.joined())
        var results = FindResults(finder)
        while !results.advance(in: buffer, bytes: 64) {}
        for _ in 0..<300 {
            let start = Int.random(in: 0...buffer.scalarCount, using: &random)
            let end = min(buffer.scalarCount, start + Int.random(in: 0...4, using: &random))
            let edit = Edit(
                replacing: buffer.offset(ofScalar: start)..<buffer.offset(ofScalar: end), of: buffer,
                with: random.pick(pieces))
            edit.apply(to: &buffer)
            results.update(edit, in: buffer)
            while !results.advance(in: buffer, bytes: 64) {}
            #expect(results.matches == finder.matches(in: buffer, within: buffer.range))
        }
    }

    @Test func `after an edit of megabytes the search goes on from the start, a step at a time`() throws {
        let finder = try TextFinder(FindQuery("x", isRegularExpression: true))
        var buffer = TextBuffer(String(repeating: "x y ", count: 64 << 10))
        var results = try #require(FindResults.all(finder, in: buffer))
        let edit = finder.replacingAll(in: buffer, with: "z x")
        edit.apply(to: &buffer)
        results.update(edit, in: buffer)
        #expect(!results.isComplete)
        while !results.advance(in: buffer) {}
        #expect(results.matches.count == 64 << 10)
        #expect(results.matches == finder.matches(in: buffer, within: buffer.range))
    }

    /// Whatever has been searched so far, what is answered is what a search of the whole text finds.
    @Test func `the next match and the one before are known, or not yet known, but never wrong`() throws {
        var random = SeededGenerator(seed: 51)
        let finder = try TextFinder(FindQuery("needle", isRegularExpression: true))
        let filler = String(repeating: "hay ", count: 9 << 10)
        let text = (0..<9).map { _ in random.pick(["needle ", "", "needle needle"]) + filler }.joined()
        let buffer = TextBuffer(text)
        var results = FindResults(finder)
        var isDone = false
        while !isDone {
            for _ in 0..<20 {
                let place = ByteOffset(Int.random(in: 0...buffer.utf8Count, using: &random))
                let (next, previous) = (
                    results.next(from: place, in: buffer), results.previous(before: place, in: buffer)
                )
                let expected = (finder.next(from: place, in: buffer), finder.previous(before: place, in: buffer))
                #expect(next == .unknown || next == expected.0.map { .match($0) } ?? .nowhere)
                #expect(previous == .unknown || previous == expected.1.map { .match($0) } ?? .nowhere)
                if isDone { #expect(next != .unknown && previous != .unknown) }
            }
            isDone = results.isComplete
            _ = results.advance(in: buffer)
        }
    }

    @Test func `n of m counts from the match at the caret`() throws {
        let buffer = TextBuffer("x x x")
        let results = FindResults.all(try TextFinder(FindQuery("x")), in: buffer)
        #expect(results?.matches.count == 3)
        #expect(results?.index(from: 2) == 1)
        #expect(results?.index(from: 5) == 0)
        #expect(results?.matches(in: 1..<3).count == 1)
        #expect(
            FindResults.all(
                try TextFinder(FindQuery("x")), in: TextBuffer(String(repeating: "y", count: 1 << 20)),
                isCancelled: { true }) == nil)
    }
}
