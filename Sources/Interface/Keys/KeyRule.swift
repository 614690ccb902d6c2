/// The keys that the configuration gives one command in one context: `"note.new" = ["n", "g n"]`.
public struct KeyRule: Equatable, Sendable {
    static let table = "keys"

    public let command: CommandName
    public let context: KeyContext
    /// The key sequences; an empty array removes the command's keys.
    public let keys: [KeySequence]
    /// The line number in the file; nil if it is not known.
    public let line: Int?

    init(_ command: CommandName, in context: KeyContext, keys: [KeySequence], line: Int? = nil) {
        self.command = command
        self.context = context
        self.keys = keys
        self.line = line
    }

    /// Reads an entry below `[keys]`; the context may be omitted, and the command's name may be quoted.
    init(_ entry: TOMLFile.Entry) throws(ConfigurationProblem) {
        var path = entry.path.dropFirst()
        var context = KeyContext.everywhere
        if path.count > 1, let first = path.first, let known = KeyContext(rawValue: first) {
            context = known
            path.removeFirst()
        }
        let name = path.joined(separator: ".")
        let words =
            switch entry.value {
            case .text(let text): text.isEmpty ? [] : [text]
            case .flag(false): [String]()
            case .list(let values) where values.allSatisfy(\.isText): values.compactMap(\.text)
            default:
                throw ConfigurationProblem(line: entry.line, Texts.Problem.notKeys(entry.value.toml, of: name))
            }
        var keys: [KeySequence] = []
        for word in words {
            guard let sequence = KeySequence(word) else {
                throw ConfigurationProblem(
                    line: entry.line, Texts.Problem.noKey(ConfigurationValue.quoted(word), for: name))
            }
            keys.append(sequence)
        }
        self.init(CommandName(name), in: context, keys: keys, line: entry.line)
    }

    /// The keys in TOML syntax.
    var toml: String {
        let texts = keys.map { ConfigurationValue.text($0.description) }
        return texts.count == 1 ? texts[0].toml : texts.isEmpty ? "\"\"" : ConfigurationValue.list(texts).toml
    }
}

extension ConfigurationValue {
    fileprivate var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    fileprivate var isText: Bool { text != nil }
}

extension CommandRegistry {
    /// Returns the default keymap with the user's rules applied, and the problems.
    ///
    /// A rule replaces the command's default keys in its context. Unknown commands, and keys that would type a
    /// character in the context, are reported and skipped. A key that another command loses to a rule is reported,
    /// unless it belongs to a wider context and that command has a rule of its own. If one command's key is a prefix of
    /// another's, this is reported and the shorter key loses.
    public func keymap(with rules: [KeyRule]) -> (keymap: Keymap, problems: [ConfigurationProblem]) {
        var keymap = defaultKeymap
        var problems: [ConfigurationProblem] = []
        let known = rules.filter { rule in
            guard self[rule.command] == nil else { return true }
            problems.append(ConfigurationProblem(line: rule.line, unknownCommand(rule.command)))
            return false
        }
        for rule in known {
            for binding in keymap.keys(of: rule.command) where binding.context == rule.context {
                keymap.unbind(binding)
            }
        }
        let ruled: Set<RuledCommand> = Set(known.map(RuledCommand.init))
        for rule in known {
            for keys in rule.keys {
                let isDefault = defaultKeymap[KeyBinding(rule.context, keys)] == rule.command
                if let problem = keymap.bind(keys, by: rule, unless: ruled, isDefault: isDefault) {
                    problems.append(problem)
                }
            }
        }
        for rule in known {
            if rule.command.isUserDefined {
                keymap.bindOverDefaults(rule, unless: ruled)
            } else {
                problems += keymap.hiddenKeys(of: rule, unless: ruled, defaults: defaultKeymap)
            }
        }
        if let problem = keymap.keepWayOut(after: known) { problems.append(problem) }
        return (keymap, problems)
    }

    private func unknownCommand(_ name: CommandName) -> String {
        let last = name.description.split(separator: ".").last
        let guess = all.first { command in last.map { command.name.description.hasSuffix(".\($0)") } ?? false }
        return Texts.Problem.noCommand(name, guess: guess?.name)
    }
}

/// A pair of a command and a context for which the configuration has a rule.
private struct RuledCommand: Hashable {
    let command: CommandName
    let context: KeyContext

    init(_ rule: KeyRule) {
        command = rule.command
        context = rule.context
    }
}

extension Keymap {
    /// Gives Ctrl-Q back to the command that quits, if no key in all panes quits or opens the palette.
    ///
    /// Somebody who takes away every key could otherwise leave only by killing the program.
    ///
    /// - Returns: the problem to report, if there was no way out.
    fileprivate mutating func keepWayOut(after rules: [KeyRule]) -> ConfigurationProblem? {
        let (quit, palette): (CommandName, CommandName) = ("app.quit", "app.palette")
        let ways = [quit, palette].flatMap(keys(of:))
        guard !ways.contains(where: { $0.context == .everywhere }), let key = KeySequence("Ctrl-Q") else { return nil }
        bind(KeyBinding(.everywhere, key), to: quit)
        let line = rules.last { $0.command == quit && $0.context == .everywhere }?.line
        return ConfigurationProblem(line: line, Texts.Problem.wayOut(key, of: quit, or: palette))
    }

    /// Binds the key of a user-defined command also in nearer contexts where it is another command's default key.
    ///
    /// The user chose the key, so nothing is reported. A command with a rule in the nearer context keeps its key.
    fileprivate mutating func bindOverDefaults(_ rule: KeyRule, unless ruled: Set<RuledCommand>) {
        for (binding, other) in nearerBindings(of: rule) {
            if ruled.contains(RuledCommand(KeyRule(other, in: binding.context, keys: []))) { continue }
            bind(binding, to: rule.command)
        }
    }

    /// Returns the problems with keys of a rule that a nearer context gives to another command by default.
    ///
    /// Without the report, a rule for all panes would be accepted, but not work in a pane that uses the key otherwise.
    fileprivate func hiddenKeys(
        of rule: KeyRule, unless ruled: Set<RuledCommand>, defaults: Keymap
    ) -> [ConfigurationProblem] {
        rule.keys.compactMap { keys in
            guard defaults[KeyBinding(rule.context, keys)] != rule.command else { return nil }
            let hiding = nearerBindings(of: KeyRule(rule.command, in: rule.context, keys: [keys])).first {
                $0.context.isWholePane && $1 != rule.command
                    && !ruled.contains(RuledCommand(KeyRule($1, in: $0.context, keys: [])))
            }
            return hiding.map { binding, other in
                ConfigurationProblem(
                    line: rule.line,
                    Texts.Problem.hidden(keys, of: rule.command, by: other, in: binding.context))
            }
        }
    }

    /// Returns the bindings of a rule's keys in contexts nearer than the rule's, in the order of contexts.
    private func nearerBindings(of rule: KeyRule) -> [(binding: KeyBinding, command: CommandName)] {
        KeyContext.allCases.filter { $0 != rule.context && $0.chain.contains(rule.context) }
            .flatMap { context in rule.keys.map { KeyBinding(context, $0) } }
            .compactMap { binding in self[binding].map { (binding, $0) } }
    }

    /// Binds keys according to a rule.
    ///
    /// - Parameter isDefault: whether the command has these keys without the rule, so that it takes them from no
    ///   command of a wider context.
    /// - Returns: the problem to report, if any.
    fileprivate mutating func bind(
        _ keys: KeySequence, by rule: KeyRule, unless ruled: Set<RuledCommand>, isDefault: Bool
    ) -> ConfigurationProblem? {
        func problem(_ text: String) -> ConfigurationProblem { ConfigurationProblem(line: rule.line, text) }
        if rule.context.isTyping, let first = keys.chords.first, first.types {
            return problem(Texts.Problem.types(first, in: rule.context, not: rule.command))
        }
        let binding = KeyBinding(rule.context, keys)
        // A shorter key that is a prefix of a longer one would make the longer one unreachable.
        for prefix in keys.prefixes {
            if let shorter = unbind(KeyBinding(rule.context, prefix)) {
                bind(binding, to: rule.command)
                return problem(Texts.Problem.begins(prefix, keys, in: rule.context, lostBy: shorter))
            }
        }
        if isPrefix(binding) {
            return problem(Texts.Problem.beginsLonger(keys, in: rule.context, not: rule.command))
        }
        func isRuled(_ name: CommandName) -> Bool {
            ruled.contains(RuledCommand(KeyRule(name, in: rule.context, keys: [])))
        }
        // A command of a wider context also loses the key in this context.
        let wider = rule.context.chain.dropFirst().compactMap { self[KeyBinding($0, keys)] }.first
        let taken = bind(binding, to: rule.command) ?? wider.flatMap { isDefault || isRuled($0) ? nil : $0 }
        guard let before = taken, before != rule.command else { return nil }
        return problem(Texts.Problem.taken(keys, from: before, in: rule.context, isMeant: isRuled(before)))
    }
}

extension KeyContext {
    /// Whether the context is that of a whole pane, not of a field or of the reading view.
    fileprivate var isWholePane: Bool { [.browsing, .sidebar, .list, .editor].contains(self) }
}

extension KeyChord {
    /// Whether the key types a character where text is typed.
    fileprivate var types: Bool {
        guard case .character = key else { return false }
        return modifiers.isDisjoint(with: [.control, .alt])
    }
}
