import Load
import SeededRandom
import Testing

@testable import TextEditing

@Suite(.underLoad) struct FindTests {
    private func found(_ query: FindQuery, _ text: String) throws -> [String] {
        let buffer = TextBuffer(text)
        return try TextFinder(query).matches(in: buffer).map { buffer.string(in: $0) }
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
            #expect(try finder.replacing(buffer.end..<buffer.end, in: buffer, with: "y") == nil)
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
        let filler = String(repeating: "é", count: TextFinder.sliceSize / 2 - 3)
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

    private func replacing(_ pattern: String, with template: String, in text: String) throws -> String {
        let finder = try TextFinder(FindQuery(pattern, isRegularExpression: true))
        var buffer = TextBuffer(text)
        try Edit(finder.replacements(in: buffer, with: template)).apply(to: &buffer)
        return buffer.string()
    }

    @Test(arguments: [
        ("$2 $1", "lovelace ada, turing alan"), (#"\2 \1"#, "lovelace ada, turing alan"),
        (#"$2\t$1\$"#, "lovelace\tada$, turing\talan$"), (#"[\0]"#, "[ada lovelace], [alan turing]"),
        (#"$12"#, "ada2, alan2"),
    ])
    func `a template takes groups by a dollar sign or a backslash`(template: String, result: String) throws {
        #expect(try replacing(#"(\w+) (\w+)"#, with: template, in: "ada lovelace, alan turing") == result)
    }

    @Test(arguments: [
        ("$3", FindError.noSuchGroup(3, groups: 2)), (#"\3"#, .noSuchGroup(3, groups: 2)),
        (#"\q"#, .unknownEscape(#"\q"#)),
        (#"a\"#, .unknownEscape(#"\"#)),
    ])
    func `a template that means nothing is an error`(template: String, error: FindError) throws {
        #expect(throws: error) { try replacing(#"(a)(b)"#, with: template, in: "ab") }
        let finder = try TextFinder(FindQuery("(a)(b)", isRegularExpression: true))
        #expect(throws: error) { try finder.check(template: template) }
    }

    @Test func `a plain text is replaced by a plain text`() throws {
        let buffer = TextBuffer("a b")
        let replacements = try TextFinder(FindQuery("a")).replacements(in: buffer, with: #"$1\2"#)
        #expect(replacements.map(\.inserted) == [#"$1\2"#])
    }

    @Test func `one match is replaced by itself`() throws {
        let buffer = TextBuffer("ada lovelace, alan turing")
        let finder = try TextFinder(FindQuery(#"(\w+) (\w+)"#, isRegularExpression: true))
        #expect(try finder.replacing(14..<25, in: buffer, with: "$2 $1")?.replacements.first?.inserted == "turing alan")
        #expect(try finder.replacing(0..<3, in: buffer, with: "$2 $1") == nil)
    }

    // MARK: Whole texts

    @Test func `an expression matches as far as the text goes`() throws {
        let long = String(repeating: "some text\n", count: 13_000)
        #expect(try replacing("START[^#]*", with: "x", in: "a START \(long)# b") == "a x# b")
        #expect(try replacing(#"<!--[\s\S]*?-->"#, with: "", in: "a <!-- \(long) --> b") == "a  b")
        let lookedBack = try found(
            FindQuery("(?<=x.{0,900})needle", isRegularExpression: true),
            "x" + String(repeating: "y", count: 800) + "needle")
        #expect(lookedBack == ["needle"])
    }

    @Test func `empty matches count, each line once`() throws {
        #expect(try replacing("^", with: "> ", in: "a\n\nb\n") == "> a\n> \n> b\n")
        #expect(try replacing("$", with: "!", in: "a\n\nb\n") == "a!\n!\nb!\n")
        #expect(try replacing("$", with: "!", in: "a\r\nb") == "a!\r\nb!")
        #expect(try replacing("^", with: "> ", in: "a\r\nb") == "> a\r\n> b")
        #expect(try replacing(".*", with: "x", in: "abc\nd") == "x\nx")
        #expect(try replacing("\\z", with: "end", in: "abc\n") == "abc\nend")
        #expect(try replacing("(?=b)", with: "-", in: "abab") == "a-ba-b")
    }

    @Test func `a line end is one thing to an expression, however it is written`() throws {
        #expect(try found(FindQuery("a\\nb", isRegularExpression: true), "a\r\nb a\nb") == ["a\r\nb", "a\nb"])
        #expect(try replacing("\\n\\n+", with: "\\n", in: "a\r\n\r\n\r\nb") == "a\nb")
        #expect(try replacing("\\r", with: "", in: "a\r\nb") == "a\nb")
        #expect(try found(FindQuery("[^\\n]+", isRegularExpression: true), "ab\ncd") == ["ab", "cd"])
    }

    @Test(arguments: ["(a+)+$", #"(\w+\s?)*:"#])
    func `an expression that would take years ends, told why`(pattern: String) throws {
        let finder = try TextFinder(FindQuery(pattern, isRegularExpression: true))
        let buffer = TextBuffer(
            "first:\n" + String(repeating: "aaaaaaaaaa ", count: 4) + String(repeating: "a", count: 40) + "b")
        let results = FindResults(finder).searched(in: buffer, budget: SearchBudget(computing: .milliseconds(5)))
        #expect(results.problem == .tooSlow(.milliseconds(5)))
        #expect(results.isComplete)
        #expect(throws: FindError.cancelled) { try finder.matches(in: buffer, budget: SearchBudget { false }) }
    }

    @Test func `an expression that needs too much memory says so`() throws {
        let text = "<!--" + String(repeating: "abc\n", count: 400_000) + "-->"
        let finder = try TextFinder(FindQuery(#"<!--(.|\n)*?-->"#, isRegularExpression: true))
        #expect(throws: FindError.tooComplex) { try finder.matches(in: TextBuffer(text)) }
    }

    // MARK: Characters

    @Test(arguments: [
        ("ΟΔΟΣ", "οδος οδοσ ΟΔΟΣ", 3), ("μm", "µm μm", 2), ("ﬁsh", "fish FISH", 2),
        ("strasse", "Straße STRASSE STRAẞE", 3),
        ("straße", "strasse", 1), ("s", "ß", 0), ("istanbul", "İstanbul I\u{307}stanbul ISTANBUL ıstanbul", 4),
        ("IŞIK", "ışık işik", 2), ("ỗ", "o\u{302}\u{303} ô\u{303} Ỗ", 3), ("q\u{323}\u{307}", "q\u{307}\u{323}", 1),
        ("한국", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}", 1), ("が", "か\u{3099} か", 1), ("ﷺ", "a ﷺ", 1),
        ("å", "\u{212B} A\u{30A} Å", 3),
    ])
    func `characters match in every form`(pattern: String, text: String, count: Int) throws {
        let matches = try found(FindQuery(pattern), text)
        #expect(matches.count == count)
    }

    @Test func `with case, composed and decomposed forms match, and whole characters only`() throws {
        #expect(try found(FindQuery("é", isCaseSensitive: true), "e\u{301} É é").count == 2)
        #expect(try found(FindQuery("e", isCaseSensitive: true), "e\u{301} e").count == 1)
        #expect(try found(FindQuery("👩"), "👩‍👩‍👧 👩").count == 1)
    }

    /// Tests that every scalar is found in its own, folded and decomposed form, as the exact match.
    @Test func `every scalar that folding or decomposing changes is found as a whole`() throws {
        for value in UInt32(0x80)..<0x323B0 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let folded = TextFolding.ignoringCase.fold(scalar)
            let isSyllable = (0xAC00...0xD7A3).contains(value)
            guard folded != [value], !isSyllable || value % 101 == 0 else { continue }
            let text = "a-\(scalar)-b"
            // A combining mark is not a separate character.
            guard text.count == 5 else { continue }
            let other = String(String.UnicodeScalarView(folded.compactMap(Unicode.Scalar.init)))
            let buffer = TextBuffer(text)
            let whole: [Range<ByteOffset>] = [ByteOffset(2)..<ByteOffset(2 + String(scalar).utf8.count)]
            for pattern in [String(scalar), other] {
                let finder = try TextFinder(FindQuery(pattern))
                let matches = try finder.matches(in: buffer)
                if matches != whole { Issue.record("\(String(value, radix: 16)) by \(pattern): \(matches)") }
            }
        }
    }

    @Test(arguments: [
        FindQuery("ab"), FindQuery("aB", isCaseSensitive: true), FindQuery("a", isWholeWord: true),
        FindQuery("é"),
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
            #expect(try results.matches == finder.matches(in: buffer))
        }
    }

    @Test func `after an edit of megabytes the search goes on from the start, a step at a time`() throws {
        let finder = try TextFinder(FindQuery("x"))
        var buffer = TextBuffer(String(repeating: "x y ", count: 1 << 19))
        var results = FindResults(finder)
        while !results.advance(in: buffer) {}
        let edit = Edit(try finder.replacements(in: buffer, with: "z x"))
        edit.apply(to: &buffer)
        results.update(edit, in: buffer)
        #expect(!results.isComplete)
        while !results.advance(in: buffer) {}
        #expect(results.matches.count == FindResults.limit && results.isCut)
    }

    @Test func `the matches of an expression move with edits until all are found anew`() throws {
        let finder = try TextFinder(FindQuery("x+", isRegularExpression: true))
        var buffer = TextBuffer("x xx xxx")
        var results = FindResults(finder).searched(in: buffer, budget: SearchBudget())
        #expect(results.matches == [0..<1, 2..<4, 5..<8] && results.isComplete)
        let edit = Edit(replacing: 3..<3, of: buffer, with: "-")
        edit.apply(to: &buffer)
        results.update(edit, in: buffer)
        #expect(results.matches == [0..<1, 6..<9] && !results.isComplete)
        results = results.searched(in: buffer, budget: SearchBudget())
        #expect(results.matches == [0..<1, 2..<3, 4..<5, 6..<9])
    }

    @Test func `an empty match is left for the next one`() throws {
        let buffer = TextBuffer("a\nb\nc")
        let finder = try TextFinder(FindQuery("^", isRegularExpression: true))
        let results = FindResults(finder).searched(in: buffer, budget: SearchBudget())
        #expect(results.next(from: 2, in: buffer) == .match(2..<2))
        #expect(results.next(from: 2, in: buffer, leaving: 2..<2) == .match(4..<4))
        #expect(results.previous(before: 2, in: buffer, leaving: 2..<2) == .match(0..<0))
        #expect(results.next(from: 4, in: buffer, leaving: 4..<4) == .match(0..<0))
    }

    /// Tests that, however much has been searched, an answer equals that of a search of the whole text.
    @Test func `the next match and the one before are known, or not yet known, but never wrong`() throws {
        var random = SeededGenerator(seed: 51)
        let finder = try TextFinder(FindQuery("needle"))
        let filler = String(repeating: "hay ", count: 300 << 10)
        let text = (0..<9).map { _ in random.pick(["needle ", "", "needle needle"]) + filler }.joined()
        let buffer = TextBuffer(text)
        var results = FindResults(finder)
        var isDone = false
        while !isDone {
            for _ in 0..<20 {
                let position = ByteOffset(Int.random(in: 0...buffer.utf8Count, using: &random))
                let (next, previous) = (
                    results.next(from: position, in: buffer), results.previous(before: position, in: buffer)
                )
                let expected = (finder.next(from: position, in: buffer), finder.previous(before: position, in: buffer))
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
        let results = FindResults(try TextFinder(FindQuery("x"))).searched(in: buffer, budget: SearchBudget())
        #expect(results.matches.count == 3)
        #expect(results.index(from: 2) == 1)
        #expect(results.index(from: 5) == 0)
        #expect(results.matches(in: 1..<3).count == 1)
    }
}
