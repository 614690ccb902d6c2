/// The properties that a synchronisation writes before a note's text, up to the line with the note's identity.
///
///     ---
///     tags: ["books"]
///     created: 2026-03-01T09:30:00.000Z
///     updated: 2026-03-02T08:00:00.000Z
///     tn: 0B5C2E5A-…
///     ---
///     the text
enum SyncedProperties {
    /// The keys of these lines; a key that the note's own front matter uses too has `tn-` before it.
    private static let keys: Set<String> = [
        "title", "follows", "default", "tags", "starred", "order", "created", "updated", "summary", "from", "former",
        "conflict-of",
    ]

    /// Returns the note's own text, or `nil` for a text without such lines, or with others among them.
    static func removed(from text: String) -> String? {
        guard text.hasPrefix("---\n") else { return nil }
        let bytes = Array(text.utf8)
        var start = 4
        while let end = bytes[start...].firstIndex(of: 0x0A) {
            let line = String(decoding: bytes[start..<end], as: UTF8.self)
            start = end + 1
            if line.hasPrefix("tn: ") {
                guard NoteID(String(line.dropFirst(4))) != nil else { return nil }
                let rest = String(decoding: bytes[start...], as: UTF8.self)
                if rest == "---" { return "" }
                return rest.hasPrefix("---\n") ? String(rest.dropFirst(4)) : "---\n" + rest
            }
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let key = String(line[..<colon])
            guard keys.contains(key.hasPrefix("tn-") ? String(key.dropFirst(3)) : key) else { return nil }
        }
        return nil
    }
}
