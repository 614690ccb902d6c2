/// The known properties of the terminal: guessed from the environment at first, then taken from its replies.
public struct Capabilities: Equatable, Sendable {
    public var colorDepth: ColorDepth = .palette256
    /// Whether mode 2026 is supported, so that a frame between its begin and end marks is shown at once.
    public var hasSynchronizedUpdate = false
    /// The fewest bytes of a frame that is put between these marks: tmux redraws its whole pane at each end mark.
    public var synchronizedUpdateMinimum = 0
    /// Whether the kitty keyboard protocol is on.
    public var hasKeyboardProtocol = false
    /// Whether widths are Unicode's: in mode 2027, or in a terminal that always draws a cluster as one.
    public var hasGraphemeClusters = false
    /// Whether the terminal reports its size by itself (mode 2048).
    public var hasInBandResize = false
    /// Whether underlines can be curly, dotted or dashed, and have colours.
    public var hasUnderlineStyles = false
    public var hasItalic = true
    public var hasStrikethrough = true
    /// Whether links can be marked (OSC 8).
    public var hasHyperlinks = true
    public var hasCursorShapes = true
    /// Whether characters can be erased (ECH, `CSI n X`).
    public var canEraseCharacters = true
    /// Whether a character can be repeated (REP, `CSI n b`).
    public var canRepeat = false
    /// Whether a range of rows can be scrolled (DECSTBM with SU and SD).
    public var canScroll = true
    /// Whether rows can be scrolled between two columns, while the text beside them stays (DECLRMM and DECSLRM).
    public var hasSideMargins = false
    /// Whether the rest of a row can be shifted (ICH and DCH, `CSI n @` and `CSI n P`).
    public var canShift = true
    /// Whether a line feed leaves the cursor in its column.
    public var lineFeedKeepsColumn = true
    public var hasMouse = true
    public var isUTF8 = true
    public var widthModel: WidthModel = .unicode

    /// The terminal's own colours, as far as it has reported them.
    public var foreground: Color?
    public var background: Color?
    public var colorScheme: ColorScheme?

    /// Whether the program runs over SSH.
    public var isRemote = false
    /// The multiplexer on this machine that the program runs in, according to the environment; it takes commands.
    public var multiplexer = Multiplexer.none
    /// Whether OSC 52 reaches a clipboard: the terminal said so, or nothing says that it does not.
    public var canWriteClipboard = true
    /// The value of `TERM`.
    public var term = ""
    /// The name that the terminal gives itself, if any: `kitty(0.42.1)`.
    public var version: String?
    /// Whether the probe has ended: the terminal has answered its last query.
    public var isProbed = false
    /// Whether the terminal draws pictures in cells that hold kitty's placeholders.
    public var hasPicturePlaceholders = false
    /// Whether tmux passes pictures on to a terminal that draws them at placeholders; only tmux itself knows.
    public var passesPictures = false
    /// The size of a cell in pixels; 8 by 16 until the terminal reports another.
    public var cellPixels = CellPixels.usual
    /// Whether decoration is left out: links, italic, dim, underline shapes, and all colours but the sixteen.
    public var isLowBandwidth = false

    public init() {}

    public struct CellPixels: Hashable, Sendable {
        public var width: Int
        public var height: Int

        public init(width: Int, height: Int) {
            (self.width, self.height) = (width, height)
        }

        /// The size that a terminal tells; nil if no font has it.
        public init?(told width: Int, by height: Int) {
            guard (4...200).contains(width), (4...400).contains(height) else { return nil }
            self.init(width: width, height: height)
        }

        /// The cell of the usual bitmap font, which is assumed of a terminal that reports no size.
        public static let usual = CellPixels(width: 8, height: 16)
    }

    public enum Multiplexer: Hashable, Sendable {
        case none, tmux, screen
    }

    /// Whether the terminal can show the program's frames and marks: the Linux console's font has few characters.
    public var showsUnicode: Bool { isUTF8 && term != "linux" }

    /// Whether control characters are spelled, by the user's choice of signs or for want of symbols.
    func spellsControls(_ options: TerminalOptions) -> Bool { options.hasOnlyASCII ?? !showsUnicode }

    /// Whether the colours are dark: true unless the terminal reports otherwise or its background is light.
    public var isDark: Bool {
        if let colorScheme { return colorScheme == .dark }
        return background.map { $0.luminance < 0.5 } ?? true
    }
}
