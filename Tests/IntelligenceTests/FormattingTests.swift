import Foundation
import Testing

@testable import Intelligence

/// Tests what a formatted text must keep, with a program in place of a model.
struct FormattingTests {
    private static let environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]

    /// Returns the result for a text, if the model answers with `answer`.
    private func format(_ text: String, _ answer: String) throws -> Formatting.Result {
        let quoted = "'" + answer.replacing("'", with: "'\\''") + "'"
        let provider = Provider(name: "p", way: .command(["sh", "-c", "printf %s \(quoted)"]))
        return try Formatting(text, provider: provider).run(ModelRun(provider, environment: Self.environment))
    }

    @Test(arguments: [
        // The target of a link, a picture and a wikilink.
        ("see [the shop](http://a.example/x) now", "see [the shop](http://a.example/y) now"),
        ("see ![shop](takenote://image/1) now", "see ![shop](takenote://image/2) now"),
        ("see [[Shop|it]] now", "see [[Other|it]] now"),
        ("[one](http://a.example) [two](http://b.example)", "[one](http://b.example) [two](http://a.example)"),
        ("a plain text", "a [plain](http://evil.example) text"),
        // Code, in a line and in a fence.
        ("run `rm -r x` here", "run `rm -r y` here"), ("run `a-b` here", "run `a+b` here"),
        ("so:\n\n```sh\nls -l\n```\n", "so:\n\n```sh\nls -a -l\n```\n"),
        ("so:\n\n```sh\na && b\n```\n", "so:\n\n```sh\na || b\n```\n"),
        // What is not shown.
        ("words <!-- keep --> here", "words here"), ("words here", "words here\n\n<!-- new -->"),
        ("words here <img src=\"a\">", "words here <img src=\"b\">"),
        ("see [it][a]\n\n[a]: http://a.example", "see [it][a]\n\n[a]: http://b.example"),
        ("see\n\n[a]: http://a.example", "see"),
        // Tasks, also those that are not in a list yet.
        ("- [ ] bread\n- [x] flour", "- [x] bread\n- [x] flour"), ("- [x] bread", "- bread"),
        ("- bread", "- [ ] bread"),
        ("[ ] bread", "- [x] bread"), ("> 1. [X] bread", "> 1. [ ] bread"),
        // What is struck through.
        ("~~bread~~ and flour", "bread and flour"), ("bread and flour", "~~bread~~ and flour"),
        ("~~bread~~ and flour", "bread and ~~flour~~"),
        // Numbers.
        ("3. bread\n4. flour", "1. bread\n2. flour"), ("1. bread\n2. flour", "- bread\n- flour"),
        ("- 2. bread\n- flour", "- 1. bread\n- flour"), ("- bread\n- flour", "1. bread\n2. flour"),
        ("Buy:\n2. bread", "Buy:\n\n1. bread"),
    ])
    func `a change that the words do not show is refused`(text: String, answer: String) {
        #expect(throws: FormatFault.changedParts) { try format(text, answer) }
    }

    @Test(arguments: [
        (
            "Bread\n\nsee [shop](http://a.example \"t\") and `x`",
            "# Bread\n\n- see [shop](http://a.example \"t\") and `x`"
        ),
        ("run\n\ncurl http://a.example\n\nnow", "run\n\n```sh\ncurl http://a.example\n```\n\nnow"),
        ("call foo(x) then", "call `foo(x)` then"), ("a <b>bold</b> word", "a **bold** word"),
        ("see http://a.example/x now", "see <http://a.example/x> now"),
        ("[x] bread\n[ ] flour", "- [x] bread\n- [ ] flour"), ("* [X] ~~bread~~ now", "- [x] ~~bread~~ now"),
        ("1. bread\n1. flour\n1. salt", "1. bread\n2. flour\n3. salt"), ("3) bread\n4) flour", "3. bread\n4. flour"),
        ("Buy:\n2. bread\n3. flour", "# Buy\n\n2. bread\n3. flour"),
        ("so\n\n```sh\nls\n```\nend", "so\n\n```sh\nls\n```\n\nend"),
        ("see [it][a]\n\n[a]: http://a.example", "# see [it][a]\n\n[a]: http://a.example"),
        // What looks like something that models put around a text.
        ("```\nls -l\n```", "```\nls -l\n```"), ("Here is what to buy:\nbread", "Here is what to buy:\n\n- bread"),
    ])
    func `formatting keeps links and code`(text: String, answer: String) throws {
        #expect(try format(text, answer).text == answer)
    }

    @Test func `a remark in place of a short text is refused`() throws {
        let remark = "Sorry, but there is nothing here that I could format for you."
        for text in ["Bread", "Bread, flour, salt and two lemons"] {
            #expect(throws: FormatFault.broken) { try format(text, remark) }
        }
        #expect(try format("Bread and flour", "# Bread\n\nand flours").changedWords == 1)
        // Of front matter alone nothing is sent.
        let matter = "---\ntitle: T\n---\n\n"
        #expect(try format(matter, remark) == Formatting.Result(text: matter, changedWords: 0))
    }

    @Test func `line ends stay as they are, and one line that ends differently changes no other`() {
        let formatted = "# A\n\n- b\n"
        #expect(formatted.withLineEnds(of: "a\r\nb\r\n") == "# A\r\n\r\n- b\r\n")
        for text in ["a\nb\r\n", "a\r\nb\n", "a\rb\n", "a\rb", "a\nb"] {
            #expect(formatted.withLineEnds(of: text) == formatted, "\(text.debugDescription)")
        }
    }

    @Test func `the line ends and the front matter stay`() throws {
        let result = try format("---\r\ntitle: T\r\n---\r\nBread\r\n\r\nFlour.\r\n", "# Bread\n\nFlour.\n")
        #expect(result.text == "---\r\ntitle: T\r\n---\r\n# Bread\r\n\r\nFlour.\r\n" && result.changedWords == 0)
        let long = (0..<400).map { "# Part \($0)\r\n\r\nSome words stand here.\r\n" }.joined(separator: "\r\n")
        #expect(Formatting(long, provider: Provider(name: "p", way: .command(["x"]))).sections.count > 1)
    }
}
