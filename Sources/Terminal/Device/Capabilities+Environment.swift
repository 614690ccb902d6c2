extension Capabilities {
    /// Guesses the capabilities from the environment, before the terminal is asked.
    public init(environment: [String: String]) {
        self.init()
        func value(_ name: String) -> String { environment[name] ?? "" }
        term = value("TERM")
        isRemote = ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].contains { !value($0).isEmpty }
        if !value("TMUX").isEmpty {
            multiplexer = .tmux
        } else if !value("STY").isEmpty {
            multiplexer = .screen
        }
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(value).first { !$0.isEmpty } ?? ""
        isUTF8 = locale.lowercased().replacing("-", with: "").contains("utf8")
        guessColors(colorTerm: value("COLORTERM"), noColor: value("NO_COLOR"))
        guessFeatures(program: value("TERM_PROGRAM"))
        guessScheme(value("COLORFGBG"))
    }

    private mutating func guessColors(colorTerm: String, noColor: String) {
        if !noColor.isEmpty {
            colorDepth = .none
        } else if ["truecolor", "24bit"].contains(colorTerm) || isOf(Capabilities.truecolorTerms)
            || term.hasSuffix("-direct")
        {
            colorDepth = .truecolor
        } else if isRealVT {
            colorDepth = .none
        } else if isBasicTerminal || term.hasSuffix("-16color") {
            colorDepth = .ansi16
        } else {
            colorDepth = term.contains("256") || isOf(["xterm", "tmux"]) ? .palette256 : .ansi16
        }
    }

    /// Terminals that have true colour in every version still in use.
    private static let truecolorTerms = [
        "alacritty", "contour", "foot", "ghostty", "iterm", "kitty", "mintty", "rio", "st-", "wezterm", "xterm-ghostty",
        "xterm-kitty",
    ]

    /// Terminals that can repeat characters and draw all underlines; they also report their name when asked.
    private static let modernTerms = [
        "alacritty", "foot", "ghostty", "kitty", "wezterm", "xterm-ghostty", "xterm-kitty",
    ]

    private mutating func guessFeatures(program: String) {
        if isBasicTerminal {
            (hasHyperlinks, hasCursorShapes, hasItalic, hasStrikethrough) = (false, false, false, false)
            (hasMouse, canScroll, canWriteClipboard) = (false, false, false)
            canEraseCharacters = !isOf(["vt1", "ansi"])
            canShift = canEraseCharacters
            widthModel = .legacy
            // The screen reader Fenrir has a terminal of its own: it names itself `linux`, and its line feed is a new line.
            lineFeedKeepsColumn = !isOf(["linux"])
        }
        switch drawingMultiplexer {
        case .tmux: widthModel = .tmux
        case .screen:
            (hasHyperlinks, hasItalic, widthModel) = (false, false, .legacy)
        case .none: break
        }
        let isModern = isOf(Capabilities.modernTerms)
        canRepeat = isModern || drawingMultiplexer == .tmux
        hasUnderlineStyles = isModern
        if program == "Apple_Terminal" { hasHyperlinks = false }
    }

    /// Reads `COLORFGBG=15;0`: foreground and background of the sixteen colours, as rxvt and Konsole set it.
    private mutating func guessScheme(_ value: String) {
        guard let last = value.split(separator: ";").last.flatMap({ Int($0) }), (0...15).contains(last) else { return }
        colorScheme = last == 7 || last > 8 ? .light : .dark
    }

    /// The multiplexer that draws like this terminal, possibly on another machine.
    ///
    /// It is recognised by `TERM`, which SSH passes on. Such a multiplexer is sent no commands and no passed-through
    /// sequences.
    private var drawingMultiplexer: Multiplexer {
        if multiplexer != .none { return multiplexer }
        return isOf(["tmux"]) ? .tmux : isOf(["screen"]) ? .screen : .none
    }

    /// The widths of text that is printed without asking the terminal for them.
    ///
    /// Most terminals count a consonant and its spacing vowel sign as two cells, as `wcwidth` does, and so does `less`.
    public var printedWidths: WidthModel {
        let isSure = widthModel != .unicode || isOf(Capabilities.clusterTerms)
        return isSure ? widthModel : widthModel.subtracting(.joinsConjuncts)
    }

    /// Terminals that draw a cluster of Devanagari, Bengali, Thai and similar scripts as one character.
    private static let clusterTerms = ["contour", "ghostty", "kitty", "xterm-ghostty", "xterm-kitty"]

    /// Whether this is the Linux console, an old hardware terminal or a similar one.
    ///
    /// They have no mouse and no title, and would print a query instead of answering it.
    var isBasicTerminal: Bool { isRealVT || isOf(["linux", "ansi", "cons25", "cygwin", "eterm"]) }

    /// Whether this is a DEC terminal, or claims to be one; `vte` is not.
    private var isRealVT: Bool { isOf(["vt1", "vt2", "vt3", "vt4", "vt5"]) }

    func isOf(_ prefixes: [String]) -> Bool {
        prefixes.contains { term.hasPrefix($0) }
    }

    /// Whether the terminal can place a cursor and understands control sequences.
    var isUsable: Bool { !term.isEmpty && term != "dumb" && term != "unknown" }
}
