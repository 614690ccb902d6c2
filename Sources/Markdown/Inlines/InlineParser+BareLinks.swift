import TextPrimitives

/// Reads addresses without angle brackets, as in GFM.
extension InlineParser {
    /// Reads the `://` of an `http`, `https` or `ftp` address, or of one of the notebook's own addresses.
    mutating func readBareLink() {
        let colon = position
        position += 1
        guard openLinks + openImages == 0, bytes.has("://", at: colon), colon + 3 < upper else { return }
        var start = colon
        while start > textStart, bytes[start - 1].isLetter { start -= 1 }
        if let end = NotebookAddress.end(bytes, from: start, colon: colon, to: upper) {
            add(.bareLink, start, end)
            return
        }
        let length = colon - start
        guard
            length == 4 && bytes.hasCaseless("http", at: start)
                || length == 5 && bytes.hasCaseless("https", at: start)
                || length == 3 && bytes.hasCaseless("ftp", at: start),
            let domainEnd = BareLinks.domainEnd(bytes, from: colon + 3, to: upper, needsDot: false)
        else { return }
        let end = BareLinks.trimmedEnd(bytes, from: start, to: BareLinks.wordEnd(bytes, from: domainEnd, to: upper))
        if end > colon + 3 { add(.bareLink, start, end) }
    }

    /// Reads `www.` at the start of a word.
    mutating func readBareWebLink() {
        let start = position
        position += 1
        guard openLinks + openImages == 0, start + 4 < upper, bytes.has("www.", at: start),
            start == lower || BareLinks.canStart(after: bytes[start - 1]),
            let domainEnd = BareLinks.domainEnd(bytes, from: start, to: upper, needsDot: true)
        else { return }
        let end = BareLinks.trimmedEnd(bytes, from: start, to: BareLinks.wordEnd(bytes, from: domainEnd, to: upper))
        if end > start { add(.bareWebLink, start, end) }
    }

    /// Turns the e-mail addresses in text outside of links into links.
    mutating func linkAddresses() {
        var pending: [Int32] = [head]
        while let first = pending.popLast() {
            var index = first
            while index >= 0 {
                let node = nodes[Int(index)]
                if node.kind == .text {
                    index = linkAddress(from: index)
                    continue
                }
                if node.firstChild >= 0, node.kind != .link { pending.append(node.firstChild) }
                index = node.next
            }
        }
    }

    /// Searches for an address in the text of node `first` and of the text nodes adjacent to it; returns the node to
    /// continue with.
    private mutating func linkAddress(from first: Int32) -> Int32 {
        var last = first
        while true {
            let next = nodes[Int(last)].next
            guard next >= 0, nodes[Int(next)].kind == .text, nodes[Int(next)].start == nodes[Int(last)].end else {
                break
            }
            last = next
        }
        let end = Int(nodes[Int(last)].end)
        var from = Int(nodes[Int(first)].start)
        let start = from
        var index = first
        while let at = bytes.firstOffset(of: Byte.at, from: from, to: end) {
            from = at + 1
            guard let address = BareLinks.address(around: at, bytes, from: start, to: end) else { continue }
            index = split(from: index, last, at: address.range, hasScheme: address.hasScheme)
            return index
        }
        return nodes[Int(last)].next
    }

    /// Replaces `range` of the text nodes `first...last` by a link; returns the node after the link.
    private mutating func split(
        from first: Int32, _ last: Int32, at range: Range<Int>, hasScheme: Bool
    ) -> Int32 {
        let before = nodes[Int(first)].previous
        let after = nodes[Int(last)].next
        let end = nodes[Int(last)].end
        nodes[Int(first)].end = Int32(range.lowerBound)
        let link = Int32(nodes.count)
        nodes.append(
            InlineNode(
                kind: hasScheme ? .bareLink : .bareEmail, start: Int32(range.lowerBound), end: Int32(range.upperBound)))
        nodes[Int(link)].previous = first
        nodes[Int(first)].next = link
        nodes[Int(first)].previous = before
        guard range.upperBound < Int(end) else {
            nodes[Int(link)].next = after
            if after >= 0 { nodes[Int(after)].previous = link }
            return after
        }
        let rest = Int32(nodes.count)
        nodes.append(InlineNode(kind: .text, start: Int32(range.upperBound), end: end))
        nodes[Int(rest)].previous = link
        nodes[Int(rest)].next = after
        nodes[Int(link)].next = rest
        if after >= 0 { nodes[Int(after)].previous = rest }
        return rest
    }
}

enum BareLinks {
    static func canStart(after byte: UInt8) -> Bool {
        byte.isSpace || byte == Byte.star || byte == Byte.underscore || byte == Byte.tilde || byte == Byte.openParen
    }

    /// The end of the domain that starts at `start`; nil if there is none.
    ///
    /// If a domain has at most ten dots, its last two labels may have no underscores. As in cmark-gfm, the last byte of
    /// the text is not read: it may be the `_` that ends an emphasis.
    static func domainEnd(_ bytes: Bytes, from start: Int, to end: Int, needsDot: Bool) -> Int? {
        guard start < end,
            bytes[start].isAlphanumeric || bytes[start] >= 0x80 && Flanking.neighbour(at: start, bytes, end) == .other
        else { return nil }
        var offset = start + 1
        var dots = 0
        var underscores = (previous: 0, last: 0)
        while offset < end - 1 {
            let byte = bytes[offset]
            if byte == Byte.underscore {
                underscores.last += 1
            } else if byte == Byte.dot {
                underscores = (underscores.last, 0)
                dots += 1
            } else if !byte.isAlphanumeric, byte != Byte.hyphen,
                byte < 0x80 || (byte >= 0xC0 && Flanking.neighbour(at: offset, bytes, end) != .other)
            {
                break
            }
            offset += 1
        }
        if underscores.previous > 0 || underscores.last > 0, dots <= 10 { return nil }
        return needsDot && dots == 0 ? nil : offset
    }

    static func wordEnd(_ bytes: Bytes, from start: Int, to end: Int) -> Int {
        var offset = start
        while offset < end, !bytes[offset].isSpace, bytes[offset] != Byte.less { offset += 1 }
        return offset
    }

    private static let trailing = ASCIISet("?!.,:*_~'\"")

    /// Returns `end` without punctuation that belongs to the sentence, unbalanced closing parentheses, and text that
    /// looks like an entity.
    static func trimmedEnd(_ bytes: Bytes, from start: Int, to end: Int) -> Int {
        var unopened = 0
        for offset in start..<end {
            if bytes[offset] == Byte.openParen { unopened -= 1 }
            if bytes[offset] == Byte.closeParen { unopened += 1 }
        }
        let trailing = trailing
        var end = end
        while end > start {
            let byte = bytes[end - 1]
            if byte == Byte.closeParen {
                if unopened <= 0 { return end }
                unopened -= 1
                end -= 1
            } else if byte == Byte.semicolon {
                var name = end - 2
                while name > start, bytes[name].isLetter { name -= 1 }
                end = name < end - 2 && name >= start && bytes[name] == Byte.ampersand ? name : end - 1
            } else if trailing.contains(byte) {
                end -= 1
            } else {
                return end
            }
        }
        return end
    }

    /// The e-mail address around the `@` at `at`, including a `mailto:` or `xmpp:` before it.
    static func address(
        around at: Int, _ bytes: Bytes, from lower: Int, to upper: Int
    ) -> (range: Range<Int>, hasScheme: Bool)? {
        var start = at
        while start > lower, isLocal(bytes[start - 1]) { start -= 1 }
        guard start < at else { return nil }
        let isChat = isWord("xmpp:", before: start, bytes, lower)
        let isMail = isWord("mailto:", before: start, bytes, lower)
        guard let end = addressEnd(after: at, bytes, to: upper, isChat: isChat) else { return nil }
        start -= isChat ? 5 : isMail ? 7 : 0
        return (start..<end, isChat || isMail)
    }

    private static func isWord(_ scheme: StaticString, before end: Int, _ bytes: Bytes, _ lower: Int) -> Bool {
        let start = end - scheme.utf8CodeUnitCount
        return start >= lower && bytes.has(scheme, at: start) && (start == lower || !bytes[start - 1].isAlphanumeric)
    }

    /// The end of the part after the `@`, which must contain a dot and end with a letter.
    private static func addressEnd(after at: Int, _ bytes: Bytes, to upper: Int, isChat: Bool) -> Int? {
        var end = at + 1
        var dots = 0
        while end < upper {
            let byte = bytes[end]
            if byte == Byte.dot, end + 1 < upper, bytes[end + 1].isAlphanumeric {
                dots += 1
            } else if !byte.isAlphanumeric, byte != Byte.hyphen, byte != Byte.underscore,
                byte != Byte.slash || !isChat
            {
                break
            }
            end += 1
        }
        guard dots > 0, end == upper || bytes[end] != Byte.at, bytes[end - 1].isLetter else { return nil }
        let trimmed = trimmedEnd(bytes, from: at, to: end)
        return trimmed > at + 1 ? trimmed : nil
    }

    private static func isLocal(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte == Byte.dot || byte == Byte.plus || byte == Byte.hyphen || byte == Byte.underscore
    }
}
