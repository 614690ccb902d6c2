@testable import Interface

/// The table of keys in `Resources/GUIDE.md`, generated from the commands so that it cannot be out of date.
@MainActor
enum KeyTable {
    /// One row for each heading: each command with its default keys, without the well-known motions and deletions.
    static var markdown: String {
        var text = "| where | keys |\n|---|---|\n"
        let registry = CommandRegistry.standard
        for section in registry.sections({ $0.defaultKeys }) {
            let entries = section.entries.filter { registry[$0.command]?.isMotion == false }.compactMap(entry)
            if !entries.isEmpty { text += "| \(section.topic.heading) | \(entries.joined(separator: " · ")) |\n" }
        }
        return text
    }

    /// Returns `` `Ctrl-N` `n` new note ``, or nil for a command without keys.
    private static func entry(_ entry: KeySection.Entry) -> String? {
        guard !entry.keys.isEmpty else { return nil }
        // A bar would end the table cell.
        let names = entry.keys.map { "`\($0.description.replacing("|", with: "\\|"))`" }.joined(separator: " ")
        return names + " " + entry.title.prefix(1).lowercased() + entry.title.dropFirst()
    }
}
