import Testing
import TextPrimitives

@testable import Markdown

@Suite struct DocumentTests {
    private static func part(_ text: String, _ range: Range<Int>) -> String {
        String(decoding: Array(text.utf8)[range], as: UTF8.self)
    }

    @Test func `the tree can be walked and knows its source`() throws {
        let text = "# A *b*\n\n> - [x] c\n>   d `e`\n\n```swift\nx\n```\n"
        let document = MarkdownDocument(text)
        #expect(document.topBlocks.map(\.kind) == [.heading(level: 1), .quote, .code(info: "swift")])
        #expect(document.topBlocks.map(\.lines) == [0...0, 2...3, 5...7])
        #expect(document.topBlocks[2].literal == "x\n")
        let list = try #require(document.blocks(in: document.topBlocks[1]).first)
        #expect(list.kind == .list(start: nil, isLoose: false))
        let item = try #require(document.blocks(in: list).first)
        #expect(item.kind == .item(isDone: true))
        let paragraph = try #require(document.blocks(in: item).first)
        let inlines = document.inlines(in: paragraph)
        #expect(inlines.map(\.kind) == [.text("c"), .softBreak, .text("d "), .code("e")])
        #expect(inlines.map { Self.part(text, $0.range) } == ["c", "\n", "d ", "`e`"])
        let heading = document.inlines(in: document.topBlocks[0])
        #expect(heading.map(\.kind) == [.text("A "), .emphasis])
        #expect(document.inlines(in: heading[1]).map(\.kind) == [.text("b")])
    }

    @Test func `links carry decoded destinations`() {
        let text = "[a](<b c> \"d &amp; e\") ![f][g] <h@i.jk>\n\n[g]: /u\\*"
        let document = MarkdownDocument(text)
        #expect(
            document.inlines(in: document.topBlocks[0]).map(\.kind) == [
                .link(destination: "b c", title: "d & e"), .text(" "), .image(destination: "/u*", title: ""),
                .text(" "),
                .link(destination: "mailto:h@i.jk", title: ""),
            ])
    }

    @Test func `cells of tables point into the source`() throws {
        let text = "| a | b |\n|---|:-:|\n| c \\| d | e |"
        let document = MarkdownDocument(text)
        let rows = document.blocks(in: try #require(document.topBlocks.first))
        #expect(rows.map(\.kind) == [.tableRow(isHeader: true), .tableRow(isHeader: false)])
        let cells = document.blocks(in: rows[1])
        #expect(
            cells.map(\.kind) == [
                .tableCell(alignment: .none, isHeader: false), .tableCell(alignment: .center, isHeader: false),
            ])
        #expect(document.inlines(in: cells[1]).map { Self.part(text, $0.range) } == ["e"])
        #expect(document.inlines(in: cells[0]).map { $0.range.lowerBound } == [22])
    }

    @Test(arguments: [
        "", "\n", "\u{FEFF}# a", "a\r\nb\rc", "\0", "- \n\n- ", "\t", ">", "```", "[", "|", "$", "#", "---\n---",
        "\u{FEFF}---\na: b\n---\n",
    ])
    func `odd texts are read by everything`(text: String) {
        _ = Markdown.html(text)
        _ = Markdown.html(text, .commonMark)
        _ = Markdown.links(in: text)
        _ = Markdown.preview(of: text, title: "")
        #expect(!Markdown.derivedTitle(of: text).isEmpty)
        #expect(!highlighted(text).isEmpty)
        let document = MarkdownDocument(text)
        _ = PreviewLayout(document, source: text, columns: 20, cellWidth: CellWidth { _ in 1 })
    }
}
