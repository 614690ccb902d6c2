import Testing

@testable import Markdown

/// Tests forms of HTML that programs write around what a reader sees.
@Suite struct FromHTMLTests {
    @Test(arguments: [
        // A mark beside a heading that leads to the heading itself.
        ("<h1><a href=\"#w\"><svg/></a>Work</h1>", "# Work\n"),
        ("<p>a<a href=\"#x\"></a> b <a href=\"x.md\"></a></p>", "a b [x.md](x.md)\n"),
        // The language of code, in the classes of either element.
        ("<pre class=\"code\"><code class=\"x language-Swift\">let a\n</code></pre>", "```swift\nlet a\n```\n"),
        ("<pre class=\"lang-c++\">a</pre><pre>b</pre>", "```c++\na\n```\n\n```\nb\n```\n"),
        // A link around paragraphs, as Notion writes bookmarks.
        (
            "<figure><a href=\"https://w.wiki/1\"><div>Cat</div>\n<div><img src=\"c.png\"></div></a></figure><p>b</p>",
            "[Cat](https://w.wiki/1)\n\n[![](c.png)](https://w.wiki/1)\n\nb\n"
        ),
        ("<a href=\"x.md\"><div>One<br></div><div>two</div></a>", "[One](x.md)\n\n[two](x.md)\n"),
        ("<a href=\"x.md\"><h3>One</h3><p>two <b>three</b></p></a>", "### [One](x.md)\n\n[two **three**](x.md)\n"),
        // Marks around links, paragraphs and tables.
        ("<b><a href=\"x\"><p>one</p><p>two</p></a></b>", "**[one](x)**\n\n**[two](x)**\n"),
        ("<i><a href=\"x\"><h3>T</h3><p>p <b>q</b></p></a> r</i>", "### *[T](x)*\n\n*[p **q**](x)*\n\n*r*\n"),
        (
            "<a href=\"x\"><table><tr><td>a</td><td>b</td></tr></table></a> c",
            "| [a](x) | [b](x) |\n| --- | --- |\n\nc\n"
        ),
        ("<b><a href=\"x\">one</b> two</a> three", "**[one](x)** [two](x) three\n"),
        ("<a href=\"x\"><b>one</a> two</b>", "[**one**](x) **two**\n"),
        ("<a href=\"x\">a<a href=\"y\">b</a>c</a>", "[a](x)[b](y)c\n"),
        ("<a href=\"x\"><pre>code</pre>t</a>", "```\ncode\n```\n\n[t](x)\n"),
        ("<pre>x <a href=\"y\">z</a></pre>", "```\nx z\n```\n"),
        ("foo<b> bar</b> <b>one<br></b>two", "foo **bar** **one**\\\ntwo\n"),
        // Tasks of Notion.
        (
            "<ul class=\"to-do-list\"><li><div class=\"checkbox checkbox-on\"></div> <span>Done</span></li></ul>"
                + "<ul class=\"to-do-list\"><li><div class=\"checkbox checkbox-off\"></div> <span>Open</span></li></ul>",
            "- [x] Done\n\n- [ ] Open\n"
        ),
        // Tasks that are drawn as characters, as programs write those of Apple Notes.
        (
            "<ul style='list-style-type: none;'><li>☑ <b>Done</b> now</li><li>☐ Open</li><li>\u{2612}\u{FE0E} Off</li>"
                + "<li>☑</li><li>☐x</li></ul><p>☑ text</p>",
            "- [x] **Done** now\n- [ ] Open\n- [x] Off\n- [x]\n- ☐x\n\n☑ text\n"
        ),
        // In a cell and in code, which have no items, the text before the box stays.
        ("<table><tr><td>a <input type=checkbox checked>b</td></tr></table>", "| a [x] b |\n| --- |\n"),
        ("<pre>a\n<input type=checkbox>b</pre>", "```\na\n[ ] b\n```\n"),
        // KaTeX: the formula in TeX, and what it draws.
        (
            "<p>so <span class=\"katex\"><span class=\"katex-mathml\"><math><semantics><mrow><msup><mi>e</mi></msup></mrow>"
                + "<annotation encoding=\"application/x-tex\">e^{x}</annotation></semantics></math></span>"
                + "<span class=\"katex-html\"><span><span>e</span></span><span>x</span></span></span> is</p>",
            "so $e^{x}$ is\n"
        ),
        (
            "<div><span class=\"katex-display\"><span class=\"katex\"><math><semantics><mi>x</mi>"
                + "<annotation encoding=\"application/x-tex\">a_1\n + b</annotation></semantics></math></span></span></div>",
            "$$a_1 + b$$\n"
        ),
        // Links to headings by their identities.
        (
            "<nav><a href=\"#a1b2\">1</a> <a href=\"#none\">2</a></nav><h2 id=\"a1b2\">The <b>First</b> day</h2>",
            "[1](#the-first-day) [2](#none)\n\n## The **First** day\n"
        ),
    ]) func `what a page shows comes as Markdown`(_ html: String, _ expected: String) {
        #expect(MarkdownFromHTML(html).text == expected)
    }

    @Test func `a formula without TeX is named as left out`() {
        #expect(MarkdownFromHTML("<math><mi>x</mi></math>").leftOut == ["math"])
        let written = "<math><annotation encoding=\"application/x-tex\">x</annotation></math>"
        #expect(MarkdownFromHTML(written).leftOut == [])
    }
}
