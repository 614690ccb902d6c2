import Testing

@testable import Markdown

@Suite struct PreviewTests {
    /// The preview as lines of text.
    ///
    /// Han characters and emoji are two cells wide.
    static func preview(_ text: String, columns: Int = 40) -> [String] {
        layout(text, columns: columns).lines.map(\.text)
    }

    static func layout(_ text: String, columns: Int = 40) -> PreviewLayout {
        PreviewLayout(
            MarkdownDocument(text), source: text, columns: columns,
            cellWidth: { $0.unicodeScalars.first.map { $0.value >= 0x2E80 } ?? false ? 2 : 1 },
            image: { $0 == "takenote://image/A" ? .init(type: "PNG", size: "12 KB") : nil })
    }

    @Test func `paragraphs are wrapped at words`() {
        #expect(Self.preview("the *quick* brown\nfox jumps", columns: 12) == ["the quick", "brown fox", "jumps"])
        #expect(Self.preview("abcdefghijklmnop", columns: 8) == ["abcdefgh", "ijklmnop"])
        #expect(Self.preview("日本語の文章です。", columns: 8) == ["日本語の", "文章で", "す。"])
    }

    @Test func `blocks are set apart and lists have real bullets`() {
        #expect(
            Self.preview("# Title\ntext\n\n- a\n- b\n  - c\n- [x] d\n- [ ] e\n\n3. f\n3. g") == [
                "Title", "", "text", "", "• a", "• b", "  ◦ c", "☑ d", "☐ e", "", "3. f", "4. g",
            ])
    }

    @Test func `loose lists and wrapped items hang`() {
        #expect(Self.preview("- one two three\n\n- four", columns: 9) == ["• one two", "  three", "", "• four"])
    }

    @Test func `quotes have bars on every line`() {
        #expect(Self.preview("> a b c d e\n>\n> - f", columns: 8) == ["▎ a b c", "▎ d e", "▎ ", "▎ • f"])
    }

    @Test func `tables are drawn with aligned columns`() {
        #expect(
            Self.preview("| a | bb | c |\n|---|--:|:-:|\n| 日本 | 1 | x |\n| d | 22 | yyy |") == [
                "a    │ bb │  c", "─────┼────┼────", "日本 │  1 │  x", "d    │ 22 │ yyy",
            ])
        #expect(
            Self.preview("| a | b |\n|-|-|\n| one two | three four |", columns: 13) == [
                "a     │ b", "──────┼──────", "one   │ three", "two   │ four",
            ])
    }

    @Test func `code keeps its lines and its colours`() {
        let layout = Self.layout("```swift\nlet x = 1\n\n  y\n```")
        #expect(layout.lines.map(\.text) == ["let x = 1", "", "  y"])
        #expect(layout.lines.allSatisfy { $0.background == .codeBlock })
        #expect(layout.lines[0].runs.first == PreviewLayout.Run("let", [.codeBlock, .codeKeyword]))
    }

    @Test func `images are labelled boxes`() {
        #expect(
            Self.preview("![map](takenote://image/A)\n\n![](http://x/y.png)") == [
                "┌───────────────────┐", "│ map · PNG · 12 KB │", "└───────────────────┘", "",
                "┌───────┐", "│ y.png │", "└───────┘",
            ])
    }

    @Test func `footnotes come at the end`() {
        #expect(
            Self.preview("a[^x] b[^y]\n\n[^y]: two\n[^x]: one") == [
                "a[1] b[2]", "", "────────────────", "1. one", "2. two",
            ])
    }

    @Test func `links are told by run and lines know their source`() {
        let layout = Self.layout("# A\n\nsee [b](http://c)\nand [[d]]\n\n- e")
        let linked = layout.lines.flatMap(\.runs).filter { $0.link != nil }
        #expect(linked.map(\.text) == ["b", "d"])
        #expect(linked.map { layout.links[$0.link ?? 0].target } == ["http://c", "d"])
        #expect(layout.lines.map(\.sourceLine) == [0, 2, 2, 5, 5])
        #expect(layout.line(ofSource: 5) == 3)
    }

    @Test(arguments: 1..<30) func `no line is wider than asked`(columns: Int) {
        let text =
            "> - long words here and 日本語\n>   1. deeper `code span` text\n\n| a | b |\n|-|-|\n| ccc dd | 日本語 |\n\n![image](x)\n\n    code code code code\n\n***"
        let width = max(columns, 8)
        for line in Self.layout(text, columns: columns).lines {
            let cells = line.text.reduce(0) {
                $0 + ($1.unicodeScalars.first.map { $0.value >= 0x2E80 } ?? false ? 2 : 1)
            }
            #expect(cells <= width, "\(line.text)")
        }
    }
}
