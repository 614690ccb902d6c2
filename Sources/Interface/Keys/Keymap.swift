import Terminal

/// Where a key is pressed; each place has keys of its own.
public enum KeyContext: String, CaseIterable, Sendable {
    /// Keys that work in every pane.
    case everywhere
    /// The sidebar and the list alike.
    case browsing
    case sidebar
    case list
    case editor
    /// The search field, and lists that are filtered by typing.
    case search
    /// The find bar of the editor.
    case find
    /// The note laid out for reading.
    case preview

    /// The contexts whose keys work here, the nearest first.
    var chain: [KeyContext] {
        switch self {
        case .everywhere: [.everywhere]
        case .browsing: [.browsing, .everywhere]
        case .sidebar: [.sidebar, .browsing, .everywhere]
        case .list: [.list, .browsing, .everywhere]
        case .editor: [.editor, .everywhere]
        case .search: [.search, .everywhere]
        case .find: [.find, .everywhere]
        case .preview: [.preview, .everywhere]
        }
    }
}

/// A key of a command in one place.
public struct KeyBinding: Hashable, Sendable {
    public let context: KeyContext
    public let chord: KeyChord

    public init(_ context: KeyContext, _ chord: KeyChord) {
        self.context = context
        self.chord = chord
    }
}

/// Which command each key gives in each place.
public struct Keymap: Sendable {
    private var commands: [KeyBinding: CommandName] = [:]

    public init() {}

    /// Gives a key to a command, taking it from the one that had it.
    public mutating func bind(_ binding: KeyBinding, to command: CommandName) {
        commands[binding] = command
    }

    /// The command that a key press gives in a place, or nil.
    public func command(for press: KeyPress, in context: KeyContext) -> CommandName? {
        for context in context.chain {
            for chord in press.chords {
                if let command = commands[KeyBinding(context, chord)] { return command }
            }
        }
        return nil
    }

    /// The keys of a command, in the order of contexts.
    public func keys(of command: CommandName) -> [KeyBinding] {
        commands.filter { $0.value == command }.map(\.key).sorted { left, right in
            let order = KeyContext.allCases
            let positions = (order.firstIndex(of: left.context) ?? 0, order.firstIndex(of: right.context) ?? 0)
            return positions.0 == positions.1
                ? (left.chord.description.count, left.chord.description)
                    < (right.chord.description.count, right.chord.description)
                : positions.0 < positions.1
        }
    }
}
