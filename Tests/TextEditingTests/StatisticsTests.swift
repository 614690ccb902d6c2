import SeededRandom
import Testing

@testable import TextEditing

@Suite struct TextStatisticsTests {
    @Test(arguments: [
        ("", 0, 0), ("one two", 2, 7), ("don't stop, it’s 3.14!", 4, 22), ("漢字とカナ", 5, 5), ("한국어 단어", 2, 6),
        ("a\r\nb\n", 2, 2), ("e\u{301}te\u{301} 👩‍👩‍👧 🇫🇷🇩🇪", 1, 8), ("foo_bar x.y", 2, 11), ("नमस्ते दुनिया", 2, "नमस्ते दुनिया".count),
    ])
    func `words and characters are counted in every script`(text: String, words: Int, characters: Int) {
        let counts = TextStatistics(text)
        #expect(counts.words == words)
        #expect(counts.characters == characters)
    }

    @Test(arguments: [
        ("", 0), ("one two", 2), ("# one - two!", 2), ("日本語", 3), ("日本 abc語", 4), ("한국어 단어", 2), ("naïve café", 2),
        ("a\u{3000}b", 2), ("...", 0), ("well-known", 1), ("[one](https://example.org/a.b) **two**", 2), ("___ a", 1),
        ("- [ ] done", 1), ("- [x] two words", 2), ("[X]", 0), ("[x", 1), ("[x](a)", 1), ("[x]:", 1), ("a[x]", 1),
        ("*[x]*", 1), ("[x]漢", 2), ("[x漢", 2), ("[xy]", 1), ("[x]\n[x]", 0), ("x---", 1),
        ("--- ---", 0), ("3.14, 1,000", 2), ("カタカナと", 5),
    ])
    func `words stand between spaces, ideographs each for itself`(text: String, count: Int) {
        #expect(TextStatistics.wordCount(of: text) == count)
        #expect(TextStatistics(text).words == count)
    }

    @Test func `a change within a word counts it once`() {
        for (text, position, removed, inserted, words) in [
            ("abc---x y", 6, 1, "", 2), ("abc---x y", 6, 1, " x", 3), ("--- y", 3, 0, "x", 2),
            ("a- - -b", 1, 5, "", 1),
            ("漢---x", 6, 1, "", 1), ("___", 3, 0, "a", 1), ("a___b", 0, 1, "", 1),
        ] {
            var buffer = TextBuffer(text)
            var counts = TextStatistics(buffer)
            let edit = Edit(
                replacing: [(ByteOffset(position)..<ByteOffset(position + removed), inserted)], of: buffer)
            edit.apply(to: &buffer)
            counts.update(edit, in: buffer)
            #expect(counts.words == words, "\(text) to \(buffer.string())")
        }
    }

    @Test func `a rule of underlines is not a word whatever stands before it`() {
        for text in ["___", " ___", "👩___", "— ___", "👩 a_b"] {
            #expect(TextStatistics(TextBuffer(text)).words == (text.contains("a") ? 1 : 0), "\(text)")
        }
    }

    @Test func `counts that follow edits equal counts made anew`() {
        var random = SeededGenerator(seed: 7)
        let pieces = [
            "a", " ", "'", "b c", "漢", "e\u{301}", "\u{301}", "🇫🇷", "🇩", "\r", "\n", "\u{200D}", "👩", "1.", "5", "-",
            "__", "", "[x]", "x", "[", "]",
        ]
        var buffer = TextBuffer("some text to begin with")
        var counts = TextStatistics(buffer)
        for _ in 0..<1200 {
            var parts: [(range: Range<ByteOffset>, text: String)] = []
            var position = 0
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let start = Int.random(in: position...buffer.scalarCount, using: &random)
                let end = min(buffer.scalarCount, start + Int.random(in: 0...2, using: &random))
                let range = buffer.offset(ofScalar: start)..<buffer.offset(ofScalar: end)
                parts.append((range, random.pick(pieces)))
                position = end
            }
            let edit = Edit(replacing: parts, of: buffer)
            edit.apply(to: &buffer)
            counts.update(edit, in: buffer)
            #expect(counts == TextStatistics(buffer))
        }
    }

    /// Long ranges without a recognisable start of a word or character, with letters among them.
    private static let stretches = [
        String(repeating: "-", count: 3000), String(repeating: "🇫", count: 701),
        String(repeating: "\u{301}", count: 900),
        String(repeating: "👩\u{200D}", count: 500), String(repeating: "_", count: 2500),
        String(repeating: "…", count: 1200),
        "a", "b c", " ", "漢", "🇷", "\n", "",
    ]

    private func randomText(_ random: inout SeededGenerator) -> TextBuffer {
        TextBuffer((0..<12).map { _ in random.pick(Self.stretches) }.joined())
    }

    private func randomEdit(of buffer: TextBuffer, _ random: inout SeededGenerator) -> Edit {
        var parts: [(range: Range<ByteOffset>, text: String)] = []
        var position = 0
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let start = Int.random(in: position...buffer.scalarCount, using: &random)
            let end = min(buffer.scalarCount, start + random.pick([0, 0, 1, 2, 1500]))
            parts.append((buffer.offset(ofScalar: start)..<buffer.offset(ofScalar: end), random.pick(Self.stretches)))
            position = end
        }
        return Edit(replacing: parts, of: buffer)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `counts stay exact in kilobytes without a letter or a space`(seed: UInt64) {
        var random = SeededGenerator(seed: seed &* 1009)
        var buffer = randomText(&random)
        var counts = TextStatistics(buffer)
        for _ in 0..<40 {
            let edit = randomEdit(of: buffer, &random)
            edit.apply(to: &buffer)
            counts.update(edit, in: buffer)
            #expect(counts == TextStatistics(buffer))
        }
        #expect(counts.characters == buffer.string().count { !$0.isNewline })
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `counting in steps stays exact in kilobytes without a letter or a space`(seed: UInt64) {
        var random = SeededGenerator(seed: seed &* 2003)
        var buffer = randomText(&random)
        var counting = TextCounting()
        var counts: TextStatistics?
        for step in 0..<5000 where counts == nil {
            counts = counting.advance(in: buffer, bytes: 900)
            guard counts == nil, step % 5 == 0, step < 200 else { continue }
            let edit = randomEdit(of: buffer, &random)
            edit.apply(to: &buffer)
            counting.update(edit, in: buffer)
        }
        #expect(counts == TextStatistics(buffer))
    }

    @Test func `counts follow keys in a character of a megabyte without going through it`() {
        var buffer = TextBuffer("a" + String(repeating: "\u{301}", count: 500_000) + "b")
        var counts = TextStatistics(buffer)
        for inserted in ["\u{301}", "x", "\u{302}", " ", "é"] {
            let edit = Edit(replacing: 500_001..<500_001, of: buffer, with: inserted)
            edit.apply(to: &buffer)
            let end = counts.follow(edit, in: buffer)
            #expect(end < 700_000)
            #expect(counts == TextStatistics(buffer))
        }
    }

    @Test func `counting in small steps between edits comes to the same`() {
        var edits = RandomEdits(seed: 8)
        for round in 0..<6 {
            var buffer = TextBuffer(String(repeating: "some words, 漢字 and e\u{301}\n", count: 600))
            var counting = TextCounting()
            var counts: TextStatistics?
            for step in 0..<2000 where counts == nil {
                counts = counting.advance(in: buffer, bytes: 700)
                guard step % (round + 2) == 0 else { continue }
                let edit = edits.next(of: buffer, most: 1)
                edit.apply(to: &buffer)
                if counts == nil { counting.update(edit, in: buffer) } else { counts?.update(edit, in: buffer) }
            }
            #expect(counts == TextStatistics(buffer))
        }
    }

    @Test func `reading takes longer for more words`() {
        #expect(TextStatistics(String(repeating: "word ", count: 240)).readingTime == .seconds(60))
        #expect(TextStatistics(String(repeating: "漢", count: 450)).readingTime == .seconds(60))
    }
}
