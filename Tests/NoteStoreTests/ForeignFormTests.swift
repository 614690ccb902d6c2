import Foundation
import Testing

@testable import NoteStore

/// Tests forms of other programs' exports that published examples have, each written by hand.
@Suite struct ForeignFormTests: ImportSuite {
    let test: TestNotebook

    init() throws { test = try TestNotebook() }

    private func folders() throws -> Set<String> {
        Set(try notebook.lists.rows(ListQuery(container: .allNotes), limit: 99).compactMap(\.folderName))
    }

    @Test func `Evernote's checklists, nested lists, code, secrets, tasks and reminders come as Markdown`() throws {
        let content = """
            <en-note><ul style="--en-todo:true;"><li style="--en-checked:false;"><div>One</div></li>\
            <ul style="--en-todo:true;"><li style="--en-checked:true;"><div>Inner</div></li></ul>\
            <li style="--en-checked:true;"><div>Two</div></li><ol><li><div>First</div></li></ol></ul>\
            <div style="--en-codeblock:true;--en-syntaxLanguage:python;padding: 8px"><div>def f(x):</div>\
            <div>&nbsp;&nbsp;if x:</div><div><br/></div><div>    return *x*</div></div>\
            <en-crypt hint="h">AbC=</en-crypt>\
            <div style="--en-task-group:true; --en-id:1"><div>Content not supported</div></div>\
            <div><a href="evernote:///view/1/s1/2/2/">Plan</a></div></en-note>
            """
        try write(
            "Notes.enex",
            """
            <?xml version="1.0"?><en-export><note><title>Forms</title><created>20220520T221209Z</created>
            <note-attributes><reminder-time>20220120T070000Z</reminder-time></note-attributes>
            <content><![CDATA[\(content)]]></content>
            <task><title>Done</title><created>20200101T000000Z</created><taskStatus>completed</taskStatus>
            <sortWeight>D</sortWeight></task>
            <task><title>Call Ana</title><created>20200101T000000Z</created><taskStatus>open</taskStatus>
            <sortWeight>C</sortWeight><dueDate>20220528T215959Z</dueDate></task>
            </note><note><title>Plan</title><content><![CDATA[<en-note>x</en-note>]]></content></note></en-export>
            """)
        #expect(try take("Notes.enex").noteImportCount == 2)
        #expect(
            try text("Forms")
                == """
                - [ ] One
                  - [x] Inner
                - [x] Two
                  1. First

                ```python
                def f(x):
                  if x:

                    return *x*
                ```

                ```en-crypt
                AbC=
                ```

                [[Plan]]

                - [ ] Call Ana @2022-05-28
                - [x] Done

                - [ ] Forms @2022-01-20

                """)
        let forms = try notebook.notes.resolve(reference: "Forms")
        #expect(forms.createdDate == ImportFile.date("2022-05-20T22:12:09Z"))
        #expect(try notebook.links.outgoing(of: forms.id).first?.destination?.title == "Plan")
    }

    @Test func `Evernote's highlights come, and links to notes whose titles have marks of Markdown`() throws {
        let link = "evernote:///view/1/s1/2/2/"
        let content = """
            <en-note><div>a <span style="--en-highlight:red;background-color: #fec1d0;">red</span> and \
            <span style="background-color: rgb(255, 250, 165);-evernote-highlight:true;"><b>bold</b> one</span></div>\
            <div><a href="\(link)">Note_A *b*</a> <a href="\(link)">no [title]</a></div></en-note>
            """
        try write(
            "Notes.enex",
            """
            <en-export><note><title>Forms</title><content><![CDATA[\(content)]]></content></note>
            <note><title>Note_A *b*</title><content><![CDATA[<en-note>x</en-note>]]></content></note></en-export>
            """)
        #expect(try take("Notes.enex").noteImportCount == 2)
        #expect(
            try text("Forms")
                == "a ==red== and ==**bold** one==\n\n[[Note_A *b*]] [no \\[title\\]](\(link))\n")
        #expect(try notebook.links.outgoing(of: row("Forms").id).first?.destination?.title == "Note_A *b*")
    }

    @Test func `Logseq's links to days lead to its journals, and pages of Org are there`() throws {
        try write("graph/logseq/config.edn", "{}")
        try write("graph/journals/2026_03_01.md", "- began")
        try write(
            "graph/pages/Plan.md", "- since [[Mar 1st, 2026]], until [[Mar 2nd, 2026]] or [[March 1st, 2026|then]]")
        try write("graph/pages/faq.org", "* Why\n")
        #expect(try take("graph").noteImportCount == 3)
        #expect(
            try text("Plan")
                == "- since [[2026-03-01|Mar 1st, 2026]], until [[Mar 2nd, 2026]] or [[2026-03-01|then]]")
        #expect(try text("faq") == "* Why\n")
    }

    @Test func `zk's tags between colons are tags where its settings say so`() throws {
        try write("zk/.zk/config.toml", "[format.markdown]\ncolon-tags = true\n")
        try write("zk/1a2b.md", "# Bread\n\nAt 10:30: bake. :: a:b\n\n:cooking:slow-food:\n")
        #expect(try take("zk").noteImportCount == 1)
        let row = try notebook.notes.resolve(reference: "Bread")
        #expect(row.tagNames == ["cooking", "slow-food"] && row.handTagNames == row.tagNames)
        #expect(try text("Bread").hasSuffix(":cooking:slow-food:\n"))
    }

    @Test func `Apple Notes' folder of Markdown comes with folders, tasks, tables, links and pictures`() throws {
        let note = """
            # Bread

            Mix **flour** and *water*, as [here](https://example.org).

            - [x] flour
            - [ ] salt

            | A | B |
            | --- | --- |
            | 1 | 2 |

            ![](Attachments/Photo%201.png) [Plan.pdf](Attachments/Plan.pdf)

            """
        try write("Notes/Recipes/Bread.md", note)
        try write("Notes/Recipes/Attachments/Photo 1.png", TransferTests.png)
        try write("Notes/Recipes/Attachments/Plan.pdf", "paper")
        let result = try take("Notes")
        #expect(result.noteImportCount == 1 && result.imageCount == 1 && result.fileCount == 1)
        #expect(
            try text("Bread")
                == note.replacing("Attachments/Photo%201.png", with: "takenote://image/<ID>")
                .replacing("Attachments/Plan.pdf", with: "takenote://file/<ID>"))
        #expect(try folders() == ["Recipes"])
    }

    @Test func `Apple Notes' HTML comes with lists in lists, tasks and the tables in its objects`() throws {
        try write(
            "Notes/Bread.html",
            """
            <html><head><title>Bread</title></head><body>
            <div><h1>Bread</h1></div>
            <div>Mix <b>flour</b> and <i>water</i>.</div>
            <div><br></div>
            <ul class="com-apple-note-checklist"><li class="done">flour</li><li>salt</li></ul>
            <ul class="Apple-dash-list"><li>one</li><ul class="Apple-dash-list"><li>inner</li></ul><li>two</li></ul>
            <div><object><table cellspacing="0"><tbody><tr><td><div>A</div></td><td><div>B</div></td></tr></tbody></table>
            </object></div>
            <div><img src="Attachments/dot.png"></div>
            </body></html>
            """)
        try write("Notes/Attachments/dot.png", TransferTests.png)
        #expect(try take("Notes").imageCount == 1)
        #expect(
            try text("Bread")
                == """
                # Bread

                Mix **flour** and *water*.

                - [x] flour
                - [ ] salt

                - one
                  - inner
                - two

                | A | B |
                | --- | --- |

                ![](takenote://image/<ID>)

                """)
    }

    @Test func `pictures whose data is inside a web page come, also from a zip`() throws {
        let png = TransferTests.png.base64EncodedString()
        let page = """
            <html><head><title>Bread & more</title></head><body><div>Flour</div>
            <div><img alt="dot" src="data:image/png;base64,\(png)"/></div>
            <div><img src="data:image/svg+xml,%3Csvg/%3E"> <img src="DATA:image/gif;charset=x;base64,R0lGODlh"></div>
            <div><img src="data:image/png;base64,!!"></div></body></html>
            """
        try write("Notes/Bread #1.html", page)
        let result = try take("Notes")
        #expect(result.noteImportCount == 1 && result.imageCount == 1 && result.fileCount == 1)
        #expect(result.problems.map(\.reason) == [.attachment(name: "picture-3.png")], "\(result)")
        let text = try text("Bread & more")
        #expect(
            text.hasPrefix(
                """
                Flour

                ![dot](takenote://image/<ID>)

                ![](data:image/svg+xml,%3Csvg/%3E) ![](takenote://file/<ID>)

                """))
        #expect(try take("Notes").unchangedCount == 1)
        try write(
            "pages.zip", ArchiveBuilder.zip([.init("p/Soup.html", page.replacing("Bread & more", with: "Soup"))]))
        let zipped = try take("pages.zip")
        // The picture and the file are known by their bytes.
        #expect(zipped.noteImportCount == 1)
        #expect(try self.text("Soup").contains("![dot](takenote://image/<ID>)"))
    }

    @Test func `pictures inside a web page come if their type has dots, and if their data is percent-encoded`() throws {
        // `%69` is the `i` with which the Base64 of a PNG begins.
        let png = "%69\(TransferTests.png.base64EncodedString().dropFirst())"
        try write(
            "Page.html",
            """
            <html><head><title>Page</title></head><body><p>Text</p>
            <p><img src="data:image/vnd.microsoft.icon;base64,R0lGODlh"> <img src="data:image/png;base64,\(png)"></p>
            </body></html>
            """)
        let result = try take("Page.html")
        #expect(result.imageCount == 1 && result.fileCount == 1 && result.problems.isEmpty, "\(result)")
        #expect(try text("Page").contains("![](takenote://file/<ID>) ![](takenote://image/<ID>)"))
    }

    @Test func `a note that Bear has locked is reported, and an empty one has its title`() throws {
        func info(_ id: Int, _ rest: String) -> String {
            #"{"net.shinyfrog.bear":{"uniqueIdentifier":"AAAAAAAA-BBBB-CCCC-DDDD-\#(id)EEEEEEEEEEE",\#(rest)}}"#
        }
        let zip = ArchiveBuilder.zip([
            .init("B/Secret.textbundle/text.md", ""),
            .init("B/Secret.textbundle/info.json", info(1, #""title":"Secret","encrypted":1"#)),
            .init("B/Idea.textbundle/text.md", ""),
            .init("B/Idea.textbundle/info.json", info(2, #""title":"Idea","encrypted":0"#)),
        ])
        try write("Bear.bear2bk", zip)
        let result = try take("Bear.bear2bk")
        #expect(result.noteImportCount == 1 && result.problems.map(\.reason) == [.locked])
        #expect(result.problems.first?.path.contains("Secret") == true)
        #expect(try text("Idea").isEmpty)
    }

    @Test func `Notion's export keeps the names of its folders clean, in Markdown and in HTML`() throws {
        let (home, page) = ("Home 1590080aa5a3802488c2e857dea7aa7d", "Page 2590080aa5a3802488c2e857dea7aa7d")
        let export = "Export-950ad927-7171-4abf-9001-821e5310d286/"
        try write(
            "markdown.zip",
            ArchiveBuilder.zip([
                .init(
                    export + home + ".md",
                    "# Home\n\n[Page](\(home.replacing(" ", with: "%20"))/\(page.replacing(" ", with: "%20")).md)\n"),
                .init(export + home + "/" + page + ".md", "# Page\n\ntext\n"),
            ]))
        #expect(try take("markdown.zip").noteImportCount == 2)
        #expect(try folders() == ["Notion", "Home"])
        let other = page.replacing("2590", with: "3590")
        try write(
            "html.zip",
            ArchiveBuilder.zip([
                .init(export + "index.html", "<title>Export</title>"),
                .init(
                    export + home.replacing("1590", with: "4590") + "/" + other + ".html",
                    "<html><head><title>Other</title></head><body><p>words</p></body></html>"),
            ]))
        #expect(try take("html.zip").noteImportCount == 1)
        #expect(try text("Other") == "words\n" && folders() == ["Notion", "Home"])
    }
}
