import Foundation
import SeededRandom
import Testing

@testable import Markdown

/// Compares unrealistic documents, whose pieces change the meaning of their neighbours, with the reference programs.
///
/// `MARKDOWN_SEED` sets another first seed, `MARKDOWN_DOCUMENTS` the number of documents.
@Suite struct NastyDocumentTests {
    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap(Int.init) }
    private static let count = number("MARKDOWN_DOCUMENTS") ?? 1_500

    private static func documents(_ parts: [String]) -> [String] {
        let seed = number("MARKDOWN_SEED") ?? 1
        return (0..<count).map { NastyGenerator(seed: seed + $0, parts).document() }
    }

    /// The minimum share is that of the first 1,500 documents; `Differences` lists the differences.
    @Test func `HTML of nasty documents equals that of cmark`() throws {
        guard let cmark = ReferenceTool.cmark else { return }
        try compare(Self.documents(NastyGenerator.parts), with: cmark, .commonMark, least: 0.9973) { $0 }
    }

    @Test func `HTML of nasty documents with tables, tasks and addresses equals that of cmark-gfm`() throws {
        guard let cmark = ReferenceTool.cmarkGFM else { return }
        // cmark-gfm has an old fault, a tag alone on a lazy line interrupts a paragraph; it would hide other
        // differences.
        let parts = NastyGenerator.parts.filter { !$0.hasPrefix("<") || $0.contains("//") || $0.contains("@") }
        let documents = Self.documents(parts + NastyGenerator.extended + NastyGenerator.extended)
        try compare(documents, with: cmark, .gfm, least: 0.9913) {
            AgreementTests.ignoringLooseness($0.replacing(#/<input type="checkbox"[^>]*>\s*|\[[ xX]\]\s*/#, with: "☐"))
        }
    }

    private func compare(
        _ documents: [String], with tool: ReferenceTool, _ options: MarkdownOptions, least: Double,
        _ normalised: (String) -> String
    ) throws {
        var same = 0
        for (text, html) in zip(documents, try tool.output(for: documents)) {
            let ours = Self.ignoringBlanks(normalised(Markdown.html(text, options)))
            if ours == Self.ignoringBlanks(normalised(html)) {
                same += 1
            } else {
                print("DIFFERS: \(text.debugDescription)")
            }
        }
        let share = Double(same) / Double(documents.count)
        print("HTML equals that of \(tool.path) for \(share * 100) % of \(documents.count) nasty documents")
        #expect(share >= least)
    }

    /// The programs keep the indent of lazy continuation lines, which the specification removes.
    private static func ignoringBlanks(_ html: String) -> String {
        html.replacing(#/[ \t]+/#, with: " ").replacing(#/([\n>]) /#) { $0.output.1 }
    }

    /// Tests cases in which the programs differ from the specification, which is newer, or from each other.
    @Test(arguments: Differences.commonMark)
    func `what the specification says goes before what a program does`(markdown: String, html: String) {
        #expect(Markdown.html(markdown, .commonMark) == html)
        #expect(Markdown.html(markdown, .gfm) == html)
    }

    @Test(arguments: Differences.gfm)
    func `what GFM's specification says goes before what a program does`(markdown: String, html: String) {
        #expect(Markdown.html(markdown, .gfm) == html)
    }
}

/// Cases that cmark 0.30.2 and cmark-gfm 0.29.0 render differently, with the correct result.
enum Differences {
    static let commonMark: [(markdown: String, html: String)] = [
        // A lazy line has the meaning that it would have after the missing marker: its indent is removed, in code and
        // after `\` too.
        (">[b]: /y\n _", "<blockquote>\n<p>_</p>\n</blockquote>\n"),
        (">\\\n  b", "<blockquote>\n<p><br />\nb</p>\n</blockquote>\n"),
        ("- `a\n  b`\n c", "<ul>\n<li><code>a b</code>\nc</li>\n</ul>\n"),
        (">[b]: /y\n [a]: /z", "<blockquote>\n</blockquote>\n"),
        // A fence is indented by columns, and a tab is several columns.
        (">\t```\n>\t", "<blockquote>\n<pre><code>\n</code></pre>\n</blockquote>\n"),
        // Declarations and comments as in 0.31, and `<textarea>` like `<pre>`.
        ("<!x", "<!x\n"), ("a<!X>", "<p>a<!X></p>\n"), ("a<!-->", "<p>a<!--></p>\n"),
        // An unclosed block of HTML includes its blank lines, so there is none between the items.
        ("- <?\n\n- /", "<ul>\n<li>\n<?\n\n</li>\n<li>/</li>\n</ul>\n"),
        ("- ***\n\n  e", "<ul>\n<li>\n<hr />\n<p>e</p>\n</li>\n</ul>\n"),
        // A text of definitions alone is not a paragraph, and so not the text of a heading.
        ("[\\]]: q\n---", "<hr />\n"),
        // A run of backticks without a closing run hides no later span.
        ("``a`b` `b`", "<p>``a<code>b</code> <code>b</code></p>\n"),
        // A tag alone on its line does not interrupt a paragraph, not even a lazy one.
        ("> a\n<m>", "<blockquote>\n<p>a\n<m></p>\n</blockquote>\n"),
    ]

    static let gfm: [(markdown: String, html: String)] = [
        // A task's box begins the first paragraph of its item, at any position in the line.
        (
            "- - [ ] a",
            "<ul>\n<li>\n<ul>\n<li><input type=\"checkbox\" disabled=\"\" /> a</li>\n</ul>\n</li>\n</ul>\n"
        ),
        ("1. [ ] [X]", "<ol>\n<li><input type=\"checkbox\" disabled=\"\" /> [X]</li>\n</ol>\n"),
        // `~` is punctuation next to other delimiters.
        ("_c_~a", "<p><em>c</em>~a</p>\n"), ("c*~b*", "<p>c*~b*</p>\n"),
        // An address has text before its `@`, and a scheme begins a word.
        ("mailto:@b.c", "<p>mailto:@b.c</p>\n"),
        ("_xmpp:a@b.c", "<p>_<a href=\"xmpp:a@b.c\">xmpp:a@b.c</a></p>\n"),
        // A definition above a table's header is not part of its text.
        ("[b]: /z\n*\n|-", "<table>\n<thead>\n<tr>\n<th>*</th>\n</tr>\n</thead>\n</table>\n"),
        ("<textarea>*c*", "&lt;textarea>*c*\n"),
    ]
}

/// Generates a document of lines, each with a few markers and a few words that may have a meaning.
struct NastyGenerator {
    private var random: SeededGenerator
    private let parts: [String]

    init(seed: Int, _ parts: [String]) {
        random = SeededGenerator(seed: UInt64(seed))
        self.parts = parts
    }

    consuming func document() -> String {
        var lines: [String] = []
        var contexts = [""]
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let prefix =
                switch Int.random(in: 0..<100, using: &random) {
                case ..<35: pick(contexts)
                case ..<50: pick(contexts) + pick(Self.starts)
                case ..<60: pick(Self.starts) + pick(Self.starts)
                default: pick(Self.starts)
                }
            // The next line may continue the blocks that this one opens.
            contexts = contexts.suffix(2) + [String(prefix.map { "-*+).0123456789".contains($0) ? " " : $0 })]
            var line = prefix + pick(parts)
            for _ in 0..<pick([0, 0, 0, 1, 2]) { line += pick([" ", "", "", "\t"]) + pick(parts) }
            lines.append(line)
        }
        return lines.joined(separator: "\n") + pick(["\n", "\n", ""])
    }

    private mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: 0..<choices.count, using: &random)]
    }

    private static let starts = [
        "", "", "", "", "> ", ">", "- ", "* ", "+ ", "1. ", "2) ", "  ", "    ", "\t", " \t", "   ", "  - ", "    - ",
        "> - ", ">\t", "-\t", "> > ", "- - ", "1.  ", "-     ", "10. ", "      ",
    ]

    /// Excludes constructs that the newer specification has changed: lower-case declarations and short comments.
    static let parts = [
        "", "", "foo", "bar baz", "*em* x", "**strong", "strong** y", "`code", "code`", "```", "``` js", "````", "~~~",
        "~~~~ a`b", "---", "===", "***", "- - -", "# head", "## head ##", "#", "#no", "<div>", "</div>", "-->",
        "<?php", "?>", "<pre>", "</pre>", "<a href=\"x\">", "<b", "c>", "[a]: /url", "[a]: /url 'title", "title'",
        "[a]:", "/url", "\"t\"", "[b]: <x y> (t (n))", "[b]: <x y> (tn)", "[c]: /u \"a\" b", "[a] [b][a] [c]",
        "![i](x \"y\")", "[l](<a b> 't')", "[l](a(b)c)", "[l](a\\)b)", "&amp; &copy; &#35; &#x22; &nope; &#0;",
        "\\* \\a \\\\", "foo  ", "foo\\", "***a** b*", "*a **b*** c", "_a_b_ __c__", "<http://a.b>", "<x@y.z>", "a\tb",
        "\tcode", "-", "*", "1.", "+", ">", "*foo [bar* baz](u)", "[foo [bar](u)](v)", "![a ![b](c)](d)", "`a `` b`",
        "``a`b``", "<br/> x", "<i a='b' c>", "10) x", "a_b*c*d", "é*x*é", "**“q”**z", "\u{A0}x", "[A]", "[ a\tb ]",
        "[a b]: /z", "x <!-- a --> y", "]]>", "<style>", "</style>", "1986. x", "0. x", "  x", "[\\]]: /q", "[\\]]",
        "**a*b**c*", "*(**a**)*",
    ]

    /// Parts with a meaning in GFM's extensions.
    static let extended = [
        "| a | b |", "|---|---|", "| - | :-: |", "a | b", "--|--", "-|-", "|-|", "| x | `y | z` | w |", "| \\| | b |",
        "|a|", "a|b|c", "~~x~~", "~x~", "~~~x~~~", "~~a *b~~ c*", "www.a.b", "http://a.b/c_d.", "https://x.y/(z))",
        "https://x.y/?a&b;", "a@b.c", "a.b+c@d-e.f_", "www.a.b/*x*", "(www.a.b)", "\"http://a.b\"", "*http://a.b*",
        "**www.a.b**", "[x](www.a.b)", "[www.a.b](u)", "[www.a.b]", "http://", "www.", "ftp://a.b", "- [ ] t",
        "- [x] t", "- [ ]", "* [X] *t*", "1. [ ] n", "[ ] x", "mailto:a@b.c", "xmpp:a@b.c/d",
        "`www.a.b`", "http://a.b~~x~~", "~~http://a.b~~", "_www.a.b_", "https://a.b_c.d", "https://a_b.c",
        "http://a.b/<x>", "http://a.b&amp;c", "a@b", "|", "||", "| |", ":-", "|-:|", "x|", "\\|", "| ---", "a.b@c.d.",
        "http://a", "https://localhost/x", "www.a.b,www.c.d",
    ]
}
