import GRDB

/// The table of words, `search_term`, which has each word of the index.
///
/// Its only key is a word's length with the word: every other index would cost a new word as much as the table itself.
/// So a beginning is looked up once for each length, and a stem by all words that may have it.
enum TermTable {
    /// Returns the statement that adds `count` words, of which the table may have some.
    static func insertion(of count: Int) -> String {
        "INSERT OR IGNORE INTO search_term (length, term) VALUES "
            + (1...count).map { "(length(?\($0)), ?\($0))" }.joined(separator: ", ")
    }

    /// The statement that removes a word.
    static let deletion = "DELETE FROM search_term WHERE length = length(?1) AND term = ?1"

    /// Returns the words that begin with `start`, the shorter first, each length in its alphabetical order.
    ///
    /// - Parameters:
    ///   - lengths: the lengths of the words in Unicode scalars, greater than that of `start`.
    ///   - limit: the maximum number of words; -1 for all.
    static func words(
        beginningWith start: String, lengths: ClosedRange<Int>, limit: Int = -1, _ db: Database
    ) throws -> FastDatabaseValueCursor<String> {
        // CROSS JOIN keeps the order of the loops, which is that of the words.
        let statement = try db.cachedStatement(
            sql: """
                WITH RECURSIVE lengths(length) AS
                    (SELECT ?2 UNION ALL SELECT length + 1 FROM lengths WHERE length < ?3)
                SELECT term FROM lengths CROSS JOIN search_term USING (length)
                WHERE term > ?1 AND term < ?1 || char(0x10FFFF) LIMIT ?4
                """)
        return try String.fetchCursor(statement, arguments: [start, lengths.lowerBound, lengths.upperBound, limit])
    }

    /// The maximum number of other words with the same stem that count.
    private static let sameStemLimit = 30

    /// Returns the word, and the other words of the table with its stem.
    static func forms(of word: String, _ db: Database) throws -> [String] {
        let stem = Stemmer.stem(word)
        let candidates = Stemmer.words(withStem: stem)
        // Only words of letters from a to z have others with the same stem, so JSON needs no escapes.
        if candidates.count == 1 { return [word] }
        let statement = try db.cachedStatement(
            sql: """
                SELECT term FROM json_each(?) CROSS JOIN search_term ON length = length(value) AND term = value
                ORDER BY term
                """)
        let list = "[\"" + candidates.joined(separator: "\", \"") + "\"]"
        var forms = [word]
        for other in try String.fetchAll(statement, arguments: [list]) where forms.count <= sameStemLimit {
            if other != word, other != forms.last, Stemmer.stem(other) == stem { forms.append(other) }
        }
        return forms
    }
}
