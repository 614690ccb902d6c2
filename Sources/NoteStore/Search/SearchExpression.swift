import GRDB

/// A query in the language of the index, expanded with words of the index.
struct SearchExpression {
    enum Widening {
        /// Only the shortest of the words that begin with a short last word.
        ///
        /// They are read one by one, newest notes first, at no cost, whereas the index would first merge the entries of
        /// all such words.
        case few
        /// Every word that begins with the last word.
        case all
        /// Also words that contain a searched word.
        case inside
    }

    /// The number of words that replace a short beginning.
    private static let fewLimit = 24
    /// The number of words that are used for a word contained in them.
    private static let insideLimit = 200
    /// The length in bytes of a beginning that so few words share that the index is asked for all of them.
    private static let longPrefix = 6

    let query: SearchQuery
    let db: Database
    let widening: Widening
    /// The words of the index, if the program caches them.
    var terms: TermText?

    /// Returns the expression for the index; `nil` if the query has no words for it.
    func match(titleOnly: Bool = false) throws -> String? {
        var groups = try query.groups.map { group in
            let terms = try group.map { try expression($0, titleOnly: titleOnly) }
            return terms.count == 1 ? terms[0] : "(" + terms.joined(separator: " OR ") + ")"
        }
        if query.matchesAny { groups = [groups.joined(separator: " OR ")] }
        guard !groups.isEmpty else { return nil }
        let wanted = groups.joined(separator: " AND ")
        guard let excluded = try excludedMatch() else { return wanted }
        return "(\(wanted)) NOT (\(excluded))"
    }

    /// Returns the expression for the excluded words; `nil` if there are none.
    func excludedMatch() throws -> String? {
        guard !query.excluded.isEmpty else { return nil }
        return query.excluded.map { Self.quoted($0.words) }.joined(separator: " OR ")
    }

    /// Returns a term in the language of the index.
    func expression(_ term: SearchQuery.Term, titleOnly: Bool = false) throws -> String {
        let column = term.inTitle && !titleOnly ? "title : " : ""
        guard term.words.count == 1, !term.isPhrase, let word = term.words.first else {
            return column + Self.quoted(term.words) + (term.isPrefix ? " *" : "")
        }
        var alternatives = try TermTable.forms(of: word, db).map { Self.quoted([$0]) }
        if term.isPrefix {
            if widening == .few, !titleOnly, word.utf8.count < Self.longPrefix {
                alternatives += try few(word)
            } else {
                // The prefix already matches words that begin with this one, and each alternative costs a pass through
                // its hits.
                alternatives.removeAll { $0.hasPrefix("\"" + word) }
                alternatives.append(Self.quoted([word]) + " *")
            }
        }
        if widening == .inside, term.mayBeInside { alternatives += try inside(word) }
        return alternatives.count == 1
            ? column + alternatives[0] : "\(column)(\(alternatives.joined(separator: " OR ")))"
    }

    private static func quoted(_ words: [String]) -> String {
        // Prepared words have no quotation marks.
        "\"\(words.joined(separator: " "))\""
    }

    private func few(_ start: String) throws -> [String] {
        let lengths = start.unicodeScalars.count + 1...SearchTerms.lengths.upperBound
        let words = try TermTable.words(beginningWith: start, lengths: lengths, limit: Self.fewLimit, db)
        return try Array(words).map { Self.quoted([$0]) }
    }

    private func inside(_ part: String) throws -> [String] {
        if let words = try terms?.words(with: part, limit: Self.insideLimit, db) {
            return words.map { Self.quoted([$0]) }
        }
        let statement = try db.cachedStatement(sql: "SELECT term FROM search_term WHERE instr(term, ?) > 1 LIMIT ?")
        return try String.fetchAll(statement, arguments: [part, Self.insideLimit]).map { Self.quoted([$0]) }
    }
}
