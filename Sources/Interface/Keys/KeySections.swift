/// What stands under one heading of the help: commands with their keys there.
public struct KeySection: Sendable {
    public struct Entry: Sendable {
        public let command: CommandName
        /// None for a command that only the palette gives.
        public let keys: [KeySequence]
        public let title: String
    }

    public let topic: Command.Topic
    public let entries: [Entry]
}

extension CommandRegistry {
    /// The commands under the headings of help, manual page and README, in the order of these.
    ///
    /// A key stands where it is pressed: the keys that a command has in the search field stand under the search's
    /// heading, whatever the command's own is.
    ///
    /// - Parameter bindings: the keys of a command, in the order in which they are shown.
    public func sections(_ bindings: (Command) -> [KeyBinding]) -> [KeySection] {
        var entries: [Command.Topic: [KeySection.Entry]] = [:]
        for command in all {
            let bindings = bindings(command)
            var keys: [Command.Topic: [KeySequence]] = bindings.isEmpty ? [command.topic: []] : [:]
            for binding in bindings {
                let topic = binding.context.topic ?? command.topic
                if keys[topic]?.contains(binding.keys) != true { keys[topic, default: []].append(binding.keys) }
            }
            for (topic, keys) in keys {
                let entry = KeySection.Entry(command: command.name, keys: keys, title: command.title)
                entries[topic, default: []].append(entry)
            }
            for (topic, title) in command.elsewhere {
                let entry = KeySection.Entry(command: command.name, keys: keys[command.topic] ?? [], title: title)
                entries[topic, default: []].append(entry)
            }
        }
        return Command.Topic.allCases.compactMap { topic in
            entries[topic].map { KeySection(topic: topic, entries: $0) }
        }
    }
}

extension KeyContext {
    /// The heading of the keys pressed here; nil where a key stands under the heading of its command.
    var topic: Command.Topic? {
        switch self {
        case .everywhere, .browsing, .sidebar, .list, .editor: nil
        case .field: .fields
        case .search: .search
        case .find: .find
        case .preview: .preview
        case .picker, .prompt, .dialog, .pager: .overlays
        }
    }
}
