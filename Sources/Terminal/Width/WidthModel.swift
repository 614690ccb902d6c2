import Synchronization

/// The way a terminal draws the clusters whose width is not settled by a standard.
///
/// The default follows Unicode and terminals with mode 2027. Where the measured terminal differs, clusters are drawn
/// piece by piece, as it counts them, so that its cursor and ours stay together.
public struct WidthModel: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Emoji joined by U+200D are one glyph of two cells.
    public static let joinsEmoji = WidthModel(rawValue: 1)
    /// A skin tone belongs to the emoji before it.
    public static let joinsModifiers = WidthModel(rawValue: 2)
    /// Two regional indicators are one flag of two cells.
    public static let joinsFlags = WidthModel(rawValue: 4)
    /// Consonants and spacing vowel signs of one cluster (Devanagari and similar scripts) share a cell.
    public static let joinsConjuncts = WidthModel(rawValue: 8)
    /// U+FE0F makes a narrow emoji wide.
    public static let widensByVS16 = WidthModel(rawValue: 16)
    /// U+FE0E makes a wide emoji narrow.
    public static let narrowsByVS15 = WidthModel(rawValue: 32)
    /// Scalars of East Asian Width "ambiguous" take two cells.
    public static let ambiguousIsWide = WidthModel(rawValue: 64)
    /// The terminal was measured: its replies count, and clusters whose width they settle are no longer doubtful.
    public static let isMeasured = WidthModel(rawValue: 128)
    /// Control characters are spelled, as `<1B>`, since the terminal has no symbols for them.
    public static let spellsControls = WidthModel(rawValue: 256)

    /// Unicode's widths; VS15 is left out because only kitty narrows by it.
    public static let unicode: WidthModel = [.joinsEmoji, .joinsModifiers, .joinsFlags, .joinsConjuncts, .widensByVS16]
    /// Each scalar separately, as `wcwidth` counts; a flag is two narrow halves, which is also two cells.
    public static let legacy: WidthModel = [.joinsFlags]
    /// tmux 3.3a, measured: joins by U+200D, ignores variation selectors, adds skin tones.
    public static let tmux: WidthModel = [.joinsEmoji, .joinsFlags]

    /// The current model for every screen of the process; it changes with the terminal's replies and the options.
    public static var current: WidthModel {
        get { WidthModel(rawValue: stored.load(ordering: .relaxed)) }
        set { stored.store(newValue.rawValue, ordering: .relaxed) }
    }

    private static let stored = Atomic<UInt16>(WidthModel.unicode.rawValue)
}
