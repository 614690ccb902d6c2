import Foundation
import TerminalDriver
import Testing

/// Tests malicious texts: none reaches the terminal raw, ends the program or makes a key wait.
///
/// With `TN_HOSTILE=full` there are 100,000 headings and lines of 10 MB, for a release build by `TN_BINARY`; a debug
/// build takes minutes for them. `Tests/Benchmarks/run.sh hostile` times the keys in such texts.
@Suite(.serialized)
struct HostileTests {
    let workplace: Workplace

    init() throws {
        workplace = try Workplace()
    }

    /// The Escape key in the encoding that distinguishes it from the start of a sequence.
    static let escape = "\u{1B}[27u"

    private static let isFull = ProcessInfo.processInfo.environment["TN_HOSTILE"] == "full"

    static let texts: [(name: String, text: String)] = [
        ("escape sequences", "# a\u{1B}]0;owned\u{7}b\u{1B}[2J\u{1B}[31mred\u{1B}P$q\u{1B}\\ \u{9B}2J\u{9D}x\u{9C}"),
        (
            "every control character",
            "# ctl " + String(String.UnicodeScalarView((1..<32).compactMap { Unicode.Scalar($0) }))
        ),
        ("C1 controls", "# c1 " + String(String.UnicodeScalarView((0x7F..<0xA0).compactMap { Unicode.Scalar($0) }))),
        ("bidirectional controls", "# bidi \u{202E}evil\u{202C} \u{2066}iso\u{2069} \u{200F}\u{061C}"),
        ("a thousand marks", "# zalgo e" + String(repeating: "\u{301}", count: 1000)),
        ("zero widths", "# zero \u{200B}\u{200D}\u{FEFF}\u{2060}\u{FE0F}" + String(repeating: "\u{200D}", count: 300)),
        ("SQL and FTS", "# '); DROP TABLE note; -- \" NEAR( AND OR NOT * ^ {a b}: :"),
        ("nesting", "# deep\n\n" + String(repeating: "> ", count: 1000) + "x\n" + String(repeating: "[", count: 1000)),
        ("delimiters", "# stars " + String(repeating: "*_`~", count: 5000)),
        ("headings", (0..<(isFull ? 100_000 : 20_000)).map { "# heading \($0)" }.joined(separator: "\n")),
        ("a long line", "# long " + String(repeating: "word ", count: isFull ? 2_000_000 : 200_000)),
        ("one long word", "# w\n" + String(repeating: "x", count: isFull ? 10_000_000 : 1_000_000)),
        (
            "lists in lists",
            "# l\n" + (0..<1000).map { String(repeating: " ", count: $0) + "- item" }.joined(separator: "\n")
        ),
        (
            "deep HTML",
            "# h\n\n" + String(repeating: "<div><!--", count: 5000) + String(repeating: "</div>", count: 5000)
        ),
        ("families", "# f\n" + String(repeating: "👨‍👩‍👧🇺🇸\u{200D}", count: isFull ? 25_000 : 2500)),
    ]

    @Test(arguments: 0..<texts.count)
    func `a hostile text is shown harmlessly, edited quickly and kept byte for byte`(index: Int) throws {
        let (name, text) = Self.texts[index]
        let added = try workplace.tn("--new", input: text)
        #expect(added.status == 0, "\(name): \(added.error)")
        let note = added.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try workplace.tn("show", note).output == text, "\(name)")
        let terminal = try PseudoTerminal(Workplace.program, ["open", note], environment: workplace.environment)
        try terminal.wait(for: "Inbox")
        try terminal.waitUntilIdle(milliseconds: 200)
        let before = ProgramRun.processorTime(of: terminal.process)
        for key in "ZQX".utf8 { _ = try terminal.timeToPrint(key) }
        let spent = ProgramRun.processorTime(of: terminal.process) - before
        print("\(name): \(spent) s for three keys, \(before) s for start and opening")
        // Opening goes through the text once; keys that did so again and again would take many times as much, on any
        // machine. A time that is too short proves nothing.
        #expect(spent < max(3 * before, 1), "\(name): three keys took \(spent) s of a processor, opening \(before) s")
        for key in ["\u{1B}[F", "\u{1B}[B", "\u{1B}[1;5F", "\u{1B}[5~", Self.escape, "/", "own", Self.escape] {
            try terminal.send(key)
            try terminal.waitUntilIdle(milliseconds: 40)
        }
        #expect(terminal.screen.strays.isEmpty, "\(name): \(terminal.screen.strays)")
        try terminal.send("\u{11}")
        #expect(terminal.waitForExit() == 0, "\(name)")
        #expect(try workplace.tn("show", note).output == "ZQX" + text, "\(name)")
    }

    @Test func `what is printed for people holds no control character`() throws {
        for (_, text) in Self.texts.prefix(7) { _ = try workplace.tn("--new", input: text) }
        for command in [["list"], ["search", "a"]] {
            let terminal = try PseudoTerminal(Workplace.program, command, environment: workplace.environment)
            _ = terminal.waitForExit()
            #expect(terminal.screen.strays.isEmpty, "\(command): \(terminal.screen.strays)")
            #expect(!terminal.screen.contains("owned") || terminal.screen.contains("]0;owned"))
        }
    }

    @Test(arguments: [
        "\"", "*", "NEAR(", "a AND", "OR OR", "tag:", "\u{1B}[31m", "'); DROP TABLE note; --", "^", "{", "-", "NOT",
        "a:b:c",
        "\u{0}", "(((((", "\"unclosed phrase", "is:", "é\u{301}\u{301}", "🇺", "%_%", "\\",
    ])
    func `no search makes an error`(query: String) throws {
        _ = try workplace.tn("--new", "Something to find")
        // An argument cannot contain a NUL: the text before it is searched for.
        let result = try workplace.tn("search", "--", query)
        #expect([0, 1].contains(result.status), "\(query.debugDescription): \(result.status) \(result.error)")
    }

    @Test func `a terminal that lies and babbles does not end the program`() throws {
        let terminal = try PseudoTerminal(Workplace.program, environment: workplace.environment)
        try terminal.wait(for: "Inbox")
        let lies = [
            "\u{1B}[99999999;99999999R", "\u{1B}[?1;2c", "\u{1B}]11;rgb:zz/zz/zz\u{1B}\\", "\u{1B}]11;#\u{7}",
            "\u{1B}[48;0;0;0;0t", "\u{1B}[48;99999;99999;1;1t", "\u{1B}[?2026;9$y", "\u{1B}[<0;99999;99999M",
            "\u{1B}[<64;-1;-1m", "\u{1B}P1$r999m\u{1B}\\", "\u{1B}[1114112u", "\u{1B}[55555555555555555555u",
            "\u{1B}[27;5;55296~", "\u{1B}[?997;3n", "\u{1B}P>|" + String(repeating: "x", count: 100_000) + "\u{1B}\\",
            "\u{1B}[200~" + String(repeating: "\u{1B}", count: 1000) + "\u{1B}[201~",
        ]
        for lie in lies {
            try terminal.send(lie)
            try terminal.waitUntilIdle(milliseconds: 20)
            try #require(!terminal.isClosed, "ended by \(lie.prefix(40).debugDescription)")
        }
        try terminal.send([0xFF, 0xC0, 0x80, 0xED, 0xA0, 0x80, 0xF4, 0x90, 0x80, 0x80, 0x1B, 0x5B, 0xFF])
        try terminal.waitUntilIdle(milliseconds: 100)
        terminal.setSize(columns: 100, rows: 30)
        try terminal.send(Self.escape + Self.escape + "\u{C}")
        try terminal.wait(for: "Inbox")
    }
}
