/// Asks a terminal for its capabilities, and derives them from the replies.
///
/// All queries go out in one write that ends with DA1, which every terminal answers. Terminals answer in order, so a
/// reply that is missing when DA1's arrives will not come. Nothing waits for the replies. A reply that comes later
/// still counts.
public struct Probe: Sendable {
    /// The clusters whose width is measured, each with the width-model trait that its column count shows.
    private static let samples: [(text: String, learn: @Sendable (inout WidthModel, Int) -> Void)] = [
        ("👨‍👩‍👧", { $0.set(.joinsEmoji, $1 == 2) }),
        ("👍🏽", { $0.set(.joinsModifiers, $1 == 2) }),
        ("🇺🇸", { $0.set(.joinsFlags, $1 == 2) }),
        ("❤️", { $0.set(.widensByVS16, $1 == 2) }),
        ("⚡︎", { $0.set(.narrowsByVS15, $1 == 1) }),
        ("क्षि", { $0.set(.joinsConjuncts, $1 < 3) }),
        ("±", { $0.set(.ambiguousIsWide, $1 == 2) }),
    ]

    /// Terminals that support REP; many that set `TERM` to `xterm` do not.
    private static let repeaters = [
        "kitty", "foot", "ghostty", "wezterm", "alacritty", "tmux", "contour", "xterm(", "vte(", "mintty",
    ]

    private var measured: WidthModel = [.isMeasured]
    /// The number of samples whose replies have arrived.
    private var repliedSamples = 0
    private var isAnswered = false
    /// Whether the terminal is asked for modes and settings.
    ///
    /// Terminals that are not asked would print the query, or answer for another terminal.
    private let queriesModes: Bool
    /// Whether the terminal is asked for colours; tmux answers that query itself.
    private let queriesColors: Bool
    /// Whether the terminal is sent queries at all.
    private let isQuerying: Bool

    init(_ capabilities: Capabilities, environment: [String: String], isQuerying: Bool) {
        let term = capabilities.term
        let isApple = environment["TERM_PROGRAM"] == "Apple_Terminal"
        self.isQuerying = isQuerying && !capabilities.isBasicTerminal
        let isMultiplexed = capabilities.multiplexer != .none || capabilities.isOf(["tmux", "screen"])
        queriesModes = !isMultiplexed && !isApple && !term.hasPrefix("st-")
        queriesColors = queriesModes || capabilities.multiplexer == .tmux || capabilities.isOf(["tmux"])
    }

    /// Whether queries were sent, or will be, and the last reply has not arrived.
    var isOutstanding: Bool { isQuerying && !isAnswered }

    /// The bytes of the queries; they leave the cursor at an arbitrary position and clear the second row.
    var queries: [UInt8] {
        guard isQuerying else { return [] }
        var text = "\u{1B}[>0q\u{1B}[?u"
        // The size of a cell, for pictures.
        if queriesModes { text += "\u{1B}[16t" }
        if queriesModes { text += "\u{1B}[?2026$p\u{1B}[?2027$p\u{1B}[?2048$p\u{1B}[?69$p\u{1B}[?996n" }
        if queriesColors { text += "\u{1B}]10;?\u{1B}\\\u{1B}]11;?\u{1B}\\" }
        if queriesModes {
            text += "\u{1B}[48;2;59;34;76m\u{1B}P$qm\u{1B}\\\u{1B}[m\u{1B}[4:3m\u{1B}P$qm\u{1B}\\\u{1B}[m"
        }
        // Measure on the second row, so that no reply looks like F3 with a modifier, which is `CSI 1 ; n R`.
        for sample in Probe.samples { text += "\u{1B}[2;1H\(sample.text)\u{1B}[6n" }
        text += "\u{1B}[2;1H\u{1B}[2K"
        return Array((text + "\u{1B}[c").utf8)
    }

    /// Updates the capabilities from a reply.
    mutating func receive(_ reply: TerminalReply, _ capabilities: inout Capabilities) {
        switch reply {
        case .attributes(let attributes):
            isAnswered = true
            capabilities.isProbed = true
            if attributes.contains(52) { capabilities.canWriteClipboard = true }
        case .version(let version): learn(version: version, &capabilities)
        case .mode(let mode, let state): learn(mode: mode, isKnown: (1...3).contains(state), &capabilities)
        case .color(.foreground, let color): capabilities.foreground = color
        case .color(.background, let color):
            capabilities.background = color
            // The measured background takes precedence over the environment and earlier reports.
            capabilities.colorScheme = nil
        case .setting(let setting): learn(setting: setting ?? "", &capabilities)
        case .cursor(let position): learn(columns: position.column, &capabilities)
        case .cellSize(let width, let height):
            if let size = Capabilities.CellPixels(told: width, by: height) { capabilities.cellPixels = size }
        default: break
        }
    }

    private func learn(mode: Int, isKnown: Bool, _ capabilities: inout Capabilities) {
        guard isKnown else { return }
        switch mode {
        case 2026: capabilities.hasSynchronizedUpdate = true
        case 2027:
            capabilities.hasGraphemeClusters = true
            capabilities.widthModel.formUnion([.unicode, .isMeasured])
        case 2048: capabilities.hasInBandResize = true
        case 69: capabilities.hasSideMargins = true
        default: break
        }
    }

    private func learn(version: String, _ capabilities: inout Capabilities) {
        capabilities.version = version
        let name = version.lowercased()
        if name.hasPrefix("tmux") {
            capabilities.synchronizedUpdateMinimum = 1024
        }
        capabilities.hasPicturePlaceholders = Probe.drawsPictures(name)
        if Probe.repeaters.contains(where: name.hasPrefix) {
            capabilities.canRepeat = true
        }
    }

    /// Whether a terminal of this name and version draws kitty's placeholders: kitty 0.28 and later, and Ghostty.
    ///
    /// The protocol's own query is not used: Konsole answers it with yes and ignores placeholders, and WezTerm prints
    /// them.
    public static func drawsPictures(_ version: String) -> Bool {
        if version.hasPrefix("ghostty ") { return true }
        guard version.hasPrefix("kitty(") else { return false }
        let numbers = version.dropFirst(6).prefix { $0 != ")" }.split(separator: ".").compactMap { Int($0) }
        guard let major = numbers.first else { return false }
        return major > 0 || numbers.dropFirst().first ?? 0 >= 28
    }

    /// Learns from a DECRQSS reply: it reports the style after one was set that only a capable terminal accepts.
    private func learn(setting: String, _ capabilities: inout Capabilities) {
        if setting.contains("48:2") || setting.contains("48;2"), capabilities.colorDepth == .palette256 {
            capabilities.colorDepth = .truecolor
        }
        if setting.contains("4:3") { capabilities.hasUnderlineStyles = true }
    }

    private mutating func learn(columns: Int, _ capabilities: inout Capabilities) {
        guard repliedSamples < Probe.samples.count else { return }
        Probe.samples[repliedSamples].learn(&measured, columns)
        repliedSamples += 1
        if repliedSamples == Probe.samples.count, !capabilities.hasGraphemeClusters {
            capabilities.widthModel = measured
        }
    }
}

extension WidthModel {
    fileprivate mutating func set(_ trait: WidthModel, _ isTrue: Bool) {
        if isTrue { insert(trait) }
    }
}
