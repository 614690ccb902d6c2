/// What stands between `---` lines at the very start of a note.
///
/// Read line by line, which costs little and understands what is also valid in most people's notes that are no valid
/// YAML, such as `title: One: two`. Who needs all of YAML gives `content` to a reader of YAML.
public struct FrontMatter: Equatable, Sendable {
    /// The `title`, without quotation marks.
    public var title: String?
    public var tags: [String] = []
    /// Other titles by which links may name the note.
    public var aliases: [String] = []
    /// Values as they are written.
    public var created: String?
    public var updated: String?
    /// All pairs of a key and a value that is not a list, in order.
    public var fields: [Field] = []
    /// Lines it takes, fences included.
    public var lineCount = 0
    /// Bytes of the text between the fences.
    public var content = 0..<0
    /// The byte of the text at which the line after the closing fence starts.
    public var end = 0

    /// A key and its value as written, without quotation marks.
    public struct Field: Equatable, Sendable {
        public var key: String
        public var value: String
    }

    /// A fence further down than this closes nothing; bounds what has to be read to know.
    static let longestLineCount = 400

    static func isOpeningFence(_ line: Bytes) -> Bool {
        line.has("---", at: 0) && LinkParts.skipBlanks(line, from: 3, to: line.count) == line.count
    }

    static func isClosingFence(_ line: Bytes) -> Bool {
        isOpeningFence(line)
            || line.has("...", at: 0) && LinkParts.skipBlanks(line, from: 3, to: line.count) == line.count
    }

    /// Lines that front matter takes, fences included; 0 if there is none.
    ///
    /// A blank second line makes a thematic break of the first.
    static func lineCount(_ text: Bytes) -> Int {
        var lines = LineSplitter(text)
        guard let first = lines.next(), isOpeningFence(Bytes(rebasing: text[first])) else { return 0 }
        var count = 1
        while let range = lines.next(), count < longestLineCount {
            let line = Bytes(rebasing: text[range])
            count += 1
            if isClosingFence(line) { return count }
            if count == 2, isBlank(line) { return 0 }
        }
        return 0
    }

    private static func isBlank(_ line: Bytes) -> Bool {
        LinkParts.skipSpace(line, from: 0, to: line.count) == line.count
    }

    init?(_ text: Bytes) {
        lineCount = Self.lineCount(text)
        guard lineCount > 0 else { return nil }
        var lines = LineSplitter(text)
        _ = lines.next()
        let start = lines.position
        var listKey = ""
        for _ in 0..<max(lineCount - 2, 0) {
            guard let range = lines.next() else { break }
            read(String(decoding: text[range], as: UTF8.self), &listKey)
        }
        content = start..<lines.position
        _ = lines.next()
        end = lines.position
    }

    private mutating func read(_ line: String, _ listKey: inout String) {
        let trimmed = line.trimmed
        if trimmed.hasPrefix("- "), !listKey.isEmpty {
            if ["tags", "tag", "keywords"].contains(listKey) { tags.append(Self.tagName(trimmed.dropFirst(2))) }
            if Self.isAliasKey(listKey) { aliases += Self.aliases(Self.unquoted(trimmed.dropFirst(2)), isOne: true) }
            return
        }
        guard let colon = line.firstIndex(of: ":"), line.first?.isWhitespace == false, !trimmed.hasPrefix("#") else {
            return
        }
        let key = String(line[..<colon]).trimmed
        guard !key.isEmpty else { return }
        let value = Self.unquoted(line[line.index(after: colon)...])
        listKey = value.isEmpty ? key.lowercased() : ""
        fields.append(Field(key: key, value: value))
        switch key.lowercased() {
        case "title": title = value.isEmpty ? nil : value
        case "tags", "tag", "keywords": tags += Self.list(value)
        case let key where Self.isAliasKey(key):
            let written = String(line[line.index(after: colon)...]).trimmed
            aliases += Self.aliases(written, isOne: false)
        case "created", "date": created = created ?? value
        case "updated", "modified", "lastmod": updated = updated ?? value
        default: break
        }
    }

    /// `[a, b]`, `a, b` or `a b`.
    private static func list(_ value: String) -> [String] {
        let inner = value.hasPrefix("[") && value.hasSuffix("]") ? value.dropFirst().dropLast() : value[...]
        let separator: Character = inner.contains(",") ? "," : " "
        return inner.split(separator: separator).map { tagName($0) }.filter { !$0.isEmpty }
    }

    private static func tagName(_ text: Substring) -> String {
        let name = unquoted(text)
        return name.hasPrefix("#") ? String(name.dropFirst()) : name
    }

    private static func unquoted(_ text: Substring) -> String {
        let value = String(text).trimmed
        guard value.count >= 2, let first = value.first, first == value.last, first == "\"" || first == "'" else {
            return value
        }
        let inner = value.dropFirst().dropLast()
        if first == "'" { return String(inner.replacing("''", with: "'")) }
        return String(inner.replacing("\\\"", with: "\"").replacing("\\\\", with: "\\"))
    }
}

extension String {
    /// Without white space at the ends.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
