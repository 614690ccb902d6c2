import Foundation
import Testing

@testable import NoteStore

/// Tests that web pages become notes.
@Suite struct WebPageImportTests: ImportSuite {
    let test: TestNotebook

    init() throws { test = try TestNotebook() }

    @Test func `a web page becomes Markdown`() throws {
        let html = """
            <!DOCTYPE html><html><head><title>A &lt;page&gt;</title><style>p { }</style></head><body>
            <p>One <em>two</em> <strong>three </strong>four<br>five &copy; 2*3</p><ol start="3"><li>c</li><li><p>d</p></li></ol>
            <blockquote><p>said</p><p>again</p></blockquote><hr><p># no heading</p><p>1. no list</p>
            <a href="https://x.org/a b">link</a> <script>alert(1)</script><code>a*b</code></body></html>
            """
        let result = try take(try write("page.html", Data(html.utf8)))
        #expect(result.noteImportCount == 1)
        #expect(
            try text("A <page>") == """
                One *two* **three** four\\
                five © 2\\*3

                3. c
                4. d

                > said
                >
                > again

                ---

                \\# no heading

                1\\. no list

                [link](https://x.org/a%20b) `a*b`

                """)
    }

    @Test(arguments: [
        ("<!doctype html><head><title>Page</title><body><p>all the text</p></body>", "all the text\n"),
        ("<title>Page</title><form><p>in a form</p></form>", "in a form\n"),
        ("<title>Page</title><pre>a  b\nc", "```\na  b\nc\n```\n"),
        ("<title>Page</title><p><em><strong>x</strong></em> y", "***x*** y\n"),
        ("<title>Page</title><p><b>a <b>b</b></b> c <i></i>d", "**a b** c d\n"),
        ("<title>Page</title><p><b><span style=\"font-weight:bold\">x</span></b>", "**x**\n"),
        ("<title>Page</title><p><a href=\"/x\" href=\"a>b\">t</a>", "[t](/x)\n"),
        ("<title>Page</title><b><pre>co\nde</pre></b><p>x", "```\nco\nde\n```\n\nx\n"),
        ("<title>Page</title><p><code>a`</code> <code>b</code>", "`` a` `` `b`\n"),
        ("<title>Page</title><p><b>one<p>two</b> three", "**one**\n\n**two** three\n"),
        ("<title>Page</title><svg><title>Icon</title></svg>x", "x\n"),
        ("<head><title>Page</title><noscript><p>no</p></noscript><style>p</style></head>x", "x\n"),
        (
            "<title>Page</title><table><tr><td>a<td>b<tr><td>c</table>",
            "| a | b |\n| --- | --- |\n| c |\n"
        ),
    ]) func `a page keeps its text and its title`(_ html: String, _ markdown: String) throws {
        try take(try write("page.html", Data(html.utf8)))
        #expect(try text("Page") == markdown)
    }

    @Test func `what no note can hold is named after the import of a page`() throws {
        let html = "<title>Page</title><p>x<math><mi>y</mi></math></p><svg><path></path></svg>"
        let result = try take(try write("page.html", Data(html.utf8)))
        #expect(result.noteImportCount == 1)
        #expect(try text("Page") == "x\n")
        #expect(result.problems.map(\.reason) == [.elementsLeftOut(["math", "svg"])])
        #expect(result.problems.map(\.isRemark) == [true])
        let sentence = result.problems.first?.sentence
        #expect(sentence?.hasSuffix("page.html: imported without its formulas and drawings") == true)
    }

    @Test func `marks that never end do not make a page larger with each paragraph`() throws {
        let html =
            "<title>Page</title>" + String(repeating: "<b><i>", count: 500) + String(repeating: "<p>x", count: 500)
        try take(try write("page.html", Data(html.utf8)))
        #expect(try text("Page").utf8.count < 500 * 200)
    }
}
