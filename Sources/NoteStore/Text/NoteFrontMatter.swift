import Markdown

/// The front matter of a note, read as YAML.
///
/// Front matter that is not valid YAML, or larger or deeper than people write, is read line by line instead.
public struct NoteFrontMatter: Equatable, Sendable {
    public private(set) var title: String?
    /// The tags without `#`; none is empty.
    public internal(set) var tags: [String] = []
    /// Other titles of the note.
    public private(set) var aliases: [String] = []
    /// The creation date as written.
    public private(set) var created: String?
    public private(set) var updated: String?
    /// The first value of every other key, by its key in lower case.
    public private(set) var fields: [String: String] = [:]
    /// Tags that an export added to the note's own.
    var exportedTags: [String] = []
    /// The byte offset of the line after the closing fence.
    public let end: Int

    /// `nil` for a text without front matter, which costs reading its first bytes.
    public init?(of text: String) {
        let start = text.utf8.starts(with: [0xEF, 0xBB, 0xBF]) ? text.utf8.dropFirst(3) : text.utf8[...]
        guard start.starts(with: "---".utf8), let lines = Markdown.frontMatter(of: text) else { return nil }
        end = lines.end
        if let fields = YAMLMapping(reading: Self.bytes(lines.content, of: text)) {
            for (key, value) in fields.entries { take(value, of: key.lowercased()) }
        } else {
            title = lines.title
            tags = lines.tags.filter { !$0.isEmpty }
            aliases = lines.aliases
            (created, updated) = (lines.created, lines.updated)
            for field in lines.fields { self.fields[field.key.lowercased()] = field.value }
        }
        created = created ?? Self.date(in: fields, of: ["created", "creation"])
        updated = updated ?? Self.date(in: fields, of: ["updated", "modified"])
    }

    /// Returns the date under a key of programs with names of their own for it, such as `date created` or `created_at`.
    private static func date(in fields: [String: String], of words: Set<String>) -> String? {
        let found = fields.filter { key, _ in
            let parts = key.split { $0 == " " || $0 == "_" || $0 == "-" }.map(String.init)
            guard parts.count == 2 else { return key.hasSuffix("at") && words.contains(String(key.dropLast(2))) }
            return words.contains(parts[0]) && ["at", "date", "time"].contains(parts[1])
                || parts[0] == "date" && words.contains(parts[1])
        }
        return found.min { $0.key < $1.key }?.value
    }

    private static func bytes(_ range: Range<Int>, of text: String) -> Substring.UTF8View {
        let start = text.utf8.index(text.utf8.startIndex, offsetBy: range.lowerBound)
        return text.utf8[start..<text.utf8.index(start, offsetBy: range.count)]
    }

    private mutating func take(_ value: YAMLMapping.Value, of key: String) {
        switch key {
        case "title": title = title ?? value.first?.text
        case "tags", "tag", "keywords": tags += Self.tags(of: value)
        case "aliases", "alias": aliases += value.scalars.map(\.text).filter { !$0.isEmpty }
        case "created", "date": created = created ?? value.first?.text
        case "updated", "modified", "lastmod": updated = updated ?? value.first?.text
        case NoteProperties.prefix + "tags": exportedTags += Self.tags(of: value)
        default: fields[key] = value.first?.text
        }
    }

    /// Returns the tags in a value: the items of a list, or the parts of a single value.
    ///
    /// People separate the parts by commas or, without quotation marks, by white space.
    private static func tags(of value: YAMLMapping.Value) -> [String] {
        let names: [String]
        if case .one(let scalar) = value {
            if scalar.text.contains(",") {
                names = scalar.text.split(separator: ",").map(String.init)
            } else if scalar.isQuoted {
                names = [scalar.text]
            } else {
                names = scalar.text.split(whereSeparator: \.isWhitespace).map(String.init)
            }
        } else {
            names = value.scalars.map(\.text)
        }
        return names.compactMap { name in
            let trimmed = Folding.trimmed(name)
            let tag = trimmed.hasPrefix("#") ? String(trimmed.dropFirst()) : trimmed
            return tag.isEmpty ? nil : tag
        }
    }
}
