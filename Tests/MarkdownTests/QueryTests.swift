import Testing
import TextPrimitives

@testable import Markdown

@Suite struct QueryTests {
    /// In Markdown a line also ends at a CR, in a text buffer only at an LF; queries return lines of the buffer.
    @Test func `lines are those of the text's buffer, whatever ends them`() {
        let text = "\u{FEFF}a\rb\r# one\r\n\r\n## two\n- [ ] c\r- [x] d\n\n| x |\r|-|\r| y |\n"
        #expect(Markdown.outline(of: text).map(\.line) == [0, 2])
        #expect(Markdown.outline(of: text).map(\.title) == ["one", "two"])
        #expect(Markdown.tasks(in: text).map(\.line) == [3, 3])
        let document = MarkdownDocument(text)
        #expect(document.topBlocks.map(\.lines) == [0...0, 0...0, 2...2, 3...3, 5...5])
        #expect(Markdown.html(text, .gfm).contains("</thead>\n<tbody>\n<tr>\n<td>y</td>"))
        let preview = PreviewLayout(document, source: text, columns: 20, cellWidth: CellWidth { _ in 1 })
        let lines = StringLines(text)
        #expect(preview.lines.allSatisfy { $0.sourceLine < lines.lineCount })
        #expect(preview.lines.first { $0.text == "two" }?.sourceLine == 2)
    }

    @Test func `a byte order mark is not text to any reader`() {
        for text in [
            "# one\n\n[a]: b", "---\ntitle: x\n---\n# two", "- a\n- b", "[a]: b\n\n[a]", "```\n# c\n```", "x\n===",
        ] {
            let marked = "\u{FEFF}" + text
            #expect(Markdown.html(marked) == Markdown.html(text))
            #expect(Markdown.outline(of: marked) == Markdown.outline(of: text))
            let plain = highlighted(text)
            var shown = highlighted(marked)
            shown[0] = shown[0].replacing("\u{FEFF}", with: "")
            #expect(shown == plain, "\(text)")
        }
    }

    @Test(arguments: [
        ("", "New Note"), ("\n\n  \n", "New Note"), ("# Hello *world* #\n\ntext", "Hello world"),
        ("---\ntitle: \"From the front\"\n---\n# Other", "From the front"),
        ("---\ntags: [a]\n---\n\n- [ ] buy **milk**", "buy milk"),
        ("[Link](http://x) and `code`\nnext", "Link and code"), ("Title\n===", "Title"), ("---", "---"),
        ("---\ntags: [a]\n---\n\n***", "***"), ("---\ntags: [a]\n---\n", "New Note"), ("---\na: b\n---", "New Note"),
        ("> quoted", "quoted"), ("```\ncode first\n```", "code first"), ("![image](takenote://image/X)", "image"),
        ("<!-- c -->\nText", "Text"), ("a &amp; b", "a & b"),
    ])
    func `a title is derived from the first line that says something`(text: String, title: String) {
        #expect(Markdown.derivedTitle(of: text) == title)
    }

    @Test func `a derived title has at most 200 characters`() {
        #expect(Markdown.derivedTitle(of: String(repeating: "é", count: 300)).count == 200)
    }

    @Test func `a title is found behind very many blank lines`() {
        #expect(Markdown.derivedTitle(of: String(repeating: "\n", count: 100_000) + "# far") == "far")
    }

    @Test func `a preview is what follows the title`() {
        #expect(Markdown.preview(of: "# T\n\nSome *text*.\n\n- a\n- b", title: "T") == "Some text. a b")
        #expect(Markdown.preview(of: "# T\n\nSome", title: "Mine") == "T Some")
        #expect(Markdown.preview(of: "", title: "New Note") == "")
        let callout = "# T\n\n> [!info] Goal\n> Ship it\n>\n> [!tip]"
        #expect(Markdown.preview(of: callout, title: "T") == "Info: Goal Ship it [!tip]")
        #expect(Markdown.plainText(of: "> [!warning]-\n\n[!info] no") == "Warning\n[!info] no")
        #expect(Markdown.plainText(of: "see ![[Glossary]], \\![[A]] and wow! [[B|b]]") == "see Glossary, !A and wow! b")
        #expect(Markdown.preview(of: "T\n" + String(repeating: "word ", count: 500), title: "T").count <= 200)
    }

    @Test func `a preview and a title of long lines end at their limits, in scripts without spaces too`() {
        let word = String(repeating: "漢字", count: 300)
        #expect(Markdown.preview(of: "T\n" + word, title: "T") == word.prefix(200))
        #expect(Markdown.preview(of: "T\né \u{3000} " + word, title: "T") == "é " + word.prefix(198))
        #expect(Markdown.derivedTitle(of: "  " + word) == word.prefix(200))
        #expect(Markdown.plainText(of: "a\\\nb\n\n```\nc\n\nd\n```") == "a\nb\nc\nd")
    }

    @Test func `the start of a short text is the document of the whole text`() throws {
        #expect(TextStart(of: "# T\n\n[[a]]").wholeDocument?.links(in: "# T\n\n[[a]]").map(\.target) == ["a"])
        let long = String(repeating: "word ", count: 500)
        for text in ["\n# T", "---\ntitle: x\n---\n# T", "\u{FEFF}# T", "# T\n" + long] {
            let start = TextStart(of: text)
            #expect(start.wholeDocument == nil && start.derivedTitle == "T", "\(text)")
        }
        #expect(TextStart(of: "# T").derivedTitle(titled: " given ") == "given")
        #expect(TextStart(of: "# T").derivedTitle(titled: " ") == "T")
    }

    @Test func `links carry kind, target, label, bytes and line`() {
        let uuid = "6F9619FF-8B86-D011-B42D-00CF4FC964FF"
        let text =
            "é [a *b*](takenote://note/\(uuid))\n> ![i](takenote://image/\(uuid))\n[[T|x]] [[U#h]] <https://a.b> c@d.ef"
        let links = Markdown.links(in: text)
        #expect(links.map(\.kind) == [.note, .image, .wikilink, .wikilink, .web, .mail])
        #expect(links.map(\.target) == [uuid, uuid, "T", "U", "https://a.b", "c@d.ef"])
        #expect(links.map(\.label) == ["a b", "i", "x", "U#h", "https://a.b", "c@d.ef"])
        #expect(links.map(\.line) == [0, 1, 2, 2, 2, 2])
        #expect(links[3].heading == "h")
        for link in links {
            let part = String(decoding: Array(text.utf8)[link.range], as: UTF8.self)
            #expect(part.hasPrefix("[") || part.hasPrefix("!") || part.hasPrefix("<") || part == "c@d.ef", "\(part)")
        }
    }

    @Test func `an address of a note may name a heading`() {
        let uuid = "6F9619FF-8B86-D011-B42D-00CF4FC964FF"
        let links = Markdown.links(in: "[a](takenote://note/\(uuid)#Part%20one) [b](takenote://note/\(uuid)x#y)")
        #expect(links.map(\.kind) == [.note, .other])
        #expect(links[0].target == uuid && links[0].heading == "Part%20one")
        #expect(links[1].heading == nil)
    }

    @Test func `wikilinks in front matter are links with their places in the text, and comments have none`() {
        let matter = ["up: \"[[Films#Japan|cinema]]\"", "list: [\"[[A]]\", \"[[]]\", \"[[B\"]", " # [[No]]"]
        let text = (["---"] + matter + ["---", "see [[C]]"]).joined(separator: "\r\n")
        let links = Markdown.links(in: text)
        #expect(links.map(\.target) == ["Films", "A", "C"])
        #expect(links.map(\.line) == [1, 2, 5])
        #expect(links[0].heading == "Japan" && links[0].label == "cinema")
        let bytes = Array(text.utf8)
        let written = links.map { String(decoding: bytes[$0.range], as: UTF8.self) }
        #expect(written == ["[[Films#Japan|cinema]]", "[[A]]", "[[C]]"])
    }

    @Test func `links in front matter have their ranges, and tell where YAML takes them for lists`() {
        let text = """
            ---
            a: "[[x|y]]" # [[z]]
            b: ![[x]]
            c: ["![k](images/k.png)", [[l]], '[q](u#p)']
            # [[No]]
            d: 'it''s [[x]]', [not](a link) [[]] [[o[[p]]
            ---
            [[text]]
            """
        let bytes = Array(text.utf8)
        let found = Markdown.destinations(in: text, withProperties: true)
        #expect(
            found.map { String(decoding: bytes[$0.range], as: UTF8.self) }
                == ["[[x|y]]", "[[z]]", "![[x]]", "images/k.png", "[[l]]", "u#p", "[[x]]", "[[p]]", "[[text]]"])
        #expect(found.map(\.label) == ["y", "z", "x", "k", "l", "q", "x", "p", "text"])
        #expect(
            found.map(\.kind)
                == [.wikilink, .wikilink, .embed, .image, .wikilink, .link, .wikilink, .wikilink, .wikilink])
        #expect(found.filter { $0.property == .unquoted }.map(\.label) == ["x", "l"])
        #expect(Markdown.destinations(in: text).map(\.label) == ["text"])
        let uuid = "6F9619FF-8B86-D011-B42D-00CF4FC964FF"
        let values = ["a: \"![b](takenote://image/\(uuid))\"", "c: \"[d](takenote://file/\(uuid)#e)\""]
        let links = Markdown.links(in: (["---"] + values + ["---"]).joined(separator: "\n"))
        #expect(links.map(\.kind) == [.image, .file] && links.map(\.target) == [uuid, uuid])
        #expect(links.map(\.line) == [1, 2] && links.map(\.isEmbedded) == [true, false])
    }

    @Test func `front matter gives title, tags and dates`() {
        let matter = Markdown.frontMatter(
            of: "---\ntitle: 'A: b'\ntags: [x, \"y z\"]\ncreated: 2026-01-02\nupdated: 2026-01-03\n---\ntext")
        #expect(matter?.title == "A: b")
        #expect(matter?.tags == ["x", "y z"])
        #expect(matter?.created == "2026-01-02")
        #expect(matter?.updated == "2026-01-03")
        #expect(matter?.lineCount == 6)
        #expect(Markdown.frontMatter(of: "---\ntags:\n  - a\n  - b\n---")?.tags == ["a", "b"])
        #expect(Markdown.frontMatter(of: "---\n\ntext\n---") == nil)
        #expect(Markdown.frontMatter(of: "---\ntitle: x") == nil)
    }

    @Test func `front matter may begin with a blank line if all its lines are YAML`() {
        let drawing = Markdown.frontMatter(of: "---\n\nexcalidraw-plugin: parsed\ntags: [excalidraw]\n\n---\n# D")
        #expect(drawing?.tags == ["excalidraw"] && drawing?.lineCount == 6)
        #expect(Markdown.frontMatter(of: "---\n\ntags:\n- a\n  - b\n\n---")?.tags == ["a", "b"])
        for text in [
            "---\n\ntext\n---", "---\n\n---\n", "---\n\n- a\n\n---", "---\n\na: b\ntext\n\n---", "---\n\na: b",
            "---\n\nsee this: b\n\n---", "---\n\nhttp://x.org\n\n---",
        ] {
            #expect(Markdown.frontMatter(of: text) == nil, "\(text)")
        }
        #expect(Markdown.html("---\n\ntags: [a]\n\n---\nb", .extended) == "<p>b</p>\n")
    }

    @Test func `tags, outline and tasks`() {
        let text = "# One #\n\n#a #b/c #A #1 x#d `#e`\n\nTwo\n---\n- [ ] t *u*\n- [x] v"
        #expect(Markdown.tags(in: text) == ["a", "b/c"])
        #expect(
            Markdown.outline(of: text) == [
                OutlineItem(level: 1, title: "One", line: 0), OutlineItem(level: 2, title: "Two", line: 4),
            ])
        #expect(
            Markdown.tasks(in: text) == [
                TaskItem(isDone: false, title: "t u", line: 6), TaskItem(isDone: true, title: "v", line: 7),
            ])
    }

    @Test func `plain text has no markers`() {
        #expect(
            Markdown.plainText(of: "# A\n\n*b* [c](d)\n- e\n\n| f | g |\n|-|-|\n| h | i |") == "A\nb c\ne\nf g\nh i")
    }
}
