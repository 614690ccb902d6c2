import Foundation
import Testing

@testable import Markdown

/// What a reader does with a text costs in proportion to it, whatever the text: nested, repeated, left open, or referring
/// to each other.
///
/// Each document is made in two sizes, the larger four times the smaller. Linear work takes four times as much, quadratic
/// sixteen times; eight is the bound. The processor's time of this thread is what is compared, not that of the clock on
/// the wall, and one try of five has to come out well, so that a busy machine fails nothing.
@Suite struct GrowthTests {
    private static let small = 1_500
    private static let factor = 4
    private static let bound = 8.0

    /// Parts that mean something, each with what closes it.
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

    /// How parts are put together.
    private static let forms: [(name: String, make: @Sendable (String, String, Int) -> String)] = [
        ("repeated", { String(repeating: $0.0, count: $0.2) }),
        ("on lines", { String(repeating: $0.0 + "\n", count: $0.2) }),
        ("closed", { String(repeating: $0.0 + "x" + $0.1 + " ", count: $0.2) }),
        ("nested", { String(repeating: $0.0, count: $0.2) + "x" + String(repeating: $0.1, count: $0.2) }),
        ("closed only", { "x" + String(repeating: $0.1 + " ", count: $0.2) }),
        ("in paragraphs", { String(repeating: $0.0 + "x\n\n", count: $0.2) }),
    ].map { form in (form.0, { @Sendable in form.1(($0, $1, $2)) }) }

    /// What nests, and lines that go on in it.
    private static let crossed: [(name: String, make: @Sendable (Int) -> String)] = {
        let nests = ["> ", "- ", "[^a]: ", "> - ", "1. > "]
        let lines = ["a\\\n", "\n", "a\n", "    \n", "- \n", "===\n", "|-|\n", "[a]: b\n", "```\n", "[^a] [b](c)\n"]
        return nests.flatMap { nest in
            lines.map { line in
                (
                    "\(nest)nested, then \(line.debugDescription)",
                    { @Sendable in String(repeating: nest, count: $0) + "x\n" + String(repeating: line, count: $0) }
                )
            }
        } + [
            ("footnotes nested that refer to each other", { footnotes($0, nested: true) }),
            ("footnotes that refer to each other", { footnotes($0, nested: false) }),
            (
                "footnotes nested that refer to each other, and blank lines",
                { footnotes($0, nested: true) + String(repeating: "\n", count: $0) }
            ),
            (
                "definitions that are used",
                { n in (0..<n).map { "[\($0)]: x\n" }.joined() + "\n" + (0..<n).map { "[\($0)] " }.joined() }
            ),
            (
                "one definition used often",
                { "[a]: \(String(repeating: "x", count: $0))\n\n" + String(repeating: "[a]", count: $0) }
            ),
            (
                "links in footnotes",
                { n in (0..<n).map { "[^\($0)] " }.joined() + "\n\n" + (0..<n).map { "[^\($0)]: [a](b)\n\n" }.joined() }
            ),
            ("small tables", { String(repeating: "|a|b|\n|-|-|\n|\n\n", count: $0) }),
            ("a long table", { "|a|b|\n|-|-|\n" + String(repeating: "|c\n", count: $0) }),
        ]
    }()

    private static func footnotes(_ count: Int, nested: Bool) -> String {
        (0..<count).map { "[^\($0)]: [^\(($0 * 7 + 1) % count)]\(nested ? " " : "\n\n")" }.joined() + "\n\n[^0]\n"
    }

    /// What readers do.
    private static let works: [(name: String, run: @Sendable (String) -> Int)] = [
        ("HTML", { Markdown.html($0, .extended).utf8.count }),
        (
            "preview",
            { PreviewLayout(MarkdownDocument($0), source: $0, columns: 80, cellWidth: { _ in 1 }).lines.count }
        ),
        (
            "queries",
            { text in
                let document = MarkdownDocument(text)
                return document.links(in: text).count + document.outline.count + document.tasks.count
                    + document.tags.count + Markdown.plainText(of: text).utf8.count
            }
        ),
        (
            "highlighting",
            { text in
                let lines = StringLines(text)
                var highlighter = MarkdownHighlighter()
                highlighter.reset(lines)
                _ = highlighter.advance(lines, byteBudget: .max)
                return [0, lines.lineCount / 2, lines.lineCount - 1].reduce(0) {
                    $0 + highlighter.spans(ofLine: $1, in: lines).runs.count
                }
            }
        ),
    ]

    private func time(_ work: (String) -> Int, _ text: String) -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = now()
        _ = work(text)
        return now() - start
    }

    private func expectLinear(_ name: String, _ make: (Int) -> String) {
        let (small, large) = (make(Self.small), make(Self.small * Self.factor))
        for work in Self.works {
            // What is over at once says nothing.
            let isLinear = (0..<5).contains { _ in
                let little = time(work.run, small)
                return time(work.run, large) < max(little * Self.bound, 0.02)
            }
            #expect(isLinear, "\(work.name) of \(name)")
        }
    }

    @Test(arguments: forms.indices) func `work grows no faster than the text`(form: Int) {
        for part in Self.parts {
            expectLinear("\(part.open.debugDescription) \(Self.forms[form].name)") {
                Self.forms[form].make(part.open, part.close, $0)
            }
        }
    }

    @Test(arguments: crossed.indices) func `work grows no faster than a text that crosses what nests`(index: Int) {
        expectLinear(Self.crossed[index].name, Self.crossed[index].make)
    }

    @Test func `a table is given half a million cells that it lacks, as by cmark-gfm, and goes on as text`() {
        func table(columns: Int, rows: Int) -> String {
            String(repeating: "|x", count: columns) + "\n" + String(repeating: "|-", count: columns) + "\n"
                + String(repeating: "|\n", count: rows)
        }
        // 1,025 cells are missing in each row of `|`: the limit is passed by the 512th, and no row follows that.
        let document = MarkdownDocument(table(columns: 1_025, rows: 600), .gfm)
        #expect(document.blocks.count { $0.kind == .tableRow } == 513)
        #expect(document.topBlocks.map(\.kind) == [.table, .paragraph])
        // Many such tables are given no more together than there are bytes.
        let tables = MarkdownDocument(String(repeating: table(columns: 700, rows: 400) + "\n", count: 4), .gfm)
        #expect(tables.blocks.count { $0.kind == .tableCell } < BlockTree.mostMissingCells + 5 * 700)
    }

    /// Lines that count how often they are asked for.
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
        // that could not be told apart, 64 KB of lines twice.
        #expect(most < 100 * 20 + 2 * 65_536 / (line.utf8.count / line.split(separator: "\n").count))
        #expect(lines.asked < 2 * 20 * lines.lineCount)
    }
}
