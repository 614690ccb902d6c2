/// The table of keys that README shows, made from the commands, so that it cannot be out of date.
@MainActor
public enum KeyTable {
    /// A row a topic: each command with its default keys; moving and deleting, which hands know, are left out.
    public static var markdown: String {
        var text = "| where | keys |\n|---|---|\n"
        for topic in Command.Topic.allCases {
            let entries = CommandRegistry.standard.all.filter { $0.topic == topic && !$0.isMotion }.compactMap(entry)
            if !entries.isEmpty { text += "| \(topic.rawValue) | \(entries.joined(separator: " · ")) |\n" }
        }
        return text
    }

    /// `` `Ctrl-N` `n` new note ``, nil for a command without keys.
    private static func entry(_ command: Command) -> String? {
        var seen: Set<KeySequence> = []
        let keys = command.defaultKeys.map(\.keys).filter { seen.insert($0).inserted }
        guard !keys.isEmpty else { return nil }
        // A bar would end the cell, a backtick the code.
        let names = keys.map { "`\($0.description.replacing("|", with: "\\|"))`" }.joined(separator: " ")
        return names + " " + command.title.prefix(1).lowercased() + command.title.dropFirst()
    }
}
