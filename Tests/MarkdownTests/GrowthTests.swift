import Foundation
import Testing
import TextPrimitives

@testable import Markdown

/// Tests that the work on a text is proportional to its length, whatever the text.
///
/// Texts are nested, repeated, unclosed, or refer to each other. Each document has two sizes, the larger four times the
/// smaller. Linear work takes four times as long, quadratic work sixteen times; the limit is eight. The test compares
/// this thread's processor time, not elapsed time, and one of five attempts must succeed, so that a busy machine causes
/// no failure.
@Suite struct GrowthTests {
    private static let small = 500
    private static let factor = 4
    private static let bound = 8.0

    /// Openings with a meaning in Markdown, each with its closing.
    private static let parts: [(open: String, close: String)] = [
        ("> ", ""), ("- ", ""), ("1. ", ""), ("- [ ] ", ""), ("*a ", " b*"), ("**a ", "**"), ("_a ", "_"), ("[a ", "]"),
        ("![a ", "](b)"), ("[a](", ")"), ("[a](<", ">)"), ("[a](b \"", "\")"), ("[", "][a]"), ("`", "`"),
        ("``` ", "```"),
        ("~~a ", "~~"), ("==a ", "=="), ("$a ", "$"), ("$$", "$$"), ("[[a", "]]"), ("<a b='", "'>"), ("<!-- ", "-->"),
        ("<div>", "</div>"), ("<?", "?>"), ("&amp", ";"), ("\\", "\\"), ("#tag ", ""), ("|a", "|"), ("|-", "|"),
        ("[^a]: ", ""), ("[^a]", ""), ("[a]: b ", ""), ("[a]: b '", "'"), ("http://a.b/(", ")"), ("a@b.", "c"),
        ("www.a", "."), ("# a ", "#"), ("    a", ""), ("\t", ""), ("---", ""), ("e\u{301}", "\u{301}"), ("日本", "ゃ"),
        ("\r", ""), (":-", "|"), ("* ", " *"), ("~", ""), ("\"", "\""),
    ]

    /// The ways in which openings and closings are combined.
    private static let forms = ["repeated", "on lines", "closed", "nested", "closed only", "in paragraphs"]

    private static func document(_ form: String, _ open: String, _ close: String, _ count: Int) -> String {
        switch form {
        case "repeated": String(repeating: open, count: count)
        case "on lines": String(repeating: open + "\n", count: count)
        case "closed": String(repeating: open + "x" + close + " ", count: count)
        case "nested": String(repeating: open, count: count) + "x" + String(repeating: close, count: count)
        case "closed only": "x" + String(repeating: close + " ", count: count)
        default: String(repeating: open + "x\n\n", count: count)
        }
    }

    /// Nesting prefixes, and lines that continue in them.
    private static let nests: [String] = ["> ", "- ", "[^a]: ", "> - ", "1. > "]
    private static let nestedLines: [String] = [
        "a\\\n", "\n", "a\n", "    \n", "- \n", "===\n", "|-|\n", "[a]: b\n", "```\n", "[^a] [b](c)\n",
    ]

    /// Constructs that refer to each other.
    private static let references = [
        "footnotes", "nested footnotes", "nested footnotes and blank lines", "definitions", "one long definition",
        "links in footnotes", "small tables", "a long table",
    ]

    private static func document(_ reference: String, _ count: Int) -> String {
        let numbers = (0..<count).map(String.init)
        switch reference {
        case "footnotes": return footnotes(count, nested: false)
        case "nested footnotes": return footnotes(count, nested: true)
        case "nested footnotes and blank lines":
            return footnotes(count, nested: true) + String(repeating: "\n", count: count)
        case "definitions":
            return numbers.map { "[\($0)]: x\n" }.joined() + "\n" + numbers.map { "[\($0)] " }.joined()
        case "one long definition":
            let definition = "[a]: " + String(repeating: "x", count: count) + "\n\n"
            return definition + String(repeating: "[a]", count: count)
        case "links in footnotes":
            let uses = numbers.map { "[^\($0)] " }.joined() + "\n\n"
            return uses + numbers.map { "[^\($0)]: [a](b)\n\n" }.joined()
        case "small tables": return String(repeating: "|a|b|\n|-|-|\n|\n\n", count: count)
        default: return "|a|b|\n|-|-|\n" + String(repeating: "|c\n", count: count)
        }
    }

    private static func footnotes(_ count: Int, nested: Bool) -> String {
        let end = nested ? " " : "\n\n"
        let notes = (0..<count).map { (number: Int) -> String in
            let other = (number * 7 + 1) % count
            return "[^\(number)]: [^\(other)]" + end
        }
        return notes.joined() + "\n\n[^0]\n"
    }

    /// The kinds of work on a text.
    private static let works = ["HTML", "preview", "queries", "highlighting"]

    /// Does one kind of work; returns a number that depends on all of it.
    private static func work(_ name: String, _ text: String) -> Int {
        switch name {
        case "HTML": return Markdown.html(text, .extended).utf8.count
        case "preview":
            let document = MarkdownDocument(text)
            return PreviewLayout(document, source: text, columns: 80, cellWidth: CellWidth { _ in 1 }).lines.count
        case "queries":
            let document = MarkdownDocument(text)
            let found = document.links(in: text).count + document.outline.count + document.tasks.count
            return found + document.tags.count + Markdown.plainText(of: text).utf8.count
        default:
            let lines = StringLines(text)
            var highlighter = MarkdownHighlighter()
            highlighter.reset(lines)
            _ = highlighter.advance(lines, byteBudget: .max)
            var runs = 0
            for line in [0, lines.lineCount / 2, lines.lineCount - 1] {
                runs += highlighter.spans(ofLine: line, in: lines).runs.count
            }
            return runs
        }
    }

    /// Returns the processor time in seconds.
    private func time(_ work: String, _ text: String) -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = now()
        _ = Self.work(work, text)
        return now() - start
    }

    private func expectLinear(_ name: String, _ make: (Int) -> String) {
        let (small, large) = (make(Self.small), make(Self.small * Self.factor))
        for work in Self.works {
            // The least time of several is the nearest to the true cost. A time that is too short proves nothing.
            var (little, much) = (Double.infinity, Double.infinity)
            let isLinear = (0..<20).contains { _ in
                little = min(little, time(work, small))
                much = min(much, time(work, large))
                return much < max(little * Self.bound, 0.02)
            }
            #expect(isLinear, "\(work) of \(name)")
        }
    }

    @Test(arguments: forms) func `work grows no faster than the text`(form: String) {
        for part in Self.parts {
            expectLinear("\(part.open.debugDescription) \(form)") {
                Self.document(form, part.open, part.close, $0)
            }
        }
    }

    @Test(arguments: nests, nestedLines)
    func `work grows no faster than a text that crosses what nests`(nest: String, line: String) {
        expectLinear("\(nest)nested, then \(line.debugDescription)") { (count: Int) -> String in
            String(repeating: nest, count: count) + "x\n" + String(repeating: line, count: count)
        }
    }

    @Test(arguments: references)
    func `work grows no faster than a text whose parts refer to each other`(reference: String) {
        expectLinear(reference) { Self.document(reference, $0) }
    }

    @Test func `a table is given half a million cells that it lacks, as by cmark-gfm, and goes on as text`() {
        func table(columns: Int, rows: Int) -> String {
            String(repeating: "|x", count: columns) + "\n" + String(repeating: "|-", count: columns) + "\n"
                + String(repeating: "|\n", count: rows)
        }
        // 1,025 cells are missing in each row of `|`: the 512th exceeds the limit, and no row follows it.
        let document = MarkdownDocument(table(columns: 1_025, rows: 600), .gfm)
        #expect(document.blocks.count { $0.kind == .tableRow } == 513)
        #expect(document.topBlocks.map(\.kind) == [.table, .paragraph])
        // Many such tables together get at most as many cells as there are bytes.
        let tables = MarkdownDocument(String(repeating: table(columns: 700, rows: 400) + "\n", count: 4), .gfm)
        #expect(tables.blocks.count { $0.kind == .tableCell } < BlockTree.maximumMissingCells + 5 * 700)
    }

    /// Lines that count the requests for them.
    private final class CountedLines: LineSource {
        private let lines: StringLines
        private(set) var asked = 0

        init(_ text: String) { lines = StringLines(text) }

        var lineCount: Int { lines.lineCount }

        func withLine<R>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
            asked += 1
            return try lines.withLine(index, body)
        }
    }

    @Test(arguments: [
        "[a]: b\n", "[a]:\nb\n", "[a]: b 'c\nd'\n", "[a]: b '\n", "[a\n", "[a]: b\n===\n", "[a]\n",
    ])
    func `a paragraph of definitions without end is read in steps as small as asked for`(line: String) {
        let lines = CountedLines(String(repeating: line, count: 20_000))
        var highlighter = MarkdownHighlighter()
        highlighter.reset(lines)
        var (steps, most, asked) = (0, 0, 0)
        while !highlighter.advance(lines, byteBudget: 10_000), steps < 20_000 {
            steps += 1
            most = max(most, lines.asked - asked)
            asked = lines.asked
        }
        #expect(steps > 100)
        // A hundred lines a step, and for each the lines of a definition that may end there; at the end of a paragraph
        // that could not be split, 64 KB of lines twice.
        #expect(most < 100 * 20 + 2 * 65_536 / (line.utf8.count / line.split(separator: "\n").count))
        #expect(lines.asked < 2 * 20 * lines.lineCount)
    }
}
