/// A user-defined command: a shell command with a name, by which it stands in the palette and in the keymap.
public struct CustomCommand: Equatable, Sendable {
    /// The name in the configuration.
    public var name: String
    public var shell: ShellCommand
    /// The command's key; others can be given in `[keys]`.
    public var key: KeySequence?

    /// The name of the command in the keymap: `command.word-count`.
    var commandName: CommandName { CommandName(CommandName.userPrefix + name) }
}

/// A shell command line, its input, and the use of its output.
public struct ShellCommand: Equatable, Sendable {
    /// The text that the command reads from its standard input.
    public enum Input: String, CaseIterable, Sendable {
        /// The selection, or the whole text if nothing is selected.
        case selection
        /// The whole text.
        case note
        case none
    }

    /// The use of the command's output.
    public enum Answer: String, CaseIterable, Sendable {
        /// It is shown in an overlay.
        case show
        /// It replaces the text that the command has read.
        case replace
        /// It is inserted after the selection, or at the caret.
        case insert
        /// It becomes a new note.
        case note
        /// It is discarded.
        case none
    }

    /// The title in the palette and in messages.
    public var title: String
    /// The command line for the shell, in which `{file}`, `{title}` and `{url}` stand for the open note.
    public var line: String
    public var input = Input.selection
    public var answer = Answer.show
    /// The deadline in seconds.
    public var timeout = 30

    /// Whether the command writes into the open note.
    var writesNote: Bool { answer == .replace || answer == .insert }

    /// Whether the command needs an open note.
    var needsNote: Bool { input != .none || writesNote || !names.isEmpty }

    /// The names in braces that occur in the command line.
    var names: Set<String> { Set(ShellTemplate.variables.keys.filter { line.contains("{\($0)}") }) }
}

/// Turns a command line with names in braces into a shell script.
enum ShellTemplate {
    /// The environment variable that holds the value of each name.
    static let variables = ["file": "TN_FILE", "title": "TN_TITLE", "url": "TN_URL"]

    /// Returns the script, in which names are replaced by variables, quoted as the surrounding quotes require.
    ///
    /// So each value is one word whatever it contains, and no part of a title is ever run.
    static func script(_ line: String) -> String {
        var script = ""
        var quote: Character?
        var rest = line[...]
        while let next = rest.first {
            if let (name, variable) = variables.first(where: { rest.hasPrefix("{\($0.key)}") }) {
                switch quote {
                case "'": script += "'\"${\(variable)}\"'"
                case "\"": script += "${\(variable)}"
                default: script += "\"${\(variable)}\""
                }
                rest = rest.dropFirst(name.count + 2)
                continue
            }
            script.append(next)
            rest.removeFirst()
            if next == "\\", quote != "'", let escaped = rest.popFirst() {
                script.append(escaped)
            } else if next == quote {
                quote = nil
            } else if quote == nil, next == "'" || next == "\"" {
                quote = next
            }
        }
        return script
    }
}

/// A script to run, with its input and environment.
public struct ShellRun: Equatable, Sendable {
    public var script: String
    /// The bytes for its standard input.
    public var input: [UInt8] = []
    /// The variables that are added to the program's own environment.
    public var environment: [String: String] = [:]
    /// The text of the open note, which the script gets in a file named by `TN_FILE`; nil if it needs none.
    public var fileText: String?
    /// The deadline in seconds.
    public var timeout: Int
}

/// The outcome of a script.
public enum ShellOutcome: Equatable, Sendable {
    case answer(String)
    case stopped
    /// The reason in one line, and the script's own error output.
    case failed(String, details: String)
}

extension CommandName {
    /// The prefix of the names of user-defined commands.
    fileprivate static let userPrefix = "command."

    /// Whether the command is user-defined.
    var isUserDefined: Bool { description.hasPrefix(Self.userPrefix) }
}
