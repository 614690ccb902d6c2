import Testing
import TextPrimitives

@testable import Markdown

/// Tests commands that change the form of lines: headings, lists, quotes, fences, tables, and rewrapped paragraphs.
@Suite struct FormTests {
    private func toggled(_ form: MarkdownAssistant.LineForm, _ marked: String) -> String {
        let text = MarkedText(marked)
        let range = min(text.anchor, text.caret).line...max(text.anchor, text.caret).line
        return text.applying(
            MarkdownAssistant.toggle(form, range, in: text.lines, anchor: text.anchor, caret: text.caret))
    }

    @Test(arguments: [
        ("a¦", "# a¦"), ("# a¦", "## a¦"), ("###### a¦b", "a¦b"), ("- a¦", "- # a¦"), ("> ¦", "> # ¦"), ("¦", "# ¦"),
    ])
    func `a heading gets one level deeper, and after the sixth it is text`(before: String, after: String) {
        #expect(toggled(.heading, before) == after)
    }

    @Test func `lines become a list and lines again`() {
        #expect(toggled(.bullets, "«a\n\nb»") == "- «a\n\n- b»")
        #expect(toggled(.bullets, "«- a\n- b»") == "«a\nb»")
        #expect(toggled(.numbers, "«a\n- b\n  c»") == "1. «a\n2. b\n  3. c»")
        #expect(toggled(.numbers, "1. a¦") == "a¦")
        #expect(toggled(.bullets, "> a¦") == "> - a¦")
        #expect(toggled(.bullets, "¦") == "- ¦")
        #expect(toggled(.bullets, "3) a¦") == "- a¦")
    }

    @Test func `lines become a quote with the blank lines in it`() {
        #expect(toggled(.quote, "«a\n\nb»") == "> «a\n> \n> b»")
        #expect(toggled(.quote, "«> a\n> b»") == "«a\nb»")
        #expect(toggled(.quote, "> «> a\n> b»") == "> «a\nb»")
    }

    @Test func `a fence is longer than those in it`() {
        let text = MarkedText("```\n漢\n```")
        #expect(
            text.applying(MarkdownAssistant.fence(0...2, in: text.lines)) == "````¦\n```\n漢\n```\n````")
        let quoted = MarkedText("> a")
        #expect(quoted.applying(MarkdownAssistant.fence(0...0, in: quoted.lines)) == "> ```¦\n> a\n> ```")
        let empty = MarkedText("")
        #expect(empty.applying(MarkdownAssistant.fence(0...0, in: empty.lines)) == "```¦\n\n```")
    }

    @Test func `a table stands apart from the text above it`() {
        let rows = "| «One» | Two |\n| --- | --- |\n|     |     |"
        let empty = MarkedText("")
        #expect(empty.applying(MarkdownAssistant.table(at: 0, headings: ["One", "Two"], in: empty.lines)) == rows)
        let text = MarkedText("a\nb")
        #expect(
            text.applying(MarkdownAssistant.table(at: 0, headings: ["One", "Two"], in: text.lines)) == "a\n\n" + rows
                + "\n\nb")
    }

    private func reflowed(_ text: String, columns: Int = 10, _ range: ClosedRange<Int>? = nil) -> String {
        let lines = StringLines(text)
        var highlighter = MarkdownHighlighter()
        highlighter.reset(lines)
        let parts = MarkdownAssistant.reflow(
            range ?? 0...lines.lineCount - 1, columns: columns, in: lines, cellWidth: .unicode
        ) { highlighter.spans(ofLine: $0, in: lines).block == .paragraph }
        var edit = AssistantEdit(caret: LinePosition(line: 0, byte: 0))
        edit.replacements = parts
        return MarkedText(text).applying(edit, marked: false)
    }

    @Test(arguments: [
        ("one two three four", "one two\nthree four"), ("a\nb\nc d e f", "a b c d e\nf"), ("a  b", "a b"),
        ("- one two three", "- one two\n  three"), ("1. one two three", "1. one two\n   three"),
        ("> one two three", "> one two\n> three"), ("- [ ] a b c d", "- [ ] a b\n  c d"),
        ("one two  \nthree", "one two  \nthree"), ("one two\\\nthree", "one two\\\nthree"),
        ("漢字 漢字 漢字", "漢字 漢字\n漢字"), ("aaaaaaa - b", "aaaaaaa -\nb"), ("aaaaaaaa 1. b", "aaaaaaaa 1.\nb"),
        ("a [[b c d e]] f", "a\n[[b c d e]]\nf"), ("# one two three four", "# one two three four"),
        ("```\none two three four\n```", "```\none two three four\n```"),
        ("| a b c | d e f |\n|--|--|", "| a b c | d e f |\n|--|--|"),
        ("one two three\n\nfour\nfive", "one two\nthree\n\nfour five"), ("- a\n- b\n  c", "- a\n- b c"), ("", ""),
    ])
    func `paragraphs are broken anew, and nothing else`(before: String, after: String) {
        #expect(reflowed(before) == after)
        #expect(reflowed(after) == after)
    }

    @Test func `a paragraph is broken anew as a whole, from any of its lines, and its neighbours are not`() {
        #expect(reflowed("a\nb\n\nc\nd\n\ne\nf", 3...3) == "a\nb\n\nc d\n\ne\nf")
        #expect(reflowed("a\nb\nc", 2...2) == "a b c")
    }
}
