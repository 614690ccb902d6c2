import ModalEditing
import TextEditing

/// A text, a caret in it, commands, and their result.
public struct VimCase: Codable, Equatable, Sendable {
    public var number = 0
    public var lines: [String]
    /// The line and column of the caret, counted from 1, the column in bytes, as in vim.
    public var line: Int
    public var column: Int
    /// The commands in the notation of `VimKey.keys`; each is fed separately.
    public var commands: [String]
    /// The commands as a terminal sends them.
    public var typed: [String]

    public init(lines: [String], line: Int, column: Int, commands: [String]) {
        self.lines = lines
        self.line = line
        self.column = column
        self.commands = commands
        typed = commands.map { command in
            VimKey.keys(command).map { $0 == .backspace ? "\u{08}" : $0.sent }.joined()
        }
    }

    /// The result of this project's modal keys.
    public var result: VimResult { result(endsInLineFeed: false) }

    /// Returns the result of this project's modal keys for a text that may end in a line feed, as a file does.
    ///
    /// The lines are those before that line feed, so a result that has lost it has one line less than vim's, unless the
    /// whole text was deleted with it and typed anew.
    public func result(endsInLineFeed: Bool) -> VimResult {
        let text = lines.joined(separator: "\n") + (endsInLineFeed ? "\n" : "")
        let start = lines.prefix(line - 1).reduce(0) { $0 + $1.utf8.count + 1 } + column - 1
        var configuration = VimConfiguration()
        configuration.movesByRows = false
        configuration.keepsIndent = false
        configuration.omitsLineAfterEnd = endsInLineFeed
        var plain = PlainVimText(text, caret: ByteOffset(start), configuration: configuration)
        // Vim without a terminal has 24 lines, the last of which is the command line.
        plain.rows = 23
        var wasEmpty = false
        for command in commands {
            wasEmpty = wasEmpty || plain.editor.buffer.utf8Count == 0
            plain.press(VimKey.keys(command))
            // Vim leaves Insert mode, and unfinished commands, at the end of fed keys; so does this.
            leave(&plain)
        }
        let buffer = plain.editor.buffer
        let line = buffer.lineNumber(at: plain.caret)
        let register = plain.machine.register("\"")
        var lines = buffer.string().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if endsInLineFeed, buffer.utf8Count > 0, !wasEmpty || lines.last == "" { lines.removeLast() }
        return VimResult(
            number: number, lines: lines,
            line: line.rawValue + 1, column: plain.caret - buffer.lineStart(line) + 1,
            register: register?.text ?? "", shape: register.map { $0.shape.sign } ?? "")
    }

    private func leave(_ plain: inout PlainVimText) {
        for _ in 0..<4 {
            switch plain.machine.mode {
            case .insert, .replace, .commandLine: _ = plain.press(.escape)
            case .normal, .visual, .visualLine, .visualBlock:
                if !plain.machine.pendingLabel.isEmpty { _ = plain.press(.escape) }
            }
        }
    }
}

/// The result of commands on a text.
public struct VimResult: Codable, Equatable, Sendable {
    public var number: Int
    public var lines: [String]
    public var line: Int
    public var column: Int
    /// The unnamed register, and `v`, `V` or `b` for the shape of its contents.
    public var register: String
    public var shape: String

    public init(number: Int, lines: [String], line: Int, column: Int, register: String, shape: String) {
        self.number = number
        self.lines = lines
        self.line = line
        self.column = column
        self.register = register
        self.shape = shape
    }
}

extension VimRegister.Shape {
    var sign: String {
        switch self {
        case .characters: "v"
        case .lines: "V"
        case .block: "b"
        }
    }
}

extension VimKey {
    /// The characters that a terminal sends for the key.
    var sent: String {
        switch self {
        case .character(let character): return String(character)
        case .control(let character):
            let value = (character.asciiValue ?? 0) & 0x1F
            return String(Character(Unicode.Scalar(value)))
        case .escape: return "\u{1B}"
        case .enter: return "\r"
        case .tab: return "\t"
        default: return ""
        }
    }
}
