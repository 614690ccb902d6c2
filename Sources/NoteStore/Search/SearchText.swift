import Foundation

/// Text in the form of the search index: words in a comparable form, separated by one space.
///
///     "Café C++, 東京!"  ->  "cafe c ⁺ ⁺ 東 京"      (⁺ stands for a private-use character)
///
/// Letters lose case and diacritics. In scripts written without spaces each character becomes a word, and so do symbols
/// and emoji, so that any number of them is found as a phrase. `+` and `#` count only directly after a letter (C++,
/// F#). Composed and decomposed forms give the same words. The same function prepares notes and queries; its result for
/// a text must never change without a migration that rebuilds the index.
struct SearchText {
    private(set) var bytes: [UInt8] = []
    /// The range of each word of `bytes` in the source, if requested.
    ///
    /// A character that gives several words, such as `ﷺ`, has its range repeated for each of them.
    private(set) var ranges: [Range<Int>] = []
    private let recordsRanges: Bool
    private let composes: Bool
    /// The offsets in the source of the start and the end of the present character.
    private var position = 0
    private var nextPosition = 0
    private var inWord = false
    private var wordLength = 0
    private var foldedLetters = FoldedLetters()

    /// The maximum length of a word; longer ones, such as base64, are split.
    private static let wordLimit = 64

    /// - Parameter composing: whether decomposed characters of scripts without spaces are composed; indexes before
    ///   schema 4 were made without that.
    init(recordingRanges: Bool = false, composing: Bool = true) {
        recordsRanges = recordingRanges
        composes = composing
    }

    static func prepared(_ text: String, composing: Bool = true) -> String {
        var text = text
        return text.withUTF8 { prepared($0, composing: composing) }
    }

    static func prepared(_ text: UnsafeBufferPointer<UInt8>, composing: Bool = true) -> String {
        var result = SearchText(composing: composing)
        result.append(text)
        return String(decoding: result.bytes, as: UTF8.self)
    }

    mutating func append(_ source: UnsafeBufferPointer<UInt8>) {
        bytes.reserveCapacity(bytes.count + source.count + 16)
        var index = 0
        while index < source.count {
            let byte = source[index]
            position = index
            let run = Self.isPlain(byte) ? appendRun(source, at: index) : 0
            if run > 0 {
                index += run
            } else if byte < 0x80 {
                nextPosition = index + 1
                appendASCII(byte)
                index += 1
            } else {
                index += appendScalar(source, at: index)
            }
        }
        endWord()
    }

    /// Returns whether a byte is indexed unchanged: a lowercase ASCII letter or a digit.
    private static func isPlain(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte || 0x30...0x39 ~= byte }

    /// Appends the run of plain bytes at an index in one step, since most of a text consists of such runs.
    ///
    /// - Returns: the length of the run; 0 if its bytes must be appended one by one, because ranges are recorded or the
    ///   word has its greatest length.
    private mutating func appendRun(_ source: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        guard !recordsRanges else { return 0 }
        let limit = min(source.count, index + Self.wordLimit - (inWord ? wordLength : 0))
        var end = index
        while end < limit, Self.isPlain(source[end]) { end += 1 }
        guard end > index else { return 0 }
        if !inWord { startWord() }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: source[index..<end]))
        wordLength += end - index
        return end - index
    }

    private mutating func appendASCII(_ byte: UInt8) {
        switch byte {
        case 0x61...0x7A, 0x30...0x39:
            makeRoom()
            appendToWord(byte)
        case 0x41...0x5A:
            makeRoom()
            appendToWord(byte | 0x20)
        case 0x2B where follows(byte), 0x23 where follows(byte): appendWord(Self.privateUse(byte))
        default: endWord()
        }
    }

    /// Whether a `+` or `#` comes directly after a letter or another such symbol, so that it belongs to the word before
    /// it.
    private func follows(_ byte: UInt8) -> Bool { inWord || lastWasSymbol }
    private var lastWasSymbol = false

    /// Returns the three UTF-8 bytes of U+E000 + byte; the index treats private-use characters as letters.
    private static func privateUse(_ byte: UInt8) -> [UInt8] { [0xEE, 0x80, 0x80 | (byte & 0x3F)] }

    /// Ends a word that has reached the limit, between two characters.
    private mutating func makeRoom() {
        if wordLength >= Self.wordLimit { endWord() }
    }

    private mutating func appendToWord(_ byte: UInt8) {
        if !inWord { startWord() }
        bytes.append(byte)
        wordLength += 1
        if recordsRanges { extendRange() }
    }

    private mutating func extendRange() {
        ranges[ranges.count - 1] = ranges[ranges.count - 1].lowerBound..<nextPosition
    }

    private mutating func startWord() {
        if !bytes.isEmpty, bytes[bytes.count - 1] != 0x20 { bytes.append(0x20) }
        inWord = true
        wordLength = 0
        lastWasSymbol = false
        if recordsRanges { ranges.append(position..<nextPosition) }
    }

    private mutating func endWord() {
        inWord = false
        lastWasSymbol = false
    }

    private mutating func appendWord(_ word: some Collection<UInt8>) {
        startWord()
        bytes.append(contentsOf: word)
        inWord = false
        lastWasSymbol = true
    }

    /// Appends the scalar at an index; returns the number of bytes read.
    private mutating func appendScalar(_ source: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        if composes, let composed = ComposedScalar(source, at: index) {
            nextPosition = index + composed.length
            appendWord(String(composed.scalar).utf8)
            lastWasSymbol = false
            return composed.length
        }
        guard let (scalar, length) = source.scalar(at: index) else { return 1 }
        nextPosition = index + length
        switch ScalarClass(scalar) {
        case .letter:
            makeRoom()
            appendLetter(foldedLetters.bytes(of: scalar))
        case .word:
            appendWord(source[index..<(index + length)])
            lastWasSymbol = false
        case .ignored: break
        case .separator: endWord()
        }
        return length
    }

    /// Appends the folded form of a letter; the form of `ﷺ` contains spaces, and its parts become words.
    private mutating func appendLetter(_ folded: [UInt8]) {
        for byte in folded {
            if byte == 0x20 { endWord() } else { appendToWord(byte) }
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the non-ASCII scalar that begins at an index, and its length in bytes; nil if none begins there.
    ///
    /// The UTF-8 of a String is always valid; bytes that another tool has stored may not be.
    fileprivate func scalar(at index: Int) -> (Unicode.Scalar, length: Int)? {
        let lead = self[index]
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        guard lead >= 0xC0, index + length <= count else { return nil }
        var value = UInt32(lead) & (0x7F >> UInt32(length))
        for offset in 1..<length { value = value << 6 | UInt32(self[index + offset] & 0x3F) }
        return Unicode.Scalar(value).map { ($0, length) }
    }
}

/// A character of a script without spaces that is not in its composed form.
///
/// That is Hangul in single letters, kana with a mark after it, or a compatibility ideograph.
private struct ComposedScalar {
    let scalar: Unicode.Scalar
    /// The length in bytes of the source characters.
    var length: Int

    /// Nil for any other character, which for most takes a few comparisons.
    init?(_ source: UnsafeBufferPointer<UInt8>, at index: Int) {
        let lead = source[index]
        guard lead == 0xE1 || lead == 0xE3 || lead == 0xEF || lead == 0xF0,
            let (first, length) = source.scalar(at: index)
        else { return nil }
        self.length = length
        switch first.value {
        case 0x1100...0x1112:
            guard let (vowel, vowelLength) = Self.next(source, index + length), 0x1161...0x1175 ~= vowel.value else {
                return nil
            }
            self.length += vowelLength
            var value = 0xAC00 + ((first.value - 0x1100) * 21 + (vowel.value - 0x1161)) * 28
            if let (final, finalLength) = Self.next(source, index + self.length), 0x11A8...0x11C2 ~= final.value {
                value += final.value - 0x11A7
                self.length += finalLength
            }
            guard let scalar = Unicode.Scalar(value) else { return nil }
            self.scalar = scalar
        case 0x3041...0x30FF, 0x1025:
            guard let (mark, markLength) = Self.next(source, index + length),
                mark == "\u{3099}" || mark == "\u{309A}" || mark == "\u{102E}"
            else { return nil }
            var pair = String.UnicodeScalarView()
            pair.append(first)
            pair.append(mark)
            let composed = String(pair).precomposedStringWithCanonicalMapping.unicodeScalars
            guard composed.count == 1, let scalar = composed.first else { return nil }
            self.scalar = scalar
            self.length += markLength
        case 0xF900...0xFAFF, 0x2F800...0x2FA1F:
            let composed = String(first).precomposedStringWithCanonicalMapping.unicodeScalars
            guard composed.count == 1, let scalar = composed.first, scalar != first else { return nil }
            self.scalar = scalar
        default: return nil
        }
    }

    private static func next(
        _ source: UnsafeBufferPointer<UInt8>, _ index: Int
    ) -> (Unicode.Scalar, length: Int)? {
        index < source.count && source[index] >= 0xE0 ? source.scalar(at: index) : nil
    }
}

extension SearchText {
    /// Whether the words of a text may depend on `composing`; also true for some texts whose words do not.
    static func mayCompose(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            let lead = bytes[index]
            if lead == 0xE1 || lead == 0xE3 || lead == 0xEF || lead == 0xF0, ComposedScalar(bytes, at: index) != nil {
                return true
            }
            index += 1
        }
        return false
    }
}

/// The treatment of a character beyond ASCII in the index.
enum ScalarClass {
    case letter
    /// A word by itself.
    case word
    case ignored, separator

    init(_ scalar: Unicode.Scalar) {
        let value = scalar.value
        switch value {
        case 0xC0...0x24F where value != 0xD7 && value != 0xF7: self = .letter
        case 0x2000...0x200A, 0x2010...0x205F, 0x3000...0x3004, 0x80...0xA1: self = .separator
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3005...0x30FF, 0x3105...0x312F, 0x3400...0x9FFF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0x20000...0x3FFFF:
            self = scalar.properties.generalCategory == .nonspacingMark ? .ignored : .word
        default: self = Self.byCategory(scalar)
        }
    }

    private static func byCategory(_ scalar: Unicode.Scalar) -> ScalarClass {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .spacingMark, .privateUse:
            .letter
        case .otherSymbol, .mathSymbol, .currencySymbol: .word
        case .nonspacingMark, .enclosingMark, .format, .modifierSymbol: .ignored
        default: .separator
        }
    }
}

/// The folded forms of letters that a text has had: it has few different ones, and folding one takes a microsecond.
private struct FoldedLetters {
    /// One letter for each value of the low bits, since the letters of a script lie side by side; empty before the first
    /// letter.
    private var letters: [(scalar: Unicode.Scalar, bytes: [UInt8])] = []

    /// A power of two that holds the letters of most scripts.
    private static let count = 128

    mutating func bytes(of scalar: Unicode.Scalar) -> [UInt8] {
        // No letter is U+0000.
        if letters.isEmpty { letters = Array(repeating: ("\0", []), count: Self.count) }
        let slot = Int(scalar.value) & (Self.count - 1)
        if letters[slot].scalar != scalar { letters[slot] = (scalar, SearchFolding.bytes(of: scalar)) }
        return letters[slot].bytes
    }
}

/// Removes case and diacritics from letters.
enum SearchFolding {
    /// Returns the UTF-8 of the folded letter, often one ASCII letter.
    static func bytes(of scalar: Unicode.Scalar) -> [UInt8] {
        let lower = scalar.properties.lowercaseMapping
        switch lower {
        case "ß": return [0x73, 0x73]
        case "ø": return [0x6F]
        case "ł": return [0x6C]
        case "đ": return [0x64]
        case "ı": return [0x69]
        case "æ": return [0x61, 0x65]
        case "œ": return [0x6F, 0x65]
        case "ς": return Array("σ".utf8)
        default: break
        }
        var result = String.UnicodeScalarView()
        for part in lower.decomposedStringWithCompatibilityMapping.unicodeScalars
        where part.properties.generalCategory != .nonspacingMark {
            result.append(part)
        }
        return Array(String(result).utf8)
    }
}
