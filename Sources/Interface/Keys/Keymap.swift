import Terminal

/// A key, or several in a row, of a command in one place.
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

/// Which command each key gives in each place.
public struct Keymap: Sendable {
    private var commands: [KeyBinding: CommandName] = [:]
    /// How many bindings of a place begin with these keys and go on.
    private var prefixes: [KeyBinding: Int] = [:]

    public init() {}

    /// What a key press leads to.
    public enum Outcome: Equatable, Sendable {
        case command(CommandName)
        /// The keys so far are the beginning of longer ones.
        case prefix([KeyChord])
        case nothing
    }

    /// Gives keys to a command, taking them from the one that had them.
    ///
    /// - Returns: the command that had them.
    @discardableResult
    public mutating func bind(_ binding: KeyBinding, to command: CommandName) -> CommandName? {
        let before = unbind(binding)
        commands[binding] = command
        for prefix in binding.keys.prefixes { prefixes[KeyBinding(binding.context, prefix), default: 0] += 1 }
        return before
    }

    /// Takes keys from their command.
    ///
    /// - Returns: the command that had them.
    @discardableResult
    mutating func unbind(_ binding: KeyBinding) -> CommandName? {
        guard let before = commands.removeValue(forKey: binding) else { return nil }
        for prefix in binding.keys.prefixes {
            let place = KeyBinding(binding.context, prefix)
            prefixes[place] = prefixes[place].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
        return before
    }

    /// What a key press gives in a place after the keys of `pending`; the nearest place decides.
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

    /// The command that a key press gives at once in a place, or nil.
    public func command(for press: KeyPress, in context: KeyContext) -> CommandName? {
        guard case .command(let command) = outcome(of: press, in: context) else { return nil }
        return command
    }

    /// The command that has exactly these keys in this place.
    subscript(binding: KeyBinding) -> CommandName? { commands[binding] }

    /// Whether longer keys of this place begin with these.
    func isPrefix(_ binding: KeyBinding) -> Bool { prefixes[binding] != nil }

    /// What can follow after some keys in a place, sorted: the next key with its command, nil where more follow.
    func continuations(of pending: [KeyChord], in context: KeyContext) -> [(chord: KeyChord, command: CommandName?)] {
        var found: [KeyChord: CommandName?] = [:]
        for place in context.chain {
            var here: [KeyChord: CommandName?] = [:]
            for (binding, command) in commands where binding.context == place {
                let chords = binding.keys.chords
                guard chords.count > pending.count, chords.starts(with: pending) else { continue }
                here[chords[pending.count]] = .some(chords.count == pending.count + 1 ? command : nil)
            }
            // The nearest place decides.
            found.merge(here) { near, _ in near }
        }
        return found.map { ($0.key, $0.value) }.sorted { $0.chord.description < $1.chord.description }
    }

    /// The keys of a command, in the order of contexts.
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

    /// Everything that is bound.
    var bindings: [(binding: KeyBinding, command: CommandName)] { commands.map { ($0.key, $0.value) } }
}
