import Testing
import TextPrimitives

@testable import Markdown

/// Tests formulas and callouts in a text laid out for reading.
struct MathTextTests {
    @Test(arguments: [
        ("x^2", "x²"), ("x^{n+1}", "xⁿ⁺¹"), ("a_{ij}", "aᵢⱼ"), ("x^{2q}", "x^(2q)"), ("x^q", "x^q"),
        ("\\alpha + \\Omega", "α + Ω"), ("\\frac{1}{2}", "½"), ("\\frac{a+b}{c}", "(a+b)/c"), ("\\frac12", "½"),
        ("\\sqrt{x}", "√x"), ("\\sqrt[3]{x+1}", "∛(x+1)"), ("a \\leq b", "a ≤ b"), ("\\sum_{i=0}^{n} a_i", "∑ᵢ₌₀ⁿ aᵢ"),
        ("\\mathbb{R}^n", "ℝⁿ"), ("\\text{if } x \\in A", "if x ∈ A"), ("\\left( x \\right)", "( x )"),
        ("e^{-x}", "e⁻ˣ"), ("f'(x)", "f′(x)"), ("\\{1, 2\\}", "{1, 2}"), ("10\\%", "10%"), ("E = mc^2", "E = mc²"),
        ("\\mathcal{L}(x)", "ℒ(x)"), ("\\mathfrak{g}", "𝔤"), ("\\mathbb{F}_2", "𝔽₂"), ("\\binom{n}{k}", "C(n, k)"),
        ("\\vec{v} \\cdot \\hat{x}", "v\u{20D7} · x\u{302}"), ("\\overline{xy}", "x\u{305}y\u{305}"),
        ("\\bar z", "z\u{304}"), ("\\vec{AB}", "A\u{20D7}B\u{20D7}"), ("\\widehat{xy}", "x\u{302}y\u{302}"),
    ])
    func `a formula is shown with the characters that it means`(tex: String, text: String) {
        #expect(MathText.unicode(tex) == text)
    }

    @Test(arguments: [
        "\\begin{matrix} a & b \\end{matrix}", "\\unknown", "{", "}", "x^", "\\frac{1}", "\\", "a \\\\ b", "x^{",
        String(repeating: "{", count: 100_000), "\\sqrt[n]{x}", "\\mathcal{x+1}", "\\dot{AB}", "\\hat{}",
        "\\overline{x+y}", "\\binom{n}",
    ])
    func `a formula that cannot be is left as it is written`(tex: String) {
        #expect(MathText.unicode(tex) == nil)
    }

    private func page(_ text: String, glyphs: PreviewGlyphs = .unicode) -> [String] {
        PreviewLayout(MarkdownDocument(text), source: text, columns: 40, glyphs: glyphs, cellWidth: .unicode)
            .lines.map(\.text)
    }

    @Test func `formulas stand in the page, and as they are written where there is only ASCII`() {
        #expect(page("Let $x^2$ be.") == ["Let x² be."])
        #expect(page("Let \\(x^2\\) be, and \\[x_1 = 2\\]") == ["Let x² be, and x₁ = 2"])
        #expect(page("Let $\\foo^2$ be.") == ["Let \\foo^2 be."])
        #expect(page("Let $x^2$ be.", glyphs: .ascii) == ["Let x^2 be."])
    }

    @Test func `a callout has its kind and title in a line of their own`() {
        #expect(page("> [!note]\n> Its *text*\n> goes on") == ["▎ Note", "▎ Its text goes on"])
        #expect(page("> [!WARNING]- Take *care*\n> Hot") == ["▎ Warning: Take care", "▎ Hot"])
        #expect(page("> [!tip]") == ["▎ Tip"])
        #expect(page("> [!note]\n>\n> Second") == ["▎ Note", "▎ ", "▎ Second"])
    }

    @Test func `a link in a callout's title leads where it did`() {
        let text = "> [!note]- See [the *plan*](http://p) and [[Tea]]\n> and [more](http://m)"
        let layout = PreviewLayout(MarkdownDocument(text), source: text, columns: 60, cellWidth: .unicode)
        #expect(layout.lines.map(\.text) == ["▎ Note: See the plan and Tea", "▎ and more"])
        let linked = layout.lines.flatMap(\.runs).filter { $0.link != nil }
        #expect(linked.map(\.text) == ["the ", "plan", "Tea", "more"])
        #expect(linked.map { layout.links[$0.link ?? 0].target } == ["http://p", "http://p", "Tea", "http://m"])
    }

    @Test func `other quotations stay as they are`() {
        #expect(page("> plain") == ["▎ plain"])
        #expect(page("> [!] odd") == ["▎ [!] odd"])
        #expect(page("[!note]\ntext") == ["[!note] text"])
        #expect(page("> first\n>\n> [!note]") == ["▎ first", "▎ ", "▎ [!note]"])
        #expect(page("> [!no te] x") == ["▎ [!no te] x"])
    }
}
