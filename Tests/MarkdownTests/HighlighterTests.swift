import SeededRandom
import Testing

@testable import Markdown

@Suite struct HighlighterTests {
    @Test func `markers are told from what they style`() {
        #expect(
            highlighted("a *b* **c** ***d***") == [
                "a m+em(*)em(b)m+em(*) m+strong(**)strong(c)m+strong(**) m+em(*)m+em+strong(**)em+strong(d)m+em+strong(**)m+em(*)"
            ])
        #expect(
            highlighted("`x` ~~y~~ ==z==") == [
                "m+code(`)code(x)m+code(`) m+del(~~)del(y)m+del(~~) m+mark(==)mark(z)m+mark(==)"
            ])
    }

    @Test func `edits of many lines look at as many unknown lines as there are edits, not at its square`() {
        func work(_ count: Int, withCount newCount: Int) -> Int {
            var lines = StringLines(String(repeating: "word\n\n\n\n", count: count))
            var highlighter = MarkdownHighlighter()
            highlighter.reset(lines)
            while !highlighter.advance(lines, byteBudget: 100_000) {}
            let before = highlighter.staleWork
            for index in (0..<count).reversed() {
                highlighter.replace(lines: 4 * index..<4 * index + 1, withCount: newCount)
            }
            lines = StringLines(String(repeating: newCount == 1 ? "words\n\n\n\n" : "wo\nrd\n\n\n\n", count: count))
            let work = highlighter.staleWork - before
            while !highlighter.advance(lines, byteBudget: 100_000) {}
            var fresh = MarkdownHighlighter()
            fresh.reset(lines)
            while !fresh.advance(lines, byteBudget: 100_000) {}
            for line in 0..<lines.lineCount {
                #expect(highlighter.spans(ofLine: line, in: lines) == fresh.spans(ofLine: line, in: lines))
            }
            return work
        }
        #expect(work(200, withCount: 1) <= 3 * 200)
        _ = work(100, withCount: 2)
    }

    @Test func `headings of both forms`() {
        #expect(highlighted("## a *b* ##") == ["m+h2(## )h2(a )m+em+h2(*)em+h2(b)m+em+h2(*)m+h2( ##)"])
        #expect(highlighted("a\nb\n===") == ["h1(a)", "h1(b)", "m+h1(===)"])
    }

    @Test func `links and images`() {
        #expect(
            highlighted("[a](b) ![c](d)") == [
                "m+link([)link(a)m+link(]()link+target(b)m+link()) m+link+image(![)link+image(c)m+link+image(]()link+target+image(d)m+link+image())"
            ])
        #expect(
            highlighted("[a]\n\n[a]: b \"t\"") == [
                "m+link([)link(a)m+link(])", "", "m+def([)def(a)m+def(]:) target(b \"t\")",
            ])
        #expect(highlighted("[a] is none") == ["[a] is none"])
        #expect(
            highlighted("[[Note|n]] #tag https://x.org") == [
                "m+link+wiki([[)link+target+wiki(Note)m+link+wiki(|)link+wiki(n)m+link+wiki(]]) tag(#tag) link(https://x.org)"
            ])
    }

    @Test func `lists, tasks and quotes`() {
        #expect(highlighted("- [x] a\n> 1. b") == ["m+list(-) m+task+done([x]) a", "m+quote(>) m+list(1.) b"])
    }

    @Test func `fences are coloured by their language`() {
        #expect(
            highlighted("```swift\nlet x = 1 // one\n```") == [
                "m+pre(```)pre+info(swift)", "pre+keyword(let)pre( x = )pre+number(1)pre( )pre+comment(// one)",
                "m+pre(```)",
            ])
        #expect(highlighted("```c\n/* a\nint */ int\n```")[2] == "pre+comment(int */)pre( )pre+keyword(int)")
    }

    @Test func `tables, rules and front matter`() {
        #expect(
            highlighted("---\ntitle: T\n---\n| a | b |\n|---|---|\n| *c* | d |\n\n***") == [
                "m+front(---)", "front+name(title)m+front(:)front( T)", "m+front(---)",
                "m+table(|) table(a) m+table(|) table(b) m+table(|)", "m+table(|---|---|)",
                "m+table(|) m+em+table(*)em+table(c)m+em+table(*) m+table(|) table(d) m+table(|)", "", "m+rule(***)",
            ])
    }

    @Test func `blank lines are in indented code if it goes on after them`() {
        func blocks(_ text: String) -> [BlockKind] {
            let lines = StringLines(text)
            var highlighter = MarkdownHighlighter()
            highlighter.reset(lines)
            return (0..<lines.lineCount).map { highlighter.spans(ofLine: $0, in: lines).block }
        }
        #expect(blocks("    a\n\n      \n    b\n\n\nc") == [.code, .code, .code, .code, .blank, .blank, .paragraph])
        #expect(blocks("    a\n\n") == [.code, .blank, .blank])
        #expect(blocks("-     a\n\n      b\n\n  c") == [.code, .code, .code, .blank, .paragraph])
        #expect(blocks(">     a\n>\n\n    b") == [.code, .blank, .blank, .code])
    }

    @Test func `an emphasis may go over lines and containers`() {
        #expect(highlighted("> *a\n> b* c") == ["m+quote(>) m+em(*)em(a)", "m+quote(>) em(b)m+em(*) c"])
    }

    @Test(arguments: 0..<100) func `editing gives what reading anew gives`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        Self.checkEditing(&generator, seed: seed, line: Self.line)
    }

    /// Edits lines at random, and expects for each line the result of a highlighter that starts from nothing.
    static func checkEditing(
        _ generator: inout SeededGenerator, seed: Int, line makeLine: (inout SeededGenerator) -> String
    ) {
        var model = (0..<30).map { _ in makeLine(&generator) }
        var source = StringLines(model.joined(separator: "\n"))
        var highlighter = MarkdownHighlighter()
        highlighter.reset(source)
        highlighter.checkInvariants(source)
        highlighter.lookbehind = Int.random(in: 1...40, using: &generator)
        // What each stamp has stood for.
        var stamped: [Int: (text: String, highlight: LineHighlight)] = [:]
        for step in 0..<60 {
            let lower = Int.random(in: 0...model.count - 1, using: &generator)
            let upper = min(model.count, lower + Int.random(in: 1...3, using: &generator))
            var new = (0..<Int.random(in: 0...3, using: &generator)).map { _ in makeLine(&generator) }
            if new.isEmpty, upper - lower == model.count { new = [""] }
            model.replaceSubrange(lower..<upper, with: new)
            source = StringLines(model.joined(separator: "\n"))
            highlighter.replace(lines: lower..<upper, withCount: new.count)
            highlighter.checkInvariants(source)
            // Sometimes several edits accumulate before the next request.
            if Int.random(in: 0..<3, using: &generator) == 0 { continue }
            if Bool.random(using: &generator) {
                let line = Int.random(in: 0..<model.count, using: &generator)
                _ = highlighter.spans(ofLine: line, in: source)
                highlighter.checkInvariants(source)
            }
            while !highlighter.advance(source, byteBudget: 50) { highlighter.checkInvariants(source) }
            highlighter.checkInvariants(source)
            var anew = MarkdownHighlighter()
            anew.reset(source)
            _ = anew.advance(source, byteBudget: .max)
            for line in 0..<model.count {
                let kept = highlighter.spans(ofLine: line, in: source)
                let fresh = anew.spans(ofLine: line, in: source)
                guard kept == fresh else {
                    Issue.record(
                        "seed \(seed) step \(step) line \(line): \(notation(kept, of: model[line])) | \(notation(fresh, of: model[line])) in\n\(model.joined(separator: "\n"))"
                    )
                    return
                }
                guard let stamp = highlighter.stamp(ofLine: line) else { continue }
                let first = stamped[stamp] ?? (model[line], kept)
                stamped[stamp] = first
                guard first == (model[line], kept) else {
                    Issue.record("seed \(seed) step \(step) line \(line): the stamp of another line")
                    return
                }
            }
        }
    }

    @Test func `the lines of a paragraph that an edit leaves as they look keep their stamps`() throws {
        var model = ["a *b", "c", "d* e", "f", ""]
        var highlighter = MarkdownHighlighter()
        highlighter.reset(StringLines(model.joined(separator: "\n")))
        func stamps() throws -> [Int] {
            let source = StringLines(model.joined(separator: "\n"))
            return try (0..<model.count).map { line in
                _ = highlighter.spans(ofLine: line, in: source)
                let stamp = highlighter.stamp(ofLine: line)
                return try #require(stamp)
            }
        }
        var before = try stamps()
        func kept() throws -> [Bool] {
            let now = try stamps()
            defer { before = now }
            return now.map(before.contains)
        }
        model[3] = "fg"
        highlighter.replace(lines: 3..<4, withCount: 1)
        #expect(try kept() == [true, true, true, false, true])
        // The emphasis ends two lines further down.
        model[2] = "d e"
        highlighter.replace(lines: 2..<3, withCount: 1)
        #expect(try kept() == [false, false, false, true, true])
        model[2] = "d* e"
        highlighter.replace(lines: 2..<3, withCount: 1)
        #expect(try kept() == [false, false, false, true, true])
        // A new line above moves the others, and they look the same.
        model.insert("z", at: 0)
        highlighter.replace(lines: 0..<1, withCount: 2)
        #expect(try kept() == [false, false, true, true, true, true])
        // Twice without a request in between.
        model[3] = "d* ee"
        highlighter.replace(lines: 3..<4, withCount: 1)
        model.remove(at: 0)
        highlighter.replace(lines: 0..<1, withCount: 0)
        #expect(try kept().last == true)
    }

    /// Tests that paragraphs of definitions are recorded one definition at a time while they are read.
    @Test(arguments: 0..<150) func `editing definitions gives the labels that the document has`(seed: UInt64) {
        var random = SeededGenerator(seed: seed &* 77)
        let parts = [
            "[a]: /x", "[b]:", "/y", "[c]: <z> (t", "t)", "[d]: /u 'title", "title'", "  \"t\"", "===", "---", "text",
            "[a] [b] [c] [d]", "", "> [b]: /q", "[c", "]: /w", "|-|", "[d]: /v",
        ]
        var model = (0..<20).map { _ in random.pick(parts) }
        var highlighter = MarkdownHighlighter()
        highlighter.reset(StringLines(model.joined(separator: "\n")))
        for _ in 0..<40 {
            let lower = random.below(model.count)
            let upper = min(model.count, lower + random.number(in: 1...3))
            var new = (0..<random.number(in: 0...3)).map { _ in random.pick(parts) }
            if new.isEmpty, upper - lower == model.count { new = [""] }
            model.replaceSubrange(lower..<upper, with: new)
            let text = model.joined(separator: "\n")
            let source = StringLines(text)
            highlighter.replace(lines: lower..<upper, withCount: new.count)
            highlighter.checkInvariants(source)
            if random.chance(30) { _ = highlighter.spans(ofLine: random.below(source.lineCount), in: source) }
            while !highlighter.advance(source, byteBudget: 50) { highlighter.checkInvariants(source) }
            highlighter.checkInvariants(source)
            let bytes = Array(text.utf8)
            let tree = bytes.withUnsafeBufferPointer { BlockTree.read($0, .extended) }
            for label in ["a", "b", "c", "d"] {
                let key = Array(label.utf8)
                let isKnown = highlighter.definitions.links[key] != nil
                guard isKnown == (tree.references[key] != nil) else {
                    Issue.record("seed \(seed): \(label) is \(isKnown ? "" : "not ")known in\n\(text)")
                    return
                }
            }
        }
    }

    @Test func `a far line is shown at once and put right when the reading arrives`() {
        let text = "```\n" + String(repeating: "code\n\n", count: 20_000) + "*last*"
        let lines = StringLines(text)
        let last = lines.lineCount - 1
        var highlighter = MarkdownHighlighter()
        highlighter.reset(lines)
        #expect(highlighter.spans(ofLine: last, in: lines).block == .paragraph)
        let revision = highlighter.revision
        highlighter.checkInvariants(lines)
        while !highlighter.advance(lines, byteBudget: 10_000) {}
        highlighter.checkInvariants(lines)
        #expect(highlighter.revision != revision)
        #expect(highlighter.spans(ofLine: last, in: lines).block == .code)
    }

    /// Lines that count the bytes and calls of their reads.
    private struct CountingLines: LineSource {
        final class Count: Sendable {
            // One test counts, on a single thread.
            nonisolated(unsafe) var (bytes, calls) = (0, 0)
        }

        let lines: StringLines
        let count = Count()

        var lineCount: Int { lines.lineCount }

        func withLine<R>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
            count.bytes += length(of: index)
            count.calls += 1
            return try lines.withLine(index, body)
        }

        func length(of index: Int) -> Int { lines.withLine(index) { $0.count } }

        func withPart<R>(
            of index: Int, _ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) throws -> R
        ) rethrows -> R {
            count.bytes += range.count
            return try lines.withPart(of: index, range, body)
        }

        func withStart<R>(
            of index: Int, upTo limit: Int, _ body: (UnsafeBufferPointer<UInt8>, Int) throws -> R
        ) rethrows -> R {
            count.calls += 1
            return try lines.withStart(of: index, upTo: limit) {
                count.bytes += $0.count
                return try body($0, $1)
            }
        }
    }

    /// Tests the cost of a key by the number of lines read, because times are unreliable.
    @Test func `a key reads the lines around it, however long the text is`() {
        let block = "# Head\n\nSome *words* that\ngo on, [a].\n\n- item\n  more\n\n```c\nint x;\n```\n\n"
        func linesRead(of blocks: Int, typing line: String) -> Int {
            let text = String(repeating: block, count: blocks) + "[a]: /url\n"
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            var highlighter = MarkdownHighlighter()
            let before = StringLines(text)
            highlighter.reset(before)
            while !highlighter.advance(before, byteBudget: 1_000_000) {}
            let edited = blocks / 2 * 12 + 2
            for shown in edited - 20..<edited + 20 { _ = highlighter.spans(ofLine: shown, in: before) }
            lines[edited] = line
            let after = CountingLines(lines: StringLines(lines.joined(separator: "\n")))
            highlighter.replace(lines: edited..<edited + 1, withCount: 1)
            for shown in edited - 20..<edited + 20 { _ = highlighter.spans(ofLine: shown, in: after) }
            return after.count.calls
        }
        let small = linesRead(of: 20, typing: "Some *words* thats")
        #expect(small > 0 && small < 60, "\(small)")
        #expect(linesRead(of: 8_000, typing: "Some *words* thats") <= small)
        // Below an opening fence, the highlights change as far as they are requested; the rest is read when idle.
        let fence = linesRead(of: 8_000, typing: "```")
        #expect(fence < 1_000, "\(fence)")
    }

    @Test(arguments: ["", "> ", "- ", "# A\n1. one\n   ", "```\n", "```swift\n", "\t", "a\n", "|a|\n|-|\n"])
    func `a key in a line of megabytes reads a window of it`(before: String) {
        let text = before + String(repeating: "word *em* `code` 漢字 ", count: 200_000) + "\nafter\n\nend"
        let source = CountingLines(lines: StringLines(text))
        let line = source.lineCount - 4
        var highlighter = MarkdownHighlighter()
        highlighter.reset(source)
        _ = highlighter.advance(source, byteBudget: .max)
        source.count.bytes = 0
        highlighter.replace(lines: line..<line + 1, withCount: 1)
        highlighter.settle(through: line + 2, in: source)
        #expect(source.count.bytes < 300_000)
        // A row of a table is shown cell by cell from the line's start.
        guard !before.hasPrefix("|") else { return }
        let shown = highlighter.spans(ofLine: line, in: source, bytes: 2_500_000..<2_504_000)
        #expect(source.count.bytes < 600_000)
        #expect(shown.runs.contains { $0.range.overlaps(2_500_000..<2_504_000) })
    }

    /// Tests that the start of a long line gives the same result as the whole line.
    ///
    /// The comparison is with a line of the same start and end that is short enough to be read whole.
    @Test(arguments: 0..<200) func `a long line means the same as a short one`(seed: UInt64) {
        var random = SeededGenerator(seed: seed &* 31)
        let middles = ["a b", "-", " ", "=", "`", "*", "#", "|", "漢", "\t", "a | b ", "[a]: b "]
        let ends = ["", "`", "|", " x", "-->", "```", ">", "](u)", " #"]
        let starts = ["", "1", "a", "(", "é", "<a href='", "- ", "-", "```", "|", "[^n]: ", "[a]: /b ", "<!--", "    "]
        let index = Int.random(in: 0..<4, using: &random)
        var texts: [[String]] = [[], []]
        for line in 0..<6 {
            var parts = [Self.line(&random), ""]
            parts[1] = parts[0]
            if line == index {
                let (start, middle, end) = (random.pick(starts), random.pick(middles), random.pick(ends))
                let opening = Bool.random(using: &random) ? Self.line(&random) + start : start
                parts = [30, 70_000].map { opening + String(repeating: middle, count: $0 / middle.utf8.count) + end }
            }
            for form in 0..<2 { texts[form].append(parts[form]) }
        }
        let states = texts.map { lines in
            let source = StringLines(lines.joined(separator: "\n"))
            var highlighter = MarkdownHighlighter()
            highlighter.reset(source)
            _ = highlighter.advance(source, byteBudget: .max)
            return (0...lines.count).map { line -> BlockState in
                var state = highlighter.states[highlighter.lines[line].state]
                // A long line of code is assumed to leave nothing open, and a long fence is longer than a short one.
                (state.leaf.lexing, state.leaf.length) = (.nothing, min(state.leaf.length, 30))
                return state
            }
        }
        #expect(states[0] == states[1], "\(texts[0])")
    }

    /// Returns a line that is likely to change the meaning of the lines around it.
    static func line(_ generator: inout SeededGenerator) -> String {
        let starts = ["", "", "", "> ", "- ", "1. ", "  ", "    ", "- [ ] ", "> - ", "[^n]: "]
        let texts = [
            "", "", "words here", "*em* and **strong", "strong** `code", "code`", "```", "```swift", "~~~", "---",
            "===", "# head", "[a]: /url", "[a]: /url 'title", "title'", "[a] and [b][a]", "| a | b |", "|---|---|",
            "--|--", "<div>", "<!-- c", "-->", "/* x", "y */ let z", "[^n] note", "$a", "b$", "[[wiki]] #tag", "***",
            "title: x", "[b]:", "</div>", "x | y", "...", "\"\"\"",
        ]
        return (starts.randomElement(using: &generator) ?? "") + (texts.randomElement(using: &generator) ?? "")
    }
}
