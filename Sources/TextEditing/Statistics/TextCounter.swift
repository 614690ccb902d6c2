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
        if word == WordCounting.ticked { counts.words += 1 }
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
            words += Int(state >> 6)
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
        counts.words += Int(state >> 6)
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

/// Counts words with a machine of six states and one table step per character.
///
/// The steps determine the time for ten million characters, so they are kept short by a table. A word is text between
/// white space that contains a letter or a digit, however it is spelt (`well-known`, `3.14`, `**bold**`, a whole
/// address), except for the tick of a task, `[x]`. Each Han, hiragana or katakana character is a word by itself.
private enum WordCounting {
    /// White space came last, or nothing yet.
    static let outside: UInt8 = 0
    /// The word since the last white space is counted.
    static let inWord: UInt8 = 1
    /// Since the last white space there is only `[`.
    static let bracket: UInt8 = 2
    /// Since the last white space there is only `[x`, which is not counted yet.
    static let ticked: UInt8 = 3
    /// Since the last white space there is only `[x]`, which is a word if it continues.
    static let closed: UInt8 = 4
    /// Since the last white space or ideograph there is no letter or digit.
    static let marks: UInt8 = 5

    /// For each state, a row of 256 entries: 128 for ASCII, then one for each `WordClass`.
    ///
    /// An entry is the next state, with the number of words that the character completes or begins in its highest two
    /// bits.
    static let table: [UInt8] = (0...marks).flatMap { state in
        (0..<256).map { (index: Int) -> UInt8 in
            if index < 0x80, let next = tick(state, UInt8(index)) { return next }
            // An underscore is a letter for motions, but a horizontal rule of three is not a word.
            if index == 0x5F { return step(state, .punctuation) }
            if index < 0x80 { return step(state, WordClass(UInt32(index))) }
            return WordClass(rawValue: UInt8(index - 0x80)).map { step(state, $0) } ?? outside
        }
    }

    /// The step of a character that is, so far, the next one of a tick.
    private static func tick(_ state: UInt8, _ character: UInt8) -> UInt8? {
        switch (state, character) {
        case (outside, UInt8(ascii: "[")): bracket
        case (bracket, UInt8(ascii: "x")), (bracket, UInt8(ascii: "X")): ticked
        case (ticked, UInt8(ascii: "]")): closed
        default: nil
        }
    }

    private static func step(_ state: UInt8, _ next: WordClass) -> UInt8 {
        let one: UInt8 = 0x40
        // The letter of what looked like a tick, but continues otherwise.
        let late = state == ticked || state == closed ? one : 0
        switch next {
        case .letter, .digit, .hangul: return inWord | (state == inWord ? 0 : one)
        case .han, .hiragana, .katakana: return marks | (one + late)
        case .space: return outside | (state == ticked ? one : 0)
        case .mark, .apostrophe, .separator, .punctuation:
            if late > 0 { return inWord | late }
            return state == inWord ? inWord : marks
        }
    }
}

extension WordClass {
    /// Whether a character of this class shows whether the text at it is in a counted word, whatever precedes it.
    ///
    /// An underscore never does, and neither does the letter of a tick.
    func decidesCounting(of scalar: UInt32) -> Bool {
        guard scalar != 0x5F, scalar | 0x20 != 0x78 else { return false }
        return switch self {
        case .letter, .digit, .hangul, .han, .hiragana, .katakana, .space: true
        case .mark, .apostrophe, .separator, .punctuation: false
        }
    }
}
