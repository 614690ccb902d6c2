import Testing
import TextPrimitives

@testable import Markdown

@Suite struct PreviewTests {
    /// Returns the preview as lines of text.
    ///
    /// Han characters and emoji are two cells wide.
    static func preview(_ text: String, columns: Int = 40) -> [String] {
        layout(text, columns: columns).lines.map(\.text)
    }

    static func layout(_ text: String, columns: Int = 40) -> PreviewLayout {
        PreviewLayout(
            MarkdownDocument(text), source: text, columns: columns,
            cellWidth: CellWidth { $0.unicodeScalars.first.map { $0.value >= 0x2E80 } ?? false ? 2 : 1 },
            image: { $0 == "takenote://image/A" ? .init(type: "PNG", size: "12 KB") : nil })
    }

    @Test func `a picture gets the cells of its proportions, within its own size, the width and the room`() {
        let room = PreviewLayout.PictureRoom(rows: 10)
        func cells(_ width: Int, _ height: Int, _ available: Int = 40) -> [Int] {
            let cells = room.cells(of: PreviewLayout.PixelSize(width: width, height: height), available: available)
            return [cells.columns, cells.rows]
        }
        // A cell is 8 by 16 pixels.
        #expect(cells(80, 80) == [10, 5])
        #expect(cells(800, 160) == [40, 4])
        #expect(cells(160, 1600) == [2, 10])
        #expect(cells(1, 1) == [1, 1])
        #expect(cells(0, -5) == [1, 1])
        #expect(cells(.max, 1, 0) == [1, 1])
        #expect(cells(1, .max) == [1, 10])
    }

    @Test func `an embedded note is shown by its title and a sign, as one that is not unfolded`() {
        #expect(Self.preview("See ![[Em2]].") == ["See ▸ Em2."])
        #expect(Self.preview("![[Em2#Part]] ![[#Own]] ![[A|b]]") == ["▸ Em2 › Part ▸ Own ▸ b"])
        #expect(Self.preview("![[a.png|300]] wow! [[B#c]] \\![[D]]") == ["▸ a.png wow! B#c !D"])
        func page(_ glyphs: PreviewGlyphs) -> [String] {
            let text = "*So* ![[Em2#Part]]"
            return PreviewLayout(MarkdownDocument(text), source: text, columns: 40, glyphs: glyphs, cellWidth: .unicode)
                .lines.map(\.text)
        }
        #expect(page(.ascii) == ["So > Em2 > Part"] && page(.words) == ["So Embedded: Em2 > Part"])
        #expect(Self.layout("![[Em2]]").links.map(\.target) == ["Em2"])
        #expect(Markdown.html("a ![[Em2]]", .extended) == "<p>a <a href=\"Em2\" class=\"wikilink\">Em2</a></p>\n")
    }

    @Test func `the size of an image is none of its name`() {
        #expect(Self.preview("An ![map|300](a.png) and ![*old* map|300x20](b.png).") == ["An map and old map."])
        #expect(Self.preview("Of ![a|b](c.png) ![x|0](c.png) ![|30](c.png)!") == ["Of a|b x|0 !"])
        #expect(Markdown.plainText(of: "An ![map|300](a.png) and [![b|2x3](c)|4](d)") == "An map and b|4")
        #expect(Markdown.preview(of: "# T\n\n![The map|300](a.png) here", title: "T") == "The map here")
        #expect(Markdown.derivedTitle(of: "![The map|300](a.png)") == "The map")
    }

    @Test func `a picture leaves lines for it, which hold its label meanwhile`() throws {
        func layout(_ text: String, height: Int) -> PreviewLayout {
            PreviewLayout(
                MarkdownDocument(text), source: text, columns: 40, cellWidth: CellWidth { _ in 1 },
                room: PreviewLayout.PictureRoom(rows: 10)
            ) { _ in
                .init(type: "PNG", size: "12 KB", pixels: PreviewLayout.PixelSize(width: 48, height: height))
            }
        }
        let text = "above\n\n> ![The map](takenote://image/A)\n\nbelow"
        let high = layout(text, height: 96)
        #expect(
            high.lines.map(\.text) == [
                "above", "", "▎ ┌───────────────────────┐", "▎ │ The map · PNG · 12 KB │",
                "▎ └───────────────────────┘",
                "▎       ", "▎       ", "▎       ", "", "below",
            ])
        let picture = try #require(high.pictures.first)
        #expect([picture.line, picture.rows, picture.column, picture.columns, picture.labelRows] == [2, 6, 2, 6, 3])
        #expect(picture.destination == "takenote://image/A" && picture.link == 0)
        #expect(high.line(ofSource: 4) == 8)
        let low = layout(text, height: 32)
        #expect(low.lines.map(\.text) == ["above", "", "▎ The map · PNG · 12 KB", "▎       ", "", "below"])
        #expect(low.pictures.map(\.labelRows) == [1])
        // Without room for pictures, a text has labels only.
        #expect(Self.layout(text).pictures.isEmpty)
    }

    @Test func `paragraphs are wrapped at words`() {
        #expect(Self.preview("the *quick* brown\nfox jumps", columns: 12) == ["the quick", "brown fox", "jumps"])
        #expect(Self.preview("abcdefghijklmnop", columns: 8) == ["abcdefgh", "ijklmnop"])
        #expect(Self.preview("see https://example.org/a/b", columns: 21) == ["see", "https://example.org/", "a/b"])
        #expect(Self.preview("https://example.org/a/b", columns: 14) == ["https://", "example.org/a/", "b"])
        #expect(Self.preview("日本語の文章です。", columns: 8) == ["日本語の", "文章で", "す。"])
    }

    @Test func `no row begins with what the editor begins none with`() {
        // Small kana, length marks, iteration marks, closing brackets.
        #expect(Self.preview("ああああぁい", columns: 8) == ["あああ", "あぁい"])
        #expect(Self.preview("ああああㇰい", columns: 8) == ["あああ", "あㇰい"])
        #expect(Self.preview("ああああーい", columns: 8) == ["あああ", "あーい"])
        #expect(Self.preview("ああああ」い", columns: 8) == ["あああ", "あ」い"])
        #expect(Self.preview("あああ「あい", columns: 8) == ["あああ", "「あい"])
        #expect(Self.preview("one/two three", columns: 8) == ["one/two", "three"])
        #expect(Self.preview("3/4-5 of it", columns: 8) == ["3/4-5 of", "it"])
    }

    @Test func `blocks are set apart and lists have real bullets`() {
        #expect(
            Self.preview("# Title\ntext\n\n- a\n- b\n  - c\n- [x] d\n- [ ] e\n\n3. f\n3. g") == [
                "Title", "━━━━━", "text", "", "• a", "• b", "  ◦ c", "☑ d", "☐ e", "", "3. f", "4. g",
            ])
    }

    @Test func `the text of a done task is set apart, its box and the tasks in it are not`() {
        let runs = Self.layout("- [x] d *e*\n  - [ ] g\n- [ ] h").lines.flatMap(\.runs)
        #expect(runs.filter { $0.kind.contains(.done) }.map(\.text).joined() == "d e")
        #expect(runs.filter { $0.kind.contains(.task) }.map(\.text) == ["☑ ", "☐ ", "☐ "])
        #expect(!runs.contains { $0.kind.isSuperset(of: [.task, .done]) })
    }

    @Test func `a break in HTML ends the line, and comments and tags of a mere look are left out`() {
        #expect(Self.preview("one<br>two<BR />\nthree") == ["one", "two", "three"])
        #expect(Self.preview("<kbd>Ctrl</kbd>+<kbd class=\"k\">C</kbd>, <!-- hidden -->then") == ["Ctrl+C, then"])
        #expect(Self.preview("x<sup>2</sup>, <del>not</del>") == ["x<sup>2</sup>, <del>not</del>"])
        #expect(Self.preview("a <b-x>b</b-x>, <i18n>c") == ["a <b-x>b</b-x>, <i18n>c"])
        #expect(
            Self.preview("| a | b |\n|---|---|\n| one<br>two | x |") == [
                "a   │ b", "────┼──", "one │ x", "two │ ",
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
        let text = "See:\n\n> ![a map](takenote://image/A)"
        let spoken = PreviewLayout(
            MarkdownDocument(text), source: text, columns: 40, glyphs: .words, cellWidth: .unicode,
            room: PreviewLayout.PictureRoom()
        ) { _ in .init(type: "PNG", size: "12 KB", pixels: PreviewLayout.PixelSize(width: 80, height: 160)) }
        #expect(spoken.lines.map(\.text) == ["See:", "", "  Picture: a map, PNG, 12 KB"] && spoken.pictures.isEmpty)
    }

    @Test func `an image alone on its line is drawn between the lines of its paragraph`() {
        let box = ["┌───────────────────┐", "│ map · PNG · 12 KB │", "└───────────────────┘"]
        #expect(Self.preview("![map](takenote://image/A)\nbelow it\n*goes* on") == box + ["below it goes on"])
        #expect(Self.preview("above  \nit\\\n![map](takenote://image/A)") == ["above", "it"] + box)
        #expect(
            Self.preview("- one\n  ![map](takenote://image/A)\n  two") == ["• one"] + box.map { "  " + $0 } + ["  two"])
        #expect(Self.preview("![map](takenote://image/A)\n![map](takenote://image/A)") == box + box)
        // With words beside it, it is a word, and a callout keeps its head.
        #expect(Self.preview("a ![map](takenote://image/A)\nb") == ["a map b"])
        #expect(Self.preview("> [!note] Look\n> ![map](takenote://image/A)").first?.contains("Look") == true)
        let text = "one\n![map](takenote://image/A)\nthree"
        #expect(Self.layout(text).lines.map(\.sourceLine) == [0, 1, 1, 1, 2])
    }

    @Test func `the lines of footnotes and of the words that refer to them are known`() {
        let notes = (1...11).map { "[^n\($0)]" }.joined(separator: "\n\n")
        let texts = (1...11).map { "[^n\($0)]: note \($0)" }.joined(separator: "\n")
        let layout = Self.layout("\(notes)\n\n\(texts)")
        for number in [1, 2, 11] {
            #expect(layout.line(ofFootnote: number).map { layout.lines[$0].text } == "\(number). note \(number)")
            #expect(layout.line(referringToFootnote: number) == number * 2 - 2)
        }
        #expect(layout.line(ofFootnote: 12) == nil && layout.line(referringToFootnote: 12) == nil)
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
        #expect(layout.lines.map(\.sourceLine) == [0, 1, 2, 5, 5])
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

    @Test func `a table with more columns than fit is drawn row by row, each cell with its column's name`() {
        #expect(
            Self.preview(
                "| Name | | Long remark | 天気 |\n|-|-|-|-|\n| Ann | x | one two three | |\n| b | | | 雪 |", columns: 20)
                == [
                    "Name: Ann", "x", "Long remark: one", "  two three", "────────────────────", "Name: b", "天気: 雪",
                ])
        // A table does not break words of up to twelve cells, but longer ones; a header alone is listed.
        #expect(Self.preview("| remarks | b |\n|-|-|\n| a | word |", columns: 14).first == "remarks │ b")
        #expect(Self.preview("| remarks | b |\n|-|-|\n| a | word |", columns: 13) == ["remarks: a", "b: word"])
        #expect(Self.preview("| abcdefghijklmnop | b |\n|-|-|\n| a | c |", columns: 16).first == "abcdefghijkl │ b")
        #expect(
            Self.preview("| one two three | b | words |\n|-|-|-|\n| a | four five | and more of them |", columns: 26)
                == [
                    "one    │ b       │ words", "two    │         │ ", "three  │         │ ",
                    "───────┼─────────┼────────",
                    "a      │ four    │ and", "       │ five    │ more of", "       │         │ them",
                ])
        #expect(Self.preview("| a | b | c | d |\n|-|-|-|-|\n| 1 | 2 | 3 | 4 |", columns: 20).count == 3)
        #expect(Self.preview("| one | two | three |\n|-|-|-|", columns: 10) == ["one", "two", "three"])
    }

    @Test(arguments: [8, 13, 20, 40, 80]) func `no table is wider than asked`(columns: Int) {
        for count in 1...30 {
            let row = "|" + String(repeating: " 日本 and more |", count: count) + "\n"
            let text = "> - " + row + ">   " + String(repeating: "|-", count: count) + "|\n>   " + row
            for line in Self.preview(text, columns: columns) {
                let cells = line.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x2E80 ? 2 : 1) }
                #expect(cells <= columns, "\(line)")
            }
        }
    }

    @Test func `lines know the byte that they begin with, in a long paragraph too`() {
        let text = "# A\n\nthe *quick* brown `fox  jumps` over &amp; [under](http://x) it\n\n***\n\n    code here\n"
        let layout = Self.layout(text, columns: 10)
        let bytes = Array(text.utf8)
        let starts = layout.lines.map { line in
            line.sourceOffset.map { String(decoding: bytes[$0...].prefix(4), as: UTF8.self) } ?? "-"
        }
        #expect(
            starts == ["# A\n", "-", "the ", "brow", "jump", "&amp", "-", "***\n", "-", "    "],
            "\(layout.lines.map(\.text))")
        for line in layout.lines.indices {
            guard let offset = layout.lines[line].sourceOffset else { continue }
            #expect(layout.line(ofSource: layout.lines[line].sourceLine, offset: offset) == line)
        }
        // An offset that is not shown maps to the line before it.
        let hidden = "# A\n\nthe *quick* brown `fox  jumps` over &amp; [under](htt".utf8.count
        #expect(layout.line(ofSource: 2, offset: hidden) == 5)
        #expect(layout.line(ofSource: 3, offset: hidden + 9) == 5)
    }

    @Test func `a footnote is found at the end, and does not lead the search for other lines astray`() {
        let notes = (0..<40).map { "[^\($0)]: note \($0)" }.joined(separator: "\n")
        let references = (0..<40).map { "[^\($0)]" }.joined(separator: " ")
        let layout = Self.layout("first\n\n\(notes)\n\nlast \(references)", columns: 80)
        let last = layout.lines[2]
        #expect(last.text.hasPrefix("last"))
        #expect(layout.line(ofSource: last.sourceLine, offset: last.sourceOffset ?? 0) == 2)
        let byte = "first\n\n".utf8.count + notes.utf8.count - "note 39".utf8.count
        #expect(layout.lines[layout.line(ofSource: 41, offset: byte)].text == "40. note 39")
    }

    @Test func `the number of a footnote is marked, the blank behind it is not`() {
        let line = Self.layout("a[^x]\n\n[^x]: one").lines.last
        #expect(line?.runs.map(\.text) == ["1.", " ", "one"])
        #expect(line?.runs.map(\.kind) == [.footnote, [], []])
    }

    @Test func `all lines together are what they are one by one`() {
        let layout = Self.layout("# A\n\n- *b* c\n\n```\nd\n\n```\n\n日本 | x\n-|-\n1 | 2")
        #expect(layout.lines.text == layout.lines.map(\.text).joined(separator: "\n"))
    }

    /// A piece is parsed after lines that open the blocks which are open at its start.
    @Test func `a part in the middle of lists, quotes, code and tables reads as the whole does`() {
        let text = """
            - one
              - two

                > three
                > four
                >
                > ```swift
                > let five = 5
                > ```
              - six

                ~~~~
                seven
                ~~~~

            > | a | b |
            > |---|---|
            > | 8 | 9 |
            > | 10 | 11 |
            """
        let lines = StringLines(text)
        let whole = Self.layout(text)
        var highlighter = MarkdownHighlighter()
        highlighter.reset(lines)
        let starts = text.utf8.enumerated().reduce(into: [0]) { if $1.element == 0x0A { $0.append($1.offset + 1) } }
        for first in [1, 3, 7, 9, 12, 17, 18] {
            let lead = highlighter.opening(ofLine: first, in: lines)
            let rest = String(decoding: Array(text.utf8)[starts[first]...], as: UTF8.self)
            var part = Self.layout(lead + rest)
            part.position(
                atLine: first, byte: starts[first], lead: (lead.split(separator: "\n").count, lead.utf8.count))
            let tail = whole.lines.suffix(part.lines.count)
            #expect(part.lines.map(\.text) == tail.map(\.text), "from line \(first)")
            #expect(part.lines.map(\.sourceOffset) == tail.map(\.sourceOffset), "from line \(first)")
            #expect(part.lines.map(\.background) == tail.map(\.background), "from line \(first)")
            #expect(part.lines.first?.sourceLine == first)
        }
    }
}
