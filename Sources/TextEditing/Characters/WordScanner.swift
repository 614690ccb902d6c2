import TextPrimitives

/// Cuts bytes into words and the segments between them.
///
///     "don't stop: 3.14 km" -> word, space, word, punctuation, space, word, space, word
struct WordScanner {
    enum Kind { case word, space, lineBreak, punctuation }

    struct Segment {
        var range: Range<Int>
        var kind: Kind
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The next segment; nil at the end.
    mutating func next() -> Segment? {
        guard position < bytes.count else { return nil }
        let start = position
        let first = classOfScalar(at: start)
        if first.kind == .word {
            position = endOfWord(from: start, first: first.word)
        } else {
            position = first.end
            if first.kind == .lineBreak {
                if bytes[start] == 0x0D, position < bytes.count, bytes[position] == 0x0A { position += 1 }
            } else {
                while let next = peek(), next.kind == first.kind || next.word == .mark { position = next.end }
            }
        }
        return Segment(range: start..<position, kind: first.kind)
    }

    private func endOfWord(from start: Int, first: WordClass) -> Int {
        var last = first
        var end = start + Clusters.scalarLength(bytes[start])
        while end < bytes.count {
            let next = classOfScalar(at: end)
            if next.word == .mark || last.joins(next.word) {
                end = next.end
                if next.word != .mark { last = next.word }
            } else if next.word == .apostrophe || next.word == .separator, next.end < bytes.count {
                let beyond = classOfScalar(at: next.end)
                let wanted: WordClass = next.word == .apostrophe ? .letter : .digit
                guard last == wanted, beyond.word == wanted else { return end }
                end = beyond.end
            } else {
                return end
            }
        }
        return end
    }

    private func peek() -> (word: WordClass, kind: Kind, end: Int)? {
        position < bytes.count ? classOfScalar(at: position) : nil
    }

    private func classOfScalar(at index: Int) -> (word: WordClass, kind: Kind, end: Int) {
        let scalar = Clusters.scalar(at: index, in: bytes)
        let word = WordClass(scalar)
        let end = index + Clusters.scalarLength(bytes[index])
        switch word {
        case .letter, .digit, .han, .hiragana, .katakana, .hangul: return (word, .word, end)
        case .space: return (word, scalar == 0x0A || scalar == 0x0D ? .lineBreak : .space, end)
        case .mark, .apostrophe, .separator, .punctuation: return (word, .punctuation, end)
        }
    }
}
