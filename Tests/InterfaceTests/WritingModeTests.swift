import Terminal
import TestSupport
import Testing

@testable import Interface
@testable import ViewModel

/// Tests the aids for writing prose: quotation marks, the writing mode, the goal, snippets.
@MainActor
@Suite struct WritingModeTests {
    @Test(arguments: [
        (QuoteStyle.english, "\"It's 'so',\" he", "“It’s ‘so’,” he"), (.german, "\"Geht's?\" 'so'", "„Geht’s?“ ‚so‘"),
        (.swiss, "(\"ja\")", "(«ja»)"), (.french, "\"oui\" l'eau", "«\u{202F}oui\u{202F}» l’eau"),
        (.swedish, "\"ja\"", "”ja”"), (.straight, "\"a\" 'b'", "\"a\" 'b'"),
        (.english, "`\"a\"` <a b=\"c\"> \"d\"", "`\"a\"` <a b=\"c\"> “d”"),
        (.english, "[a \"b\"](c \"d\") \"e\"", "[a “b”](c \"d\") “e”"),
        (.english, "[a]: b \"c\"", "[a]: b \"c\""), (.english, "[^a]: \"c\"", "[^a]: “c”"),
        (.english, "[a](b) c (\"d\")", "[a](b) c (“d”)"),
    ])
    func `quotation marks are those of the language, but for code, links and tags`(
        style: QuoteStyle, typed: String, text: String
    ) throws {
        let window = try Window(notes: ["x"])
        defer { window.close() }
        window.press("Enter", "Ctrl-A", "Delete")
        window.fixture.model.editorSettings.quotes = style
        window.interface.handle(typed.map { .key(KeyPress(typed: $0)) })
        #expect(window.fixture.model.session?.text == text)
    }

    @Test func `in a fence quotation marks stay straight`() throws {
        let window = try Window(notes: ["```\n\n```"])
        defer { window.close() }
        window.fixture.model.editorSettings.quotes = .english
        window.press("Enter", "Ctrl-Home", "Down", "\"'x'\"")
        #expect(window.fixture.model.session?.text == "```\n'x'\n```")
    }

    @Test func `with several carets each quotation mark suits the text before its own caret`() throws {
        let window = try Window(notes: ["he said \n`code\nhe said\n"])
        defer { window.close() }
        window.fixture.model.editorSettings.quotes = .english
        window.press("Enter", "Ctrl-A", "Alt-E", "\"\"\"")
        #expect(window.fixture.model.session?.text == "he said “\n`code\"\nhe said”\n")
        window.press("Ctrl-Z")
        #expect(window.fixture.model.session?.text == "he said \n`code\nhe said\n")
    }

    @Test func `in the writing mode the caret's row stays in the middle, and its paragraph stands out`() throws {
        let text = (0..<60).map { "Line \($0)\n" }.joined(separator: "\n")
        let window = try Window(columns: 120, rows: 21, notes: [text])
        defer { window.close() }
        window.interface.apply(Configuration.read("[editor]\nwriting-mode = true\nword-goal = 500\n"))
        window.press("Enter", "Ctrl-Home")
        for _ in 0..<30 { window.press("Down") }
        let middle = window.cursor?.position.row
        for _ in 0..<6 { window.press("Down") }
        #expect(window.cursor?.position.row == middle && (8...12).contains(middle ?? 0))
        #expect(window.lines.last?.contains("120 of 500 words") == true)
        let row = window.cursor?.position.row ?? 0
        func style(_ row: Int) -> Style? {
            let column = window.cursor?.position.column ?? 0
            return window.screen[column, row].style
        }
        #expect(style(row) != style(row - 2))
        #expect(style(row - 2) == style(row + 2))
        window.interface.perform("view.writing")
        window.draw()
        #expect(style(row) == style(row - 2))
    }

    @Test func `a goal that is passed is named`() {
        #expect(Texts.words(499, of: 500) == "499 of 500 words")
        #expect(Texts.words(500, of: 500) == "500 words, the goal")
        #expect(Texts.words(1041, of: 500) == "1041 words, past the goal of 500")
    }

    @Test func `a snippet is chosen by its name, and the caret comes to its mark`() throws {
        let window = try Window(notes: ["- "])
        defer { window.close() }
        window.interface.apply(Configuration.read("[snippets]\nhello = \"Dear {{cursor}},\\nyours\"\nbye = \"x\"\n"))
        #expect(Configuration.read(window.interface.configuration.text).configuration == window.interface.configuration)
        window.press("Enter", "Ctrl-End", "Alt-S", "\"hel\"", "Enter", "\"Ann\"")
        #expect(window.fixture.model.session?.text == "- Dear Ann,\nyours")
        let reading = Configuration.read("[snippets]\nhello = 1\n")
        #expect(reading.problems.count == 1)
    }
}
