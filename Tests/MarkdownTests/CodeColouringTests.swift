import Testing

@testable import Markdown

@Suite struct CodeColouringTests {
    /// The lines of a fence in `language`, in notation without the kind that all of them have.
    private static func coloured(_ language: String, _ code: String) -> [String] {
        Array(highlighted("```\(language)\n\(code)\n```", ignoring: .codeBlock).dropFirst().dropLast())
    }

    @Test(arguments: [
        ("swift", "let a: Int = 0x1F // \"s\"", "keyword(let) a: type(Int) = number(0x1F) comment(// \"s\")"),
        ("python", "def f(x): return 'a\\'b' # c", "keyword(def) f(x): keyword(return) string('a\\'b') comment(# c)"),
        ("js", "const s = `x ${y}`;", "keyword(const) s = string(`x ${y}`);"),
        ("rust", "fn f<'a>(x: &'a str) {}", "keyword(fn) f<'a>(x: &'a keyword(str)) {}"),
        ("go", "func f() string { return `a` }", "keyword(func) f() keyword(string) { keyword(return) string(`a`) }"),
        ("c++", "int x = 'a'; /* b */ y", "keyword(int) x = string('a'); comment(/* b */) y"),
        ("sh", "if [ $# -gt 0 ]; then # c", "keyword(if) [ $# -gt number(0) ]; keyword(then) comment(# c)"),
        ("SQL", "select a FROM b -- c", "keyword(select) a keyword(FROM) b comment(-- c)"),
        ("json", "{\"a\": [1, true, \"b\"]}", "{name(\"a\"): [number(1), keyword(true), string(\"b\")]}"),
        ("yaml", "key: yes # c", "name(key): keyword(yes) comment(# c)"),
        ("toml", "a-b = \"c\"", "name(a-b) = string(\"c\")"),
        ("html", "<p class=\"x\">a</p>", "keyword(<p) class=string(\"x\")>akeyword(</p)>"),
        ("css", "color: red; /* c */", "name(color): red; comment(/* c */)"),
        ("diff", "+ added", "added(+ added)"), ("diff", "-gone", "removed(-gone)"),
        ("diff", "@@ -1 +1 @@", "type(@@ -1 +1 @@)"),
        ("unknown", "let x", "let x"), ("", "let x", "let x"),
    ])
    func `a line of code`(language: String, code: String, expected: String) {
        #expect(Self.coloured(language, code) == [expected])
    }

    @Test(arguments: [
        ("python", "'''a\nlet b\n''' if", ["string('''a)", "string(let b)", "string(''') keyword(if)"]),
        ("c", "/* a\nint\n*/ int", ["comment(/* a)", "comment(int)", "comment(*/) keyword(int)"]),
        ("html", "<!-- a\n<b>\n--><i>", ["comment(<!-- a)", "comment(<b>)", "comment(-->)keyword(<i)>"]),
    ])
    func `what goes on over lines`(language: String, code: String, expected: [String]) {
        #expect(Self.coloured(language, code) == expected)
    }
}
