/// One section of the help: its heading, and the commands with their keys.
public struct KeySection: Sendable {
    public struct Entry: Sendable {
        public let command: CommandName
        /// The keys; empty for a command that only the palette offers.
        public let keys: [KeySequence]
        public let title: String
    }

    public let topic: Command.Topic
    public let entries: [Entry]
}

extension CommandRegistry {
    /// Groups the commands under the headings of help, manual page and GUIDE.md, in the order of the headings.
    ///
    /// A key is listed under the context where it is pressed: a command's keys in the search field come under the
    /// search's heading, whatever the command's own topic is.
    ///
    /// - Parameter bindings: returns the keys of a command, in the order in which they are shown.
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
    /// The headings of the keys that are meant where the help is opened in this context, the nearest first.
    var nearestTopics: [Command.Topic] {
        switch self {
        case .everywhere, .browsing: []
        case .sidebar: [.folders, .moving]
        case .list: [.notes, .moving]
        case .editor: [.editing, .tables]
        case .search, .find: [topic, .fields].compactMap(\.self)
        case .field, .preview, .picker, .prompt, .dialog, .pager: [topic].compactMap(\.self)
        }
    }

    /// The heading for keys pressed in this context; nil if a key is listed under its command's topic.
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
