/// The table of keys that README shows, made from the commands, so that it cannot be out of date.
@MainActor
public enum KeyTable {
    /// A row a heading: each command with its default keys; moving and deleting, which hands know, are left out.
    public static var markdown: String {
        var text = "| where | keys |\n|---|---|\n"
        let registry = CommandRegistry.standard
        for section in registry.sections({ $0.defaultKeys }) {
            let entries = section.entries.filter { registry[$0.command]?.isMotion == false }.compactMap(entry)
            if !entries.isEmpty { text += "| \(section.topic.rawValue) | \(entries.joined(separator: " · ")) |\n" }
        }
        return text
    }

    /// `` `Ctrl-N` `n` new note ``, nil for a command without keys.
    private static func entry(_ entry: KeySection.Entry) -> String? {
        guard !entry.keys.isEmpty else { return nil }
        // A bar would end the cell, a backtick the code.
        let names = entry.keys.map { "`\($0.description.replacing("|", with: "\\|"))`" }.joined(separator: " ")
        return names + " " + entry.title.prefix(1).lowercased() + entry.title.dropFirst()
    }
}
