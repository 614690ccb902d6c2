import Testing
import TextPrimitives

@testable import Markdown

/// Tests that headings, definitions and wide tables can be distinguished in a text laid out for reading.
@Suite struct ReadingFormTests {
    private static func layout(
        _ text: String, columns: Int = 40, glyphs: PreviewGlyphs = .unicode, scrolls: Bool = false
    ) -> PreviewLayout {
        PreviewLayout(
            MarkdownDocument(text), source: text, columns: columns, glyphs: glyphs, cellWidth: CellWidth { _ in 1 },
            scrolls: scrolls)
    }

    private static func lines(_ text: String, columns: Int = 40, glyphs: PreviewGlyphs = .unicode) -> [String] {
        layout(text, columns: columns, glyphs: glyphs).lines.map(\.text)
    }

    // MARK: Headings

    @Test func `no two levels of headings read alike, with and without Unicode`() {
        let levels = (1...6).map { String(repeating: "#", count: $0) + " One" }
        #expect(
            levels.map { Self.lines($0) } == [
                ["One", "━━━"], ["One", "───"], ["› One"], ["›› One"], ["››› One"], ["›››› One"],
            ])
        #expect(
            levels.map { Self.lines($0, glyphs: .ascii) } == [
                ["One", "==="], ["One", "---"], ["### One"], ["#### One"], ["##### One"], ["###### One"],
            ])
    }

    @Test func `a rule takes the place of the blank line under its heading, but not of the one before the next`() {
        #expect(
            Self.lines("# A title\n\n## Part\n\ntext\n\n### Deep\n\n- item") == [
                "A title", "━━━━━━━", "", "Part", "────", "text", "", "› Deep", "", "• item",
            ])
    }

    @Test func `a long heading is wrapped under its mark, and a rule is as wide as its text`() {
        #expect(Self.lines("### one two three", columns: 9) == ["› one two", "  three"])
        #expect(Self.lines("# one two three", columns: 8) == ["one two", "three", "━━━━━━━"])
        // If a mark would take more than half of the line, it is omitted.
        #expect(Self.lines("> ###### word", columns: 8) == ["▎ word"])
    }

    @Test(arguments: 1..<24) func `no heading and no definition is wider than asked`(columns: Int) {
        let text = (1...6).map { String(repeating: "#", count: $0) + " a heading with words\n\n" }.joined()
        let nested = "> - " + text.replacing("\n\n", with: "\n>\n>   ") + "\n\nterm of words\n: a definition of it"
        for line in Self.lines(text + nested, columns: columns) { #expect(line.count <= max(columns, 8), "\(line)") }
    }

    // MARK: Definitions

    private static func html(_ text: String, _ options: MarkdownOptions = .extended) -> String {
        Markdown.html(text, options)
    }

    @Test func `a term stands before its definitions, which are indented`() {
        #expect(
            Self.lines("Apple\n: A *round* fruit of trees\n: A company\n\nPear\n: Long\n\nMore text", columns: 20) == [
                "Apple", "  A round fruit of", "  trees", "  A company", "", "Pear", "  Long", "", "More text",
            ])
        let layout = Self.layout("Apple\n: red")
        #expect(layout.lines[0].runs.map(\.kind) == [.strong])
        #expect(layout.lines.map(\.sourceLine) == [0, 1])
    }

    @Test func `definitions are a list in HTML, which ends where they end`() {
        #expect(
            Self.html("Apple\n: A *round* fruit\n: A company\n\nPear\n: Long\nand green\n\nText") == """
                <dl>
                <dt>Apple</dt>
                <dd>A <em>round</em> fruit</dd>
                <dd>A company</dd>
                <dt>Pear</dt>
                <dd>Long
                and green</dd>
                </dl>
                <p>Text</p>

                """)
        #expect(
            Self.html("> a\n> : b\n\nc")
                == "<blockquote>\n<dl>\n<dt>a</dt>\n<dd>b</dd>\n</dl>\n</blockquote>\n<p>c</p>\n")
        #expect(
            Self.html("- a\n  : b\n- c")
                == "<ul>\n<li>\n<dl>\n<dt>a</dt>\n<dd>b</dd>\n</dl>\n</li>\n<li>c</li>\n</ul>\n")
        #expect(Self.html("[[Note]]\n: [here](x)\n: [y]: z").contains("<dd><a href=\"x\">here</a></dd>"))
    }

    @Test func `no other text becomes a definition, and none does without the extension`() {
        let others = [
            ": alone", "two\nlines\n: x", "a\n\n: x", "a\n:x", "a\n:", "a\n    : x", "# a\n: x", "> a\n: x",
            "[a]: b\n: x",
        ]
        for text in others { #expect(!Self.html(text).contains("<d"), "\(text)") }
        #expect(Self.html("a\n: b", .gfm) == "<p>a\n: b</p>\n")
        #expect(Self.html("a\n: b", .commonMark) == "<p>a\n: b</p>\n")
        // A line below a definition is neither its underline nor a row of its table.
        #expect(Self.html("a\n: b\n---") == "<dl>\n<dt>a</dt>\n<dd>b</dd>\n</dl>\n<hr />\n")
        #expect(Self.html("a\n: b | c\n- | -").contains("<dd>b | c"))
    }

    @Test func `a definition is highlighted as the paragraph that it is, whichever line is asked first`() {
        let text = StringLines("*a\n: b* [x]\n: [x]\n: *c*\n\n[x]: y")
        func kinds(_ order: [Int]) -> [[SpanKind]] {
            var highlighter = MarkdownHighlighter(.extended)
            highlighter.reset(text)
            var result = Array(repeating: [SpanKind](), count: text.lineCount)
            for line in order { result[line] = highlighter.spans(ofLine: line, in: text).runs.map(\.kind) }
            return result
        }
        let downwards = kinds(Array(0..<text.lineCount))
        #expect(downwards == kinds(Array((0..<text.lineCount).reversed())))
        // Emphasis in a term does not continue in its definition.
        #expect(!downwards[1].contains { $0.contains(.emphasis) })
        #expect(downwards[3].contains { $0.contains(.emphasis) })
        #expect(downwards[2].contains { $0.contains(.link) })
    }

    // MARK: Wide tables

    @Test func `a table that does not fit keeps its columns where it can be scrolled`() {
        let text =
            "> | one word | second | third column |\n> |-|-|-|\n> | a | b | \(String(repeating: "long ", count: 20)) |"
        let layout = Self.layout(text, columns: 16, scrolls: true)
        #expect(layout.lines[0].text == "▎ one word │ second │ third column")
        #expect(layout.lines.allSatisfy { $0.isWide })
        // A column of more than forty cells is wrapped.
        #expect(layout.widest == 2 + 8 + 3 + 6 + 3 + 40)
        #expect(layout.lines.count == 5)
        let printed = Self.layout(text, columns: 16)
        #expect(printed.widest == 16)
        #expect(!printed.lines.contains { $0.isWide })
        // A table that fits if its cells are wrapped needs no scrolling.
        #expect(Self.layout("| a | b |\n|-|-|\n| one two | three four |", columns: 13, scrolls: true).widest == 13)
    }
}
