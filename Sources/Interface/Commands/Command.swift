import OrderedCollections
import ViewModel

/// The name that a command has in the configuration: `note.new`.
public struct CommandName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let description: String

    public init(stringLiteral value: String) {
        description = value
    }

    public init(_ name: String) {
        description = name
    }
}

/// Something that the user can have done: what it is called, its keys, when it is possible, what it does.
@MainActor
public struct Command {
    public let name: CommandName
    /// What the palette and the help call it.
    public let title: String
    /// The heading it stands under in the help.
    public let topic: Topic
    public let defaultKeys: [KeyBinding]
    /// What its keys do where they mean something else, by the heading of the help: Tab in a table.
    let elsewhere: KeyValuePairs<Topic, String>
    let availability: @MainActor (NotebookInterface) -> Availability
    let action: @MainActor (NotebookInterface) -> Void

    /// The headings of the help, in their order.
    public enum Topic: String, CaseIterable, Sendable {
        case application = "Everywhere"
        case panes = "Panes"
        case moving = "Sidebar and list"
        case notes = "Notes"
        case folders = "Folders and tags"
        case search = "Search"
        case editing = "Editor"
        case tables = "Tables"
        case find = "Find and replace"
        case preview = "Preview"
        case fields = "Fields of one line"
        case overlays = "Boxes over the panes"
    }

    /// Declares a command.
    ///
    /// - Parameters:
    ///   - keys: chords by context, each as a person writes it, several separated by a space. A misspelt one traps:
    ///     the tables are ours.
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
    /// Whether it only moves, selects or deletes by a key that the hand knows: such commands come last in the palette.
    var isMotion: Bool {
        ["cursor.", "caret.", "select.", "delete."].contains { name.description.hasPrefix($0) }
    }

    /// Whether the command is of what lies over the panes: the palette, which lies there itself, leaves it out.
    var isOfOverlays: Bool { topic == .overlays }
}

extension Array {
    /// The elements that hold, then the others, each in their order.
    func partitioned(by holds: (Element) -> Bool) -> [Element] {
        filter(holds) + filter { !holds($0) }
    }
}

/// All commands by name, in the order they were declared.
@MainActor
public struct CommandRegistry {
    private var commands: OrderedDictionary<CommandName, Command> = [:]

    /// Every command of the program.
    public static let standard = CommandRegistry(
        applicationCommands + paletteCommands + paneCommands + looksCommands + movingCommands + noteCommands
            + folderCommands + orderCommands + dailyCommands + transferCommands + searchCommands + savedSearchCommands
            + editingCommands + findCommands + readingCommands + overlayCommands)

    init(_ commands: [Command]) {
        for command in commands {
            precondition(self.commands[command.name] == nil, "Two commands are called \(command.name)")
            self.commands[command.name] = command
        }
    }

    public subscript(name: CommandName) -> Command? { commands[name] }

    public var all: [Command] { Array(commands.values) }

    /// The keys as they are before the user changes any.
    public var defaultKeymap: Keymap {
        var keymap = Keymap()
        for command in commands.values {
            for binding in command.defaultKeys { keymap.bind(binding, to: command.name) }
        }
        return keymap
    }
}
