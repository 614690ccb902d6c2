import Foundation
import Markdown
import TextPrimitives

/// The properties of a note that an export adds as front matter, and an import removes again.
///
/// Their lines come first and end with the line of the note's identity. The note's own front matter follows unchanged:
/// if it already has a key, the exported one gets the prefix `takenote-`.
struct NoteProperties {
    /// The keys with their values in YAML.
    private var entries: [(key: String, value: String)] = []
    /// The title if it is given as an alias, because the file's name cannot contain it; nil otherwise.
    private var alias: String?

    static let prefix = ImportFile.identityKey + "-"
    /// The keys with the same meaning as a property.
    private static let synonyms = [
        "title": ["title"], "tags": ["tags", "tag", "keywords"], "aliases": ["aliases", "alias"],
        "starred": ["starred"], "created": ["created", "date"], "updated": ["updated", "modified", "lastmod"],
    ]

    /// Makes all properties that an import reads again.
    init(of row: NoteRow) {
        entries = [("title", DoubleQuoted.text(row.title))]
        // Other tags are in the text, where an import finds them.
        addTags(row.handTagNames)
        if row.starred { entries.append(("starred", "true")) }
        entries.append(("created", row.createdDate.timestamp))
        entries.append(("updated", row.updatedDate.timestamp))
        entries.append((ImportFile.identityKey, row.id.description))
    }

    /// Makes the properties that Obsidian shows and that neither the text nor the name of its file gives.
    init(of row: NoteRow, inVaultAs name: String, text: String) {
        // An import gives a note the tags of its own front matter, which stays in the text.
        let own = Set((NoteFrontMatter(of: text)?.tags ?? []).map(Folding.key))
        let others = row.handTagNames.filter { !own.contains(Folding.key($0)) }
        addTags(others.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: "-") })
        guard row.title != name else { return }
        alias = row.title
        entries.append(("aliases", "[\(DoubleQuoted.text(row.title))]"))
    }

    private mutating func addTags(_ tags: [String]) {
        if !tags.isEmpty { entries.append(("tags", "[\(tags.map(DoubleQuoted.text).joined(separator: ", "))]")) }
    }

    /// Returns the text with these properties before its own front matter.
    func added(to text: String) -> String {
        var ours = self
        // A text that came from a vault already has the alias.
        if let alias, NoteFrontMatter(of: text)?.aliases.contains(where: { $0.hasSameBytes(as: alias) }) == true {
            ours.entries.removeAll { $0.key == "aliases" }
        }
        if ours.entries.isEmpty { return text }
        return ours.merged(with: text) ?? "---\n\(ours.lines(except: []))---\n\(text)"
    }

    private func lines(except taken: Set<String>) -> String {
        entries.map { key, value in "\(taken.contains(key) ? Self.prefix : "")\(key): \(value)\n" }.joined()
    }

    /// Returns `nil` if the text has no front matter to which lines can be added.
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
        // The note's own front matter says that it is starred, but the note is not.
        if isOurs, keys.contains("starred"), !entries.contains(where: { $0.key == "starred" }) {
            ours.entries.insert(("starred", "false"), at: 0)
        }
        let entries = ours.entries
        let taken = Set(entries.map(\.key).filter { !keys.isDisjoint(with: Self.synonyms[$0] ?? [$0]) })
        let whole = text[..<start] + ours.lines(except: taken) + text[start...]
        // If an import could not restore the text exactly, the properties come before its own front matter instead.
        guard !isOurs || Self.removed(from: String(whole))?.text.hasSameBytes(as: text) == true,
            NoteFrontMatter(of: String(whole)) != nil
        else { return nil }
        return String(whole)
    }

    /// Returns the keys at the left margin in lower case; `nil` if a line there has none.
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

    /// Returns the text without the properties that an export added; `nil` if it has none that certainly come from an
    /// export.
    ///
    /// `isWhole` tells whether all of the front matter came from an export.
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
