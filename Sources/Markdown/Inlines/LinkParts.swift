import TextPrimitives

/// The parts of links and of link reference definitions: labels, destinations, titles.
enum LinkParts {
    /// The greatest length of a label in bytes (CommonMark 6.3 allows as many characters).
    static let maximumLabelLength = 999

    /// The offset of the `]` of the label whose `[` is at `start`; nil if there is none.
    static func labelEnd(_ bytes: Bytes, from start: Int, to end: Int) -> Int? {
        let limit = min(end, start + 2 + maximumLabelLength)
        var offset = start + 1
        while offset < limit {
            switch bytes[offset] {
            case Byte.closeBracket: return offset
            case Byte.openBracket: return nil
            case Byte.backslash where offset + 1 < end && bytes[offset + 1].isPunctuation: offset += 2
            default: offset += 1
            }
        }
        return nil
    }

    /// Reads a destination; returns its range without `<>`, and the offset after it.
    static func destination(_ bytes: Bytes, from start: Int, to end: Int) -> (range: Range<Int>, end: Int)? {
        guard start < end else { return nil }
        return bytes[start] == Byte.less
            ? angledDestination(bytes, from: start, to: end) : bareDestination(bytes, from: start, to: end)
    }

    private static func angledDestination(_ bytes: Bytes, from start: Int, to end: Int) -> (Range<Int>, Int)? {
        var offset = start + 1
        while offset < end {
            switch bytes[offset] {
            case Byte.greater: return (start + 1..<offset, offset + 1)
            case Byte.less, Byte.newline: return nil
            case Byte.backslash: offset += 2
            default: offset += 1
            }
        }
        return nil
    }

    /// The deepest nesting of parentheses in a destination; the reference implementation has such a limit too.
    private static let maximumParenthesesDepth = 32

    private static func bareDestination(_ bytes: Bytes, from start: Int, to end: Int) -> (Range<Int>, Int)? {
        var offset = start
        var depth = 0
        scan: while offset < end {
            switch bytes[offset] {
            case Byte.backslash where offset + 1 < end && bytes[offset + 1].isPunctuation: offset += 2
            case Byte.openParen:
                depth += 1
                if depth > maximumParenthesesDepth { return nil }
                offset += 1
            case Byte.closeParen:
                if depth == 0 { break scan }
                depth -= 1
                offset += 1
            case 0...0x20, 0x7F:
                break scan
            default: offset += 1
            }
        }
        return depth == 0 ? (start..<offset, offset) : nil
    }

    /// Reads a title in `"`, `'` or parentheses; returns its range without these, and the offset after it.
    static func title(_ bytes: Bytes, from start: Int, to end: Int) -> (range: Range<Int>, end: Int)? {
        guard start < end else { return nil }
        let opener = bytes[start]
        guard opener == Byte.quote || opener == Byte.apostrophe || opener == Byte.openParen else { return nil }
        let closer = opener == Byte.openParen ? Byte.closeParen : opener
        var offset = start + 1
        while offset < end {
            let byte = bytes[offset]
            if byte == closer { return (start + 1..<offset, offset + 1) }
            if byte == Byte.openParen, opener == byte { return nil }
            offset += byte == Byte.backslash ? 2 : 1
        }
        return nil
    }

    /// The first offset from `start` on that is not white space.
    static func skipSpace(_ bytes: Bytes, from start: Int, to end: Int) -> Int {
        HTMLTags.skipSpace(bytes, from: start, to: end)
    }

    static func skipBlanks(_ bytes: Bytes, from start: Int, to end: Int) -> Int {
        var offset = start
        while offset < end, bytes[offset].isBlank { offset += 1 }
        return offset
    }
}

/// A definition `[label]: destination "title"` at the start of a paragraph.
struct LinkDefinition {
    let label: Range<Int>
    let destination: Range<Int>
    let title: Range<Int>
    /// The offset after the definition.
    let end: Int

    init?(_ bytes: Bytes, from start: Int, to end: Int) {
        guard start < end, bytes[start] == Byte.openBracket,
            let labelEnd = LinkParts.labelEnd(bytes, from: start, to: end),
            labelEnd + 1 < end, bytes[labelEnd + 1] == Byte.colon,
            LinkParts.skipSpace(bytes, from: start + 1, to: labelEnd) < labelEnd
        else { return nil }
        let destinationStart = LinkParts.skipSpace(bytes, from: labelEnd + 2, to: end)
        guard let (destination, destinationEnd) = LinkParts.destination(bytes, from: destinationStart, to: end),
            destinationEnd > destinationStart
        else { return nil }
        label = start + 1..<labelEnd
        self.destination = destination
        let titleStart = LinkParts.skipSpace(bytes, from: destinationEnd, to: end)
        if titleStart > destinationEnd, let (title, titleEnd) = LinkParts.title(bytes, from: titleStart, to: end),
            let lineEnd = Self.blankLineEnd(bytes, from: titleEnd, to: end)
        {
            self.title = title
            self.end = lineEnd
        } else {
            guard let lineEnd = Self.blankLineEnd(bytes, from: destinationEnd, to: end) else { return nil }
            title = 0..<0
            self.end = lineEnd
        }
    }

    private static func blankLineEnd(_ bytes: Bytes, from start: Int, to end: Int) -> Int? {
        let offset = LinkParts.skipBlanks(bytes, from: start, to: end)
        if offset >= end { return end }
        return bytes[offset] == Byte.newline ? offset + 1 : nil
    }
}
