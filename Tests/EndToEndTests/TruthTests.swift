import Foundation
import SeededRandom
import TerminalDriver
import Testing

/// Tests that the screen shows the intended content after every step of random sessions.
///
/// The test requests a full redraw (Ctrl-L, which repaints from nothing) and compares: the screen after incremental
/// updates must equal a complete frame, cell for cell, including the caret. `TN_STEPS` is the number of steps (a few by
/// default), `TN_SEED` the seed of the random numbers.
@Suite(.serialized)
struct TruthTests {
    let workplace: Workplace
    private static let environment = ProcessInfo.processInfo.environment
    static let steps = environment["TN_STEPS"].flatMap { Int($0) } ?? 30
    static let seed = UInt64(environment["TN_SEED"].flatMap { Int($0) } ?? 1)

    init() throws {
        workplace = try Workplace()
        for title in ["One", "Two 世界", "Three 👨‍👩‍👧"] {
            _ = try workplace.tn(
                "--new", title + "\n\nwith a text, **bold**, that is long enough to be wrapped once or twice")
        }
    }

    @Test func `small differences make the same screen as drawing everything anew`() throws {
        var chance = SeededGenerator(seed: Self.seed)
        var environment = workplace.environment
        environment["VISUAL"] = "true"
        let terminal = try PseudoTerminal(Workplace.program, environment: environment)
        try terminal.wait(for: "Inbox")
        var history: [String] = []
        for _ in 0..<Self.steps {
            let step = RandomStep(&chance)
            history.append("\(step)")
            switch step {
            case .typed(let text): try terminal.send(text)
            case .pressed(let key): try terminal.send(key)
            case .moused(let bytes): try terminal.send(bytes)
            case .themed(let name): try workplace.configure("theme = \"\(name)\"\n")
            case .pasted(let text): try terminal.paste(text)
            case .resized(let columns, let rows): terminal.setSize(columns: columns, rows: rows)
            case .outside(let words): _ = try workplace.run(Workplace.program, words)
            }
            try terminal.waitUntilIdle(milliseconds: step.idleMilliseconds)
            // A save changes the list when it ends, even if the processor is busy for long.
            for _ in 0..<1000 where terminal.screen.lines.contains(where: { $0.contains(" saving ") }) {
                try terminal.waitUntilIdle(milliseconds: 100)
            }
            try #require(!terminal.isClosed, "ended after \(history.suffix(12))")
            let (lines, caret) = (withoutNotice(terminal.screen.lines), terminal.screen.caret)
            try terminal.send("\u{C}")
            try terminal.pump(milliseconds: 500)
            try terminal.waitUntilIdle(milliseconds: 100)
            let (anew, caretAnew) = (withoutNotice(terminal.screen.lines), terminal.screen.caret)
            let rows = zip(lines, anew).enumerated().filter { $1.0 != $1.1 && !$1.0.isAged($1.1) }
            let judge = ScreenJudge(rows: terminal.screen.lines)
            var fault = judge.edgeFault
            if case .typed(let text) = step, let caretAnew {
                fault = fault ?? judge.caretFault(caretAnew, behind: text)
            }
            guard !rows.isEmpty || lines.count != anew.count || caretAnew != caret || fault != nil else { continue }
            Issue.record(
                """
                seed \(Self.seed), step \(history.count), after \(history.suffix(6)): \(fault ?? "") \
                caret \(caret ?? []), anew \(caretAnew ?? [])
                \(rows.map { "row \($0): \($1.0)\n  anew: \($1.1)" }.joined(separator: "\n"))
                """)
            return
        }
    }
}

/// Returns the rows except the last, which may show a temporary notice until the next key.
private func withoutNotice<Row>(_ rows: [Row]) -> [Row] { Array(rows.dropLast()) }

extension String {
    /// Whether a row differs from another by an age, which may change at any minute, and with it the room for a title.
    func isAged(_ other: String) -> Bool {
        let ages = [self, other].map { $0.firstMatch(of: #/ (now|\d+ min)(?: |│|$)/#)?.output.1 }
        return ages[0] != nil && ages[1] != nil && ages[0] != ages[1]
    }
}

/// The same test in a real terminal (tmux), including styles.
@Suite(.serialized)
struct TruthInTmuxTests {
    let workplace: Workplace

    init() throws {
        workplace = try Workplace()
        for title in ["One", "Two 世界", "Three ❤️ 👨‍👩‍👧"] {
            _ = try workplace.tn(
                "--new", title + "\n\nwith a text, **bold**, that is long enough to be wrapped once or twice")
        }
    }

    @Test func `what tmux shows after every step is what drawing everything anew makes of it`() throws {
        var chance = SeededGenerator(seed: TruthTests.seed &+ 1000)
        let terminal = try TmuxTerminal(workplace)
        try terminal.enter("export VISUAL=true")
        try terminal.startNotebook()
        var history: [String] = []
        for _ in 0..<TruthTests.steps / 2 {
            let step = RandomStep(&chance)
            history.append("\(step)")
            switch step {
            case .typed(let text): try terminal.type(text)
            // In the list, this key would suspend the program, and the shell would get the next keys.
            case .pressed("\u{1A}"): continue
            case .pressed(let key): try terminal.send(key)
            case .moused(let bytes): try terminal.send(bytes)
            case .themed(let name): try workplace.configure("theme = \"\(name)\"\n")
            case .pasted(let text): try terminal.paste(text)
            case .resized(let columns, let rows): try terminal.resize(columns: columns, rows: rows)
            case .outside(let words): _ = try workplace.run(Workplace.program, words)
            }
            var seen = try terminal.settledPicture(quiet: Int(step.idleMilliseconds))
            // A save changes the list when it ends, even if the processor is busy for long.
            for _ in 0..<1000 where seen.rows.contains(where: { $0.map(\.text).joined().contains(" saving ") }) {
                seen = try terminal.settledPicture(quiet: 100)
            }
            try terminal.send("\u{C}")
            let anew = try terminal.settledPicture(quiet: 100)
            let differences = StyledPicture(rows: withoutNotice(seen.rows)).differences(
                from: StyledPicture(rows: withoutNotice(anew.rows)), unless: { $0.isAged($1) })
            if !differences.isEmpty || seen.cursor != anew.cursor {
                Issue.record(
                    """
                    seed \(TruthTests.seed), step \(history.count), after \(history.suffix(6)):
                    cursor \(seen.cursor), anew \(anew.cursor)
                    \(differences.joined(separator: "\n"))
                    """)
                return
            }
            let judge = ScreenJudge(rows: try terminal.screen())
            var typed = ""
            if case .typed(let text) = step, try terminal.fact("cursor_flag") == "1" { typed = text }
            if let fault = try judge.edgeFault ?? judge.caretFault(terminal.cursor(), behind: typed) {
                Issue.record("seed \(TruthTests.seed), step \(history.count), after \(history.suffix(6)): \(fault)")
                return
            }
        }
    }
}

/// Detects faults of a screen of the program by its rows alone.
struct ScreenJudge {
    let rows: [String]

    /// A pane drawn over its border: the lines between panes are complete, unless a box covers them.
    var edgeFault: String? {
        guard !rows.contains(where: { $0.contains("╭") || $0.contains("╰") }),
            let rule = rows.lastIndex(where: { $0.hasPrefix("──") })
        else { return nil }
        for (column, glyph) in rows[rule].enumerated() where glyph == "┴" {
            for row in rows[..<rule] {
                guard let cell = Self.cell(column, of: row), cell != "│" else { continue }
                return "“\(cell)” at column \(column) of “\(row)”, where there is an edge"
            }
        }
        return nil
    }

    /// A visible caret that is not after the last typed character, while the editor has the focus.
    func caretFault(_ caret: [Int], behind typed: String) -> String? {
        guard let last = typed.unicodeScalars.last.map({ Character($0) }), last.isASCII,
            rows.last?.contains("Esc list") == true,
            !rows.contains(where: { $0.contains("╭") || $0.contains("Replace") }),
            caret[0] > 0, caret[1] < rows.count - 1, let cell = Self.cell(caret[0] - 1, of: rows[caret[1]])
        else { return nil }
        // At the start of a row, the letter may be on the row before; a closing pair character is after the caret.
        return cell == last || cell == " " || cell == "│" || "*`[])".contains(last)
            ? nil : "the caret is behind “\(cell)”, not “\(last)”, in “\(rows[caret[1]])”"
    }

    /// Returns the contents of a cell of a row; nil if the row contains characters that terminals measure differently.
    private static func cell(_ column: Int, of row: String) -> Character? {
        var place = 0
        for character in row {
            let scalars = character.unicodeScalars
            guard scalars.count == 1, let scalar = scalars.first, scalar.value < 0x300 || scalar.value >= 0x2500,
                scalar.value < 0xA000
            else { return nil }
            if place == column { return character }
            place += TerminalScreen.width(of: String(character))
            if place > column { return character }
        }
        return " "
    }
}

extension TerminalScreen {
    /// The position of the visible caret; nil if it is hidden.
    var caret: [Int]? { isCursorVisible ? [column, row] : nil }
}
