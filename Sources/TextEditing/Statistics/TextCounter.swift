import TextPrimitives

/// Counts words and characters of a text that arrives in pieces, each cut between scalars.
struct TextCounter {
    struct Counts: Hashable {
        var words = 0
        var characterWords = 0
        var characters = 0
    }

    private var counts = Counts()
    private var word = WordCounting.outside
    /// The last scalar; a line feed before the first.
    private var previous: UInt32 = 0x0A
    /// The bytes since the last certain cluster boundary; empty if the last scalar is a complete cluster so far.
    private var unsure: [UInt8] = []

    /// - Parameter isInWord: Whether the first piece continues a word that is counted already.
    init(isInWord: Bool = false) {
        if isInWord { word = WordCounting.inWord }
    }

    static func count(_ text: String) -> Counts {
        var counter = TextCounter()
        var text = text
        text.withUTF8 { counter.count($0) }
        return counter.finish()
    }

    /// Counts the next piece.
    mutating func count(_ piece: UnsafeBufferPointer<UInt8>) {
        WordCounting.table.withUnsafeBufferPointer { table in
            var position = 0
            while position < piece.count {
                position =
                    piece[position] < 0x80 && previous < 0x80 && unsure.isEmpty
                    ? countASCII(piece, from: position, table) : countScalar(piece, at: position, table)
            }
        }
    }

    /// The counts of all pieces.
    mutating func finish() -> Counts {
        finishUncertain()
        return counts
    }

    /// Counts ASCII that follows ASCII, up to the next other byte.
    ///
    /// The last character is counted too; `countUncertain` subtracts it again if the next scalar may join it.
    private mutating func countASCII(
        _ piece: UnsafeBufferPointer<UInt8>, from start: Int, _ table: UnsafeBufferPointer<UInt8>
    ) -> Int {
        var (position, state, words, breaks) = (start, word, 0, 0)
        while position < piece.count, piece[position] < 0x80 {
            let byte = piece[position]
            state = table[Int(state & 0x0F) << 8 | Int(byte)]
            words += Int(state >> 7)
            breaks += byte == 0x0A || byte == 0x0D ? 1 : 0
            position += 1
        }
        word = state & 0x0F
        counts.words += words
        counts.characters += position - start - breaks
        previous = UInt32(piece[position - 1])
        return position
    }

    private mutating func countScalar(
        _ piece: UnsafeBufferPointer<UInt8>, at position: Int, _ table: UnsafeBufferPointer<UInt8>
    ) -> Int {
        let scalar = Clusters.scalar(at: position, in: piece)
        let end = position + Clusters.scalarLength(piece[position])
        let this = WordClass(scalar)
        let state = table[Int(word) << 8 | (scalar < 0x80 ? Int(scalar) : 0x80 | Int(this.rawValue))]
        counts.words += Int(state >> 7)
        counts.characterWords += this.isWordByCharacter ? 1 : 0
        word = state & 0x0F
        if !unsure.isEmpty || !Clusters.isSurelyBetween(previous, scalar) {
            countUncertain(scalar, UnsafeBufferPointer(rebasing: piece[position..<end]))
        } else {
            counts.characters += scalar == 0x0A || scalar == 0x0D ? 0 : 1
        }
        previous = scalar
        return end
    }

    /// Handles a scalar that may continue a cluster; the standard library counts the clusters of such a sequence once
    /// it is complete.
    private mutating func countUncertain(_ scalar: UInt32, _ bytes: UnsafeBufferPointer<UInt8>) {
        if unsure.isEmpty {
            // The last scalar was counted as a cluster, but begins the sequence instead. Line breaks are not counted,
            // and of these only a CR before a line feed gets here, so nothing is subtracted for it.
            guard previous != 0x0D else { return }
            counts.characters -= 1
            if let scalar = Unicode.Scalar(previous) { unsure = Array(String(Character(scalar)).utf8) }
        } else if Clusters.isSurelyBetween(previous, scalar) {
            finishUncertain()
            counts.characters += scalar == 0x0A || scalar == 0x0D ? 0 : 1
            return
        }
        unsure.append(contentsOf: bytes)
    }

    private mutating func finishUncertain() {
        guard !unsure.isEmpty else { return }
        counts.characters += String(decoding: unsure, as: UTF8.self).count
        unsure.removeAll(keepingCapacity: true)
    }
}

/// Counts words with a machine of two states and one table step per character.
///
/// The steps determine the time for ten million characters, so they are kept short by a table. A word is text between
/// white space that contains a letter or a digit, however it is spelt (`well-known`, `3.14`, `**bold**`, a whole
/// address). Each Han, hiragana or katakana character is a word by itself.
private enum WordCounting {
    /// No letter or digit has come since the last white space.
    static let outside: UInt8 = 0
    /// The word since the last white space is counted.
    static let inWord: UInt8 = 1

    /// For each state, a row of 256 entries: 128 for ASCII, then one for each `WordClass`.
    ///
    /// An entry is the next state, with the highest bit set if a word begins.
    static let table: [UInt8] = (0...inWord).flatMap { state in
        (0..<256).map { (index: Int) -> UInt8 in
            // An underscore is a letter for motions, but a horizontal rule of three is not a word.
            if index == 0x5F { return state }
            if index < 0x80 { return step(state, WordClass(UInt32(index))) }
            return WordClass(rawValue: UInt8(index - 0x80)).map { step(state, $0) } ?? outside
        }
    }

    private static func step(_ state: UInt8, _ next: WordClass) -> UInt8 {
        switch next {
        case .letter, .digit, .hangul: inWord | (state == inWord ? 0 : 0x80)
        case .han, .hiragana, .katakana: outside | 0x80
        case .space: outside
        case .mark, .apostrophe, .separator, .punctuation: state
        }
    }
}

extension WordClass {
    /// Whether a character of this class shows whether the text at it is in a counted word, whatever precedes it.
    var decidesCounting: Bool {
        switch self {
        case .letter, .digit, .hangul, .han, .hiragana, .katakana, .space: true
        case .mark, .apostrophe, .separator, .punctuation: false
        }
    }
}
