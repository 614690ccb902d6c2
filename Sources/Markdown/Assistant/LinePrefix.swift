import TextPrimitives

/// The part of a line before its text: block quote markers, indentation, a list marker, a task's box.
struct LinePrefix {
    struct Marker {
        /// The range of the marker, without the space after it.
        let range: Range<Int>
        let isOrdered: Bool
        let number: Int
        /// The bullet, or the delimiter after the number.
        let mark: UInt8
    }

    /// The offset just after the last `>` and the space that belongs to it; 0 without quotes.
    private(set) var quoteEnd = 0
    /// The offset of the last `>`; nil without quotes.
    private(set) var lastQuote: Int?
    /// The number of columns between the quotes and the marker or text.
    private(set) var indent = 0
    private(set) var indentEnd = 0
    private(set) var marker: Marker?
    /// The range of the three bytes of the box.
    private(set) var task: Range<Int>?
    private(set) var isDone = false
    /// The offset at which the text starts.
    private(set) var contentStart = 0
    /// Whether only white space follows `contentStart`.
    let isEmpty: Bool

    init(_ bytes: Bytes) {
        var offset = 0
        while true {
            let next = LinkParts.skipBlanks(bytes, from: offset, to: bytes.count)
            guard next < bytes.count, bytes[next] == Byte.greater, next - offset < 4 else { break }
            lastQuote = next
            offset = next + 1 < bytes.count && bytes[next + 1] == Byte.space ? next + 2 : next + 1
        }
        quoteEnd = offset
        while offset < bytes.count, bytes[offset].isBlank {
            indent += bytes[offset] == Byte.tab ? 4 - indent % 4 : 1
            offset += 1
        }
        indentEnd = offset
        contentStart = offset
        if let found = ListMarker(bytes, at: offset, interrupting: false) {
            marker = Marker(
                range: offset..<found.end, isOrdered: found.isOrdered, number: found.number, mark: found.mark)
            contentStart = LinkParts.skipBlanks(bytes, from: found.end, to: bytes.count)
            if let box = TaskBox(bytes, at: contentStart) {
                task = contentStart..<box.end
                isDone = box.isDone
                contentStart = LinkParts.skipBlanks(bytes, from: box.end, to: bytes.count)
            }
        }
        isEmpty = LinkParts.skipSpace(bytes, from: contentStart, to: bytes.count) == bytes.count
    }
}

extension LineSource {
    /// Whether the text of a line from `start` on is a heading with number signs.
    func isHeading(_ line: Int, from start: Int) -> Bool {
        withLine(line) { bytes in
            let text = bytes[start...]
            let level = text.prefix { $0 == Byte.hash }.count
            return 1...6 ~= level && text.dropFirst(level).first.map(\.isBlank) != false
        }
    }

    func prefix(of line: Int) -> LinePrefix { withLine(line) { LinePrefix($0) } }

    func text(of line: Int, _ range: Range<Int>) -> String {
        withPart(of: line, range.clamped(to: 0..<length(of: line))) { String(decoding: $0, as: UTF8.self) }
    }
}
