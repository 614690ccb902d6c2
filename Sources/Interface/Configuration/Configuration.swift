import Terminal
import ViewModel

/// What the user can set.
///
/// What stands here is read from `config.toml` by the table `Setting.all`, which also prints the documented default.
public struct Configuration: Equatable, Sendable {
    /// A theme's name, or `auto`: the one that suits the terminal's background.
    public var theme = Configuration.automaticTheme
    public var editor = EditorSettings()
    public var screen = ScreenSettings()
    /// The program that texts are written in outside of the notebook; empty for `$VISUAL`, then `$EDITOR`.
    public var editorProgram = ""
    public var daily = DailySettings()
    /// The keys that are other than the default, in the order of the file.
    public var keys: [KeyRule] = []

    public static let automaticTheme = "auto"

    public init() {}
}

/// How the screen is drawn: what `[screen]` of the configuration tells.
public struct ScreenSettings: Equatable, Sendable {
    /// What frames, marks and symbols are made of.
    public var glyphs = GlyphChoice.auto
    /// Whether nothing moves by itself.
    public var reducesMotion = false
    /// Whether characters of ambiguous width take two cells.
    public var ambiguousWidth = AmbiguousWidth.auto
    /// Milliseconds after ESC in which the rest of a key may come; 0 for what suits the line.
    public var escapeTimeout = 0
    /// Whether decoration is left out for a slow line.
    public var isLowBandwidth = false

    /// The sets of characters to draw with.
    public enum GlyphChoice: String, CaseIterable, Sendable {
        /// Unicode where the terminal can show it, else ASCII.
        case auto
        case unicode, ascii
        /// The private characters of a Nerd Font.
        case nerdFont = "nerd-font"
    }

    /// The width of characters that East Asian fonts draw wide and others narrow.
    public enum AmbiguousWidth: String, CaseIterable, Sendable {
        /// As the terminal measures it.
        case auto
        case narrow, wide
    }
}

/// What is wrong with a file that the user wrote; the program goes on without it.
public struct ConfigurationProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file's name: `config.toml`, `themes/mine.toml`.
    public let file: String
    /// Counted from 1.
    public let line: Int?
    /// What is wrong and what would be right.
    public let text: String

    /// Characters; a longer text quotes a value that is no word, and its end is left out.
    private static let longest = 500

    init(file: String = Configuration.fileName, line: Int?, _ text: String) {
        self.file = file
        self.line = line
        let start = text.prefix(Self.longest)
        self.text = start.endIndex == text.endIndex ? text : start + "…"
    }

    /// `config.toml, line 4: editor.wrap is true or false, not "maybe"`.
    public var description: String {
        (line.map { "\(file), line \($0): " } ?? "\(file): ") + text
    }
}

extension [ConfigurationProblem] {
    /// The first problem in one line, and how many more there are.
    public var notice: String? {
        guard let first else { return nil }
        return count == 1 ? "\(first)" : "\(first) (and \(count - 1) more: tn config)"
    }
}
