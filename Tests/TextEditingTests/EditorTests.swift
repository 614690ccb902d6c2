import Testing

@testable import TextEditing

@Suite struct MotionTests {
    @Test func `characters are grapheme clusters`() {
        expect("|e\u{301}👩‍👩‍👧🇫🇷x", "<right><right><right>", "e\u{301}👩‍👩‍👧🇫🇷|x")
        expect("👩‍👩‍👧|", "<left>", "|👩‍👩‍👧")
        expect("🇫🇷🇩🇪|", "<left>", "🇫🇷|🇩🇪")
        expect("a|\r\nb", "<right>", "a\r\n|b")
        expect("a\r\n|b", "<left>", "a|\r\nb")
    }

    @Test func `words end where letters and numbers do`() {
        expect("|don't stop", "<c-right>", "don't| stop")
        expect("|3.14 km", "<c-right>", "3.14| km")
        expect("one, two|", "<c-left>", "one, |two")
        expect("foo.bar|", "<c-left>", "foo.|bar")
        expect("it’s|", "<c-left>", "|it’s")
        expect("|naïve café", "<c-right><c-right>", "naïve café|")
    }

    @Test func `words of Chinese and Japanese are runs of one script`() {
        expect("|東京タワーへ行く", "<c-right>", "東京|タワーへ行く")
        expect("東京タワーへ|行く", "<c-left><c-left>", "東京|タワーへ行く")
        expect("|한국어 단어", "<c-right>", "한국어| 단어")
    }

    @Test func `the column is remembered over short lines`() {
        expect("long li|ne\nab\nlong line", "<down><down>", "long line\nab\nlong li|ne")
        expect("漢字漢|字\nabcdefgh", "<down>", "漢字漢字\nabcdef|gh")
        expect("ab\nlong li|ne", "<up><left><down>", "ab\nl|ong line")
    }

    @Test func `up and down move by rows of the screen`() {
        expect("o|ne two three four", "<down>", "one two t|hree four", columns: 8)
        expect("one two t|hree four", "<rowhome>", "one two |three four", columns: 8)
        expect("|one two three four", "<rowend>", "one two| three four", columns: 8)
        expect("one two |three four", "<s-rowend>", "one two ^three| four", columns: 8)
        expect("ab|c", "<up>", "|abc")
        expect("a|bc", "<down>", "abc|")
    }

    /// Tests that every motion with Shift moves the caret to the same position and keeps the anchor.
    @Test func `shift extends each motion`() {
        let text = "# One 漢字\n\ntwo three four five six |seven eight\r\nnine\n\n  ten e\u{301}leven\nend"
        for name in EditorDriver.motions.keys.sorted() {
            var (plain, shifted) = (EditorDriver(text, columns: 12), EditorDriver(text, columns: 12))
            let anchor = plain.editor.caret
            plain.press("<\(name)><\(name)>")
            shifted.press("<s-\(name)><s-\(name)>")
            #expect(shifted.editor.caret == plain.editor.caret, "\(name)")
            #expect(shifted.editor.selection.anchor == anchor && plain.editor.caret != anchor, "\(name)")
            shifted.press("<s-left><s-right>")
            #expect(shifted.editor.selection.anchor == anchor, "\(name)")
        }
    }

    @Test func `shift selects and a plain arrow leaves at the selection's end`() {
        expect("a|bcd", "<s-right><s-right>", "a^bc|d")
        expect("a^bc|d", "<left>", "a|bcd")
        expect("a^bc|d", "<right>", "abc|d")
        expect("a|bc^d", "<s-left>", "|abc^d")
        expect("one two|", "<s-c-left>", "one |two^")
    }

    @Test func `paragraphs, pages and lines`() {
        expect("o|ne\ntwo\n\nthree", "<c-down>", "one\ntwo\n|\nthree")
        expect("one\n\ntwo\nth|ree", "<c-up>", "one\n|\ntwo\nthree")
        expect("1|\n2\n3\n4\n5", "<pgdn>", "1\n2\n3\n4|\n5")
        expect("  in|dent", "<smarthome>", "  |indent")
        expect("  |indent", "<smarthome>", "|  indent")
        expect("a|b\r\nc", "<end>", "ab|\r\nc")
    }

    @Test func `a double-click selects a word, a triple-click a line, and a drag extends by them`() {
        var driver = EditorDriver("one two three\nfour|")
        driver.editor.select(.word, at: 5)
        #expect(CursorNotation.of(driver.editor) == "one ^two| three\nfour")
        driver.editor.extend(by: .word, to: 10)
        #expect(CursorNotation.of(driver.editor) == "one ^two three|\nfour")
        driver.editor.extend(by: .word, to: 1)
        #expect(CursorNotation.of(driver.editor) == "|one two^ three\nfour")
        driver.editor.select(.line, at: 5)
        #expect(CursorNotation.of(driver.editor) == "^one two three\n|four")
        driver.editor.select(.paragraph, at: 5)
        #expect(CursorNotation.of(driver.editor) == "^one two three\nfour|")
    }
}

@Suite struct CommandTests {
    @Test func `deleting by character, word and line`() {
        expect("ae\u{301}|b", "<bs>", "a|b")
        expect("a|👩‍👩‍👧b", "<del>", "a|b")
        expect("one two|", "<c-w>", "one |")
        expect("one\n|two", "<c-w>", "one|two")
        expect("one\n  |two", "<c-w>", "one\n|two")
        expect("|one two", "<a-d>", "| two")
        expect("one t|wo\nx", "<c-u>", "|wo\nx")
        expect("one t|wo\nx", "<c-k><c-k>", "one t|x")
        expect("a^bc|d", "<bs>", "a|d")
        expect("|", "<bs><del><c-w><c-k><c-u><a-d>", "|")
    }

    @Test func `a new line keeps the indent and the kind of line break`() {
        expect("  one|", "<enter>", "  one\n  |")
        expect("a\r\nb|", "<enter>", "a\r\nb\r\n|")
        expect(" |  x", "<enter>", " \n |  x")
    }

    @Test func `tabs go to the next stop and indent several lines`() {
        expect("a|", "<tab>", "a   |")
        expect("漢|", "<tab>", "漢  |")
        expect("^a\n\nb|", "<tab>", "    ^a\n\n    b|")
        expect("^    a\n\tb\n c|", "<s-tab>", "^a\nb\nc|")
        expect("a|", "<tab>", "a\t|", configuration: EditorConfiguration(softTabs: false))
    }

    @Test func `lines move up and down with their selection`() {
        expect("a\nb|c\nd", "<a-up>", "b|c\na\nd")
        expect("a|\nbc", "<a-down>", "bc\na|")
        expect("a\n^b\nc|\nd", "<a-down>", "a\nd\n^b\nc|")
        expect("a|\r\nb\n", "<a-down>", "b\r\na|\n")
        expect("a|", "<a-up><a-down>", "a|")
    }

    @Test func `duplicate, join, delete lines`() {
        expect("on|e\ntwo", "<duplicate>", "one\non|e\ntwo")
        expect("a^bc|d", "<duplicate>", "abc^bc|d")
        expect("one|  \n   two\nx", "<join>", "one |two\nx")
        expect("^a\n\nb\nc|", "<join>", "^ab c|")
        expect("a\nb|\nc", "<deleteline>", "a\n|c")
        expect("a\nb|", "<deleteline>", "a|")
    }

    @Test func `sort, trim, case, transpose`() {
        expect("^b\nA\na\nC|", "<sort>", "^A\na\nb\nC|")
        expect("|b\nA\n\nc\na\n", "<sort>", "|\nA\na\nb\nc\n")
        expect("^b\r\na\nc|\r\n", "<sort>", "^a\r\nb\nc|\r\n")
        for (before, start, after) in [
            ("c\nb\na\n", 1, "c\na\nb\n"), ("c\nb\n", 1, "c\nb\n"), ("b\n", 1, "b\n"), ("b\na", 2, "b\na"),
        ] {
            var editor = TextEditor(text: before)
            editor.sortLines(from: LineNumber(start))
            #expect(editor.buffer.string() == after)
        }
        expect("a  \n b\t\n|c", "<trim>", "a\n b\n|c")
        expect("x stra|ße y", "<upper>", "x STRASSE| y")
        expect("^ONE two|", "<title>", "^One Two|")
        expect("ÉA|", "<lower>", "éa|")
        expect("ab|cd", "<transpose>", "acb|d")
        expect("abcd|", "<transpose>", "abdc|")
        expect("a|", "<transpose>", "a|")
    }

    @Test func `cut, copy and paste of selections and of whole lines`() {
        expect("a^bc|d", "<c-x><end><c-v>", "adbc|")
        expect("one\ntw|o\nthree", "<c-x><c-v>", "one\ntwo\n|three")
        expect("one\ntw|o", "<c-c><c-v>", "one\ntwo\ntw|o")
        expect("^ab|", "<c-c><right><c-v><c-v>", "ababab|")
    }

    @Test func `marks typed over a selection wrap it`() {
        expect("a ^b|", "*", "a *^b|*")
        expect("a |b^", "[", "a [|b^]")
        expect("a ^b|", "x", "a x|")
    }

    @Test func `pairs never fight the typist`() {
        let pairs = EditorConfiguration(autoPairs: true, now: { .zero })
        expect("|", "(", "(|)", configuration: pairs)
        expect("|", "(a)b", "(a)b|", configuration: pairs)
        expect("|", "(<bs>", "|", configuration: pairs)
        expect("|", "(a<bs><bs>", "|", configuration: pairs)
        expect("|word", "(", "(|word", configuration: pairs)
        expect("don|", "\"", "don\"|", configuration: pairs)
        expect("(|)", ")", "()|)", configuration: pairs)
        expect("|", "([{x}])", "([{x}])|", configuration: pairs)
        expect("|", "([<bs><bs>", "|", configuration: pairs)
        expect("|", "f(\"a\", `b`)", "f(\"a\", `b`)|", configuration: pairs)
        expect("|", "(<c-z>", "|", configuration: pairs)
        expect("|", "(ab<left>)", "(a)|b)", configuration: pairs)
        expect("(a|)", "<bs>", "(|)", configuration: pairs)
        expect("(|)", "<bs>", "|)", configuration: pairs)
        expect("|", "(", "(|")
    }
}
