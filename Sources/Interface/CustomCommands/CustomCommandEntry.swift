import TextPrimitives

/// An entry of a user-defined command, whose table is `[command.NAME]`.
struct CustomCommandEntry {
    static let table = "command"
    /// The seconds that a command may be given.
    private static let timeouts = 1...3_600

    private let entry: TOMLFile.Entry
    private let key: String
    let command: String

    /// - Throws: the problem if the entry is not a value of such a table.
    init(_ entry: TOMLFile.Entry) throws(ConfigurationProblem) {
        self.entry = entry
        guard entry.path.count == 3, let key = entry.path.last else {
            throw ConfigurationProblem(line: entry.line, Texts.Problem.notCommandTable(entry.name))
        }
        command = entry.path[1]
        self.key = key
        guard !command.isEmpty, command.utf8.allSatisfy({ $0.isAlphanumeric || $0 == UInt8(ascii: "-") })
        else { throw ConfigurationProblem(line: entry.line, Texts.Problem.commandName(command)) }
    }

    /// Sets the entry's value in the command.
    func set(in command: inout CustomCommand) throws(ConfigurationProblem) {
        switch key {
        case "run": command.shell.line = try text()
        case "title": command.shell.title = try text()
        case "input": command.shell.input = try choice()
        case "answer": command.shell.answer = try choice()
        case "key":
            let word = try text()
            guard let key = KeySequence(word) else {
                throw problem(Texts.Problem.noKey(ConfigurationValue.quoted(word), for: entry.name))
            }
            command.key = key
        case "timeout":
            guard case .number(let seconds) = entry.value, Self.timeouts.contains(seconds) else {
                throw wrong(Texts.Domain.number(Self.timeouts))
            }
            command.shell.timeout = seconds
        default: throw problem(Texts.Problem.noSetting(entry.name, guess: nil))
        }
    }

    private func text() throws(ConfigurationProblem) -> String {
        guard case .text(let text) = entry.value, !text.isEmpty, !text.contains("\0") else {
            throw wrong(Texts.Domain.text)
        }
        return text
    }

    private func choice<Choice: RawRepresentable<String> & CaseIterable>() throws(ConfigurationProblem) -> Choice {
        if case .text(let text) = entry.value, let choice = Choice(rawValue: text) { return choice }
        throw wrong(Texts.Domain.choice(Choice.allCases.map(\.rawValue)))
    }

    private func wrong(_ domain: String) -> ConfigurationProblem {
        problem(Texts.Problem.wrongValue(entry.value.toml, of: entry.name, domain: domain))
    }

    private func problem(_ text: String) -> ConfigurationProblem { ConfigurationProblem(line: entry.line, text) }
}

extension Configuration {
    /// Adds one value of a command's table.
    mutating func take(_ entry: CustomCommandEntry) throws(ConfigurationProblem) {
        var command =
            commands.first { $0.name == entry.command }
            ?? CustomCommand(name: entry.command, shell: ShellCommand(title: entry.command, line: ""))
        try entry.set(in: &command)
        if let index = commands.firstIndex(where: { $0.name == command.name }) {
            commands[index] = command
        } else {
            commands.append(command)
        }
    }

    /// Drops the commands without a command line, and returns their names.
    mutating func dropEmptyCommands() -> [String] {
        let names = commands.filter(\.shell.line.isEmpty).map(\.name)
        commands.removeAll(where: \.shell.line.isEmpty)
        return names
    }

    /// The rules for keys: those of user-defined commands first, so that `[keys]` can change them.
    public var keyRules: [KeyRule] {
        commands.compactMap { command in
            command.key.map { KeyRule(command.commandName, in: .everywhere, keys: [$0]) }
        } + keys
    }

    /// The user-defined commands, as a file that has the same effect.
    var commandsText: String {
        commands.map { command in
            var lines = ["[\(CustomCommandEntry.table).\(command.name)]"]
            func add(_ key: String, _ value: ConfigurationValue) { lines.append("\(key) = \(value.toml)") }
            add("run", .text(command.shell.line))
            if command.shell.title != command.name { add("title", .text(command.shell.title)) }
            add("input", .text(command.shell.input.rawValue))
            add("answer", .text(command.shell.answer.rawValue))
            if let key = command.key { add("key", .text(key.description)) }
            add("timeout", .number(command.shell.timeout))
            return "\n" + lines.joined(separator: "\n") + "\n"
        }.joined()
    }
}

extension CommandRegistry {
    /// Returns all commands, with the user-defined ones.
    public func adding(_ commands: [CustomCommand]) -> CommandRegistry {
        CommandRegistry(
            all
                + commands.map { command in
                    Command(
                        command.commandName, command.shell.title, .custom,
                        when: { command.shell.needsNote ? $0.canRun(command.shell) : .available }
                    ) { $0.run(command.shell) }
                })
    }
}
