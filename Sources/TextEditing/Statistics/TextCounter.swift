/// Counts words and characters of a text that comes in pieces, each cut between scalars.
struct TextCounter {
    struct Counts: Hashable {
        var words = 0
        var characterWords = 0
        var characters = 0
    }

    private var counts = Counts()
    /// The class of the word's last letter; nil outside of words.
    private var word: WordClass?
    /// An apostrophe or separator directly behind `word`, which may go on.
    private var joiner: WordClass?
    /// The last scalar; a line feed before the first.
    private var previous: UInt32 = 0x0A
    /// Bytes since the last place that surely parts two clusters; empty when the last scalar is a cluster so far.
    private var unsure: [UInt8] = []

    static func count(_ text: String) -> Counts {
        var counter = TextCounter()
        var text = text
        text.withUTF8 { counter.count($0) }
        return counter.finish()
    }

    /// Counts the next piece.
    mutating func count(_ piece: UnsafeBufferPointer<UInt8>) {
        var place = 0
        while place < piece.count {
            let first = piece[place]
            let end = place + Clusters.scalarLength(first)
            let scalar = first < 0x80 ? UInt32(first) : Clusters.scalar(at: place, in: piece)
            countWord(WordClass(scalar))
            if !unsure.isEmpty || !Clusters.isSurelyBetween(previous, scalar) {
                countUnsure(scalar, UnsafeBufferPointer(rebasing: piece[place..<end]))
            } else {
                counts.characters += scalar == 0x0A || scalar == 0x0D ? 0 : 1
            }
            previous = scalar
            place = end
        }
    }

    /// The counts of all pieces.
    mutating func finish() -> Counts {
        settleUnsure()
        return counts
    }

    @inline(__always) private mutating func countWord(_ this: WordClass) {
        switch this {
        case .letter, .digit, .hangul:
            if !goesOn(with: this) { counts.words += 1 }
            (word, joiner) = (this, nil)
        case .han, .hiragana, .katakana:
            counts.words += 1
            counts.characterWords += 1
            (word, joiner) = (nil, nil)
        case .mark:
            break
        case .apostrophe, .separator:
            if word != nil, joiner == nil { joiner = this } else { (word, joiner) = (nil, nil) }
        case .space, .punctuation:
            (word, joiner) = (nil, nil)
        }
    }

    private func goesOn(with next: WordClass) -> Bool {
        guard let word else { return false }
        guard let joiner else { return word.joins(next) }
        return joiner == .apostrophe ? word == .letter && next == .letter : word == .digit && next == .digit
    }

    /// A scalar that may or may not go on a cluster: the standard library decides once the stretch is over.
    private mutating func countUnsure(_ scalar: UInt32, _ bytes: UnsafeBufferPointer<UInt8>) {
        if unsure.isEmpty {
            // The last scalar was counted as a cluster; it begins the stretch instead. (It was no line break: those are
            // sure on both sides but before a line feed, where taking it back undoes nothing.)
            guard previous != 0x0D else { return }
            counts.characters -= 1
            if let scalar = Unicode.Scalar(previous) { unsure = Array(String(Character(scalar)).utf8) }
        } else if Clusters.isSurelyBetween(previous, scalar) {
            settleUnsure()
            counts.characters += scalar == 0x0A || scalar == 0x0D ? 0 : 1
            return
        }
        unsure.append(contentsOf: bytes)
    }

    private mutating func settleUnsure() {
        guard !unsure.isEmpty else { return }
        counts.characters += String(decoding: unsure, as: UTF8.self).count
        unsure.removeAll(keepingCapacity: true)
    }
}
