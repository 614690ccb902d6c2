/// A command of the user's own: a line for the shell, what it reads, and what becomes of its answer.
public struct CustomCommand: Equatable, Sendable {
    /// What the command reads from its standard input.
    public enum Input: String, CaseIterable, Sendable {
        /// The selection; without one, the whole text.
        case selection
        /// The whole text.
        case note
        case none
    }

    /// What becomes of what the command prints.
    public enum Answer: String, CaseIterable, Sendable {
        /// It is shown in a box.
        case show
        /// It replaces what the command has read.
        case replace
        /// It is inserted after the selection, or at the caret.
        case insert
        /// It becomes a new note.
        case note
        /// It is dropped.
        case none
    }

    /// The name in the configuration.
    public var name: String
    /// The title in the palette.
    public var title: String
    /// The line for the shell, in which `{file}`, `{title}` and `{url}` stand for the open note.
    public var line: String
    public var input = Input.selection
    public var answer = Answer.show
    /// The longest time that it may take, in seconds.
    public var timeout = 30
    /// Its key; others can be given in `[keys]`.
    public var key: KeySequence?

    /// The name of its command in the keymap: `command.word-count`.
    var commandName: CommandName { CommandName(CommandName.ofTheUser + name) }

    /// Whether it needs an open note.
    var needsNote: Bool { input != .none || answer == .replace || answer == .insert || names.isEmpty == false }

    /// The names in braces that the line has.
    var names: Set<String> { Set(ShellTemplate.variables.keys.filter { line.contains("{\($0)}") }) }
}

/// Turns a line with names in braces into a script for the shell.
enum ShellTemplate {
    /// The variable of the environment that has the value of each name.
    static let variables = ["file": "TN_FILE", "title": "TN_TITLE", "url": "TN_URL"]

    /// The script, in which names are variables, each quoted as its place in the line needs it.
    ///
    /// So a value is one word whatever it contains, and no part of a title is ever run.
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

/// A script to run, with all that it gets.
public struct ShellRun: Equatable, Sendable {
    public var script: String
    /// The bytes of its standard input.
    public var input: [UInt8] = []
    /// Variables in addition to those of the program.
    public var environment: [String: String] = [:]
    /// The text of the open note, for which the script gets a file named by `TN_FILE`; nil if it needs none.
    public var fileText: String?
    /// The longest time that it may take, in seconds.
    public var timeout: Int
}

/// What became of a script.
public enum ShellOutcome: Equatable, Sendable {
    case answer(String)
    case stopped
    /// The reason in one line, and what the script said about it.
    case failed(String, details: String)
}

extension CommandName {
    /// What the names of the user's own commands begin with.
    fileprivate static let ofTheUser = "command."

    /// Whether the command is one of the user's own.
    var isOfTheUser: Bool { description.hasPrefix(Self.ofTheUser) }
}
