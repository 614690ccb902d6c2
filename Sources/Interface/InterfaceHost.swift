import NoteStore
import Terminal

/// What the window asks of the program around it: the terminal and the process.
@MainActor
public protocol InterfaceHost: AnyObject {
    /// How the terminal shows colours; asked again when it has told more of itself.
    var appearance: Appearance { get }
    /// Ends the program.
    func quit()
    /// Stops the process until it is continued; the terminal is the shell's meanwhile.
    func suspend()
    /// Forgets what is on the screen, so that the next frame is painted whole.
    func repaint()
    /// Puts a text on the clipboard, and tells in a few words where it went or why it did not, when that is known.
    func copy(_ text: String, told: @escaping @MainActor (String) -> Void)
    /// Lends the terminal to the user's own editor with the note's text, takes in each of its saves, and says what came
    /// of it.
    func editOutside(_ note: NoteRow) -> String
    /// Lends the terminal to the user's own editor with `config.toml`, which is made with all defaults where there is
    /// none; says why not where that cannot be.
    func editConfiguration() -> String?
    /// Keeps the theme for the next start, and says why not where that cannot be.
    func keep(theme: String) -> String?
    /// Hands an address to the system's opener, and says what came of it.
    func open(_ address: String) -> String
}

/// What decides the theme.
public struct Appearance: Equatable, Sendable {
    public var colorDepth: ColorDepth
    /// Whether the terminal's background is dark.
    public var isDark: Bool
    /// Whether the terminal shows more than ASCII: its locale is UTF-8, and its font has the characters.
    public var isUnicode: Bool

    public init(colorDepth: ColorDepth = .truecolor, isDark: Bool = true, isUnicode: Bool = true) {
        self.colorDepth = colorDepth
        self.isDark = isDark
        self.isUnicode = isUnicode
    }
}
