import OrderedCollections
import ViewModel

/// The name of a command in the configuration: `note.new`.
public struct CommandName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let description: String

    public init(stringLiteral value: String) {
        description = value
    }

    public init(_ name: String) {
        description = name
    }
}

/// An action of the user, with its title, its keys, its availability and its effect.
@MainActor
public struct Command {
    public let name: CommandName
    /// The title in the palette and the help.
    public let title: String
    /// The heading under which the help lists it.
    public let topic: Topic
    public let defaultKeys: [KeyBinding]
    /// The other meanings of its keys, by heading of the help: Tab in a table.
    let elsewhere: KeyValuePairs<Topic, String>
    let availability: @MainActor (NotebookInterface) -> Availability
    let action: @MainActor (NotebookInterface) -> Void

    /// The headings of the help, in their order.
    public enum Topic: CaseIterable, Sendable {
        case application, panes, moving, notes, folders, search, editing, tables, find, preview, custom, fields,
            overlays

        public var heading: String { Texts.heading(of: self) }
    }

    /// Declares a command.
    ///
    /// - Parameters:
    ///   - keys: chords by context, in the notation of the configuration, separated by spaces. A misspelt one traps,
    ///     since these tables are part of the program.
    init(
        _ name: CommandName,
        _ title: String,
        _ topic: Topic,
        keys: KeyValuePairs<KeyContext, String> = [:],
        elsewhere: KeyValuePairs<Topic, String> = [:],
        when availability: @escaping @MainActor (NotebookInterface) -> Availability = { _ in .available },
        do action: @escaping @MainActor (NotebookInterface) -> Void
    ) {
        self.name = name
        self.title = title
        self.topic = topic
        self.elsewhere = elsewhere
        defaultKeys = keys.flatMap { context, chords in
            chords.split(separator: " ").map { text in
                guard let chord = KeyChord(String(text)) else { preconditionFailure("No key is called \(text)") }
                return KeyBinding(context, chord)
            }
        }
        self.availability = availability
        self.action = action
    }
}

extension Command {
    /// Whether it only moves, selects or deletes by a well-known key; such commands come last in the palette.
    var isMotion: Bool {
        ["cursor.", "caret.", "select.", "delete."].contains { name.description.hasPrefix($0) }
    }

    /// Whether the command belongs to overlays; the palette omits these, since it is an overlay itself.
    var isOfOverlays: Bool { topic == .overlays }
}

extension Array {
    /// Returns the elements that satisfy a predicate, then the others, each in their order.
    func partitioned(by holds: (Element) -> Bool) -> [Element] {
        filter(holds) + filter { !holds($0) }
    }
}

/// All commands by name, in the order of their declaration.
@MainActor
public struct CommandRegistry {
    private var commands: OrderedDictionary<CommandName, Command> = [:]

    /// Every command of the program.
    public static let standard = CommandRegistry(
        applicationCommands + paletteCommands + paneCommands + besideCommands + looksCommands + movingCommands
            + noteCommands
            + folderCommands + orderCommands + dailyCommands + taskCommands + calendarCommands + magicCommands
            + transferCommands + searchCommands + savedSearchCommands + syncCommands
            + editingCommands + spellingCommands + findCommands + readingCommands + customCommands + overlayCommands)

    init(_ commands: [Command]) {
        for command in commands {
            precondition(self.commands[command.name] == nil, "Two commands are called \(command.name)")
            self.commands[command.name] = command
        }
    }

    public subscript(name: CommandName) -> Command? { commands[name] }

    public var all: [Command] { Array(commands.values) }

    /// The keymap before the user changes any key.
    public var defaultKeymap: Keymap {
        var keymap = Keymap()
        for command in commands.values {
            for binding in command.defaultKeys { keymap.bind(binding, to: command.name) }
        }
        return keymap
    }
}
