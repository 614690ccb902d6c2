import TextPrimitives

/// Recognizes tags: `#tag`.
enum Tags {
    /// Whether a `#` after `byte` can start a tag: after white space, `(`, `{`, a comma or a semicolon.
    static func canStart(after byte: UInt8) -> Bool {
        byte.isSpace || byte == Byte.openParen || byte == 0x2C || byte == Byte.semicolon || byte == 0x7B
    }

    /// The end of the tag whose `#` is at `start`.
    ///
    /// A tag has letters, digits, `_`, `-`, `/` and characters outside ASCII, but not digits alone.
    static func end(_ bytes: Bytes, from start: Int, to limit: Int) -> Int? {
        var end = start + 1
        var hasLetter = false
        while end < limit {
            let byte = bytes[end]
            let isLetter = byte.isLetter || byte >= 0x80
            guard isLetter || byte.isDigit || byte == Byte.underscore || byte == Byte.hyphen || byte == Byte.slash
            else { break }
            hasLetter = hasLetter || isLetter
            end += 1
        }
        while end > start + 1, bytes[end - 1] == Byte.slash || bytes[end - 1] == Byte.hyphen { end -= 1 }
        return hasLetter && end > start + 1 ? end : nil
    }
}
