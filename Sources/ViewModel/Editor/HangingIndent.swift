/// How far the wrapped rows of a line hang in: under the text of a list item or quote, not under its marker.
enum HangingIndent {
    /// The cells that indentation, quote and list markers and a checkbox take at the start of a line.
    ///
    ///     "  - [ ] buy milk"  ->  8        "> said"  ->  2        "12. item"  ->  4        "plain"  ->  0
    static func cells(of line: UnsafeBufferPointer<UInt8>) -> Int {
        var place = skipSpaces(in: line, from: 0)
        let indent = place
        while place < line.count, line[place] == UInt8(ascii: ">") {
            place = skipSpaces(in: line, from: place + 1)
        }
        guard let marker = listMarkerEnd(in: line, from: place) else { return place == indent ? 0 : place }
        let text = skipSpaces(in: line, from: marker)
        return checkboxEnd(in: line, from: text).map { skipSpaces(in: line, from: $0) } ?? text
    }

    private static func skipSpaces(in line: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var place = start
        while place < line.count, line[place] == UInt8(ascii: " ") { place += 1 }
        return place
    }

    /// The place behind `-`, `+`, `*`, `1.` or `1)`, when a space follows.
    private static func listMarkerEnd(in line: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard start < line.count else { return nil }
        var end = start
        switch line[start] {
        case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "*"):
            end += 1
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            // CommonMark allows nine digits.
            while end < line.count, end - start < 9, (0x30...0x39).contains(line[end]) { end += 1 }
            guard end < line.count, line[end] == UInt8(ascii: ".") || line[end] == UInt8(ascii: ")") else { return nil }
            end += 1
        default:
            return nil
        }
        return end < line.count && line[end] == UInt8(ascii: " ") ? end : nil
    }

    private static func checkboxEnd(in line: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard start + 3 < line.count, line[start] == UInt8(ascii: "["), line[start + 2] == UInt8(ascii: "]"),
            " xX".utf8.contains(line[start + 1]), line[start + 3] == UInt8(ascii: " ")
        else { return nil }
        return start + 3
    }
}
