/// Counts words: runs of characters between white space that have a letter or a digit; each character of a script that
/// writes no spaces (Chinese, Japanese) counts as one.
struct WordCounter {
    private(set) var count = 0
    /// Whether the word that is being read has been counted.
    private var isInWord = false

    mutating func add(_ bytes: Bytes) {
        var offset = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte < 0x80 {
                offset += 1
                if byte <= Byte.space { isInWord = false } else if byte.isAlphanumeric { enterWord() }
            } else {
                offset += addScalar(bytes, at: offset)
            }
        }
    }

    @inline(__always)
    private mutating func enterWord() {
        if !isInWord {
            isInWord = true
            count += 1
        }
    }

    /// Returns the scalar's length in bytes.
    private mutating func addScalar(_ bytes: Bytes, at offset: Int) -> Int {
        let lead = bytes[offset]
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        guard offset + length <= bytes.count else { return bytes.count - offset }
        var value = UInt32(lead) & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
        for next in 1..<length { value = value << 6 | UInt32(bytes[offset + next] & 0x3F) }
        if Self.standsAlone(value) {
            count += 1
            isInWord = false
        } else if Self.isSpace(value) {
            isInWord = false
        } else if Self.isInWords(value) {
            enterWord()
        }
        return length
    }

    /// Ideographs and kana, by block: U+3040 to U+30FF, the CJK blocks up to U+9FFF, compatibility ideographs, half
    /// width kana, and the ideographic planes.
    private static func standsAlone(_ value: UInt32) -> Bool {
        switch value {
        case 0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9D,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }

    /// No-break, en quad to hair space, line and paragraph separators, narrow, mathematical and ideographic space.
    private static func isSpace(_ value: UInt32) -> Bool {
        switch value {
        case 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    private static func isInWords(_ value: UInt32) -> Bool {
        // Letters from Latin to Hangul without asking the tables: they are nearly all that is asked about.
        if 0xC0...0x1FFF ~= value, value != 0xD7, value != 0xF7 { return true }
        if 0xAC00...0xD7A3 ~= value { return true }
        guard let properties = Unicode.Scalar(value)?.properties else { return false }
        return properties.isAlphabetic || properties.numericType != nil
    }
}

extension Markdown {
    /// The number of words of a text; see `WordCounter` for what counts.
    public static func wordCount(of text: String) -> Int {
        var text = text
        var counter = WordCounter()
        text.withUTF8 { counter.add($0) }
        return counter.count
    }
}
