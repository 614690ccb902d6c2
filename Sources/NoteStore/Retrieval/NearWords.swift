import GRDB

/// Words of the index that a misspelt one may mean.
enum NearWords {
    /// Shorter words are near to too many others.
    private static let shortest = 5
    /// From this length on two slips are forgiven.
    private static let long = 8
    private static let most = 8

    /// The words with the fewest slips; empty if none is near.
    ///
    /// The first letter counts as right: it nearly always is, and the index of short words begins with it.
    static func find(for word: String, _ db: Database) throws -> [String] {
        let letters = Array(word.unicodeScalars)
        guard letters.count >= shortest, letters.allSatisfy(\.properties.isAlphabetic), let first = letters.first
        else { return [] }
        let most = letters.count < long ? 1 : 2
        let candidates = try String.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT term FROM search_term INDEXED BY search_term_short
                    WHERE substr(term, 1, 1) = ? AND length(term) BETWEEN ? AND ?
                    """), arguments: [String(first), letters.count - most, letters.count + most])
        var (least, near) = (most, [String]())
        while let candidate = try candidates.next() {
            guard let slips = slips(letters, Array(candidate.unicodeScalars), atMost: least) else { continue }
            if slips < least { (least, near) = (slips, []) }
            near.append(candidate)
        }
        return Array(near.sorted().prefix(Self.most))
    }

    /// How many letters are missing, added, wrong or swapped with their neighbours; nil if more than `most`.
    ///
    /// This is the distance of optimal string alignment.
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
