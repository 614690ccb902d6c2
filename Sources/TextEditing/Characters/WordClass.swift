import TextPrimitives

/// The class of a scalar for cutting text into words: for motions, counting and comparing.
///
/// Words follow Unicode's segmentation (UAX #29), with two choices that it leaves open. A run of one Chinese or
/// Japanese script is one word for motions, and a full stop or a colon between letters separates two words.
enum WordClass: UInt8 {
    case letter, digit, han, hiragana, katakana, hangul
    /// A mark, joiner or variation selector, which belongs to the scalar before it.
    case mark
    /// An apostrophe, which is part of a word between letters.
    case apostrophe
    /// A comma or a full stop, which is part of a number between digits.
    case separator
    case space, punctuation

    /// Finds the class of a scalar.
    ///
    /// Takes a few nanoseconds for the common scripts, and tens of nanoseconds for the others.
    init(_ scalar: UInt32) {
        if scalar < 0x80 {
            self = WordClass.ascii[Int(scalar)]
            return
        }
        switch scalar {
        case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2AF, 0x388...0x481, 0x48A...0x556, 0x5D0...0x5EA, 0x620...0x64A:
            self = .letter
        case 0x300...0x36F, 0x483...0x489, 0x200D, 0x3099, 0x309A, 0xFE00...0xFE0F: self = .mark
        case 0x2019: self = .apostrophe
        case 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0x85, 0xA0: self = .space
        case 0x3041...0x3096, 0x309D...0x309F: self = .hiragana
        case 0x30A1...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: self = .katakana
        case 0x3005...0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFD: self = .han
        case 0x1100...0x11FF, 0x3131...0x318E, 0xAC00...0xD7A3: self = .hangul
        case 0x2600...0x27BF, 0x1F1E6...0x1F1FF, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF:
            self = .punctuation
        default: self = WordClass.byProperties(scalar)
        }
    }

    private static let ascii: [WordClass] = (0..<0x80).map { (value: UInt8) in
        switch Unicode.Scalar(value) {
        case "a"..."z", "A"..."Z", "_": .letter
        case "0"..."9": .digit
        case "'": .apostrophe
        case ".", ",": .separator
        case " ", "\t", "\n", "\r", "\u{0B}", "\u{0C}": .space
        default: .punctuation
        }
    }

    private static func byProperties(_ value: UInt32) -> WordClass {
        guard let scalar = Unicode.Scalar(value) else { return .punctuation }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .format: return .mark
        case .decimalNumber: return .digit
        default: break
        }
        if properties.isAlphabetic { return .letter }
        return properties.isWhitespace ? .space : .punctuation
    }

    /// Whether each character of the class counts as a word: true for scripts written without spaces.
    var isWordByCharacter: Bool { self == .han || self == .hiragana || self == .katakana }

    /// Whether two adjacent scalars of these classes are in one word.
    func joins(_ next: WordClass) -> Bool {
        switch (self, next) {
        case (.letter, .letter), (.letter, .digit), (.digit, .letter), (.digit, .digit): true
        case (.hangul, .hangul), (.hangul, .letter), (.letter, .hangul), (.hangul, .digit), (.digit, .hangul): true
        case (.han, .han), (.hiragana, .hiragana), (.katakana, .katakana): true
        default: false
        }
    }
}

extension UInt8 {
    /// Whether an ASCII byte is a letter, a digit or an underscore.
    var isWordCharacter: Bool { isAlphanumeric || self == UInt8(ascii: "_") }
}
