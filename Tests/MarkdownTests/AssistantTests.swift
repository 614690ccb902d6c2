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

    @Test(arguments: [
        ("1. a\n2. ¦\n3. b\n4. c", "1. a\n¦\n2. b\n3. c"), ("1. ¦\n2. b", "¦\n1. b"),
        ("1. a\n2. ¦\n\n3. b\n\ntext\n\n4. c", "1. a\n¦\n\n2. b\n\ntext\n\n4. c"),
        ("1. a\n1. ¦\n1. b\n1. c", "1. a\n¦\n1. b\n1. c"), ("> 1. a\n> 2. ¦\n> 3. b", "> 1. a\n> ¦\n> 2. b"),
        ("1. a\n2. ¦\n- b\n3. c", "1. a\n¦\n- b\n3. c"), ("1. a\n2. ¦\n   - x\n3. b", "1. a\n¦\n   - x\n2. b"),
        ("7) a\n8) ¦\n9) b", "7) a\n¦\n8) b"), ("1. a\n2. b\n3. ¦", "1. a\n2. b\n¦"),
    ])
    func `an empty item that goes leaves no gap in the numbers`(before: String, after: String) {
        let text = MarkedText(before)
        #expect(text.applying(MarkdownAssistant.enter(in: text.lines, at: text.caret)) == after)
        #expect(text.applying(MarkdownAssistant.backspace(in: text.lines, at: text.caret)) == after)
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
        ("1. a\n«2. b\n3. c»\n4. d", "1. a\n   1. b\n   2. c\n2. d"),
        ("1. a\n   1. x\n«2. b\n   1. y\n3. c»\n4. d", "1. a\n   1. x\n   2. b\n      1. y\n   3. c\n2. d"),
        ("1. a\n   - x\n«2. b\n3. c»", "1. a\n   - x\n   2. b\n   3. c"),
        ("1. a\n\n«2. b\n\n3. c»\n\n4. d", "1. a\n\n   1. b\n\n   2. c\n\n2. d"),
    ])
    func `several numbered items nest and count on`(before: String, after: String) {
        let text = MarkedText(before)
        let range = text.anchor.line...text.caret.line
        let edit = MarkdownAssistant.indent(range, in: text.lines, caret: text.caret)
        #expect(text.applying(edit, marked: false) == after)
    }

    @Test(arguments: [
        ("1. a\n   «1. b\n   2. c»\n   3. d\n2. e", "1. a\n2. b\n3. c\n   1. d\n4. e"),
        ("1. a\n   1. x\n      «1. b\n      2. c»\n   2. y\n2. e", "1. a\n   1. x\n   2. b\n   3. c\n   4. y\n2. e"),
        ("- a\n  «1. b\n  2. c»\n- e", "- a\n1. b\n2. c\n- e"),
    ])
    func `several numbered items come out and count on`(before: String, after: String) {
        let text = MarkedText(before)
        let range = text.anchor.line...text.caret.line
        let edit = MarkdownAssistant.outdent(range, in: text.lines, caret: text.caret)
        #expect(text.applying(edit, marked: false) == after)
    }

    @Test(arguments: [
        ("2. b\n1. a\n3. c", 0...1, 1, "1. b\n2. a\n3. c"), ("1. b\n1. a\n1. c", 0...1, 1, "nothing"),
        ("5. x\n7. c\n6. b\n8. d", 1...2, 6, "5. x\n6. c\n7. b\n8. d"),
        ("1. a\n   2. y\n   1. x\n2. b", 1...2, 1, "1. a\n   1. y\n   2. x\n2. b"),
        ("- b\n- a", 0...1, 1, "nothing"), ("text\n1. a\n2. b", 0...1, 1, "nothing"),
        ("1. a\ntext\n2. b", 0...1, 1, "nothing"),
    ])
    func `items that changed positions take the numbers of their positions`(
        before: String, lines: ClosedRange<Int>, first: Int, after: String
    ) {
        let text = MarkedText(before)
        let edit = MarkdownAssistant.renumber(lines, firstNumber: first, in: text.lines)
        #expect(text.applying(edit, marked: false) == after)
    }

    @Test(arguments: [
        ("- [ ] a¦", "- [x] a¦"), ("- [x] a¦", "- [ ] a¦"), ("- a¦", "- [ ] a¦"), ("te¦xt", "- [ ] te¦xt"),
        ("1. [X] ¦a", "1. [ ] ¦a"),
        ("> - [ ] a¦", "> - [x] a¦"), ("¦", "nothing"), ("## He¦ad", "nothing"), ("#tag¦", "- [ ] #tag¦"),
        ("- # item¦", "- [ ] # item¦"),
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
        #expect(text.applying(MarkdownAssistant.nextCell(in: text.lines, at: text.caret, cellWidth: .unicode)) == after)
    }

    @Test(arguments: [
        ("|a¦|b|\n|-|-|\n|ccccc|d|", "| a     | b   |\n| ----- | --- |\n| ccccc¦ | d   |"),
        ("| a   | b   |\n| --- | --- |\n| c   | d¦   |", "| a   | b   |\n| --- | --- |\n| c   | d   |\n|     | ¦    |"),
        ("| a   | b¦   |\n| --- | --- |", "| a   | b   |\n| --- | --- |\n|     | ¦    |"),
        ("| a   | b   |\n| --- | -¦-- |\n| c   | d   |", "| a   | b   |\n| --- | --- |\n| c   | d¦   |"),
        // An empty last row ends the table, as an empty item ends a list.
        ("| a   | b   |\n| --- | --- |\n|  ¦   |     |", "| a   | b   |\n| --- | --- |\n\n¦"),
        // Outside of the cells a new line begins.
        ("| a   | b   |\n| --- | --- |\n| c   | d   |¦", "nothing"), ("¦| a   | b   |\n| --- | --- |", "nothing"),
        ("text | h¦ere", "nothing"), ("| a¦ | b |", "nothing"),
    ])
    func `Enter in a table goes to the cell below`(before: String, after: String) {
        let text = MarkedText(before)
        #expect(
            text.applying(MarkdownAssistant.cellBelow(in: text.lines, at: text.caret, cellWidth: .unicode)) == after)
    }

    @Test func `shift-tab goes back and stops at the first cell`() {
        let text = MarkedText("| a   | b   |\n| --- | --- |\n| ¦c   | d   |")
        let back = MarkdownAssistant.nextCell(
            in: text.lines, at: text.caret, backwards: true, cellWidth: .unicode)
        #expect(text.applying(back) == "| a   | b¦   |\n| --- | --- |\n| c   | d   |")
        let first = MarkedText("| ¦a   | b   |\n| --- | --- |")
        #expect(
            MarkdownAssistant.nextCell(in: first.lines, at: first.caret, backwards: true, cellWidth: .unicode) == nil)
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

    @Test(arguments: ["A [b]", "a `b", "<x@y.z> c", "\\", "*d* <"]) func `a link is one whatever is in its title`(
        title: String
    ) throws {
        let text = MarkdownAssistant.link(title, uuid: "6F9619FF-8B86-D011-B42D-00CF4FC964FF") + " `e` <f>"
        let link = try #require(Markdown.links(in: text).first)
        #expect(link.kind == .note)
        #expect(link.range.lowerBound == 0)
        #expect(link.label == (title == "*d* <" ? "d <" : title))
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
}
