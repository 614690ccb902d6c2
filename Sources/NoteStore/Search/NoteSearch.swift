import GRDB

/// One search on one connection.
struct NoteSearch {
    let db: Database
    let query: SearchQuery
    let limit: Int
    var terms: TermText?

    /// A note's integer key and its score.
    typealias Found = (note: Int64, score: Double)

    // MARK: - Stages

    /// Returns the notes that a stage finds; if none has all the words, those that have some.
    func found(_ stage: SearchStage) throws -> [Found] {
        let found = try foundStrictly(stage)
        guard found.isEmpty, let relaxed = query.relaxed else { return found }
        return try NoteSearch(db: db, query: relaxed, limit: limit, terms: terms).foundStrictly(stage)
    }

    private func foundStrictly(_ stage: SearchStage) throws -> [Found] {
        switch stage {
        case .instant: try instant()
        case .ranked: try ranked()
        case .complete: try complete()
        }
    }

    private var condition: SearchCondition {
        get throws { try SearchCondition(query, SearchExpression(query: query, db: db, widening: .all)) }
    }

    /// Returns hits in titles, then the newest notes.
    private func instant() throws -> [Found] {
        let expression = SearchExpression(query: query, db: db, widening: .few)
        guard let match = try expression.match() else { return try filtered() }
        var found: [Found] = []
        // A title does not show whether the text contains an excluded word.
        if query.excluded.isEmpty, let title = try expression.match(titleOnly: true) {
            found = try newest("search_title", title, limit)
        }
        let seen = Set(found.map(\.note))
        let rest = try newest("search", match, limit)
        return Array((found + rest.filter { !seen.contains($0.note) }).prefix(limit))
    }

    /// Returns the best notes first.
    private func ranked() throws -> [Found] {
        guard let match = try SearchExpression(query: query, db: db, widening: .all).match() else {
            return try filtered()
        }
        return try Array(best(match).prefix(limit))
    }

    /// Returns the best notes first, then notes in which a longer word contains a searched word.
    private func complete() throws -> [Found] {
        guard let match = try SearchExpression(query: query, db: db, widening: .all).match() else {
            return try filtered()
        }
        var found = try best(match)
        if found.count < limit,
            let wider = try SearchExpression(query: query, db: db, widening: .inside, terms: terms).match(),
            wider != match
        {
            let seen = Set(found.map(\.note))
            // These must not rank above any hit of the words themselves.
            let lowest = found.last?.score ?? 0
            found += try best(wider).filter { !seen.contains($0.note) }.map { ($0.note, min($0.score, lowest)) }
        }
        return Array(found.prefix(limit))
    }

    func count() throws -> Int {
        guard let match = try SearchExpression(query: query, db: db, widening: .all).match() else { return 0 }
        let sql = "SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH ? LIMIT ?)"
        return try Int.fetchOne(db.cachedStatement(sql: sql), arguments: [match, limit]) ?? 0
    }

    /// Returns the number of notes that `complete()` would find without its limit, counted up to `limit`.
    func matchCount() throws -> Int {
        guard let match = try SearchExpression(query: query, db: db, widening: .all).match() else {
            return try filtered().count
        }
        let count = try matchCount(match)
        guard count < Self.widenedBelow,
            let wider = try SearchExpression(query: query, db: db, widening: .inside).match(), wider != match
        else { return count }
        return try matchCount(wider)
    }

    /// The number of hits below which words inside other words count too; a list shows as many.
    private static let widenedBelow = 200

    private func matchCount(_ match: String) throws -> Int {
        let condition = try condition
        let sql = """
            SELECT count(*) FROM (SELECT 1 FROM search CROSS JOIN note ON note.id = search.rowid AND \(condition.sql)
                WHERE search MATCH ? LIMIT ?)
            """
        return try Int.fetchOne(
            db.cachedStatement(sql: sql), arguments: StatementArguments(condition.arguments + [match, limit])) ?? 0
    }

    // MARK: - Queries

    private func newest(_ table: String, _ match: String, _ limit: Int) throws -> [Found] {
        let condition = try condition
        return try fetch(
            """
            SELECT \(table).rowid, 0.0 FROM \(table) CROSS JOIN note ON note.id = \(table).rowid AND \(condition.sql)
            WHERE \(table) MATCH ? ORDER BY \(table).rowid DESC LIMIT ?
            """, condition.arguments + [match, limit])
    }

    private func best(_ match: String) throws -> [Found] {
        if query.isOnlyWords {
            // The index alone sorts the hits, and the places of the best ones are looked up afterwards, since few of
            // them are archived. A command may ask for any number of hits.
            let twice = min(limit, Int.max / 2) * 2
            let some = try fetch(
                """
                SELECT found.rowid, -found.score, note.place FROM (
                    SELECT rowid, bm25(search, 10.0, 1.0) AS score FROM search
                    WHERE search MATCH ? ORDER BY score LIMIT ?) AS found
                CROSS JOIN note ON note.id = found.rowid
                """, [match, twice], place: 0)
            if some.live.count >= limit || some.all < twice { return some.live }
        }
        let condition = try condition
        return try fetch(
            """
            SELECT search.rowid, -bm25(search, 10.0, 1.0) FROM search
            CROSS JOIN note ON note.id = search.rowid AND \(condition.sql)
            WHERE search MATCH ? ORDER BY 2 DESC LIMIT ?
            """, condition.arguments + [match, limit])
    }

    /// Finds notes by their filters alone, the last changed first.
    private func filtered() throws -> [Found] {
        var condition = try condition
        let expression = SearchExpression(query: query, db: db, widening: .all)
        if let excluded = try expression.excludedMatch() {
            condition.sql += " AND note.id NOT IN (SELECT rowid FROM search WHERE search MATCH ?)"
            condition.arguments.append(excluded)
        }
        return try fetch(
            "SELECT id, 0.0 FROM note WHERE \(condition.sql) ORDER BY updatedDate DESC, id DESC LIMIT ?",
            condition.arguments + [limit])
    }

    private func fetch(_ sql: String, _ arguments: [any DatabaseValueConvertible]) throws -> [Found] {
        let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: StatementArguments(arguments))
        var found: [Found] = []
        while let row = try rows.next() { found.append((row[0], row[1])) }
        return found
    }

    private func fetch(
        _ sql: String, _ arguments: [any DatabaseValueConvertible], place: Int
    ) throws -> (live: [Found], all: Int) {
        let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: StatementArguments(arguments))
        var found: [Found] = []
        var all = 0
        while let row = try rows.next() {
            all += 1
            if row[2] == place { found.append((row[0], row[1])) }
        }
        return (Array(found.prefix(limit)), all)
    }

    // MARK: - Hits

    func hits(_ found: [Found]) throws -> [SearchHit] {
        let rows = try ListReader.rows(db, found.map(\.note))
        let scores = Dictionary(found.map { ($0.note, $0.score) }, uniquingKeysWith: max)
        let terms = query.terms
        var snippets = SnippetReader(db, terms)
        return rows.map { row in
            let snippet = terms.isEmpty ? nil : snippets.snippet(of: row.key)
            return SearchHit(
                row: row, snippet: snippet?.text ?? row.preview, matches: snippet?.matches ?? [],
                position: snippet?.position, score: scores[row.key] ?? 0)
        }
    }
}
