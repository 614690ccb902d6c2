import Foundation
import Testing
import TextPrimitives
import WorkCount

@testable import Markdown

/// Tests that the work on a text is proportional to its length, whatever the text.
///
/// Texts are nested, repeated, unclosed, or refer to each other. Each document has two sizes, the larger four times the
/// smaller. Linear work is four times as much, quadratic work sixteen times.
///
/// Work is measured in two ways. Allocations, and the bytes in them, are counted, and the same in each run. A loop that
/// allocates nothing is found by this thread's processor time, not elapsed time: the least of as many runs as it takes
/// until neither size has been faster for twenty runs.
@Suite struct GrowthTests {
    private static let small = 500
    private static let factor = 4
    /// The largest allowed ratio of the larger document's cost to the smaller one's.
    ///
    /// A list that doubles its room may need twice the bytes for one element more.
    private static let (allocationBound, byteBound, timeBound) = (8.0, 10.0, 8.0)

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

    /// The cost of one piece of work.
    private struct Cost {
        /// Processor time in seconds.
        var time: Double
        var allocations, bytes: Double

        init(_ work: String, _ text: String) {
            func now() -> Double {
                var time = timespec()
                clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
                return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
            }
            let (start, before) = (now(), work_done())
            _ = GrowthTests.work(work, text)
            let after = work_done()
            time = now() - start
            allocations = Double(after.allocations - before.allocations)
            bytes = Double(after.bytes - before.bytes)
        }
    }

    private func expectLinear(_ name: String, _ make: (Int) -> String) {
        let (small, large) = (make(Self.small), make(Self.small * Self.factor))
        for work in Self.works {
            var (little, much) = (Cost(work, small), Cost(work, large))
            // A few hundred allocations, or a time that is too short, prove nothing.
            #expect(much.allocations < max(little.allocations * Self.allocationBound, 500), "\(work) of \(name)")
            #expect(much.bytes < max(little.bytes * Self.byteBound, 200_000), "\(work) of \(name)")
            // The least time is the nearest to the true cost: the processor's other work only adds to it.
            var runsWithoutGain = 0
            while much.time >= max(little.time * Self.timeBound, 0.02), runsWithoutGain < 20 {
                let (least, most) = (Cost(work, small).time, Cost(work, large).time)
                runsWithoutGain = least < little.time || most < much.time ? 0 : runsWithoutGain + 1
                (little.time, much.time) = (min(little.time, least), min(much.time, most))
            }
            #expect(much.time < max(little.time * Self.timeBound, 0.02), "\(work) of \(name)")
        }
    }

    /// Footnotes in footnotes must never be walked through again for each that they contain.
    @Test(arguments: ["footnotes", "nested footnotes", "nested footnotes and blank lines", "links in footnotes"])
    func `the work of nested footnotes is counted, and stays with the text from each size to the next`(
        reference: String
    ) throws {
        try #require(work_is_counted() != 0 || Self.isDarwin, "allocations must be counted here")
        for work in Self.works {
            // The first run also fills tables that all later ones share.
            _ = Cost(work, Self.document(reference, 10))
            let costs = [250, 1000, 4000].map { Cost(work, Self.document(reference, $0)) }
            for (little, much) in zip(costs, costs.dropFirst()) where work_is_counted() != 0 {
                #expect(much.allocations < little.allocations * 5 + 200, "\(work): \(costs)")
                #expect(much.bytes < little.bytes * 7, "\(work): \(costs)")
                // Without a floor a count that counts nothing would pass.
                #expect(much.allocations > 100 && much.bytes > 10_000, "\(work): \(costs)")
            }
        }
    }

    private static var isDarwin: Bool {
        #if canImport(Darwin)
        true
        #else
        false
        #endif
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
                + String(repeating: "|x\n", count: rows)
        }
        // 1,025 cells are missing in each row of `|x`: the 512th exceeds the limit, and no row follows it.
        let document = MarkdownDocument(table(columns: 1_026, rows: 600), .gfm)
        #expect(document.blocks.count { $0.kind == .tableRow } == 513)
        #expect(document.topBlocks.map(\.kind) == [.table, .paragraph])
        // Many such tables together get at most as many cells as there are bytes.
        let tables = MarkdownDocument(String(repeating: table(columns: 700, rows: 400) + "\n", count: 4), .gfm)
        #expect(tables.blocks.count { $0.kind == .tableCell } < BlockTree.maximumMissingCells + 5 * 700 + 4 * 400)
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
