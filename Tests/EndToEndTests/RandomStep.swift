import SeededRandom

/// A random step of a session: the next act of a user, a terminal or another program.
enum RandomStep: CustomStringConvertible {
    case typed(String), pressed(String), pasted(String)
    case resized(columns: Int, rows: Int)
    /// Another program changes the notebook: the words of a command.
    case outside([String])
    /// The configuration names another theme, which takes effect immediately.
    case themed(String)
    /// Buttons, the wheel, dragging, as the bytes that a terminal sends.
    case moused(String)

    private static let keys = [
        "\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D", "\u{1B}[H", "\u{1B}[F", "\u{1B}[5~", "\u{1B}[6~", "\r", "\t",
        "\u{1B}[Z", "\u{7F}", "\u{1B}[3~", "\u{1B}[1;2C", "\u{1B}[1;5D", "\u{1A}", "\u{19}", "\u{1B}1", "\u{1B}2",
        "\u{1B}3", "\u{1B}[17~", "\u{1B}[21~", "\u{1B}[11~", "\u{10}", "\u{6}", "\u{E}", "?", "j", "k", "s", "/",
        "\u{5}", "\u{1B}[1;3A", "\u{1B}[18~", "\u{1B}[20~",
    ]
    private static let texts = [
        "plain words ", "# heading", "**bold** and `code`", "世界 ", "👨‍👩‍👧 ", "🇺🇸", "e\u{301}", "- [ ] task",
        "❤️", "⚡︎", "1️⃣", "👍🏽", "☺︎ ",
        "a\u{200D}b", "שלום", "\u{202E}evil", "क्षि", "~~gone~~ [[link]]", "±", "x", " ",
    ]

    init(_ chance: inout SeededGenerator) {
        switch chance.number(in: 0...19) {
        case 0...6: self = .typed(chance.pick(Self.texts))
        case 7:
            self = .pasted(
                (0..<chance.number(in: 1...12)).map { _ in chance.pick(Self.texts) }.joined(separator: "\n"))
        case 8: self = .resized(columns: chance.number(in: 18...140), rows: chance.number(in: 4...45))
        case 9: self = .outside(Self.command(&chance))
        case 10 where chance.number(in: 0...1) == 0:
            self = .themed(chance.pick(["dark", "light", "high-contrast", "terminal", "auto"]))
        case 10, 11: self = .moused(Self.mouse(&chance))
        default: self = .pressed(chance.pick(Self.keys))
        }
    }

    /// Returns a command that adds a note, or changes the note called One, which is usually open.
    private static func command(_ chance: inout SeededGenerator) -> [String] {
        let text = chance.pick(texts) + " from outside"
        return chance.pick([
            ["--new", "--", text], ["--new", "--", text], ["append", "One", "--", text], ["star", "One"],
            ["tag", "One", "--add", "outside"], ["trash", "One"], ["restore", "One"], ["folder", "add", "Outside"],
        ])
    }

    /// Returns a click or double click, a turn of the wheel, or a drag, anywhere.
    private static func mouse(_ chance: inout SeededGenerator) -> String {
        func place() -> String { "\(chance.number(in: 1...140));\(chance.number(in: 1...45))" }
        let here = place()
        let click = "\u{1B}[<0;\(here)M\u{1B}[<0;\(here)m"
        switch chance.number(in: 0...5) {
        case 0, 1: return click
        case 2: return click + click
        case 3: return "\u{1B}[<64;\(here)M"
        case 4: return "\u{1B}[<65;\(here)M"
        default:
            let there = place()
            return "\u{1B}[<0;\(here)M\u{1B}[<32;\(there)M\u{1B}[<0;\(there)m"
        }
    }

    /// A pause longer than the one after which a text is saved and the list changes, and than the detection of changes
    /// from outside takes.
    var idleMilliseconds: Int32 {
        switch self {
        case .outside, .themed: 1000
        default: 450
        }
    }

    var description: String {
        switch self {
        case .typed(let text): "typed \(text.debugDescription)"
        case .pressed(let key): "pressed \(key.debugDescription)"
        case .pasted(let text): "pasted \(text.debugDescription)"
        case .resized(let columns, let rows): "resized to \(columns)x\(rows)"
        case .outside(let words): "outside \(words)"
        case .themed(let name): "wears \(name)"
        case .moused(let bytes): "mouse \(bytes.debugDescription)"
        }
    }
}
