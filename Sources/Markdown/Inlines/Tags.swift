import TextPrimitives

/// Recognises tags: `#tag`, `#nested/tag`.
enum Tags {
    /// Whether a `#` at `offset` can start a tag: at the start of the text, after white space, and after punctuation
    /// such as `(` and `,`.
    static func canStart(_ bytes: Bytes, at offset: Int, from lower: Int) -> Bool {
        guard offset > lower else { return true }
        let byte = bytes[offset - 1]
        if byte < 0x80 {
            return byte.isSpace || byte == Byte.openParen || byte == 0x2C || byte == Byte.semicolon || byte == 0x7B
        }
        var start = offset - 1
        while start > lower, bytes[start] & 0xC0 == 0x80, offset - start < 4 { start -= 1 }
        // An ideographic space or a full-width comma separates words as well.
        return scalar(bytes, at: start, to: offset).map { !isLetter($0.scalar) } ?? false
    }

    /// The end of the tag whose `#` is at `start`.
    ///
    /// A tag consists of letters and digits of any script, emoji, `_`, `-` and `/`, but not of digits alone.
    static func end(_ bytes: Bytes, from start: Int, to limit: Int) -> Int? {
        var end = start + 1
        while end < limit {
            let byte = bytes[end]
            if byte < 0x80 {
                guard byte.isAlphanumeric || byte == Byte.underscore || byte == Byte.hyphen || byte == Byte.slash
                else { break }
                end += 1
            } else {
                guard let (scalar, length) = scalar(bytes, at: end, to: limit), isLetter(scalar) else { break }
                end += length
            }
        }
        while end > start + 1, bytes[end - 1] == Byte.slash || bytes[end - 1] == Byte.hyphen { end -= 1 }
        let name = bytes[start + 1..<end]
        let isWord = name.contains { $0.isAlphanumeric || $0 >= 0x80 } && name.contains { !$0.isDigit }
        // A tag without a parent, `#/a`, is a path.
        return isWord && bytes[start + 1] != Byte.slash ? end : nil
    }

    /// Whether a character outside ASCII can be part of a tag.
    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber, .otherSymbol, .modifierSymbol,
            .privateUse, .connectorPunctuation:
            true
        // Joiners occur inside words and emoji.
        default: scalar.value == 0x200C || scalar.value == 0x200D
        }
    }

    /// The character at an offset and its length in bytes.
    private static func scalar(
        _ bytes: Bytes, at offset: Int, to limit: Int
    ) -> (scalar: Unicode.Scalar, length: Int)? {
        let first = bytes[offset]
        let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard offset + length <= limit else { return nil }
        var value = length == 1 ? UInt32(first) : UInt32(first) & (0xFF >> UInt32(length + 1))
        for index in 1..<max(length, 1) { value = value << 6 | UInt32(bytes[offset + index] & 0x3F) }
        return Unicode.Scalar(value).map { ($0, length) }
    }
}

/// An occurrence of a `#tag` in a text.
public struct TagOccurrence: Equatable, Sendable {
    /// The name without `#`.
    public let name: String
    /// The range of the name in the source.
    public let range: Range<Int>
}

extension Markdown {
    /// Whether a text may contain tags: whether a `#` comes before a character that is neither white space nor another
    /// `#`.
    public static func mayHaveTags(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var offset = 0
            while let hash = bytes.firstOffset(of: Byte.hash, from: offset, to: bytes.count) {
                offset = hash + 1
                if offset < bytes.count, !bytes[offset].isSpace, bytes[offset] != Byte.hash { return true }
            }
            return false
        }
    }

    /// Whether a name can be written in a text as `#name`.
    public static func isTag(_ name: String) -> Bool {
        var text = "#" + name
        return text.withUTF8 { Tags.end($0, from: 0, to: $0.count) == $0.count }
    }

    /// All tags of a text, in order.
    public static func tagOccurrences(in text: String) -> [TagOccurrence] {
        guard mayHaveTags(text) else { return [] }
        let document = MarkdownDocument(text)
        return document.content.withUnsafeBufferPointer { content in
            var occurrences: [TagOccurrence] = []
            document.forEachInline { node in
                guard node.kind == .tag else { return }
                let (start, end) = (Int(node.start) + 1, Int(node.end))
                occurrences.append(
                    TagOccurrence(
                        name: String(decoding: content[start..<end], as: UTF8.self),
                        range: document.sourceOffset(start)..<document.sourceOffset(end - 1) + 1))
            }
            return occurrences
        }
    }
}
