import Foundation
import TextPrimitives

/// The value of a key of front matter that stands in the lines below it.
///
/// tn writes each value into its key's line. Other programs, when they change any value, write a list as a line for
/// each item and a map as a line for each pair.
struct FrontMatterBlock {
    let value: JSONText
    /// The number of its lines.
    let count: Int

    /// The keys of tn whose values are lists, and those whose values are maps.
    private static let (lists, maps): (Set<String>, Set<String>) = (["tags", "summary"], ["former", "from"])

    /// Reads the value of a key at the beginning of these lines, or returns `nil` if they do not begin with one.
    init?(_ lines: ArraySlice<ArraySlice<UInt8>>, of key: String) {
        let texts = lines.lazy.map { String(decoding: $0, as: UTF8.self) }
        if Self.lists.contains(key) {
            let items = texts.map { $0.trimmingCharacters(in: Self.blanks) }.prefix { $0.hasPrefix("- ") }
            guard !items.isEmpty else { return nil }
            (value, count) = (.list(items.map { .text(Self.plain($0.dropFirst(2))) }), items.count)
        } else if Self.maps.contains(key) {
            let rows = Array(texts.prefix { $0.hasPrefix(" ") })
            let pairs = rows.compactMap { Self.pair($0.trimmingCharacters(in: Self.blanks)) }
            guard !rows.isEmpty, pairs.count == rows.count else { return nil }
            (value, count) = (.map(pairs), rows.count)
        } else {
            return nil
        }
    }

    /// White space, and the carriage return with which Windows ends a line.
    private static let blanks = CharacterSet.whitespacesAndNewlines

    /// Reads a line with a key and its value.
    private static func pair(_ line: String) -> (String, JSONText)? {
        let bytes = Array(line.utf8)
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: ":") }
            .filter { $0 + 1 == bytes.count || bytes[$0 + 1] == UInt8(ascii: " ") }
        // A key in quotes may contain a colon, so its end is the first one at which the quotes are closed.
        let end = ends.first { line.hasPrefix("\"") ? JSONText(reading: text(bytes[..<$0])) != nil : true }
        guard let end, end > 0 else { return nil }
        let value = text(bytes[(end + 1)...]).trimmingCharacters(in: blanks)
        return (plain(text(bytes[..<end])), JSONText(reading: value) ?? .text(plain(value)))
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Returns a value that goes on in the lines below, which may have begun with the sign of such a value.
    static func joined(_ first: String, _ more: [String]) -> String {
        let isSign = ["|", ">", "|-", ">-", "|+", ">+"].contains(first)
        return ((isSign ? [] : [first]) + more.map { $0.trimmingCharacters(in: blanks) }).joined(separator: " ")
    }

    /// Returns a text without the white space around it.
    static func trimmed(_ text: Substring) -> String {
        let bytes = text.utf8
        guard let first = bytes.firstIndex(where: { !$0.isBlank }), let last = bytes.lastIndex(where: { !$0.isBlank })
        else { return "" }
        let part = text[first..<bytes.index(after: last)]
        // Other white space has more than one byte.
        return bytes[first] < 0x80 && bytes[last] < 0x80 ? String(part) : part.trimmingCharacters(in: .whitespaces)
    }

    /// Returns a text that may stand in quotes.
    static func plain(_ text: some StringProtocol) -> String {
        let text = trimmed(Substring(text))
        if let quoted = JSONText(reading: text)?.asText { return quoted }
        guard text.count >= 2, text.hasPrefix("'"), text.hasSuffix("'") else { return text }
        return String(text.dropFirst().dropLast()).replacing("''", with: "'")
    }
}
