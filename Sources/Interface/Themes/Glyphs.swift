import Markdown
import NoteStore

/// The characters of frames, marks and symbols.
public struct Glyphs: Equatable, Sendable {
    public var vertical: Character
    public var horizontal: Character
    public var teeUp: Character
    public var topLeft: Character
    public var topRight: Character
    public var bottomLeft: Character
    public var bottomRight: Character
    public var selected: Character
    public var marked: Character
    /// The rows in sight of a list or text that scrolls, on the frame beside it.
    public var scrolled: Character
    public var star: Character
    public var expanded: Character
    public var collapsed: Character
    public var ellipsis: Character
    public var separator: String
    public var newestFirst: Character
    public var oldestFirst: Character
    /// The check box of a done task; `unchecked` is that of an open one.
    public var checked: String
    public var unchecked: String
    /// Whether folders, projects and tags have an icon before their names.
    public var hasIcons = false
    /// Whether states are shown as words and frames are omitted, for a screen reader.
    public var isWords = false

    /// Box drawing and a few geometric shapes, all one cell wide.
    public static let unicode = Glyphs(
        vertical: "│", horizontal: "─", teeUp: "┴", topLeft: "╭", topRight: "╮", bottomLeft: "╰", bottomRight: "╯",
        selected: "▌", marked: "●", scrolled: "▐", star: "★", expanded: "▾", collapsed: "▸", ellipsis: "…",
        separator: " › ", newestFirst: "↓", oldestFirst: "↑", checked: "[x]", unchecked: "[ ]")

    /// The set for terminals and fonts that have only ASCII.
    public static let ascii = Glyphs(
        vertical: "|", horizontal: "-", teeUp: "+", topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+",
        selected: ">", marked: "+", scrolled: "#", star: "*", expanded: "-", collapsed: "+", ellipsis: "~",
        separator: " > ", newestFirst: "v", oldestFirst: "^", checked: "[x]", unchecked: "[ ]")

    /// The set for a screen reader, which would speak each mark: spaces, and words in place of the marks.
    public static let words = {
        var glyphs = Glyphs.ascii
        (glyphs.vertical, glyphs.horizontal, glyphs.teeUp, glyphs.selected) = (" ", " ", " ", " ")
        (glyphs.topLeft, glyphs.topRight, glyphs.bottomLeft, glyphs.bottomRight) = (" ", " ", " ", " ")
        (glyphs.expanded, glyphs.collapsed, glyphs.separator) = (" ", " ", ", ")
        glyphs.isWords = true
        return glyphs
    }()

    /// The icons of a Nerd Font, each one cell wide: those of Font Awesome, which every version of the font contains.
    public static let nerdFont = {
        var glyphs = Glyphs.unicode
        glyphs.star = "\u{F005}"
        glyphs.expanded = "\u{F0D7}"
        glyphs.collapsed = "\u{F0DA}"
        glyphs.checked = "\u{F14A}"
        glyphs.unchecked = "\u{F096}"
        glyphs.hasIcons = true
        return glyphs
    }()
}

extension Glyphs {
    /// The share of a row's items that is ticked.
    enum Tick { case none, some, all }

    /// Returns the tick box of a row; words for a screen reader.
    func tick(_ tick: Tick) -> String {
        switch tick {
        case .none: isWords ? Texts.Words.leftOut : "[ ]"
        case .some: isWords ? Texts.Words.partlyTaken : "[-]"
        case .all: isWords ? Texts.Words.taken : "[x]"
        }
    }

    /// Joins facts with a dot, or with commas for a screen reader, which would speak the dot.
    func joined(_ facts: [String]) -> String {
        facts.filter { !$0.isEmpty }.joined(separator: isWords ? ", " : " \(plain("·")) ")
    }

    /// The characters with which a note is laid out for reading.
    var ofPreview: PreviewGlyphs { isWords ? .words : self == .ascii ? .ascii : .unicode }

    /// Chooses the glyph set for a setting, and for what the terminal can show.
    init(_ choice: ScreenSettings.GlyphChoice, isUnicode: Bool) {
        switch choice {
        case .auto: self = isUnicode ? .unicode : .ascii
        case .unicode: self = .unicode
        case .ascii: self = .ascii
        case .nerdFont: self = .nerdFont
        }
    }

    /// The icon before a container's name; nil if the container has none in this set.
    func icon(of container: NoteContainer) -> Character? {
        guard self != .ascii, !isWords else { return nil }
        guard hasIcons else { return Self.symbols[container.symbol] ?? Self.signs[container.kind] }
        if let chosen = Self.pictures[container.symbol] { return chosen }
        switch container.kind {
        case .folder: return "\u{F07B}"
        case .project: return "\u{F02D}"
        case .tag: return "\u{F02B}"
        default: return "\u{F0F6}"
        }
    }

    /// The icon of a symbol that the user can choose; nil if the set has none.
    func picture(of symbol: String) -> Character? {
        guard self != .ascii else { return nil }
        return (hasIcons ? Self.pictures[symbol] : nil) ?? Self.symbols[symbol]
    }

    /// The symbols that can be chosen, each with the words shown for it, sorted by these words.
    static let symbolNames: [(symbol: String, name: String)] = symbols.keys.map { symbol in
        let words = symbol.split(separator: ".").joined(separator: " ")
        return (symbol, words.prefix(1).uppercased() + words.dropFirst())
    }.sorted { $0.name < $1.name }

    /// The signs of containers without a symbol that the user chose: those of old fonts, which nearly all fonts have.
    ///
    /// A tag has its `#`.
    private static let signs: [NoteContainer.Kind: Character] = [
        .inbox: "⌂", .starred: "★", .allNotes: "≡", .trash: "×", .archive: "▤", .folder: "▪", .project: "◊",
    ]

    /// The app's symbols that have a one-cell counterpart in common fonts; chosen by eye.
    private static let symbols: [String: Character] = [
        "star": "☆", "star.fill": "★", "heart": "♡", "heart.fill": "♥", "flag": "⚐", "flag.fill": "⚑",
        "music.note": "♪", "music.quarternote.3": "♫", "sun.max": "☼", "moon": "☾", "cloud": "☁", "umbrella": "☂",
        "snowflake": "❄", "envelope": "✉", "phone": "☎", "airplane": "✈", "scissors": "✂", "pencil": "✎",
        "checkmark": "✓", "xmark": "✗", "circle": "○", "circle.fill": "●", "square": "□", "square.fill": "■",
        "triangle": "△", "triangle.fill": "▲", "diamond": "◇", "diamond.fill": "◆", "house": "⌂", "gearshape": "⚙",
        "atom": "⚛", "crown": "♛", "infinity": "∞", "sum": "∑", "function": "ƒ", "percent": "%", "at": "@",
        "questionmark": "?", "exclamationmark": "!", "dollarsign": "$", "eurosign": "€", "paragraphsign": "¶",
        "suit.spade.fill": "♠", "suit.club.fill": "♣", "suit.diamond.fill": "♦", "sparkle": "✦",
        "person": "☺", "command": "⌘", "arrow.right": "→", "arrow.left.arrow.right": "↔",
    ]

    /// The app's symbols as a Nerd Font draws them.
    private static let pictures: [String: Character] = [
        "folder": "\u{F07B}", "tray": "\u{F01C}", "star": "\u{F006}", "star.fill": "\u{F005}", "trash": "\u{F1F8}",
        "archivebox": "\u{F187}", "tag": "\u{F02B}", "tag.fill": "\u{F02B}", "text.pad.header": "\u{F0F6}",
        "heart": "\u{F08A}", "heart.fill": "\u{F004}", "flag": "\u{F11D}", "flag.fill": "\u{F024}",
        "music.note": "\u{F001}", "sun.max": "\u{F185}", "envelope": "\u{F0E0}", "pencil": "\u{F040}",
        "checkmark": "\u{F00C}", "circle": "\u{F10C}", "circle.fill": "\u{F111}", "square": "\u{F096}",
        "square.fill": "\u{F0C8}", "phone": "\u{F095}", "book": "\u{F02D}",
    ]
}
