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

    /// Appends the words of a text in the form of the index.
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
        switch ScalarTreatment(scalar) {
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
