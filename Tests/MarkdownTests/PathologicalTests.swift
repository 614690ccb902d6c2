import Testing
import TextPrimitives

@testable import Markdown

/// Tests inputs that take a careless parser quadratic or exponential time.
///
/// At this size quadratic time would exceed the limit many times over.
@Suite struct PathologicalTests {
    private static let count = 10_000

    static let inputs: [(name: String, text: String)] = [
        ("nested strong emphasis", repeated("*a **a ", "b", " a** a*")), ("closers", repeated("a_ ")),
        ("openers", repeated("_a ")), ("link closers", repeated("a]")), ("link openers", repeated("[a")),
        ("mismatched delimiters", repeated("*a_ ")), ("the rule of three", "a***b" + repeated("c* ")),
        ("openers of links and emphasis", repeated("[ a_")), ("nested brackets", repeated("[", "a", "]")),
        ("nested quotes", repeated("> ") + "a"), ("nested items", repeated("- ") + "a"),
        ("blank lines in nested items", repeated("- ") + "a\n" + repeated("\n")),
        ("backticks of all lengths", (1...400).map { "e" + String(repeating: "`", count: $0) }.joined()),
        ("open tags", repeated("<a b=\"")), ("open comments", repeated("</a <!--")), ("instructions", repeated("<?")),
        ("declarations", repeated("<!A ")), ("CDATA", repeated("<![CDATA[")),
        ("angled destinations", repeated("[a](<b")),
        ("destinations", repeated("[a](b")), ("images in links in images", repeated("![[]()")),
        ("images in images", repeated("![x", "a", "](b)")),
        ("titles", repeated("[a](b '")),
        ("a wide table", repeated("|a") + "\n" + repeated("|-") + "\n" + repeated("|b")),
        ("lines that look like delimiter rows", repeated("a|b|c\n|-|\n")), ("dollars", repeated("$a ")),
        ("formulas", repeated("\\(a ")), ("formulas that end", repeated("\\(a ", "b", "\\)")),
        ("formulas of both kinds", repeated("\\(\\[")),
        ("wikilinks", repeated("[[a")), ("footnotes", repeated("[^a]: b\n\n")), ("addresses", repeated("a@")),
        ("underlines after definitions", repeated("[a]: b\n===\n")), ("open definitions", repeated("[a]: b '\n")),
        ("open labels", repeated("[a\n")), ("many references", "[a]: " + repeated("x") + "\n\n" + repeated("[a]")),
        ("thematic breaks that are none", repeated("* ") + "a"), ("fences", repeated("```\n")), ("NUL", repeated("\0")),
        ("tildes", repeated("~a ~~b ")), ("semicolons", "http://a.b" + repeated(";")),
        ("parentheses", "http://a.b" + repeated("(", "", ")")),
    ]

    private static func repeated(_ open: String, _ middle: String = "", _ close: String = "") -> String {
        String(repeating: open, count: count) + middle + String(repeating: close, count: count)
    }

    @Test(.timeLimit(.minutes(30)), arguments: inputs.indices)
    func `time is linear`(index: Int) {
        let text = Self.inputs[index].text
        #expect(Markdown.html(text, .extended).utf8.count < 20 * text.utf8.count + 10_000)
        let document = MarkdownDocument(text)
        #expect(PreviewLayout(document, source: text, columns: 80, cellWidth: CellWidth { _ in 1 }).columns == 80)
        #expect(document.links(in: text).reduce(0) { $0 + $1.label.utf8.count } < 100 * text.utf8.count)
        let lines = StringLines(text)
        var highlighter = MarkdownHighlighter()
        highlighter.reset(lines)
        _ = highlighter.advance(lines, byteBudget: .max)
        #expect(highlighter.spans(ofLine: 0, in: lines).runs.count >= 0)
    }
}
