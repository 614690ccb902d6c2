import Foundation
import NoteStore
import Pictures
import Terminal

/// The services that the window needs from the surrounding program: the terminal and the process.
@MainActor
public protocol InterfaceHost: AnyObject {
    /// How the terminal shows colours; read again when the terminal has reported more about itself.
    var appearance: Appearance { get }
    /// Whether the terminal tells Esc and a letter from Alt and the letter.
    var tellsEscapeFromAlt: Bool { get }
    /// The time since the events that are being handled were read; a busy machine handles them late.
    var inputAge: Duration { get }
    /// Whether the terminal has input that was not read yet: what was typed while the program was busy.
    var hasPendingInput: Bool { get }
    /// Ends the program.
    func quit()
    /// Stops the process until it is continued; the shell has the terminal meanwhile.
    func suspend()
    /// Forgets what is on the screen, so that the next frame is painted whole.
    func repaint()
    /// Puts a text on the clipboard, and calls `completion` once it is known where it went or why it failed.
    func copy(_ text: String, completion: @escaping @MainActor (ClipboardOutcome) -> Void)
    /// Reads the system's clipboard, and calls `completion` with its text; nil where it cannot be read or has no text.
    func readClipboard(_ name: ClipboardName, completion: @escaping @MainActor (String?) -> Void)
    /// Runs the user's own editor on the note's text, and returns a sentence about the result.
    ///
    /// Each of its saves is stored in the notebook.
    func editOutside(_ note: NoteRow) -> String
    /// Runs the user's own editor on `config.toml`, which is created with all defaults if missing.
    ///
    /// - Returns: why it failed, nil if it did not.
    func editConfiguration() -> String?
    /// Stores the theme for the next start; returns why it failed, nil if it did not.
    func keep(theme: String) -> String?
    /// The user's notebooks, and the one in this window.
    var notebooks: NotebookNames { get }
    /// Leaves this notebook for another one, which is made if there is none of this name.
    ///
    /// - Returns: why it cannot be done, nil if it can.
    func changeNotebook(to name: String) -> String?
    /// Whether the user has allowed a line of the configuration for the shell.
    func isAllowed(line: String) -> Bool
    /// Remembers that the user allows such a line; returns why that failed, nil if it did not.
    func allow(line: String) -> String?
    /// Runs a script, and calls `ended` once, on a later turn, with what became of it.
    ///
    /// - Returns: what stops it.
    func run(_ script: ShellRun, ended: @escaping @MainActor (ShellOutcome) -> Void) -> (@MainActor () -> Void)?
    /// Passes an address to the system's opener, and returns a sentence about the result.
    func open(_ address: String) -> String
    /// Passes a file of the notebook to the system's opener, and returns a sentence about the result.
    func open(file path: String) -> String
    /// The decoder of pictures; nil if only their labels are shown.
    var pictureDecoding: PictureDecoding? { get }
    /// Whether the terminal has a picture whole.
    func isShown(_ picture: PicturePlaceholder) -> Bool
    /// Sends a picture that the terminal does not have.
    func show(_ picture: PicturePlaceholder, png: [UInt8])
    /// Notes that a multiplexer may show the window on another terminal by now: it has another size, or got the focus.
    func terminalMayBeAnother()
}

extension InterfaceHost {
    public var pictureDecoding: PictureDecoding? { nil }
    public func isShown(_ picture: PicturePlaceholder) -> Bool { false }
    public func show(_ picture: PicturePlaceholder, png: [UInt8]) {}
    public func terminalMayBeAnother() {}
}

/// Decodes pictures, on any thread; both functions may take a second, and return nil for what cannot be decoded.
public struct PictureDecoding: Sendable {
    /// The pixels of a picture's file, in exactly this width and height.
    public var pixels: @Sendable (_ file: Data, _ width: Int, _ height: Int) -> Pixels?
    /// A PNG made of a picture's file that fits into a width and height, no larger than a limit in bytes.
    public var png: @Sendable (_ file: Data, _ width: Int, _ height: Int, _ limit: Int?) -> [UInt8]?

    public init(
        pixels: @escaping @Sendable (_ file: Data, _ width: Int, _ height: Int) -> Pixels?,
        png: @escaping @Sendable (_ file: Data, _ width: Int, _ height: Int, _ limit: Int?) -> [UInt8]?
    ) {
        (self.pixels, self.png) = (pixels, png)
    }
}

/// The names of the user's notebooks.
public struct NotebookNames: Equatable, Sendable {
    public var all: [String]
    /// The notebook in this window; nil for a file elsewhere.
    public var current: String?

    public init(all: [String] = [], current: String? = nil) { (self.all, self.current) = (all, current) }
}

/// The properties of the terminal that decide the theme.
public struct Appearance: Equatable, Sendable {
    public var colorDepth: ColorDepth
    /// Whether the terminal's background is dark.
    public var isDark: Bool
    /// Whether the terminal shows more than ASCII: its locale is UTF-8, and its font has the characters.
    public var isUnicode: Bool
    /// How pictures are shown.
    public var pictures = PictureDisplay.labels
    /// The size of a cell in pixels.
    public var cell = Capabilities.CellPixels(width: 8, height: 16)
    /// The most bytes of a PNG for the terminal; nil without a limit.
    public var pictureLimit: Int?

    public init(colorDepth: ColorDepth = .truecolor, isDark: Bool = true, isUnicode: Bool = true) {
        self.colorDepth = colorDepth
        self.isDark = isDark
        self.isUnicode = isUnicode
    }
}

/// How a terminal shows pictures.
public enum PictureDisplay: Hashable, Sendable {
    /// Their labels alone, since the terminal has too few colours or characters, or a slow line.
    case labels
    /// Half blocks in two colours.
    case mosaics
    /// The terminal draws them, where cells hold its placeholders.
    case placeholders
}
