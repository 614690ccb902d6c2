import TextPrimitives

/// A link in front matter, whose values are plain text otherwise: `[[target|label]]` or `[label](address)`.
struct FrontMatterLink {
    /// Its range in the content of the document, without a `!` before it.
    let range: Range<Int>
    /// The part of the range between the parentheses; nil for `[[…]]`.
    let address: Range<Int>?
    /// Whether a `!` comes before it.
    let isEmbedded: Bool
    /// Whether it begins a value without quotation marks, which YAML takes for a list.
    let isUnquoted: Bool

    /// The label of a link with an address.
    var label: Range<Int> { range.lowerBound + 1..<(address?.lowerBound ?? range.upperBound) - 2 }
}

extension MarkdownDocument {
    /// The links in front matter, except those of comments.
    func frontMatterLinks(_ content: Bytes, _ range: Range<Int>) -> [FrontMatterLink] {
        var links: [FrontMatterLink] = []
        var start = range.lowerBound
        while start < range.upperBound {
            let end = content.firstOffset(of: Byte.newline, from: start, to: range.upperBound) ?? range.upperBound
            let isComment = content[start..<end].first { !$0.isBlank } == Byte.hash
            var position = start
            // The quotation marks before `counted`.
            var (quotes, apostrophes, counted) = (0, 0, start)
            while !isComment, let opening = content.firstOffset(of: Byte.openBracket, from: position, to: end) {
                position = opening + 1
                guard let (whole, address) = Self.link(content, opening, end) else { continue }
                position = whole.upperBound
                let isEmbedded = opening > start && content[opening - 1] == Byte.bang
                let before = content[start..<opening - (isEmbedded ? 1 : 0)]
                for byte in content[counted..<opening] {
                    if byte == Byte.quote { quotes += 1 } else if byte == Byte.apostrophe { apostrophes += 1 }
                }
                counted = opening
                let isQuoted = !quotes.isMultiple(of: 2) || !apostrophes.isMultiple(of: 2)
                links.append(
                    FrontMatterLink(
                        range: whole, address: address, isEmbedded: isEmbedded,
                        isUnquoted: !isQuoted && Self.isBeforeValue(before)))
            }
            start = end + 1
        }
        return links
    }

    /// Returns the range of the link that begins with a bracket, and that of its address; nil if none begins there.
    private static func link(_ content: Bytes, _ opening: Int, _ end: Int) -> (Range<Int>, address: Range<Int>?)? {
        let isWikilink = opening + 1 < end && content[opening + 1] == Byte.openBracket
        let start = opening + (isWikilink ? 2 : 1)
        let bracket = content[start..<end].firstIndex { $0 == Byte.openBracket || $0 == Byte.closeBracket }
        guard let bracket, bracket + 1 < end, content[bracket] == Byte.closeBracket else { return nil }
        if isWikilink {
            let isClosed = bracket > start && content[bracket + 1] == Byte.closeBracket
            return isClosed ? (opening..<bracket + 2, nil) : nil
        }
        guard content[bracket + 1] == Byte.openParen else { return nil }
        let address = bracket + 2
        let last = content[address..<end].firstIndex { "()[ \t".utf8.contains($0) }
        guard let last, last > address, content[last] == Byte.closeParen else { return nil }
        return (opening..<last + 1, address..<last)
    }

    /// Whether a value begins after this start of a line, outside quotation marks.
    private static func isBeforeValue(_ before: Slice<Bytes>) -> Bool {
        guard let last = before.last(where: { !$0.isBlank }) else { return false }
        if last == Byte.openBracket || last == UInt8(ascii: ",") { return true }
        return (last == Byte.colon || last == Byte.hyphen) && before.last?.isBlank == true
    }
}
