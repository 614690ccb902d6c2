import Testing

@testable import Markdown

/// Tests the project's own examples for each extension section of the GFM specification.
@Suite struct GFMTests {
    @Test(arguments: [
        (
            "| a | b |\n| - | - |\n| c | d |",
            "<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>c</td>\n<td>d</td>\n</tr>\n</tbody>\n</table>\n"
        ),
        (
            "| a | b |\n| :-: | --: |",
            "<table>\n<thead>\n<tr>\n<th align=\"center\">a</th>\n<th align=\"right\">b</th>\n</tr>\n</thead>\n</table>\n"
        ),
        ("a | b\n-|-\n", "<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n</table>\n"),
        // A pipe in a cell is escaped, in code too.
        (
            "| a \\| `b \\| c` |\n|-|",
            "<table>\n<thead>\n<tr>\n<th>a | <code>b | c</code></th>\n</tr>\n</thead>\n</table>\n"
        ),
        // A backslash before a pipe escapes it, whatever stands before the backslash.
        (
            "| a | b |\n|-|-|\n| c \\\\| d |",
            "<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>c | d</td>\n<td></td>\n</tr>\n</tbody>\n</table>\n"
        ),
        // A table right below the text of an item does not make the list loose.
        (
            "- x\n  | a |\n  |-|\n  | b |\n- y",
            "<ul>\n<li>x\n<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>\n</li>\n<li>y</li>\n</ul>\n"
        ),
        // A line with nothing but a pipe is not a row.
        ("| a |\n|-|\n| ", "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n</table>\n<p>|</p>\n"),
        // Any other block ends the table, and rows are as long as the header.
        (
            "| a | b |\n|-|-|\n| c |\n| d | e | f |\n> g",
            "<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>c</td>\n<td></td>\n</tr>\n<tr>\n<td>d</td>\n<td>e</td>\n</tr>\n</tbody>\n</table>\n<blockquote>\n<p>g</p>\n</blockquote>\n"
        ),
        ("[r]: /u\n--", "<p>--</p>\n"),
        // The header has as many cells as the delimiter row.
        ("| a | b |\n|-|\n| c |", "<p>| a | b |\n|-|\n| c |</p>\n"),
        ("x\na | b\n-|-", "<p>x</p>\n<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n</table>\n"),
    ])
    func tables(markdown: String, html: String) {
        #expect(Markdown.html(markdown, .gfm) == html)
    }

    @Test(arguments: [
        (
            "- [ ] a\n- [x] b\n- [X] c",
            "<ul>\n<li><input type=\"checkbox\" disabled=\"\" /> a</li>\n<li><input type=\"checkbox\" checked=\"\" disabled=\"\" /> b</li>\n<li><input type=\"checkbox\" checked=\"\" disabled=\"\" /> c</li>\n</ul>\n"
        ),
        (
            "- [x] a\n  - [ ] b",
            "<ul>\n<li><input type=\"checkbox\" checked=\"\" disabled=\"\" /> a\n<ul>\n<li><input type=\"checkbox\" disabled=\"\" /> b</li>\n</ul>\n</li>\n</ul>\n"
        ),
        ("- [ ]a\n- [y] b", "<ul>\n<li>[ ]a</li>\n<li>[y] b</li>\n</ul>\n"),
    ])
    func `task items`(markdown: String, html: String) {
        #expect(Markdown.html(markdown, .gfm) == html)
    }

    @Test(arguments: [
        ("~~Hi~~ Hello, ~there~ world!", "<p><del>Hi</del> Hello, <del>there</del> world!</p>\n"),
        ("This ~~has a\n\nnew paragraph~~.", "<p>This ~~has a</p>\n<p>new paragraph~~.</p>\n"),
        ("This will ~~~not~~~ strike.", "<p>This will ~~~not~~~ strike.</p>\n"),
        ("~~a *b~~ c*", "<p><del>a *b</del> c*</p>\n"),
        // A run of another length changes nothing around it.
        ("~~a e~ b c~~ d", "<p><del>a e~ b c</del> d</p>\n"),
        ("~~a *b~ c* d~~", "<p><del>a <em>b~ c</em> d</del></p>\n"), ("~~a ~b c~~ d", "<p>~~a ~b c~~ d</p>\n"),
        ("~~a ~b c~~ d~ e", "<p>~~a <del>b c~~ d</del> e</p>\n"),
    ])
    func strikethrough(markdown: String, html: String) {
        #expect(Markdown.html(markdown, .gfm) == html)
    }

    @Test(arguments: [
        ("www.commonmark.org", "http://www.commonmark.org", "www.commonmark.org", ""),
        ("www.commonmark.org/help for", "http://www.commonmark.org/help", "www.commonmark.org/help", " for"),
        ("www.commonmark.org/a.b.", "http://www.commonmark.org/a.b", "www.commonmark.org/a.b", "."),
        (
            "www.google.com/search?q=Markup+(business))", "http://www.google.com/search?q=Markup+(business)",
            "www.google.com/search?q=Markup+(business)", ")"
        ),
        (
            "www.google.com/search?q=commonmark&hl;", "http://www.google.com/search?q=commonmark",
            "www.google.com/search?q=commonmark", "&amp;hl;"
        ),
        ("www.commonmark.org/he<lp", "http://www.commonmark.org/he", "www.commonmark.org/he", "&lt;lp"),
        ("http://commonmark.org", "http://commonmark.org", "http://commonmark.org", ""),
        (
            "https://encrypted.google.com/search?q=Markup+(business)",
            "https://encrypted.google.com/search?q=Markup+(business)",
            "https://encrypted.google.com/search?q=Markup+(business)", ""
        ),
        ("foo@bar.baz", "mailto:foo@bar.baz", "foo@bar.baz", ""),
        ("a.b-c_d@a.b.", "mailto:a.b-c_d@a.b", "a.b-c_d@a.b", "."),
        ("mailto:foo@bar.baz", "mailto:foo@bar.baz", "mailto:foo@bar.baz", ""),
        ("xmpp:foo@bar.baz/txt", "xmpp:foo@bar.baz/txt", "xmpp:foo@bar.baz/txt", ""),
    ])
    func autolinks(markdown: String, address: String, label: String, rest: String) {
        #expect(Markdown.html(markdown, .gfm) == "<p><a href=\"\(address)\">\(label)</a>\(rest)</p>\n")
    }

    @Test(arguments: [
        "a.b-c_d@a.b-", "a.b-c_d@a.b_", "http://", "xwww.a.b", "www", "hello@mail+xyz.example",
        // A domain begins with no space or punctuation of another script either.
        "https://（later）", "http://\u{3000}x",
    ])
    func `what is not an address stays text`(markdown: String) {
        #expect(Markdown.html(markdown, .gfm) == "<p>\(markdown)</p>\n")
    }

    @Test func `disallowed HTML loses its bracket`() {
        #expect(
            Markdown.html(
                "<strong> <title> <style> <em>\n\n<blockquote>\n  <xmp> is disallowed.  <XMP> too.\n</blockquote>", .gfm
            )
                == "<p><strong> &lt;title> &lt;style> <em></p>\n<blockquote>\n  &lt;xmp> is disallowed.  &lt;XMP> too.\n</blockquote>\n"
        )
    }
}

/// Tests the constructs that only `.extended` supports.
@Suite struct ExtendedTests {
    @Test(arguments: [
        ("==a *b*==", "<p><mark>a <em>b</em></mark></p>\n"), ("a == b == c", "<p>a == b == c</p>\n"),
        ("===a===", "<p>===a===</p>\n"),
        (
            "[[Title]] [[T#h|x]]",
            "<p><a href=\"Title\" class=\"wikilink\">Title</a> <a href=\"T#h\" class=\"wikilink\">x</a></p>\n"
        ),
        ("[[a\nb]] [[]]", "<p>[[a\nb]] [[]]</p>\n"),
        (
            "#tag #a/b-c x#y #1 (#z)",
            "<p><span class=\"tag\">#tag</span> <span class=\"tag\">#a/b-c</span> x#y #1 (<span class=\"tag\">#z</span>)</p>\n"
        ),
        ("$a*b*c$ costs $5 or $6", "<p><span class=\"math inline\">a*b*c</span> costs $5 or $6</p>\n"),
        ("$$a\nb$$", "<p><span class=\"math display\">a\nb</span></p>\n"),
        ("---\ntitle: x\n---\n\ntext", "<p>text</p>\n"), ("---\n\ntext", "<hr />\n<p>text</p>\n"),
        ("![i](takenote://image/X)", "<p><img src=\"takenote://image/X\" alt=\"i\" /></p>\n"),
    ])
    func `our own extensions`(markdown: String, html: String) {
        #expect(Markdown.html(markdown, .extended) == html)
    }

    @Test(arguments: [
        ("> [!NOTE]\n> Its *text*", "note", "Note", "<p>Its <em>text</em></p>\n"), ("> [!tip]", "tip", "Tip", ""),
        (
            "> [!faq]- Is *it* [so](/u)?\n>\n> - yes", "faq", "Faq: Is <em>it</em> <a href=\"/u\">so</a>?",
            "<ul>\n<li>yes</li>\n</ul>\n"
        ),
        ("> [!a]*b*  \n> c", "a", "A: <em>b</em>", "<p>c</p>\n"),
        (
            "> [!a] b\n>> [!c]\n>> d", "a", "A: b",
            "<blockquote class=\"callout\" data-callout=\"c\">\n"
                + "<p class=\"callout-title\"><strong>C</strong></p>\n<p>d</p>\n</blockquote>\n"
        ),
    ])
    func `a callout shows its kind and title`(markdown: String, kind: String, title: String, rest: String) {
        let head = "<blockquote class=\"callout\" data-callout=\"\(kind)\">\n<p class=\"callout-title\">"
        #expect(Markdown.html(markdown) == "\(head)<strong>\(title)</strong></p>\n\(rest)</blockquote>\n")
    }

    @Test(arguments: [
        "> [!note](/u)", "> \\[!note]", "> [!]", "> a\n> [!note]", "> [!note] *a\n> b*", "> [!note]\n\n[!note]: /u",
        "- [!note]", "[!note]", "> # [!note]", "> `[!note]`",
    ])
    func `other quotations are not callouts`(markdown: String) {
        #expect(!Markdown.html(markdown).contains("callout"))
        #expect(!Markdown.html("> [!note]", .gfm).contains("callout"))
    }

    @Test(arguments: [
        "$HOME and $PATH/bin:$X", "From $10 to 20$ more", "$a$b", "a$b$", "$5, $6 or 7$", "5$ and 6$", "$ x$", "$x $",
        "$10 für 20$", "$PATH:$", "$a$b$c$", "\\$x$", "$x\\$", "Pay $3/day or $20/week",
        "$a$s", "$my_var$other", "$my_var$s2",
    ])
    func `dollars of prices and of variables stay`(text: String) {
        #expect(!Markdown.html(text, .extended).contains("math"))
    }

    @Test(arguments: [
        "$x$", "$5$", "$x^2$ and $y$", "$a b$", "$a + bc$", "$2 x$", "$\\alpha$-decay", "($x$)", "$x$, $y$.",
        "$ab ≤ cd$",
        "$f'$", "$x\\$y$", "値$x$は", "$\\{1, 2\\}$", "$n!$",
        "the $x_i$s", "the $2^n$th",
    ])
    func `dollars around a formula make it one`(text: String) {
        #expect(Markdown.html(text, .extended).contains("<span class=\"math inline\">"))
    }

    @Test(arguments: [
        ("\\(x^2\\)", "inline"), ("Let \\(x\\), then", "inline"), ("\\(a_i = b\\)", "inline"),
        ("\\(\\alpha\\)", "inline"), ("\\(a < b\\)", "inline"), ("\\[E = mc^2\\]", "display"),
        ("\\[\n\\frac{a}{b}\n\\]", "display"), ("\\(f(x) = \\{1\\}\\)", "inline"),
    ])
    func `a formula in TeX's brackets is one`(text: String, kind: String) {
        #expect(Markdown.html(text, .extended).contains("<span class=\"math \(kind)\">"))
        #expect(!Markdown.html(text, .gfm).contains("math"))
    }

    @Test(arguments: [
        "\\(see below\\)", "file\\(s\\)", "\\[1\\]", "\\[x\\]", "\\[ \\] task", "\\(see my\\_file\\)", "\\[a](b)",
        "\\[see a\\_b = c\\]", "\\(a \\(b\\^", "\\(", "\\(\\)", "\\\\(x^2\\)", "\\(for my_file\\)", "`\\(x^2\\)`",
        "\\(2020-2026\\)", "\\(c\\",
    ])
    func `brackets that are escaped around words stay`(text: String) {
        #expect(!Markdown.html(text, .extended).contains("math"))
    }

    @Test func `footnotes are numbered as they are used and come last`() {
        #expect(
            Markdown.html("a[^b] [^c] [^b] [^none]\n\n[^c]: see\n[^b]: be\n\n    more\n", .extended) == """
                <p>a<sup class="footnote-ref"><a href="#fn-b" id="fnref-b" data-footnote-ref>1</a></sup> \
                <sup class="footnote-ref"><a href="#fn-c" id="fnref-c" data-footnote-ref>2</a></sup> \
                <sup class="footnote-ref"><a href="#fn-b" id="fnref-b-2" data-footnote-ref>1</a></sup> [^none]</p>
                <section class="footnotes" data-footnotes>
                <ol>
                <li id="fn-b">
                <p>be</p>
                <p>more <a href="#fnref-b" class="footnote-backref" data-footnote-backref data-footnote-backref-idx="1" \
                aria-label="Back to reference 1">↩</a> <a href="#fnref-b-2" class="footnote-backref" data-footnote-backref \
                data-footnote-backref-idx="1-2" aria-label="Back to reference 1-2">↩<sup class="footnote-ref">2</sup></a></p>
                </li>
                <li id="fn-c">
                <p>see <a href="#fnref-c" class="footnote-backref" data-footnote-backref data-footnote-backref-idx="2" \
                aria-label="Back to reference 2">↩</a></p>
                </li>
                </ol>
                </section>

                """)
    }

    /// Tests that source, preview and HTML agree on each construct that CommonMark lacks.
    @Test(arguments: [
        (
            "---\ntitle: x\n---\na", ["m+front(---)", "front+name(title)m+front(:)front( x)", "m+front(---)", "a"], "a",
            "<p>a</p>\n"
        ),
        ("==a==", ["m+mark(==)mark(a)m+mark(==)"], "a", "<p><mark>a</mark></p>\n"),
        (
            "[[A|b]]", ["m+link+wiki([[)link+target+wiki(A)m+link+wiki(|)link+wiki(b)m+link+wiki(]])"], "b",
            "<p><a href=\"A\" class=\"wikilink\">b</a></p>\n"
        ),
        ("#tag", ["tag(#tag)"], "#tag", "<p><span class=\"tag\">#tag</span></p>\n"),
        (
            "[a](takenote://note/X)", ["m+link([)link(a)m+link(]()link+target(takenote://note/X)m+link())"], "a",
            "<p><a href=\"takenote://note/X\">a</a></p>\n"
        ),
        (
            "b ![a](takenote://image/X)",
            ["b m+link+image(![)link+image(a)m+link+image(]()link+target+image(takenote://image/X)m+link+image())"],
            "b a",
            "<p>b <img src=\"takenote://image/X\" alt=\"a\" /></p>\n"
        ),
        ("$a*b*$", ["m+math($)math(a*b*)m+math($)"], "a*b*", "<p><span class=\"math inline\">a*b*</span></p>\n"),
    ])
    func `writing, reading and HTML know the same extensions`(
        markdown: String, written: [String], read: String, html: String
    ) {
        #expect(highlighted(markdown) == written)
        #expect(PreviewTests.preview(markdown) == [read])
        #expect(Markdown.html(markdown, .extended) == html)
    }

    @Test func `footnotes are known to writing, reading and HTML`() {
        let text = "a[^n]\n\n[^n]: b"
        #expect(highlighted(text) == ["am+note([)note(^n)m+note(])", "", "m+note([^n]:) b"])
        #expect(PreviewTests.preview(text) == ["a[1]", "", "────────────────", "1. b"])
        #expect(Markdown.html(text, .extended).contains("<li id=\"fn-n\">\n<p>b "))
    }

    @Test func `none of it is CommonMark`() {
        let text = "==a== [[b]] #c $d$ ~~e~~ www.x.org [^f]"
        #expect(Markdown.html(text, .commonMark) == "<p>\(text)</p>\n")
    }
}
