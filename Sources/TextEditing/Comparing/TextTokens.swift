/// Cuts texts into tokens for comparison; the lines or words together make up the whole text.
enum TextTokens {
    /// The lines between line feeds: `"a\nb\n"` is `"a"`, `"b"`, `""`.
    ///
    /// A CR stays at the end of its line.
    static func lines(of text: String) -> [Substring] {
        var result: [Substring] = []
        let utf8 = text.utf8
        var start = utf8.startIndex
        while let feed = utf8[start...].firstIndex(of: 0x0A) {
            result.append(text[start..<feed])
            start = utf8.index(after: feed)
        }
        result.append(text[start...])
        return result
    }

    /// The words, runs of spaces, line feeds, and every other character by itself; a Han or kana character is a word.
    static func words(of text: Substring) -> [Substring] {
        var result: [Substring] = []
        let scalars = text.unicodeScalars
        var start = scalars.startIndex
        var previous: Kind?
        for index in scalars.indices {
            let kind = Kind(scalars[index])
            if let previous, !previous.joins(kind) {
                result.append(text[start..<index])
                start = index
            }
            previous = kind
        }
        if previous != nil { result.append(text[start...]) }
        return result
    }

    private enum Kind {
        case word, space, mark, single

        init(_ scalar: Unicode.Scalar) {
            switch WordClass(scalar.value) {
            case .letter, .digit, .hangul: self = .word
            case .space where scalar != "\n": self = .space
            case .mark: self = .mark
            default: self = .single
            }
        }

        func joins(_ next: Kind) -> Bool {
            next == .mark || (self == next && self != .single) || (self == .mark && next == .word)
        }
    }
}

/// Assigns the same number to tokens of equal bytes; strings themselves compare by canonical equivalence.
struct TokenNumbers {
    private struct Token: Hashable {
        let text: Substring

        static func == (a: Token, b: Token) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

        func hash(into hasher: inout Hasher) {
            let done: Void? = text.utf8.withContiguousStorageIfAvailable {
                hasher.combine(bytes: UnsafeRawBufferPointer($0))
            }
            if done == nil { for byte in text.utf8 { hasher.combine(byte) } }
        }
    }

    private var numbers: [Token: Int] = [:]

    mutating func numbers(of tokens: [Substring]) -> [Int] {
        tokens.map { text in
            let token = Token(text: text)
            if let number = numbers[token] { return number }
            numbers[token] = numbers.count
            return numbers.count - 1
        }
    }
}
