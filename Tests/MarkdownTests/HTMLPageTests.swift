import Testing

@testable import Markdown

@Suite struct HTMLPageTests {
    @Test func `cells are aligned as HTML 5 has it, on pages and in books`() {
        let text = "|a|b|\n|:-|-:|\n|1|2|\n"
        let html = Markdown.html(text, for: HTMLPage())
        #expect(html.contains("<td style=\"text-align: left\">1</td>") && !html.contains("align=\""))
        #expect(html.contains("<th style=\"text-align: right\">b</th>"))
        #expect(Markdown.wellFormed(html).contains("<td style=\"text-align: right\">2</td>"))
    }

    @Test(arguments: [
        ("![a|100](p.png)", "<img src=\"p.png\" alt=\"a\" width=\"100\" />"),
        ("![a|100x50](p.png \"t\")", "<img src=\"p.png\" alt=\"a\" title=\"t\" width=\"100\" height=\"50\" />"),
        ("![a|b](p.png)", "<img src=\"p.png\" alt=\"a|b\" />"), ("![a|0](p.png)", "<img src=\"p.png\" alt=\"a|0\" />"),
        ("![a|100x](p.png)", "<img src=\"p.png\" alt=\"a|100x\" />"),
        ("![100](p.png)", "<img src=\"p.png\" alt=\"100\" />"),
    ]) func `a page shows an image in the size that its text wants`(text: String, wanted: String) {
        #expect(Markdown.html(text, for: HTMLPage()) == "<p>\(wanted)</p>\n")
    }

    @Test(arguments: [
        ("<p>a<p>b", "<p>a</p><p>b</p>"), ("<td>a<p>b<p>c</p></p></td>", "a<p>b</p><p>c</p>"),
        (
            "<table><tr><td>a<p>b<p>c</p></p></td></tr></table>",
            "<table><tr><td>a<p>b</p><p>c</p></td></tr></table>"
        ),
        ("<p>a <em>b<ul><li>c</li></ul>", "<p>a <em>b</em></p><ul><li>c</li></ul>"),
        ("<p>a<br>b</p>", "<p>a<br />b</p>"),
    ]) func `a paragraph of a book ends where none can go on`(html: String, wanted: String) {
        #expect(Markdown.wellFormed(html) == wanted)
    }

    @Test(arguments: [
        "[a](javascript:alert(1))", "[a](JaVaScRiPt:alert(1))", "[a](&#106;avascript:alert(1))", "[a](vbscript:x)",
        "[a](data:text/html,x)", "[a](file:///etc/passwd)", "<javascript:alert(1)>", "[[javascript:alert(1)]]",
        "[a]\n\n[a]: javascript:alert(1)", "![a](javascript:alert(1))", "![a](data:image/svg+xml,x)",
        "<a href=\"javascript:alert(1)\">a</a>", "<a href=' java\tscript:alert(1)'>a</a>",
        "<a href=&#x6a;avascript:alert(1)>a</a>", "<a href=\"\u{1}javascript:alert(1)\">a</a>",
    ]) func `addresses that run something are left out`(_ text: String) {
        let html = Markdown.html(text, for: HTMLPage())
        #expect(!html.lowercased().contains("=\"javascript:") && !html.contains("=\"vbscript:"), "\(html)")
        #expect(html.contains("=\"\"") || html.contains("\"./javascript"), "\(html)")
    }

    @Test(arguments: [
        "<img src=x onerror=alert(1)>", "<p onclick=\"x\">a</p>", "<div\nonmouseover=x>", "<b/onclick=x>",
        "<img src=\"a\"onerror=alert(1)>", "<style>a</style>", "<script>a</script>", "<iframe src=a></iframe>",
        "<svg onload=alert(1)>", "<form action=x>", "<base href=x>", "<meta http-equiv=refresh>", "<object data=x>",
        "<script x=\"<img src=x onerror=y>\">", "<!-- --!><img src=x onerror=y> -->", "<math><mi href=x>",
        "a <a style=\"position:fixed\">b</a>", "<a href=x>`<img onerror=x>`",
    ]) func `tags and attributes that do more than lay out text do not survive`(_ text: String) {
        let html = Markdown.html(text, for: HTMLPage())
        for tag in html.matches(of: /<[^<>]*>/) {
            let tag = String(tag.0)
            #expect(!tag.contains(/\son\w+/) && !tag.contains("style") && !tag.contains("action"), "\(html)")
            #expect(!tag.contains(/^<\/?(script|style|iframe|svg|form|base|meta|object|math)/), "\(html)")
        }
    }

    @Test func `what only lays out text stays, and addresses are the page's`() {
        let page = HTMLPage { $0 == .link("takenote://note/X") ? "x.html" : nil }
        let text =
            "<kbd class=\"k\">A</kbd> [a](takenote://note/X) [b](https://x.org/?a&b) [[Note: plan]] ![i](i.png)\n\n<details open>\n"
        #expect(
            Markdown.html(text, for: page) == """
                <p><kbd class="k">A</kbd> <a href="x.html">a</a> <a href="https://x.org/?a&amp;b">b</a> \
                <a href="./Note:%20plan" class="wikilink">Note: plan</a> <img src="i.png" alt="i" /></p>
                <details open>

                """)
    }

    @Test(arguments: [
        ("[see <http://e.org>](http://f.org)", "<a href=\"http://f.org\">see http://e.org</a>"),
        ("[wiki [[Note]] in](http://f.org)", "<a href=\"http://f.org\">wiki Note in</a>"),
        (
            "[foot[^1]](http://f.org)",
            "<a href=\"http://f.org\">foot<sup class=\"footnote-ref\" id=\"fnref-1\">1</sup></a>"
        ),
        ("[a](b) <http://e.org>", "<a href=\"b\">a</a> <a href=\"http://e.org\">http://e.org</a>"),
    ]) func `a page has no link inside a link`(_ text: String, _ wanted: String) {
        let html = Markdown.html(text + "\n\n[^1]: note\n", for: HTMLPage())
        #expect(html.hasPrefix("<p>\(wanted)</p>\n"), "\(html)")
    }

    @Test func `a wikilink whose address is empty is plain text`() {
        let page = HTMLPage { $0 == .wikilink("Nope") ? "" : nil }
        #expect(
            Markdown.html("[[Nope|shown]] [[Note]]", for: page)
                == "<p><a class=\"missing\">shown</a> <a href=\"Note\" class=\"wikilink\">Note</a></p>\n")
    }

    @Test(arguments: [
        ("<span>\n<p>a</p>\n</span>", "<span>\n</span><p>a</p>\n"),
        ("<p><em>a<div>b</div></em></p>", "<p><em>a</em></p><div>b</div>"),
        ("<b><i>a<ul><li>b</li></ul></i></b>", "<b><i>a</i></b><ul><li>b</li></ul>"),
        ("<a href=\"x\">a <a href=\"y\">b</a></a>", "<a href=\"x\">a </a><a href=\"y\">b</a>"),
        ("<a href=\"x\"><div>a</div></a>", "<a href=\"x\"><div>a</div></a>"),
        ("<h2><p> a</p></h2>b", "<h2> a</h2>b"), ("<h2>a <div>b</div></h2>", "<h2>a </h2><div>b</div>"),
    ]) func `a book's page nests as HTML allows`(_ html: String, _ wanted: String) {
        #expect(WellFormedHTML.text(of: html) == wanted)
    }

    @Test(arguments: [
        ("<details>\n<summary>a</summary>\n<p>b</p></details>", "<details>\n<summary>a</summary>\n<p>b</p></details>"),
        ("<details open><p>b</p></details>", "<details open=\"open\"><summary>Details</summary><p>b</p></details>"),
        ("<details></details>c", "<details><summary>Details</summary></details>c"),
        ("<details><summary><p>a</p></summary>b", "<details><summary>a</summary>b</details>"),
        ("<details><summary><h3>a</h3></summary>b", "<details><summary><h3>a</h3></summary>b</details>"),
        ("<summary>a</summary>", "a"),
        ("<a href=\"x\">a<details><summary>b</summary>", "<a href=\"x\">a</a><details><summary>b</summary></details>"),
    ]) func `what can be unfolded in a book has a summary`(_ html: String, _ wanted: String) {
        #expect(WellFormedHTML.text(of: html) == wanted)
    }

    @Test(arguments: [
        ("<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"), ("<li>a</li>", "a"),
        ("<ul>a<ul><li>b</ul></ul>", "<ul><li>a<ul><li>b</li></ul></li></ul>"),
        ("<table>\n<td>a<th>b</table>", "<table>\n<tr><td>a</td><th>b</th></tr></table>"),
        ("<table>a<tr><td>b<li>c", "<table><tr><td>a</td></tr><tr><td>bc</td></tr></table>"),
        ("<dl><dt>a<dd>b<dt>c</dl>", "<dl><dt>a</dt><dd>b</dd><dt>c</dt><dd></dd></dl>"),
        ("<ruby>a<rt>b</ruby><rt>c</rt>", "<ruby>a<rt>b</rt></ruby>c"),
        ("<p href=x colspan=2 dir=up id=y>a</p>", "<p id=\"y\">a</p>"),
    ]) func `items, cells and terms of a book are in their lists and tables`(_ html: String, _ wanted: String) {
        #expect(WellFormedHTML.text(of: html) == wanted)
    }

    @Test func `the positions of destinations are those of links and of nothing else`() {
        let text = "> [a](b.md \"t\") `[c](d)`\n> ![e](<f g.png>) ![[h|i]] [[j#k]]\n\n[l]\n\n[l]: m.md\n"
        let found = Markdown.destinations(in: text)
        let bytes = Array(text.utf8)
        #expect(found.map(\.kind) == [.link, .image, .embed, .wikilink, .link])
        #expect(
            found.map { String(decoding: bytes[$0.range], as: UTF8.self) }
                == ["b.md", "f g.png", "![[h|i]]", "[[j#k]]", "m.md"])
        let html = "<p><IMG alt=x src='a b.png'> <a href=c.md>d</a></p>\n\n> a <img\n> src=\"e\"> `<img src=f>`\n"
        #expect(Markdown.destinations(in: html).map(\.target) == ["a b.png", "c.md", "e"])
        #expect(Markdown.destinations(in: "no brackets takenote://note/x").isEmpty)
    }
}
