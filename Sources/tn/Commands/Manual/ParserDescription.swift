import Foundation

/// The parser's description of all commands, obtained through its public option `--experimental-dump-help`.
enum ParserDescription {
    /// A command with its arguments; those of the parser's own `help` among them.
    struct Command: Decodable {
        var commandName: String
        var abstract: String?
        var discussion: String?
        var shouldDisplay: Bool?
        var subcommands: [Command]?
        var arguments: [Argument]?
    }

    /// A positional argument, an option with a value, or a flag, as `kind` says.
    struct Argument: Decodable {
        var kind: String
        var isRepeating: Bool
        var shouldDisplay: Bool
        var valueName: String?
        var abstract: String?
        var preferredName: Name?
        var names: [Name]?
    }

    struct Name: Decodable {
        var kind: String
        var name: String
    }

    private struct Whole: Decodable {
        var command: Command
    }

    /// The root command; nil if the parser describes itself in another shape.
    static var commands: Command? {
        do {
            _ = try TakeNote.parseAsRoot(["--experimental-dump-help"])
            return nil
        } catch {
            let data = Data(TakeNote.fullMessage(for: error).utf8)
            return try? JSONDecoder().decode(Whole.self, from: data).command  // callers see to that
        }
    }

    /// The flags of the command with these names, outermost first, written as `--flag`.
    ///
    /// A long option that is not among them takes a value. Making the description takes some milliseconds.
    static func flags(of names: [String]) -> Set<String> {
        self.names(of: names, kind: "flag", form: "long", dash: "--")
    }

    /// The options of a command that take a value, written as `--option`.
    static func valueOptions(of names: [String]) -> Set<String> {
        self.names(of: names, kind: "option", form: "long", dash: "--")
    }

    /// The options and flags of one letter that a command has, written as `-o`; `-h` is one of every command.
    static func shortNames(of names: [String]) -> Set<String> {
        self.names(of: names, kind: nil, form: "short", dash: "-").union(["-h"])
    }

    private static func names(of names: [String], kind: String?, form: String, dash: String) -> Set<String> {
        var command = commands
        for name in names { command = command?.subcommands?.first { $0.commandName == name } }
        let arguments = (command?.arguments ?? []).filter { kind == nil || $0.kind == kind }
        return Set(arguments.flatMap { $0.names ?? [] }.filter { $0.kind == form }.map { dash + $0.name })
    }
}
