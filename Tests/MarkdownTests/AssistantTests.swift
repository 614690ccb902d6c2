import Testing

@testable import Markdown

@Suite struct AssistantTests {
    @Test func `the notation finds caret and selection`() {
        let caret = MarkedText("ab\nc¦d")
        #expect(caret.text == "ab\ncd")
        #expect(caret.caret == LinePosition(line: 1, byte: 1))
        #expect(MarkedText("a«b»c").selection == LinePosition(line: 0, byte: 1)..<LinePosition(line: 0, byte: 2))
        #expect(caret.applying(AssistantEdit(caret: caret.caret)) == "ab\nc¦d")
    }

    @Test(arguments: [
        ("- a¦", "- a\n- ¦"), ("* a¦b", "* a\n* ¦b"), ("  + a¦", "  + a\n  + ¦"), ("- [x] a¦", "- [x] a\n- [ ] ¦"),
        ("- [ ] a ¦b", "- [ ] a\n- [ ] ¦b"), ("1. a¦", "1. a\n2. ¦"), ("9) a¦", "9) a\n10) ¦"), ("> a¦", "> a\n> ¦"),
        ("> - a¦", "> - a\n> - ¦"), ("1. a¦\n2. b\n\n3. c", "1. a\n2. ¦\n3. b\n\n4. c"),
        ("1. a\n   - x\n2. b¦\n3. c", "1. a\n   - x\n2. b\n3. ¦\n4. c"),
        ("1. a\n1. b¦\n1. c", "1. a\n1. b\n1. ¦\n1. c"),
        ("- a\n- ¦", "- a\n¦"), ("- a\n  - ¦", "- a\n- ¦"), ("1. a\n   - b\n   - ¦", "1. a\n   - b\n- ¦"),
        ("> ¦", "¦"), ("> a\n> ¦", "> a\n¦"), ("> - ¦", "> ¦"), ("- [ ] ¦", "¦"), ("-   a¦", "-   a\n-   ¦"),
    ])
    func `enter goes on with lists, tasks and quotes and ends empty ones`(before: String, after: String) {
        let text = MarkedText(before)
        #expect(text.applying(MarkdownAssistant.enter(in: text.lines, at: text.caret)) == after)
    }

    @Test(arguments: ["text¦", "# head¦", "¦- a", "-a¦", "1.a¦", ""])
    func `enter is nothing special elsewhere`(before: String) {
        let text = MarkedText(before)
        #expect(MarkdownAssistant.enter(in: text.lines, at: text.caret) == nil)
    }

    @Test(arguments: [
        ("- a\n- b¦", "- a\n  - b¦"), ("1. a\n2. b¦\n", "1. a\n   1. b¦\n"),
        ("1. a\n2. b¦\n3. c", "1. a\n   1. b¦\n2. c"),
        ("- a\n- b¦\n  - c\n- d", "- a\n  - b¦\n    - c\n- d"),
        ("- a\n  - b\n- c¦", "- a\n  - b\n  - c¦"), ("> - a\n> - b¦", "> - a\n>   - b¦"), ("- a¦", "nothing"),
        ("text¦", "nothing"),
    ])
    func `tab nests items`(before: String, after: String) {
        let text = MarkedText(before)
        let line = text.caret.line
        #expect(text.applying(MarkdownAssistant.indent(line...line, in: text.lines, caret: text.caret)) == after)
    }

    @Test(arguments: [
        ("- a\n  - b¦", "- a\n- b¦"), ("1. a\n   1. b¦", "1. a\n2. b¦"), ("1. a\n   1. b¦\n2. c", "1. a\n2. b¦\n3. c"),
        ("- a\n  - b¦\n    - c\n  - d", "- a\n- b¦\n  - c\n  - d"),
        ("- a¦", "nothing"), ("  - a¦", "- a¦"),
    ])
    func `shift-tab takes items out`(before: String, after: String) {
        let text = MarkedText(before)
        let line = text.caret.line
        #expect(text.applying(MarkdownAssistant.outdent(line...line, in: text.lines, caret: text.caret)) == after)
    }

    @Test(arguments: [
        ("- [ ] a¦", "- [x] a¦"), ("- [x] a¦", "- [ ] a¦"), ("- a¦", "- [ ] a¦"), ("te¦xt", "- [ ] te¦xt"),
        ("1. [X] ¦a", "1. [ ] ¦a"),
        ("> - [ ] a¦", "> - [x] a¦"), ("¦", "nothing"),
    ])
    func `a checkbox toggles`(before: String, after: String) {
        let text = MarkedText(before)
        #expect(
            text.applying(MarkdownAssistant.toggleTask(at: text.caret.line, in: text.lines, caret: text.caret)) == after
        )
    }

    @Test(arguments: [
        ("|a¦|b|\n|-|-|\n|ccccc|d|", "| a     | b¦   |\n| ----- | --- |\n| ccccc | d   |"),
        ("| a     | b¦   |\n| ----- | --- |\n| ccccc | d   |", "| a     | b   |\n| ----- | --- |\n| ccccc¦ | d   |"),
        ("| a   | b   |\n| --- | --- |\n| c   | d¦   |", "| a   | b   |\n| --- | --- |\n| c   | d   |\n| ¦    |     |"),
        ("|a|b|\n|:-:|-:|\n|c|d¦|\n\nx", "|  a  |   b |\n| :-: | --: |\n|  c  |   d |\n|  ¦   |     |\n\nx"),
        ("|a¦|b|\n|-|-|\n|c|d|e|", "| a   | b¦   |\n| --- | --- |\n| c   | d   | e |"), ("text | here¦", "nothing"),
    ])
    func `tab in a table aligns it and goes on`(before: String, after: String) {
        let text = MarkedText(before)
        #expect(text.applying(MarkdownAssistant.nextCell(in: text.lines, at: text.caret) { $0.count }) == after)
    }

    @Test func `shift-tab goes back and stops at the first cell`() {
        let text = MarkedText("| a   | b   |\n| --- | --- |\n| ¦c   | d   |")
        let back = MarkdownAssistant.nextCell(in: text.lines, at: text.caret, backwards: true) { $0.count }
        #expect(text.applying(back) == "| a   | b¦   |\n| --- | --- |\n| c   | d   |")
        let first = MarkedText("| ¦a   | b   |\n| --- | --- |")
        #expect(MarkdownAssistant.nextCell(in: first.lines, at: first.caret, backwards: true) { $0.count } == nil)
    }

    @Test func `a title is completed after two brackets`() {
        let text = MarkedText("see [[Rea¦ and")
        let completion = MarkdownAssistant.completion(in: text.lines, at: text.caret)
        #expect(completion == .init(range: 4..<9, query: "Rea"))
        #expect(
            completion.map { text.applying(MarkdownAssistant.complete($0, title: "A [b]", uuid: "U", line: 0)) }
                == "see [A \\[b\\]](takenote://note/U)¦ and")
        #expect(MarkdownAssistant.completion(in: StringLines("[[a]] b"), at: LinePosition(line: 0, byte: 7)) == nil)
        #expect(MarkdownAssistant.completion(in: StringLines("[a"), at: LinePosition(line: 0, byte: 2)) == nil)
    }

    @Test func `an address pasted over a selection makes a link`() {
        let text = MarkedText("a «word» b")
        #expect(
            text.applying(MarkdownAssistant.paste("https://x.org/\n", over: text.selection, in: text.lines))
                == "a [word](https://x.org/)¦ b")
        #expect(
            text.applying(MarkdownAssistant.paste("https://x.org/(y)", over: text.selection, in: text.lines))
                == "a [word](<https://x.org/(y)>)¦ b")
        #expect(MarkdownAssistant.paste("two words", over: text.selection, in: text.lines) == nil)
    }

    @Test(arguments: [
        ("a «b» c", "*", "a *«b»* c"), ("a *«b»* c", "*", "a **«b»** c"), ("«b»", "[", "[«b»]"), ("`«b»`", "`", "«b»"),
        ("«a\nb»", "_", "_«a\nb»_"), ("«b»", "x", "nothing"),
    ])
    func `markers typed over a selection wrap it`(before: String, mark: String, after: String) {
        let text = MarkedText(before)
        #expect(text.applying(MarkdownAssistant.wrap(text.selection, with: Character(mark), in: text.lines)) == after)
    }

    @Test func `a section ends at the next heading of its level`() {
        let outline = Markdown.outline(of: "# a\n\n## b\nx\n## c\n# d\ny")
        #expect(Markdown.section(ofHeading: 0, in: outline, lineCount: 7) == 1..<5)
        #expect(Markdown.section(ofHeading: 1, in: outline, lineCount: 7) == 3..<4)
        #expect(Markdown.section(ofHeading: 3, in: outline, lineCount: 7) == 6..<7)
    }
}
