import Intelligence
import NoteStore
import Terminal
import ViewModel

/// The user's settings.
///
/// The table `Setting.all` reads them from `config.toml`, and prints the documented default.
public struct Configuration: Equatable, Sendable {
    /// A theme's name, or `auto` for the theme that suits the terminal's background.
    public var theme = Configuration.automaticTheme
    /// The notebook that is used when none is named; empty for the default one.
    public var notebook = ""
    public var editor = EditorSettings()
    public var screen = ScreenSettings()
    /// The external program in which notes are written; empty for `$VISUAL`, then `$EDITOR`.
    public var editorProgram = ""
    public var daily = DailySettings()
    public var files = FileSettings()
    /// The settings of synchronisation.
    public var sync = SyncSettings()
    /// The language of notes that name none; empty for no checking.
    public var spelling = ""
    /// Models and what they may see.
    public var intelligence = IntelligenceSettings()
    /// The commands of the user's own, in the order of the file.
    public var commands: [CustomCommand] = []
    /// The keys that differ from the default, in the order of the file.
    public var keys: [KeyRule] = []

    static let automaticTheme = "auto"
    /// The table of the snippets: a text for each name.
    static let snippetTable = "snippets"

    public init() {}
}

/// The settings of `[files]`: what comes into the notebook besides texts and images.
public struct FileSettings: Equatable, Sendable {
    /// The largest file, in megabytes.
    public var largest = NoteFile.defaultMaximumSize / 1_000_000
    /// Whether the window goes on with the folders of `tn mirror`.
    public var mirror = true
    /// The same in bytes.
    public var limit: Int { largest * 1_000_000 }
}

/// The settings of `[screen]`: how the screen is drawn.
public struct ScreenSettings: Equatable, Sendable {
    /// The characters of frames, marks and symbols.
    public var glyphs = GlyphChoice.auto
    /// Whether the user wants no motion on the screen.
    public var reducesMotion = false
    /// Whether characters of ambiguous width take two cells.
    public var ambiguousWidth = AmbiguousWidth.auto
    /// The time after ESC in which the rest of a key may arrive, in milliseconds; 0 chooses by the line.
    public var escapeTimeout = 0
    /// Whether a screen reader reads the screen.
    public var isReader = false
    /// Whether decoration is omitted for a slow line.
    public var isLowBandwidth = false

    /// The sets of characters to draw with.
    public enum GlyphChoice: String, CaseIterable, Sendable {
        /// Unicode where the terminal can show it, else ASCII.
        case auto
        case unicode, ascii
        /// The private characters of a Nerd Font.
        case nerdFont = "nerd-font"
    }

    /// The width of characters that East Asian fonts draw wide and other fonts narrow.
    public enum AmbiguousWidth: String, CaseIterable, Sendable {
        /// The width that the terminal itself uses.
        case auto
        case narrow, wide
    }
}

/// A problem in a file that the user wrote; the program continues without the entry.
public struct ConfigurationProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file's name: `config.toml`, `themes/mine.toml`.
    public let file: String
    /// The line number, counted from 1.
    public let line: Int?
    /// The problem, and what would be right.
    public let text: String

    /// The longest text, in characters; a longer one quotes an overlong value, and its end is omitted.
    private static let maximumLength = 500

    init(file: String = Configuration.fileName, line: Int?, _ text: String) {
        self.file = file
        self.line = line
        let start = text.prefix(Self.maximumLength)
        self.text = start.endIndex == text.endIndex ? text : start + "…"
    }

    /// `config.toml, line 4: editor.wrap is true or false, not "maybe"`.
    public var description: String { Texts.problem(text, in: file, line: line) }
}

extension [ConfigurationProblem] {
    /// The first problem in one line, with the number of the others.
    public var notice: String? { first.map { Texts.problem($0, others: count - 1) } }
}
