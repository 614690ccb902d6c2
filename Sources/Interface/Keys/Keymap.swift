import Terminal

/// A key sequence in one context, to which a command can be bound.
public struct KeyBinding: Hashable, Sendable {
    public let context: KeyContext
    public let keys: KeySequence

    public init(_ context: KeyContext, _ keys: KeySequence) {
        self.context = context
        self.keys = keys
    }

    public init(_ context: KeyContext, _ chord: KeyChord) {
        self.init(context, KeySequence(chord))
    }
}

/// Maps keys to commands in each context.
public struct Keymap: Sendable {
    private var commands: [KeyBinding: CommandName] = [:]
    /// The number of bindings in a context that begin with these keys and continue.
    private var prefixes: [KeyBinding: Int] = [:]

    public init() {}

    /// The result of a key press.
    enum Outcome: Equatable, Sendable {
        case command(CommandName)
        /// The keys so far are a prefix of longer sequences.
        case prefix([KeyChord])
        case nothing
    }

    /// Binds keys to a command, and unbinds the command that had them.
    ///
    /// - Returns: the command that had them.
    @discardableResult
    public mutating func bind(_ binding: KeyBinding, to command: CommandName) -> CommandName? {
        let before = unbind(binding)
        commands[binding] = command
        for prefix in binding.keys.prefixes { prefixes[KeyBinding(binding.context, prefix), default: 0] += 1 }
        return before
    }

    /// Removes a binding.
    ///
    /// - Returns: the command that had them.
    @discardableResult
    mutating func unbind(_ binding: KeyBinding) -> CommandName? {
        guard let before = commands.removeValue(forKey: binding) else { return nil }
        for prefix in binding.keys.prefixes {
            let pair = KeyBinding(binding.context, prefix)
            prefixes[pair] = prefixes[pair].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
        return before
    }

    /// Returns the outcome of a key press in a context after the keys of `pending`; the nearest context decides.
    func outcome(of press: KeyPress, after pending: [KeyChord] = [], in context: KeyContext) -> Outcome {
        for context in context.chain {
            for chord in press.chords {
                let keys = pending + [chord]
                let binding = KeyBinding(context, KeySequence(keys))
                if let command = commands[binding] { return .command(command) }
                if prefixes[binding] != nil { return .prefix(keys) }
            }
        }
        return .nothing
    }

    /// Returns the command that a single key press runs in a context, or nil.
    public func command(for press: KeyPress, in context: KeyContext) -> CommandName? {
        guard case .command(let command) = outcome(of: press, in: context) else { return nil }
        return command
    }

    /// Whether the keys of a binding run its command in a context, where a nearer one may use the first of them for
    /// another command, or a letter is typed.
    func isReached(_ binding: KeyBinding, in context: KeyContext) -> Bool {
        let chords = binding.keys.chords
        if context.isTyping, let first = chords.first, first.isCharacter, first.modifiers.isEmpty { return false }
        for count in 1...chords.count {
            let keys = KeySequence(Array(chords.prefix(count)))
            let nearest = context.chain.lazy.map { KeyBinding($0, keys) }
                .first { commands[$0] != nil || prefixes[$0] != nil }
            guard let nearest else { return false }
            if let command = commands[nearest] { return count == chords.count && command == commands[binding] }
        }
        return false
    }

    /// The command bound to exactly these keys in this context.
    subscript(binding: KeyBinding) -> CommandName? { commands[binding] }

    /// Whether these keys are a proper prefix of a binding in this context.
    func isPrefix(_ binding: KeyBinding) -> Bool { prefixes[binding] != nil }

    /// Returns the keys that can follow `pending`, sorted; each with its command, or nil if more keys must follow.
    func continuations(of pending: [KeyChord], in context: KeyContext) -> [(chord: KeyChord, command: CommandName?)] {
        var found: [KeyChord: CommandName?] = [:]
        for context in context.chain {
            var here: [KeyChord: CommandName?] = [:]
            for (binding, command) in commands where binding.context == context {
                let chords = binding.keys.chords
                guard chords.count > pending.count, chords.starts(with: pending) else { continue }
                here[chords[pending.count]] = .some(chords.count == pending.count + 1 ? command : nil)
            }
            // A binding of a nearer context has priority.
            found.merge(here) { near, _ in near }
        }
        return found.map { ($0.key, $0.value) }.sorted { $0.chord.description < $1.chord.description }
    }

    /// Returns the commands that have a key in a context itself, not in those that it falls back to.
    func commands(in context: KeyContext) -> Set<CommandName> {
        Set(commands.lazy.filter { $0.key.context == context }.map(\.value))
    }

    /// Returns the keys of a command, in the order of contexts.
    public func keys(of command: CommandName) -> [KeyBinding] {
        commands.filter { $0.value == command }.map(\.key).sorted { left, right in
            let order = KeyContext.allCases
            let positions = (order.firstIndex(of: left.context) ?? 0, order.firstIndex(of: right.context) ?? 0)
            return positions.0 == positions.1
                ? (left.keys.description.count, left.keys.description)
                    < (right.keys.description.count, right.keys.description)
                : positions.0 < positions.1
        }
    }
}
