import SeededRandom
import Testing

@testable import Markdown

@Suite struct CodeColouringTests {
    /// Returns the lines of a fence in `language`, in notation without the kind that all of them have.
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

    @Test(arguments: [
        ("php", "$a = 'b'; # c", "name($a) = string('b'); comment(# c)"),
        ("php", "#[Attribute] function f() {}", "#[type(Attribute)] keyword(function) f() {}"),
        ("lua", "local s = [==[a]]]==] -- b", "keyword(local) s = string([==[a]]]==]) comment(-- b)"),
        ("perl", "my $n = $#a; # c", "keyword(my) name($n) = $#a; comment(# c)"),
        ("R", "x <- r\"--(a)b)--\" #c", "x <- string(r\"--(a)b)--\") comment(#c)"),
        ("haskell", "f' :: Maybe Char -- c", "f' :: type(Maybe) type(Char) comment(-- c)"),
        ("haskell", "g = foldl' h '\\'' xs", "g = foldl' h string('\\'') xs"),
        ("latex", "\\emph{5\\%} $x$ % c", "keyword(\\emph){number(5)keyword(\\%)} string($x$) comment(% c)"),
        ("zig", "const a = @import(\"std\"); // '", "keyword(const) a = name(@import)(string(\"std\")); comment(// ')"),
        ("zig", "    \\\\ let 'x", "    string(\\\\ let 'x)"),
        ("nix", "{ a = ''b''${c}''; d == e; }", "{ name(a) = string(''b''${c}''); d == e; }"),
        ("dockerfile", "FROM swift:6 AS build", "keyword(FROM) swift:number(6) keyword(AS) build"),
        ("make", "CC ?= gcc # c", "name(CC) ?= gcc comment(# c)"), ("make", "\techo a: b", "\techo a: b"),
        ("sh", "echo 'a\\' b", "keyword(echo) string('a\\') b"),
        ("sh", "echo it\\'s # c", "keyword(echo) it\\'s comment(# c)"),
        ("bash", "x=$'a\\'b' y", "x=string($'a\\'b') y"),
        ("rust", "let s = r#\"a\"b\"# + r\"c\\\";", "keyword(let) s = string(r#\"a\"b\"#) + string(r\"c\\\");"),
        ("rust", "let c = '\"'; &'a r#type", "keyword(let) c = string('\"'); &'a r#keyword(type)"),
        ("python", "a = rb'\\d' + f\"{x}\"", "a = string(rb'\\d') + string(f\"{x}\")"),
        ("cpp", "auto s = R\"x(a\")b)x\";", "keyword(auto) s = string(R\"x(a\")b)x\");"),
        ("swift", "let s = #\"a\"b\\\"# // c", "keyword(let) s = string(#\"a\"b\\\"#) comment(// c)"),
        ("sql", "select 'it''s\\' -- c", "keyword(select) string('it''s\\') comment(-- c)"),
        ("console", "$ echo don't # c", "$ keyword(echo) don't comment(# c)"),
        ("html", "<p title='a'>It's Ann's</p>", "keyword(<p) title=string('a')>It's Ann'skeyword(</p)>"),
    ])
    func `a line of code with strings of its language's own`(language: String, code: String, expected: String) {
        #expect(Self.coloured(language, code) == [expected])
    }

    @Test(arguments: [
        ("js", "s.replace(/[`\"/]'/g, 'x') // c", "s.replace(string(/[`\"/]'/g), string('x')) comment(// c)"),
        ("js", "a = b / c / 'd'; return /x\\/'/", "a = b / c / string('d'); keyword(return) string(/x\\/'/)"),
        ("jsx", "<b>x</b><i>'y</i>", "<b>x</b><i>'y</i>"),
        ("js", "i++ / b / 'c' + /'/", "i++ / b / string('c') + string(/'/)"),
        ("jsx", "<p>/a/b</p><i> /c/d</i>", "<p>/a/b</p><i> /c/d</i>"),
        ("js", "a => /'/.test(a) && a>=/'/", "a => string(/'/).test(a) && a>=string(/'/)"),
        ("swift", "a */ b / \"c\" + d(/\"/)", "a */ b / string(\"c\") + d(string(/\"/))"),
        ("ruby", "a =~ /\"'/ # c", "a =~ string(/\"'/) comment(# c)"),
        ("perl", "if ($a =~ /'x/) { }", "keyword(if) (name($a) =~ string(/'x/)) { }"),
        ("swift", "let r = /a\"b/ ; x / y", "keyword(let) r = string(/a\"b/) ; x / y"),
    ])
    func `a regular expression is told from a division`(language: String, code: String, expected: String) {
        #expect(Self.coloured(language, code) == [expected])
    }

    @Test func `a backtick in a regular expression opens no text over lines`() {
        #expect(Self.coloured("js", "a = /`/\nlet b") == ["a = string(/`/)", "keyword(let) b"])
    }

    @Test(arguments: [
        ("rust", "/* a /* b\n*/ c\n*/ let", "comment(/* a /* b)|comment(*/ c)|comment(*/) keyword(let)"),
        ("swift", "/* /* a\n*/ */ let", "comment(/* /* a)|comment(*/ */) keyword(let)"),
        ("haskell", "{- {- a -}\nb -} let", "comment({- {- a -})|comment(b -}) keyword(let)"),
        ("c", "/* /* a\n*/ int", "comment(/* /* a)|comment(*/) keyword(int)"),
        ("nix", "/* /* a\n*/ let", "comment(/* /* a)|comment(*/) keyword(let)"),
        ("lua", "--[=[ a ]]\nlocal ]=] local", "comment(--[=[ a ]])|comment(local ]=]) keyword(local)"),
        ("sh", "echo 'if\n\\' fi", "keyword(echo) string('if)|string(\\') keyword(fi)"),
        (
            "sh", "cat <<'A' <<-B; if\nx\nA\ny\n\tB\nfi",
            "cat string(<<'A') string(<<-B); keyword(if)|string(x)|string(A)"
                + "|string(y)|string(\tB)|keyword(fi)"
        ),
        ("sh", "n=$((1 <<k))\nif", "n=$((number(1) <<k))|keyword(if)"),
        ("sh", "cat <<<word\nif", "cat <<<word|keyword(if)"),
        ("ruby", "a = <<~X.strip\n  if\n  X\nend", "a = string(<<~X).strip|string(  if)|string(  X)|keyword(end)"),
        ("ruby", "a << b\n=begin\nif\n=end\nend", "a << b|comment(=begin)|comment(if)|comment(=end)|keyword(end)"),
        (
            "perl", "print <<\"E\";\nif\nE\n=pod\n\nif\n=cut\nif",
            "keyword(print) string(<<\"E\");|string(if)|string(E)|comment(=pod)||comment(if)|comment(=cut)|keyword(if)"
        ),
        (
            "php", "$a = <<<E\nif\n  E; if\nif",
            "name($a) = string(<<<E)|string(if)|string(  E); keyword(if)|keyword(if)"
        ),
        (
            "rust", "let s = r##\"a\n\"# b\n\"## let",
            "keyword(let) s = string(r##\"a)|string(\"# b)|string(\"##) keyword(let)"
        ),
        ("cpp", "R\"(int\n)\" int", "string(R\"(int)|string()\") keyword(int)"),
        (
            "swift", "##\"\"\"\nlet\n\"\"\"# let\n\"\"\"## let",
            "string(##\"\"\")|string(let)|string(\"\"\"# let)|string(\"\"\"##) keyword(let)"
        ),
        ("nix", "x = ''\n  ''' let\n'' let", "name(x) = string('')|string(  ''' let)|string('') keyword(let)"),
        ("js", "`a\n\\` if\n` if", "string(`a)|string(\\` if)|string(`) keyword(if)"),
        ("dockerfile", "RUN <<EOF\nRUN\nEOF\nRUN", "keyword(RUN) string(<<EOF)|string(RUN)|string(EOF)|keyword(RUN)"),
    ])
    func `strings and comments of its own go on over lines`(language: String, code: String, expected: String) {
        #expect(Self.coloured(language, code).joined(separator: "|") == expected)
    }

    @Test(arguments: 0..<25) func `editing code gives what reading it anew gives`(seed: Int) {
        let names = [
            "rust", "swift", "sh", "ruby", "perl", "php", "lua", "cpp", "r", "haskell", "nix", "zig", "python", "latex",
            "dockerfile", "make", "sql",
        ]
        let parts = [
            "", "```", "/*", "*/", "{-", "-}", "\"", "'", "''", "'''", "\"\"\"", "#\"", "\"#", "r#\"", "R\"x(", ")x\"",
            ")\"", "[[", "]]", "--[==[", "]==]", "<<A", "<<-A", "<<~'A' <<B", "<<<A", "A", "B", "\tA", "  A;", "=pod",
            "=cut", "=begin", "=end", "\\", "$", "$$", "# c", "// c", "let x = 1", "if é", "`", "\\\\", "\\\"", "r\"-(",
        ]
        var generator = SeededGenerator(seed: UInt64(seed) &* 31)
        HighlighterTests.checkEditing(&generator, seed: seed) { generator in
            if Int.random(in: 0..<8, using: &generator) == 0 { return "```" + generator.pick(names) }
            return (0..<Int.random(in: 1...3, using: &generator)).map { _ in generator.pick(parts) }
                .joined(separator: Bool.random(using: &generator) ? " " : "")
        }
    }

    @Test func `each name means one language`() {
        let names = CodeLanguage.rows.flatMap { $0.names.split(separator: " ").map(String.init) }
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0 == $0.lowercased() })
        for row in CodeLanguage.rows {
            let words = row.keywords.split(whereSeparator: \.isWhitespace)
            #expect(Set(words).count == words.count, "\(row.names)")
            #expect(words.allSatisfy { $0.utf8.count <= 24 }, "\(row.names)")
        }
    }
}
