/// The settings of `[editor]`: how text is laid out and typed.
public struct EditorSettings: Equatable, Sendable {
    /// Whether long lines are wrapped; otherwise each is one row, and the text scrolls sideways.
    public var wrap: Bool
    /// Whether line numbers are shown.
    public var lineNumbers: Bool
    /// The largest width of wrapped text, in cells; nil for the width of the pane.
    public var readableWidth: Int?
    /// The distance between tab stops, in cells.
    public var tabWidth: Int
    /// Whether the Tab key types spaces up to the next tab stop.
    public var softTabs: Bool
    /// Whether brackets and quotes come in pairs.
    public var autoPairs: Bool
    /// The number of rows to keep between the caret and the upper and lower edge of the pane, if the text has them.
    public var scrollMargin: Int
    /// The form of an inserted link to a note.
    public var linkStyle: LinkStyle = .title
    /// The set of keys that move the caret and change the text.
    public var keys: Keys = .plain
    /// Whether vim's bare `j` and `k` go by rows of the screen; otherwise they go by lines.
    public var vimMovesByRows = true

    /// The quotation marks that `"` and `'` type in prose.
    public var quotes: QuoteStyle = .straight
    /// Whether the caret's row stays in the middle, and everything but its paragraph is dimmed.
    public var isWritingMode = false
    /// The goal for the number of words in a note; nil for no goal.
    public var wordGoal: Int?
    /// The texts that can be inserted, by name.
    public var snippets: [String: String] = [:]

    /// The values of `editor.keys`.
    public enum Keys: String, CaseIterable, Sendable {
        case plain, vim
    }

    /// The values of `editor.link-style`.
    public enum LinkStyle: String, CaseIterable, Sendable {
        /// `[[Title]]`, if that leads to the note.
        case title
        /// `[Title](takenote://note/UUID)`.
        case address
    }

    /// Creates settings.
    ///
    /// The defaults are: wrapped at 80 columns, tabs of 4 typed as spaces, a margin of 3 rows, no numbers and no pairs.
    public init(
        wrap: Bool = true, lineNumbers: Bool = false, readableWidth: Int? = 80, tabWidth: Int = 4,
        softTabs: Bool = true, autoPairs: Bool = false, scrollMargin: Int = 3
    ) {
        self.wrap = wrap
        self.lineNumbers = lineNumbers
        self.readableWidth = readableWidth
        self.tabWidth = tabWidth
        self.softTabs = softTabs
        self.autoPairs = autoPairs
        self.scrollMargin = scrollMargin
    }
}
