import Foundation
import GRDB

extension Notebook.Lists {
    /// Returns the total word count of a list's notes.
    ///
    /// Cost grows with the list: about 50 ms at 100,000 notes.
    public func wordCount(of container: ContainerID) throws(StoreError) -> Int {
        try notebook.read { db in
            try Int.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT sum(wordCount) FROM listing JOIN note ON note.id = listing.note
                        WHERE list = (SELECT id FROM container WHERE uuid = ?)
                        """), arguments: [container.description]) ?? 0
        }
    }

    /// Returns a page of a list, in the list's order.
    ///
    /// Cost: that of the page, at any position.
    ///
    /// - Parameter limit: the maximum number of rows.
    public func rows(
        _ query: ListQuery, from anchor: ListAnchor = .start, limit: Int
    ) throws(StoreError) -> [NoteRow] {
        try notebook.read { db in
            guard let list = try ListReader(db, query) else { return [] }
            let notes = try list.window(from: anchor, limit: limit)
            return try ListReader.rows(db, notes)
        }
    }

    /// Returns the number of notes in the list.
    ///
    /// The count is stored, not computed, unless the list is narrowed to a tag: then it costs the tag's notes.
    public func count(_ query: ListQuery) throws(StoreError) -> Int {
        try notebook.read { db in
            if query.tag != nil { return try ListReader(db, query)?.countTagged() ?? 0 }
            let count = try Int.fetchOne(
                db.cachedStatement(sql: "SELECT noteCount FROM container WHERE uuid = ?"),
                arguments: [query.container.description])
            // Another program may have stored any number.
            return max(0, count ?? 0)
        }
    }

    /// Whether a note is in a list.
    public func contains(_ note: NoteID, in query: ListQuery) throws(StoreError) -> Bool {
        try notebook.read { db in
            guard let list = try ListReader(db, query),
                let row = try NoteRow.fetch(db, "WHERE note.uuid = ?", [note.description]).first
            else { return false }
            return try list.shows(row.key)
        }
    }

    /// Returns the 0-based position of a note in a list, or `nil` if it is not in the list.
    ///
    /// Cost grows with the position: about 2 ms at 100,000.
    public func ordinal(of note: NoteID, in query: ListQuery) throws(StoreError) -> Int? {
        try notebook.read { db in
            guard let list = try ListReader(db, query),
                let row = try NoteRow.fetch(db, "WHERE note.uuid = ?", [note.description]).first,
                try list.shows(row.key)
            else { return nil }
            return try list.countBefore(row)
        }
    }
}

/// Reads a list by ranges of one index of `listing`, whose columns are list, starred, the sort key, and the note.
///
/// With starred notes first, the two ranges follow each other; otherwise they are merged.
struct ListReader {
    /// A position in a list, ordered by the key, then by the note.
    struct Position {
        let starred: Bool
        let key: DatabaseValue
        let note: Int64
    }

    let db: Database
    let list: Int64
    let query: ListQuery

    /// `nil` if there is no such container.
    init?(_ db: Database, _ query: ListQuery) throws {
        let statement = try db.cachedStatement(sql: "SELECT id FROM container WHERE uuid = ?")
        guard let list = try Int64.fetchOne(statement, arguments: [query.container.description]) else { return nil }
        self.db = db
        self.list = list
        self.query = query
    }

    private var column: String {
        switch query.sortBy {
        case .created: "listing.createdDate"
        case .updated: "listing.updatedDate"
        case .title: "titleSort"
        case .byHand: Self.handKey
        }
    }

    /// The list's rows in the order of `column`.
    ///
    /// The order by hand is sorted at each read: only folders have it, and another index would cost every save.
    private var source: String {
        switch query.sortBy {
        case .created: "listing INDEXED BY listing_created"
        case .updated: "listing INDEXED BY listing_updated"
        case .title: "listing INDEXED BY listing_title"
        case .byHand: "listing INDEXED BY listing_created JOIN note ON note.id = listing.note"
        }
    }

    /// The SQL condition that keeps only notes with the query's tag, and its arguments.
    private var tagCondition: (sql: String, arguments: [any DatabaseValueConvertible]) {
        guard let tag = query.tag else { return ("", []) }
        let sql = """
            AND EXISTS (SELECT 1 FROM note_tag WHERE note_tag.note = listing.note
                AND tag = (SELECT id FROM container WHERE uuid = ?))
            """
        return (sql, [tag.description])
    }

    func position(of row: NoteRow) -> Position {
        let key: DatabaseValue =
            switch query.sortBy {
            case .created: row.createdDate.milliseconds.databaseValue
            case .updated: row.updatedDate.milliseconds.databaseValue
            case .byHand: row.handKey.databaseValue
            // The index has the first 64 scalars, since SQLite's substr counts scalars.
            case .title:
                String(String.UnicodeScalarView(Folding.key(row.title).unicodeScalars.prefix(64))).databaseValue
            }
        return Position(starred: row.starred, key: key, note: row.key)
    }

    func shows(_ note: Int64) throws -> Bool {
        let (tagged, tag) = tagCondition
        return try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT 1 FROM listing WHERE note = ? AND list = ? \(tagged)"),
            arguments: StatementArguments([note, list] + tag)) ?? false
    }

    // MARK: - Pages

    /// Returns the integer keys of a page's notes.
    func window(from anchor: ListAnchor, limit: Int) throws -> [Int64] {
        switch anchor {
        case .start: try walk(from: nil, forward: true, limit: limit)
        case .end: try walk(from: nil, forward: false, limit: limit).reversed()
        case .after(let row): try walk(from: position(of: row), forward: true, limit: limit)
        case .before(let row): try walk(from: position(of: row), forward: false, limit: limit).reversed()
        }
    }

    /// Returns the next notes from a position, nearest first.
    private func walk(from start: Position?, forward: Bool, limit: Int) throws -> [Int64] {
        guard query.starredFirst else { return try merged(from: start, forward: forward, limit: limit) }
        var result: [Int64] = []
        for starred in forward ? [true, false] : [false, true] where result.count < limit {
            // The other range lies entirely before or after the position.
            let isOther = start.map { $0.starred != starred } ?? false
            if isOther, starred == forward { continue }
            let (nearest, left) = (isOther ? nil : start, limit - result.count)
            result += try range(starred: starred, from: nearest, forward: forward, limit: left).map(\.note)
        }
        return result
    }

    private func merged(from start: Position?, forward: Bool, limit: Int) throws -> [Int64] {
        let one = try range(starred: true, from: start, forward: forward, limit: limit)
        let other = try range(starred: false, from: start, forward: forward, limit: limit)
        let ascending = forward == (query.sortOrder == .oldestFirst)
        let sorted = (one + other).sorted { ascending ? $0 < $1 : $1 < $0 }
        return sorted.prefix(limit).map(\.note)
    }

    private struct Entry {
        let key: DatabaseValue
        let note: Int64

        static func < (left: Entry, right: Entry) -> Bool {
            if left.key == right.key { return left.note < right.note }
            if let one = Int64.fromDatabaseValue(left.key), let other = Int64.fromDatabaseValue(right.key) {
                return one < other
            }
            // SQLite compares texts by their bytes.
            let one = String.fromDatabaseValue(left.key) ?? ""
            let other = String.fromDatabaseValue(right.key) ?? ""
            return one.utf8.lexicographicallyPrecedes(other.utf8)
        }
    }

    /// Returns the notes with or without a star that come next, nearest first.
    private func range(starred: Bool, from start: Position?, forward: Bool, limit: Int) throws -> [Entry] {
        let ascending = forward == (query.sortOrder == .oldestFirst)
        let direction = ascending ? "ASC" : "DESC"
        let beyond = start == nil ? "" : "AND (\(column), listing.note) \(ascending ? ">" : "<") (?, ?)"
        let (tagged, tag) = tagCondition
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(column), listing.note FROM \(source) WHERE list = ? AND listing.starred = ? \(beyond) \(tagged)
                ORDER BY \(column) \(direction), listing.note \(direction) LIMIT ?
                """)
        var arguments: [any DatabaseValueConvertible] = [list, starred]
        if let start { arguments += [start.key, start.note] }
        arguments += tag
        arguments.append(limit)
        let rows = try Row.fetchCursor(statement, arguments: StatementArguments(arguments))
        var result: [Entry] = []
        while let row = try rows.next() { result.append(Entry(key: row[0], note: row[1])) }
        return result
    }

    /// Returns the number of notes that come before this one.
    func countBefore(_ row: NoteRow) throws -> Int {
        let own = position(of: row)
        let comparison = query.sortOrder == .oldestFirst ? "<" : ">"
        let (tagged, tag) = tagCondition
        let inList = "SELECT count(*) FROM \(source) WHERE list = ? AND listing.starred = ?"
        let sql = "\(inList) AND (\(column), listing.note) \(comparison) (?, ?) \(tagged)"
        func before(starred: Bool) throws -> Int {
            let arguments: [any DatabaseValueConvertible] = [list, starred, own.key, own.note] + tag
            return try Int.fetchOne(db.cachedStatement(sql: sql), arguments: StatementArguments(arguments)) ?? 0
        }
        guard query.starredFirst else { return try before(starred: true) + before(starred: false) }
        if row.starred { return try before(starred: true) }
        let stars = try Int.fetchOne(
            db.cachedStatement(sql: "\(inList) \(tagged)"), arguments: StatementArguments([list, true] + tag))
        return try before(starred: false) + (stars ?? 0)
    }

    /// Returns the number of notes in the list that have the query's tag.
    func countTagged() throws -> Int {
        let statement = try db.cachedStatement(
            sql: """
                SELECT count(*) FROM note_tag JOIN listing ON listing.note = note_tag.note AND listing.list = ?
                WHERE note_tag.tag = (SELECT id FROM container WHERE uuid = ?)
                """)
        return try Int.fetchOne(statement, arguments: [list, query.tag?.description]) ?? 0
    }

    /// Returns the rows of these notes, in this order.
    ///
    /// One statement reads them all: each execution by GRDB names the columns of its rows anew, which takes four times
    /// as long as reading a row (callgrind, 2026-11).
    static func rows(_ db: Database, _ notes: [Int64]) throws -> [NoteRow] {
        let statement = try db.cachedStatement(
            sql: "\(NoteRow.selection) WHERE note.id IN (SELECT value FROM json_each(?))")
        var found: [Int64: NoteRow] = [:]
        found.reserveCapacity(notes.count)
        let rows = try Row.fetchCursor(statement, arguments: ["\(notes)"])
        while let row = try rows.next().map(NoteRow.init) { found[row.key] = row }
        return notes.compactMap { found[$0] }
    }
}
