/// The answers and behaviour of a terminal: models of the terminals that programs meet.
///
/// They follow documentation and sources. None describes a particular product; together they cover the possible
/// difficulties.
public struct TerminalPersonality: Sendable {
    public var name: String
    /// The environment variables that it sets, and those of its host.
    public var environment = ["TERM": "xterm-256color", "COLORTERM": "truecolor"]
    /// The DA1 answer, without `CSI` and `c`; nil for no answer.
    public var attributes: String? = "?62;22;52"
    public var version: String?
    /// The DECRQM answers for modes: 0 for modes that are missing here, and no answers at all if empty.
    public var modes: [String: Int] = [:]
    public var hasKeyboardProtocol = false
    public var background: String?
    /// Whether DECRQSS is answered with the current style.
    public var tellsStyle = false
    /// Whether requests for the cursor's position are answered.
    public var tellsPosition = true
    public var tellsColorScheme = false
    /// Whether clusters are drawn as one glyph; otherwise each scalar is drawn separately, with the width of `wcwidth`.
    public var drawsClusters = false
    /// Whether a line feed also returns to the first column.
    public var returnsAtLineFeed = false
    /// The delay of an answer in milliseconds.
    public var delay: Int = 0
    /// The pause in milliseconds between pieces of seven bytes of an answer; nil sends answers whole.
    public var pause: Int?

    public init(
        name: String, environment: [String: String] = ["TERM": "xterm-256color", "COLORTERM": "truecolor"],
        attributes: String? = "?62;22;52", version: String? = nil, modes: [String: Int] = [:],
        hasKeyboardProtocol: Bool = false, background: String? = nil, tellsStyle: Bool = false,
        tellsPosition: Bool = true, tellsColorScheme: Bool = false, drawsClusters: Bool = false
    ) {
        (self.name, self.environment, self.attributes) = (name, environment, attributes)
        (self.version, self.modes, self.hasKeyboardProtocol) = (version, modes, hasKeyboardProtocol)
        (self.background, self.tellsStyle, self.tellsPosition) = (background, tellsStyle, tellsPosition)
        (self.tellsColorScheme, self.drawsClusters) = (tellsColorScheme, drawsClusters)
    }

    /// The terminal of most tests: everything a modern terminal can do, except the keyboard protocol.
    ///
    /// The tests send keys as a terminal without that protocol does.
    public static let modern = TerminalPersonality(
        name: "modern", version: "proof 1.0",
        modes: [
            "?2026": 2, "?2027": 2, "?2048": 2, "?2004": 2, "?1004": 2, "?1006": 2, "?25": 1, "?7": 1, "?1049": 2,
            "?2031": 2,
        ], background: "1e1e/1e1e/2e2e", tellsStyle: true, tellsColorScheme: true,
        drawsClusters: true)

    /// Like `modern`, with the keyboard protocol as well, for tests of switching it on and off.
    public static let full: TerminalPersonality = {
        var full = modern
        (full.name, full.hasKeyboardProtocol) = ("full", true)
        return full
    }()

    public static let kitty = TerminalPersonality(
        name: "kitty", environment: ["TERM": "xterm-kitty", "COLORTERM": "truecolor"], attributes: "?62;52",
        version: "kitty(0.42.1)", modes: ["?2026": 2, "?2048": 2, "?2031": 2], hasKeyboardProtocol: true,
        background: "0000/0000/0000", tellsStyle: true, tellsColorScheme: true, drawsClusters: true)

    public static let foot = TerminalPersonality(
        name: "foot", environment: ["TERM": "foot", "COLORTERM": "truecolor"], attributes: "?62;4;22;52",
        version: "foot(1.20.2)", modes: ["?2026": 2, "?2027": 1, "?2048": 2, "?2031": 2], hasKeyboardProtocol: true,
        background: "24/24/24", tellsStyle: true, tellsColorScheme: true, drawsClusters: true)

    public static let alacritty = TerminalPersonality(
        name: "alacritty", environment: ["TERM": "alacritty", "COLORTERM": "truecolor"], attributes: "?6",
        modes: ["?2026": 2], hasKeyboardProtocol: true, background: "1818/1818/1818")

    public static let xterm = TerminalPersonality(
        name: "xterm", environment: ["TERM": "xterm"], attributes: "?64;1;2;6;9;15;16;17;18;21;22;28",
        version: "XTerm(379)", modes: ["?69": 2], background: "ffff/ffff/ffff", tellsStyle: true)

    public static let tmux = TerminalPersonality(
        name: "tmux", environment: ["TERM": "screen", "TMUX": "/tmp/none,1,0"], attributes: "?1;2",
        version: "tmux 3.3a")

    public static let screen = TerminalPersonality(
        name: "screen", environment: ["TERM": "screen", "STY": "1.pts-0"], attributes: "?1;2")

    public static let linux = TerminalPersonality(
        name: "linux console", environment: ["TERM": "linux"], attributes: "?6")

    public static let vt100 = TerminalPersonality(name: "vt100", environment: ["TERM": "vt100"], attributes: "?1;2")

    public static let mosh = TerminalPersonality(
        name: "mosh", environment: ["TERM": "xterm-256color", "SSH_CONNECTION": "::1 1 ::1 22"], attributes: "?62")

    public static let mute = TerminalPersonality(
        name: "mute", environment: ["TERM": "xterm-256color"], attributes: nil, tellsPosition: false)

    /// Each answer comes two seconds late, in the middle of typed text.
    public static let slow: TerminalPersonality = {
        var slow = kitty
        (slow.name, slow.delay) = ("slow", 2000)
        return slow
    }()

    /// Answers come in pieces, cut anywhere, with pauses longer than those within a key.
    public static let stuttering: TerminalPersonality = {
        var stuttering = kitty
        (stuttering.name, stuttering.delay, stuttering.pause) = ("stuttering", 100, 40)
        return stuttering
    }()

    /// Sends impossible answers, and answers to questions that were not asked.
    public static let liar = TerminalPersonality(
        name: "liar", attributes: "?62;;99999999999;22", version: "☃ liar\u{1B}\\\u{1B}[?9;9$y\u{1B}[12;;t\u{1B}P0+r",
        modes: ["?2026": 9, "?2027": 2, "?69": 3],
        hasKeyboardProtocol: true, background: "zz/q/", tellsStyle: true)

    public static let all = [
        modern, full, kitty, foot, alacritty, xterm, tmux, screen, linux, vt100, mosh, mute, slow, stuttering, liar,
    ]
}
