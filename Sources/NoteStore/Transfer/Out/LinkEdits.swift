import Markdown

/// Replaces the links of a text, in the order of the text.
struct LinkEdits {
    private let bytes: [UInt8]
    private var result: [UInt8] = []
    private var end = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var text: String { String(decoding: result + bytes[end...], as: UTF8.self) }

    mutating func replace(_ range: Range<Int>, _ text: String) {
        guard range.lowerBound >= end else { return }
        result += bytes[end..<range.lowerBound]
        result += text.utf8
        end = range.upperBound
    }

    /// Characters with a meaning in the label of `[…](…)`, which `[[…|label]]` would show as they are.
    private static let marks = Set("[]|*_`<>~=$!#^\\&\n\r".utf8)

    /// Returns the range and the label of `[label](address)` around its address, if the label is plain text.
    func plainLink(around address: Range<Int>) -> (range: Range<Int>, label: String)? {
        let start = address.lowerBound - 2
        guard start > 0, address.upperBound < bytes.count, bytes[address.upperBound] == UInt8(ascii: ")"),
            bytes[start] == UInt8(ascii: "]"), bytes[start + 1] == UInt8(ascii: "(")
        else { return nil }
        var open = start
        while open > 0, !Self.marks.contains(bytes[open - 1]) { open -= 1 }
        guard open > end, bytes[open - 1] == UInt8(ascii: "["), open < 2 || bytes[open - 2] != UInt8(ascii: "!"),
            open < 2 || bytes[open - 2] != UInt8(ascii: "[")
        else { return nil }
        return (open - 1..<address.upperBound + 1, String(decoding: bytes[open..<start], as: UTF8.self))
    }

    /// Returns the range and the label of `[label](address)` around its address without the backslashes that escape
    /// characters in it, if the label is plain text then, and can stand in `[[label]]`.
    func unescapedLink(around address: Range<Int>) -> (range: Range<Int>, label: String)? {
        let backslash = UInt8(ascii: "\\")
        func isEscaped(_ offset: Int) -> Bool {
            !bytes[..<offset].reversed().prefix { $0 == backslash }.count.isMultiple(of: 2)
        }
        let start = address.lowerBound - 2
        guard start > 0, address.upperBound < bytes.count, bytes[address.upperBound] == UInt8(ascii: ")"),
            bytes[start] == UInt8(ascii: "]"), bytes[start + 1] == UInt8(ascii: "(")
        else { return nil }
        var open = start
        while open > 0, bytes[open - 1] == backslash || !Self.marks.contains(bytes[open - 1]) || isEscaped(open - 1) {
            open -= 1
        }
        guard open > end, bytes[open - 1] == UInt8(ascii: "["), open < 2 || !"![".utf8.contains(bytes[open - 2]) else {
            return nil
        }
        let label = (open..<start).filter { bytes[$0] != backslash || isEscaped($0) }.map { bytes[$0] }
        guard !label.contains(where: { "[]|#^\n\r".utf8.contains($0) }) else { return nil }
        return (open - 1..<address.upperBound + 1, String(decoding: label, as: UTF8.self))
    }

    /// Returns the range and the alternative text of `![alternative](address)` around its address, as it is written.
    func image(around address: Range<Int>) -> (range: Range<Int>, alternative: String)? {
        let start = address.lowerBound - 2
        guard start > 1, address.upperBound < bytes.count, bytes[address.upperBound] == UInt8(ascii: ")"),
            bytes[start] == UInt8(ascii: "]"), bytes[start + 1] == UInt8(ascii: "(")
        else { return nil }
        var open = start
        while open > 1, !"[]\n\r".utf8.contains(bytes[open - 1]) { open -= 1 }
        guard open - 2 >= end, bytes[open - 1] == UInt8(ascii: "["), bytes[open - 2] == UInt8(ascii: "!") else {
            return nil
        }
        return (open - 2..<address.upperBound + 1, String(decoding: bytes[open..<start], as: UTF8.self))
    }

    /// Returns `[[name|label]]`; the bar is escaped in a cell of a table, where it would separate cells.
    func wikilink(to name: String, shown label: String, at range: Range<Int>, isInTable: Bool) -> String {
        if label.isEmpty || label == name { return "[[\(name)]]" }
        // A link that has a bar already shows how a bar is written there.
        let isInTable =
            bytes[range].firstIndex(of: UInt8(ascii: "|")).map { bytes[$0 - 1] == UInt8(ascii: "\\") } ?? isInTable
        return "[[\(name)\(isInTable ? "\\|" : "|")\(label)]]"
    }

    /// Replaces a link by address, found by `plainLink`, with a link by name that shows the same text.
    mutating func replaceLink(
        _ link: WrittenDestination, at whole: (range: Range<Int>, label: String), by name: String
    ) {
        replace(whole.range, wikilink(to: name, shown: whole.label, at: whole.range, isInTable: link.isInTable))
    }

    /// Gives a link by title another name, and keeps the text that it shows; an embed shows what it embeds.
    mutating func rename(_ link: WrittenDestination, to name: String) {
        let label = link.kind == .embed ? "" : link.label
        let new = wikilink(to: name, shown: label, at: link.range, isInTable: link.isInTable)
        replace(link.range, (link.kind == .embed ? "!" : "") + new)
    }
}
