import Foundation
import Testing

@testable import NoteStore

/// Tests what a page shows of a text: kept lines, and embedded notes.
@Suite struct PreparedTextTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    private func page(_ format: ExportOptions.Format, keepsLines: Bool = false) throws -> (String) throws -> String {
        var options = ExportOptions(format: format)
        options.keepsLines = keepsLines
        let out = test.folder.path + "/" + UUID().uuidString
        #expect(try notebook.transfer.export(to: out, options).problems.isEmpty)
        return { try String(contentsOf: URL(filePath: out + "/" + $0), encoding: .utf8) }
    }

    @Test func `poems keep their lines in pages, books and manuscripts, prose joins them`() throws {
        let poems = try notebook.projects.create("Poems", type: .poetry)
        let draft = try #require(try notebook.containers.all().first { $0.role == .draft }).id
        try test.note("# Rose\n\nRose is\nred,  \nand\\\nso *is\nthe* sky\n\nend", in: draft)
        try test.note("---\nlines: join\n---\nin\nprose", in: draft, title: "Prose")
        try test.note("one\ntwo", title: "Plain")
        try test.note("---\nlines: keep\n---\nthree\nfour", title: "Kept")
        let lines = "Rose is<br />\nred,<br />\nand<br />\nso <em>is<br />\nthe</em> sky</p>"
        for format in [ExportOptions.Format.html, .site] {
            let page = try page(format)
            #expect(try page("Poems/Your Poetry/Draft/Rose.html").contains(lines))
            #expect(try page("Poems/Your Poetry/Draft/Prose.html").contains("in\nprose"))
            #expect(try page("Inbox/Plain.html").contains("one\ntwo"))
            #expect(try page("Inbox/Kept.html").contains("three<br />\nfour"))
            #expect(try self.page(format, keepsLines: true)("Inbox/Plain.html").contains("one<br />\ntwo"))
        }
        let manuscript = try notebook.transfer.manuscript(of: poems.id)
        #expect(try notebook.transfer.page(of: manuscript).contains(lines))
        let markdown = try notebook.transfer.markdown(of: manuscript, picturesIn: "pictures").text
        #expect(markdown.contains("Rose is\\\nred,  \nand\\\nso *is\\\nthe* sky\n\nend\n"), "\(markdown)")
        #expect(try String(decoding: notebook.transfer.book(of: manuscript), as: UTF8.self).contains("mimetype"))
        // The files of notes themselves stay as they are.
        #expect(try page(.markdown)("Inbox/Plain.md") == "one\ntwo")
    }

    private static let part = """
        intro

        # One

        first[^1]

        ## Two

        second

        ### Three

        third

        # Four

        - item
          - marked ^abc
            - below
        - other

        a paragraph
        of lines ^own

        [^1]: note
        """

    @Test func `an embedded note, section or block is shown where it is, and nothing else of it`() throws {
        try test.note(Self.part, title: "Part")
        let parts: [(link: String, shown: [String], hidden: [String])] = [
            ("![[Part#Two]]", ["second", "third"], ["first", "item", "intro"]),
            ("![[Part#One#Two]]", ["second", "third"], ["first", "item"]),
            ("![[Part^abc]]", ["<li>marked", "<li>below"], ["^abc", "other", "item"]),
            ("![[Part#^own]]", ["a paragraph\nof lines</p>"], ["^own", "item", "first"]),
            ("![[Part]]", ["intro", "first", "below", "href=\"#1-fn-", "of lines"], []),
            ("![[Part#Missing]]", ["class=\"wikilink\">Part#Missing"], ["first"]),
            ("in a line ![[Part#Two]]", ["class=\"wikilink\">Part#Two"], ["second"]),
        ]
        for (index, part) in parts.enumerated() {
            try test.note("before\n\n\(part.link)\n\nafter", title: "Host \(index)")
        }
        let page = try page(.html)
        for (index, part) in parts.enumerated() {
            let html = try page("Inbox/Host \(index).html")
            #expect(html.contains("<p>before</p>") && html.contains("<p>after</p>"))
            for words in part.shown where !words.hasPrefix("href") {
                #expect(html.contains(words), "\(part.link) \(html)")
            }
            for words in part.hidden { #expect(!html.contains(words), "\(part.link) \(html)") }
        }
    }

    @Test func `notes that embed each other end as a link, and many embeds have an end`() throws {
        try test.note("a\n\n![[B]]\n\n![[A]]", title: "A")
        try test.note("b\n\n![[A]]", title: "B")
        try test.note(String(repeating: "![[Wide 1]]\n\n", count: 30), title: "Wide 0")
        for level in 1...5 {
            try test.note(
                "level \(level)\n\n" + String(repeating: "![[Wide \(level + 1)]]\n\n", count: 30),
                title: "Wide \(level)")
        }
        let page = try page(.html)
        let html = try page("Inbox/A.html")
        #expect(html.contains("<p>b</p>") && html.components(separatedBy: "<p>a</p>").count == 2)
        #expect(html.components(separatedBy: "class=\"wikilink\">A</a>").count == 3)
        #expect(try page("Inbox/Wide 0.html").components(separatedBy: "<p>level").count == 201)
    }
}
