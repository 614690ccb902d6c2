import GRDB

/// Words of the index for which a word may be a misspelling.
enum NearWords {
    /// The minimum length of a word; shorter words are similar to too many others.
    private static let minimumLength = 5
    /// The length of a word from which two misspelt letters are accepted.
    private static let minimumLengthForTwo = 8
    private static let maximumWords = 8

    /// Returns the words with the fewest misspelt letters; empty if none is similar.
    ///
    /// The first letter must be right: it nearly always is, and the search in the index of words begins with it.
    static func find(for word: String, _ db: Database) throws -> [String] {
        let letters = Array(word.unicodeScalars)
        guard letters.count >= minimumLength, letters.allSatisfy(\.properties.isAlphabetic), let first = letters.first
        else { return [] }
        let maximumSlips = letters.count < minimumLengthForTwo ? 1 : 2
        let candidates = try TermTable.words(
            beginningWith: String(first), lengths: letters.count - maximumSlips...letters.count + maximumSlips, db)
        let own = kinds(of: word)
        var (least, near) = (maximumSlips, [String]())
        while let candidate = try candidates.next() {
            // Each slip adds or takes away one kind of letter at most, so most words need no closer look.
            let others = kinds(of: candidate)
            guard (own & ~others).nonzeroBitCount <= least, (others & ~own).nonzeroBitCount <= least else { continue }
            guard let slips = slips(letters, Array(candidate.unicodeScalars), atMost: least) else { continue }
            if slips < least { (least, near) = (slips, []) }
            near.append(candidate)
        }
        return Array(near.sorted().prefix(Self.maximumWords))
    }

    /// Returns the kinds of letters in a word as bits; different letters may be of one kind.
    private static func kinds(of word: String) -> UInt64 {
        word.unicodeScalars.reduce(0) { $0 | 1 << UInt64($1.value & 63) }
    }

    /// Returns the number of letters that are missing, added, wrong or swapped with their neighbours (the optimal
    /// string alignment distance); nil if it is greater than `most`.
    static func slips(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar], atMost most: Int) -> Int? {
        guard abs(one.count - other.count) <= most else { return nil }
        var (last, before) = (Array(0...other.count), [Int]())
        for row in one.indices {
            var current = [row + 1]
            for column in other.indices {
                var value = min(last[column + 1] + 1, current[column] + 1)
                value = min(value, last[column] + (one[row] == other[column] ? 0 : 1))
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                    value = min(value, before[column - 1] + 1)
                }
                current.append(value)
            }
            if current.allSatisfy({ $0 > most }), last.allSatisfy({ $0 > most }) { return nil }
            (before, last) = (last, current)
        }
        return last[other.count] <= most ? last[other.count] : nil
    }
}
