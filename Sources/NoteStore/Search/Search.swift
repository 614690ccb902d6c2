import Foundation
import GRDB

/// A note that a search found.
public struct SearchHit: Identifiable, Equatable, Sendable {
    public var id: NoteID { row.id }
    public let row: NoteRow
    /// One line of the text around the first match, or the preview if the match is elsewhere.
    public let snippet: String
    /// The ranges of the matches in `snippet`, as UTF-8 offsets from its start, sorted, end exclusive.
    public let matches: [Range<Int>]
    /// The byte offset of the first match in the text; nil if there is none in the beginning of the text.
    public let position: Int?
    /// The score, higher is better; 0 for hits of the instant stage.
    public let score: Double
}

/// The thoroughness, and so the cost, of a search.
public enum SearchStage: Sendable {
    /// Hits in titles, then the newest notes; it takes no time at any size of the notebook.
    case instant
    /// The best notes first, by bm25; the cost grows with the number of matching notes.
    case ranked
    /// The hits of `ranked`, and if these are few, then notes in which a longer word contains a searched word.
    case complete
}

extension Notebook.Search {
    /// Finds notes.
    ///
    /// All words must match, the last one perhaps as a beginning; if no note has them all, notes that have some are
    /// found. `"phrases"`, `OR`, `-not`, `tag:`, `in:folder`, `is:starred`, `title:`, `created:>2026-01`, `updated:7d`,
    /// `has:link|backlink|broken|image|task|todo|done` narrow the search. A question matches by any of its words. A
    /// text that is not a valid query is searched as plain words. Archive and Trash are searched only with `in:archive`
    /// and `in:trash`.
    ///
    /// A new search ends one that is still running, which throws `interrupted`.
    public func hits(
        _ text: String, limit: Int = 50, stage: SearchStage = .complete
    ) throws(StoreError) -> [SearchHit] {
        let query = SearchQuery(text, now: notebook.options.now())
        if query.isEmpty { return [] }
        if stage != .instant { indexUnfinished() }
        return try searching { db, terms in
            let search = NoteSearch(db: db, query: query, limit: limit, terms: terms)
            return try search.hits(search.found(stage))
        }
    }

    /// Returns the number of notes that match, counted up to `limit`.
    ///
    /// The count decides whether ranking is fast enough to be done at once. Cost: far below that of ranking.
    public func indexCount(_ text: String, limit: Int = 5000) throws(StoreError) -> Int {
        let query = SearchQuery(text, now: notebook.options.now())
        return try searching { db, _ in try NoteSearch(db: db, query: query, limit: limit).count() }
    }

    /// Returns remarks for the user about a search: which parts were not understood, and what was left out.
    ///
    /// It does not end another search. Cost: that of counting.
    public func remarks(_ text: String) throws(StoreError) -> [SearchRemark] {
        let query = SearchQuery(text, now: notebook.options.now())
        if query.isEmpty { return query.remarks }
        return try notebook.read { db in
            var remarks = query.remarks
            if let relaxed = query.relaxed, try NoteSearch(db: db, query: query, limit: 1).matchCount() == 0,
                try NoteSearch(db: db, query: relaxed, limit: 1).matchCount() > 0
            {
                remarks.append(.someWordsOnly)
            }
            if query.places == [.live] {
                var archived = query
                archived.places = [.archive]
                let count = try NoteSearch(db: db, query: archived, limit: Self.maximumArchived).matchCount()
                if count > 0 { remarks.append(.archived(count)) }
            }
            return remarks
        }
    }

    /// The maximum number of archived notes that are counted.
    private static let maximumArchived = 100

    /// Returns the number of notes that a search lists, filters included, counted up to `limit`.
    ///
    /// It does not end another search.
    public func count(_ text: String, limit: Int) throws(StoreError) -> Int {
        let query = SearchQuery(text, now: notebook.options.now())
        if query.isEmpty { return 0 }
        return try notebook.read { db in
            let count = try NoteSearch(db: db, query: query, limit: limit).matchCount()
            guard count == 0, let relaxed = query.relaxed else { return count }
            return try NoteSearch(db: db, query: relaxed, limit: limit).matchCount()
        }
    }

    /// Ends the running search, if any.
    public func cancel() { notebook.searches.withLock { $0?.cancel() } }

    /// Indexes the notes that were saved while the user typed and are not indexed yet, as a search does before it
    /// ranks.
    ///
    /// Cost: a look-up, and for each such note that of a whole save.
    public func indexUnfinished() {
        do {
            let isNeeded = try notebook.read { db in
                try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM search_mark)")) ?? false
            }
            if isNeeded { _ = try notebook.write { try $0.refreshMarkedNotes(unfinished: true) } }
        } catch {
            // If the notebook cannot be written now, the search uses the index as it is.
        }
    }

    /// Runs a search on a connection of its own, so that ending it ends nothing else, with that connection's cached
    /// words.
    private func searching<T>(_ body: (Database, TermText?) throws -> T) throws(StoreError) -> T {
        if notebook.mode == .command { return try notebook.read { db in try body(db, nil) } }
        do {
            return try notebook.gate.pass(orThrow: .closed(path: notebook.path)) {
                let connection = try connection
                return try connection.read { db in try body(db, connection.terms) }
            }
        } catch {
            throw StoreError(error, path: notebook.path)
        }
    }

    /// The connection on which searches run; the first use opens it.
    private var connection: SearchConnection {
        get throws {
            try notebook.searches.withLock { connection in
                if let connection { return connection }
                let new = try SearchConnection(path: notebook.path)
                connection = new
                return new
            }
        }
    }

    /// Opens the connection on which searches run, so that the first search does not wait for it.
    ///
    /// It does nothing to a running search. Cost: that of parsing the schema, once.
    public func prepare() {
        guard notebook.mode == .interactive else { return }
        notebook.gate.passIfOpen { _ = try? connection }  // the search that follows reports the error
    }
}
