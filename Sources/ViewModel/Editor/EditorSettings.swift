/// How text is set and typed where tastes differ: what `[editor]` of the configuration tells.
public struct EditorSettings: Equatable, Sendable {
    /// Whether long lines are wrapped; else each is one row, and the text scrolls sideways.
    public var wrap: Bool
    /// Whether each line's number stands before it.
    public var lineNumbers: Bool
    /// The widest that wrapped text is set, in cells; nil for as wide as the pane.
    public var readableWidth: Int?
    /// Cells from one tab stop to the next.
    public var tabWidth: Int
    /// Whether the Tab key types spaces up to the next tab stop.
    public var softTabs: Bool
    /// Whether brackets and quotes come in pairs.
    public var autoPairs: Bool
    /// Rows kept between the caret and the upper and lower edge of the pane, where the text has them.
    public var scrollMargin: Int
    /// How a link to a note that was chosen is written.
    public var linkStyle: LinkStyle = .title

    public enum LinkStyle: String, CaseIterable, Sendable {
        /// `[[Title]]`, where that leads to the note.
        case title
        /// `[Title](takenote://note/UUID)`.
        case address
    }

    /// Wrapped at 80 columns, tabs of 4 typed as spaces, a margin of 3 rows, no numbers and no pairs, unless told
    /// otherwise.
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
