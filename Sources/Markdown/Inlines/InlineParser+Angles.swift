import TextPrimitives

extension InlineParser {
    /// Reads a `<`: an autolink, raw HTML, or text.
    mutating func readAngle() {
        let start = position
        guard start + 1 < upper else {
            position += 1
            return
        }
        let next = bytes[start + 1]
        if next.isLetter, let end = autolinkEnd(from: start) {
            add(.autolink, start, end)
        } else if let end = emailEnd(from: start) {
            add(.emailAutolink, start, end)
        } else if let end = htmlEnd(from: start, next) {
            add(.html, start, end)
        } else {
            position = start + 1
        }
    }

    /// The end of an autolink: a scheme of 2 to 32 characters, a colon, and no spaces or angle brackets.
    private func autolinkEnd(from start: Int) -> Int? {
        var offset = start + 2
        while offset < upper,
            bytes[offset].isAlphanumeric || bytes[offset] == Byte.plus || bytes[offset] == Byte.dot
                || bytes[offset] == Byte.hyphen
        {
            offset += 1
        }
        let length = offset - start - 1
        guard offset < upper, bytes[offset] == Byte.colon, (2...32).contains(length) else { return nil }
        while offset < upper {
            let byte = bytes[offset]
            if byte == Byte.greater { return offset + 1 }
            if byte <= Byte.space || byte == Byte.less || byte == 0x7F { return nil }
            offset += 1
        }
        return nil
    }

    private static let localPart = ASCIISet(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.!#$%&'*+/=?^_`{|}~-")

    /// The end of `<local@label.label>`; labels are at most 63 letters, digits and inner hyphens.
    private func emailEnd(from start: Int) -> Int? {
        let localPart = Self.localPart
        var offset = start + 1
        while offset < upper, localPart.contains(bytes[offset]) { offset += 1 }
        guard offset > start + 1, offset < upper, bytes[offset] == Byte.at else { return nil }
        while true {
            let label = offset + 1
            offset = label
            while offset < upper, bytes[offset].isAlphanumeric || bytes[offset] == Byte.hyphen { offset += 1 }
            guard offset > label, offset - label <= 63, bytes[label] != Byte.hyphen, bytes[offset - 1] != Byte.hyphen,
                offset < upper
            else { return nil }
            if bytes[offset] == Byte.greater { return offset + 1 }
            guard bytes[offset] == Byte.dot else { return nil }
        }
    }

    private mutating func htmlEnd(from start: Int, _ next: UInt8) -> Int? {
        if next == Byte.bang { return declarationEnd(from: start) }
        if next == Byte.question {
            return search("?>", from: start + 2, \.instruction)
        }
        return HTMLTags.tagEnd(bytes, from: start, to: upper)
    }

    private mutating func declarationEnd(from start: Int) -> Int? {
        guard start + 2 < upper else { return nil }
        if bytes.has("<!-->", at: start), start + 5 <= upper { return start + 5 }
        if bytes.has("<!--->", at: start), start + 6 <= upper { return start + 6 }
        if bytes.has("--", at: start + 2), start + 4 <= upper { return search("-->", from: start + 4, \.comment) }
        if bytes.has("[CDATA[", at: start + 2) { return search("]]>", from: start + 9, \.cdata) }
        guard bytes[start + 2].isLetter else { return nil }
        return search(">", from: start + 3, \.declaration)
    }

    /// The offset after the first `mark`; nil if there is none, and a failed search is not repeated.
    private mutating func search(
        _ mark: StaticString, from start: Int, _ failure: WritableKeyPath<FailedSearches, Bool>
    ) -> Int? {
        guard start <= upper, !failures[keyPath: failure] else { return nil }
        if let found = HTMLBlockKind.find(mark, in: Bytes(rebasing: bytes[..<upper]), from: start) {
            return found + mark.utf8CodeUnitCount
        }
        failures[keyPath: failure] = true
        return nil
    }
}
