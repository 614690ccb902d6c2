import ModalEditing
import TextEditing

/// A text, a caret in it, commands, and what they make of it.
public struct VimCase: Codable, Equatable, Sendable {
    public var number = 0
    public var lines: [String]
    /// Line and column of the caret from 1, the column in bytes, as vim counts.
    public var line: Int
    public var column: Int
    /// Commands in the notation of `VimKey.keys`, each of which is fed by itself.
    public var commands: [String]
    /// The same as a terminal sends them.
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

    /// What our keys make of it.
    public var result: VimResult {
        let text = lines.joined(separator: "\n")
        let start = lines.prefix(line - 1).reduce(0) { $0 + $1.utf8.count + 1 } + column - 1
        var configuration = VimConfiguration()
        configuration.movesByRows = false
        configuration.keepsIndent = false
        var plain = PlainVimText(text, caret: ByteOffset(start), configuration: configuration)
        for command in commands {
            plain.press(VimKey.keys(command))
            // Vim leaves Insert mode, and what was begun, at the end of keys that are fed to it; so do we.
            leave(&plain)
        }
        let buffer = plain.editor.buffer
        let line = buffer.lineNumber(at: plain.caret)
        let register = plain.machine.register("\"")
        return VimResult(
            number: number,
            lines: buffer.string().split(separator: "\n", omittingEmptySubsequences: false).map(String.init),
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

/// What commands made of a text.
public struct VimResult: Codable, Equatable, Sendable {
    public var number: Int
    public var lines: [String]
    public var line: Int
    public var column: Int
    /// The unnamed register, and `v`, `V` or `b` for what it holds.
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
    /// What a terminal sends for the key.
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
