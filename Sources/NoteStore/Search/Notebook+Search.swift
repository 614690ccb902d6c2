import GRDB

/// A note that a search found.
public struct SearchHit: Identifiable, Equatable, Sendable {
    public var id: NoteID { row.id }
    public let row: NoteRow
    /// One line of the text around the first match.
    public let snippet: String
    /// Where the matches are in `snippet`, as UTF-8 offsets from its start, sorted, end exclusive.
    public let matches: [Range<Int>]
    /// Higher is better; in the first stage hits have none and are newest first.
    public let score: Double
}

/// How much a search may cost.
public enum SearchStage: Sendable {
    /// Title hits, then the newest: at once, at any size.
    case instant
    /// The best first, by bm25; its cost grows with the number of notes that match.
    case ranked
}

extension Notebook {
    /// Finds live notes.
    ///
    /// A text that is no valid query is searched as plain words.
    public func search(
        _ text: String, limit: Int = 50, stage: SearchStage = .ranked
    ) throws(StoreError) -> [SearchHit] {
        let words = SearchText.prepared(text).split(separator: " ")
        guard let last = words.last else { return [] }
        let match = words.dropLast().map { "\"\($0)\"" }.joined(separator: " ") + " \"\(last)\" *"
        return try read { db in
            let order = stage == .ranked ? "ORDER BY bm25(search, 10.0, 1.0)" : "ORDER BY search.rowid DESC"
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT search.rowid, \(stage == .ranked ? "-bm25(search, 10.0, 1.0)" : "0.0") FROM search
                    CROSS JOIN note ON note.id = search.rowid AND note.place = 0
                    WHERE search MATCH ? \(order) LIMIT ?
                    """, arguments: [match, limit])
            return try rows.compactMap { row in
                try ListReader.rows(db, [row[0]]).first.map {
                    SearchHit(row: $0, snippet: $0.preview, matches: [], score: row[1])
                }
            }
        }
    }
}
