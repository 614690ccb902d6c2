import Foundation
import Testing

/// What is on the screen is what the program means to be there, after every step of random sessions.
///
/// The judge asks for everything to be drawn anew (Ctrl-L, which repaints from nothing) and compares: what small
/// differences have made of the screen must be what one whole frame makes of it, cell for cell, caret included.
/// `TN_STEPS` is how many steps (a few by default), `TN_SEED` where chance begins.
@Suite(.serialized)
struct TruthTests {
    let workplace: Workplace
    private static let environment = ProcessInfo.processInfo.environment
    static let steps = environment["TN_STEPS"].flatMap { Int($0) } ?? 30
    static let seed = UInt64(environment["TN_SEED"].flatMap { Int($0) } ?? 1)

    private static let keys = [
        "\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D", "\u{1B}[H", "\u{1B}[F", "\u{1B}[5~", "\u{1B}[6~", "\r", "\t",
        "\u{1B}[Z", "\u{7F}", "\u{1B}[3~", "\u{1B}[1;2C", "\u{1B}[1;5D", "\u{1A}", "\u{19}", "\u{1B}1", "\u{1B}2",
        "\u{1B}3", "\u{1B}[17~", "\u{1B}[21~", "\u{1B}[11~", "\u{10}", "\u{6}", "\u{E}", "?", "j", "k", "s", "/",
    ]
    private static let texts = [
        "plain words ", "# heading", "**bold** and `code`", "世界 ", "👨‍👩‍👧 ", "🇺🇸", "e\u{301}", "- [ ] task",
        "a\u{200D}b", "שלום", "\u{202E}evil", "क्षि", "~~gone~~ [[link]]", "±", "x", " ",
    ]

    init() throws {
        workplace = try Workplace()
    }

    /// One step of chance; what it was, for the report.
    private func step(_ terminal: PseudoTerminal, _ chance: inout SeededChance) throws -> String {
        switch chance.number(in: 0...19) {
        case 0...6:
            let text = chance.pick(Self.texts)
            try terminal.send(text)
            return "typed \(text.debugDescription)"
        case 7:
            let text = (0..<chance.number(in: 1...12)).map { _ in chance.pick(Self.texts) }.joined(separator: "\n")
            try terminal.paste(text)
            return "pasted \(text.debugDescription)"
        case 8:
            let (columns, rows) = (chance.number(in: 18...140), chance.number(in: 4...45))
            terminal.setSize(columns: columns, rows: rows)
            return "resized to \(columns)x\(rows)"
        case 9:
            let text = chance.pick(Self.texts) + " from outside"
            _ = try workplace.tn("--new", "--", text)
            return "added \(text.debugDescription) outside"
        default:
            let key = chance.pick(Self.keys)
            try terminal.send(key)
            return "pressed \(key.debugDescription)"
        }
    }

    @Test func `small differences make the same screen as drawing everything anew`() throws {
        var chance = SeededChance(Self.seed)
        for title in ["One", "Two 世界", "Three 👨‍👩‍👧"] {
            _ = try workplace.tn(
                "--new", title + "\n\nwith a text, **bold**, that is long enough to be wrapped once or twice")
        }
        let terminal = try PseudoTerminal(Workplace.program, environment: workplace.environment)
        try terminal.wait(for: "Inbox")
        var history: [String] = []
        for _ in 0..<Self.steps {
            history.append(try step(terminal, &chance))
            // Longer than the idle moment after which a text is saved and the list changes, and than it takes to
            // notice what comes from outside.
            try terminal.settle(quiet: history.last?.hasSuffix("outside") == true ? 1000 : 450, atMost: 4)
            try #require(!terminal.isClosed, "ended after \(history.suffix(12))")
            let (lines, caret) = (terminal.screen.lines, terminal.screen.caret)
            try terminal.send("\u{C}")
            try terminal.settle(quiet: 60, atMost: 3)
            let (anew, caretAnew) = (terminal.screen.lines, terminal.screen.caret)
            guard anew != lines || caretAnew != caret else { continue }
            let rows = zip(lines, anew).enumerated().filter { $1.0 != $1.1 }
            Issue.record(
                """
                seed \(Self.seed), step \(history.count), after \(history.suffix(6)): \
                caret \(caret ?? []), anew \(caretAnew ?? [])
                \(rows.map { "row \($0): \($1.0)\n  anew: \($1.1)" }.joined(separator: "\n"))
                """)
            return
        }
    }
}

extension TerminalScreen {
    /// Where the caret is seen, nil when it is hidden.
    var caret: [Int]? { isCursorVisible ? [column, row] : nil }
}
