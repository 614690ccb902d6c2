import Foundation
import Markdown
import TextPrimitives

/// What an export says of a note in front matter, and an import takes out again.
///
/// Its lines come first, ended by the one with the note's identity. A note's own front matter stays as it is after
/// them: where that has a key already, ours gets the prefix `takenote-`.
struct NoteProperties {
    /// The keys with their values in YAML.
    private var entries: [(key: String, value: String)] = []

    static let prefix = ImportFile.identityKey + "-"
    /// Keys that mean the same.
    private static let synonyms = [
        "title": ["title"], "tags": ["tags", "tag", "keywords"], "aliases": ["aliases", "alias"],
        "starred": ["starred"], "created": ["created", "date"], "updated": ["updated", "modified", "lastmod"],
    ]

    /// All that an import reads again.
    init(of row: NoteRow) {
        entries = [("title", DoubleQuoted.text(row.title))]
        // The others stand in the text, and an import finds them there.
        addTags(row.handTagNames)
        if row.starred { entries.append(("starred", "true")) }
        entries.append(("created", row.createdDate.timestamp))
        entries.append(("updated", row.updatedDate.timestamp))
        entries.append((ImportFile.identityKey, row.id.description))
    }

    /// What Obsidian shows of a note that its text and the name of its file do not say.
    init(of row: NoteRow, inVaultAs name: String) {
        addTags(row.handTagNames.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: "-") })
        if row.title != name { entries.append(("aliases", "[\(DoubleQuoted.text(row.title))]")) }
    }

    private mutating func addTags(_ tags: [String]) {
        if !tags.isEmpty { entries.append(("tags", "[\(tags.map(DoubleQuoted.text).joined(separator: ", "))]")) }
    }

    /// The text with these properties before all that it has of its own.
    func added(to text: String) -> String {
        if entries.isEmpty { return text }
        return merged(with: text) ?? "---\n\(lines(except: []))---\n\(text)"
    }

    private func lines(except taken: Set<String>) -> String {
        entries.map { key, value in "\(taken.contains(key) ? Self.prefix : "")\(key): \(value)\n" }.joined()
    }

    /// `nil` if the text has no front matter that lines can be added to.
    private func merged(with text: String) -> String? {
        let isOurs = entries.contains { $0.key == ImportFile.identityKey }
        guard let own = Markdown.frontMatter(of: text), !own.content.isEmpty,
            let fields = NoteFrontMatter(of: text), fields.fields[ImportFile.identityKey] == nil
        else { return nil }
        let start = text.utf8.index(text.startIndex, offsetBy: own.content.lowerBound)
        let content = text[start..<text.utf8.index(start, offsetBy: own.content.count)]
        let keys = Self.keys(of: content)
        guard let keys, YAMLMapping(reading: content.utf8) != nil else { return nil }
        var ours = self
        // A star that the note's own front matter claims and the note has not.
        if isOurs, keys.contains("starred"), !entries.contains(where: { $0.key == "starred" }) {
            ours.entries.insert(("starred", "false"), at: 0)
        }
        let entries = ours.entries
        let taken = Set(entries.map(\.key).filter { !keys.isDisjoint(with: Self.synonyms[$0] ?? [$0]) })
        let whole = text[..<start] + ours.lines(except: taken) + text[start...]
        // What an import would not take out again as it was comes before the text's own front matter instead.
        guard !isOurs || Self.removed(from: String(whole))?.text.hasSameBytes(as: text) == true,
            NoteFrontMatter(of: String(whole)) != nil
        else { return nil }
        return String(whole)
    }

    /// The keys at the left margin in lower case; `nil` if a line there has none.
    private static func keys(of content: Substring) -> Set<String>? {
        var keys: Set<String> = []
        for line in content.split(whereSeparator: \.isNewline) {
            guard let first = line.first, first != "#", !first.isWhitespace, first != "-" else { continue }
            guard let colon = line.firstIndex(of: ":"), first != "{", first != "[" else { return nil }
            let key = line[..<colon].trimmingCharacters(in: CharacterSet(charactersIn: " \t\"'"))
            keys.insert(key.lowercased())
        }
        return keys
    }

    /// The text without the properties that an export added; `nil` if it has none that are certain to be ours.
    ///
    /// `isWhole` tells whether all of the front matter was ours.
    static func removed(from text: String) -> (text: String, isWhole: Bool)? {
        guard let own = Markdown.frontMatter(of: text) else { return nil }
        let start = text.utf8.index(text.startIndex, offsetBy: own.content.lowerBound)
        let end = text.utf8.index(start, offsetBy: own.content.count)
        var rest = text[start..<end]
        while let line = rest.firstIndex(where: \.isNewline).map({ rest[...$0] }), let colon = line.firstIndex(of: ":")
        {
            var key = line[..<colon]
            if key.hasPrefix(prefix) { key = key.dropFirst(prefix.count) }
            let isIdentity = key == ImportFile.identityKey
            guard isIdentity || synonyms[String(key)] != nil else { return nil }
            rest = rest[line.endIndex...]
            guard isIdentity else { continue }
            if rest.isEmpty { return (String(decoding: text.utf8.dropFirst(own.end), as: UTF8.self), true) }
            return (String(text[..<start] + text[rest.startIndex...]), false)
        }
        return nil
    }
}
