import TextPrimitives

/// The metadata between `---` lines at the very start of a note.
///
/// It is read line by line. That is fast, and it accepts front matter that is common in notes although it is invalid
/// YAML, such as `title: One: two`. A caller that needs all of YAML can pass the bytes of `content` to a YAML parser.
public struct FrontMatter: Equatable, Sendable {
    /// The `title`, without quotation marks.
    public var title: String?
    public var tags: [String] = []
    /// Other titles that links may use for the note.
    public var aliases: [String] = []
    /// The dates as written.
    public var created: String?
    public var updated: String?
    /// All pairs of a key and a value that is not a list, in order.
    public var fields: [Field] = []
    /// The number of lines of the front matter, fences included.
    public var lineCount = 0
    /// The range of the text between the fences.
    public var content = 0..<0
    /// The offset at which the line after the closing fence starts.
    public var end = 0

    /// A key and its value as written, without quotation marks.
    public struct Field: Equatable, Sendable {
        public var key: String
        public var value: String
    }

    /// The last line that may be the closing fence; it limits how many lines are read to find it.
    static let maximumLineCount = 400

    static func isOpeningFence(_ line: Bytes) -> Bool {
        line.has("---", at: 0) && LinkParts.skipBlanks(line, from: 3, to: line.count) == line.count
    }

    static func isClosingFence(_ line: Bytes) -> Bool {
        isOpeningFence(line)
            || line.has("...", at: 0) && LinkParts.skipBlanks(line, from: 3, to: line.count) == line.count
    }

    /// The number of lines of front matter at the start of a text, fences included; 0 if there is none.
    static func lineCount(_ text: Bytes) -> Int {
        var lines = LineSplitter(text)
        var rule = FenceRule()
        while let range = lines.next() {
            let head = text.slice(range.lowerBound, min(range.upperBound, range.lowerBound + maximumFenceLength))
            if let count = rule.read(head, isWhole: head.count == range.count) { return count }
        }
        return 0
    }

    /// The number of lines of front matter at the start of a text, fences included; 0 if there is none.
    static func lineCount(_ source: some LineSource) -> Int {
        var rule = FenceRule()
        for line in 0..<source.lineCount {
            let count = source.withStart(of: line, upTo: maximumFenceLength) { bytes, length in
                let start = line == 0 && bytes.startsWithMark ? Bytes.markLength : 0
                return rule.read(bytes.slice(start, bytes.count), isWhole: bytes.count == length)
            }
            if let count { return count }
        }
        return 0
    }

    /// The longest fence with its trailing spaces, in bytes; chosen here, to avoid reading a line of megabytes.
    private static let maximumFenceLength = 4_096

    /// Reads lines from the first one on until the number of lines of front matter is known.
    private struct FenceRule {
        private var count = 0
        /// Whether the second line is blank, so that only lines of YAML make it front matter.
        private var isDoubtful = false
        private var hasKey = false

        /// Reads the next line; returns the number of lines once it is known, or 0 if there is no front matter.
        ///
        /// If `isWhole` is false, `line` is only the start of a line. If the second line is blank, the first one is a
        /// thematic break, unless all lines up to a closing fence are keys, items of lists, indented or blank.
        mutating func read(_ line: Bytes, isWhole: Bool) -> Int? {
            count += 1
            if count == 1 { return isWhole && isOpeningFence(line) ? nil : 0 }
            if isWhole, isClosingFence(line) { return isDoubtful && !hasKey ? 0 : count }
            if count == maximumLineCount { return 0 }
            let isBlank = LinkParts.skipSpace(line, from: 0, to: line.count) == line.count
            if count == 2, isBlank { isDoubtful = true }
            guard isDoubtful, !isBlank else { return nil }
            if Self.isKey(line) {
                hasKey = true
            } else if !hasKey || !(line[0] == Byte.space || line[0] == Byte.tab || line.has("- ", at: 0)) {
                return 0
            }
            return nil
        }

        /// Whether a line begins with a word, a colon and a blank or nothing.
        private static func isKey(_ line: Bytes) -> Bool {
            guard let colon = line.firstOffset(of: Byte.colon, from: 0, to: line.count), colon > 0 else { return false }
            let isWord = line[..<colon].allSatisfy {
                $0.isAlphanumeric || $0 == Byte.hyphen || $0 == UInt8(ascii: "_")
            }
            let next = colon + 1
            return isWord
                && (next == line.count || line[next] == Byte.space || line[next] == Byte.tab || line[next] == 0x0D)
        }
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

    /// The items of a list written as `[a, b]`, `a, b` or `a b`.
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
    /// The string without white space at its ends.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
