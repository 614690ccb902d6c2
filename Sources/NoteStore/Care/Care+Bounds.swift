import GRDB

extension Notebook.Care {
    /// Trims the tables that would otherwise only grow to their `Bounds`.
    ///
    /// It removes old actions, versions, undo histories and former titles, names of what was deleted for ever, the marks of
    /// journals that are gone, and once a week the words that no note contains any more. Call it in an idle moment and off
    /// the main thread: it reads every version's size and, once a week, looks up every word of the index. It writes in
    /// short transactions.
    public func keepWithinBounds() throws(StoreError) {
        try keepWithinBounds(versionBytes: Bounds.versionBytes, historyBytes: Bounds.historyBytes)
    }

    /// Trims versions and undo histories to the given limits, in bytes.
    func keepWithinBounds(
        versionBytes: Int64, historyBytes: Int64, gone: Int = Bounds.gone
    ) throws(StoreError) {
        for trimming in Trimming.all(versionBytes: versionBytes, historyBytes: historyBytes, gone: gone) {
            try remove(notebook.read { try trimming.excess($0) }, by: trimming.deletion)
        }
        try notebook.journal.forgetMarksOfGone()
        try forgetWords()
    }

    /// Removes rows in short transactions; returns whether there were any.
    @discardableResult
    private func remove(_ keys: [DatabaseValue], by deletion: String) throws(StoreError) -> Bool {
        for start in stride(from: 0, to: keys.count, by: Self.trimmedAtOnce) {
            try notebook.write { transaction in
                for key in keys[start..<min(start + Self.trimmedAtOnce, keys.count)] {
                    try transaction.run(deletion, [key])
                }
            }
        }
        return !keys.isEmpty
    }

    /// The maximum number of rows that one transaction removes.
    private static let trimmedAtOnce = 500

    // MARK: - Words

    private static let wordsLookedUpAtOnce = 2_000

    /// Removes words from the table of words.
    ///
    /// These are the words that no note contains any more, and the longest of the others above `bytes`, which can then
    /// no longer be found by their middle or stem.
    func forgetWords(evenIfDone: Bool = false, bytes: Int64 = Bounds.wordBytes) throws(StoreError) {
        let now = notebook.options.now().milliseconds
        let done = try notebook.read { db in
            try Int64.fetchOne(db, sql: "SELECT CAST(value AS INTEGER) FROM setting WHERE key = 'wordsForgotten'")
        }
        // A clock that was set back must not delay it for years.
        if let done, !evenIfDone, now.clampedDifference(from: done).magnitude < Bounds.wordsInterval { return }
        try forgetUnusedWords()
        let words = Trimming.words(bytes: bytes)
        if try remove(notebook.read { try words.excess($0) }, by: words.deletion) {
            try notebook.write { try $0.endTermGeneration() }
        }
        try notebook.write { transaction in
            try transaction.run(
                "INSERT OR REPLACE INTO setting (key, value) VALUES ('wordsForgotten', ?)", [String(now)])
        }
    }

    /// Removes the words that no note contains any more, a few thousand at a time.
    private func forgetUnusedWords() throws(StoreError) {
        // Another tool may have stored anything as the length.
        var last = (length: 0.databaseValue, word: "")
        while true {
            let rows = try notebook.read { db in
                let statement = try db.cachedStatement(
                    sql: """
                        SELECT length, CAST(term AS TEXT) FROM search_term WHERE (length, term) > (?, ?)
                        ORDER BY length, term LIMIT ?
                        """)
                return try Row.fetchAll(statement, arguments: [last.length, last.word, Self.wordsLookedUpAtOnce])
            }
            let words = rows.map { $0[1] as String }
            // A term that another tool has stored as a blob, or in bytes that are not UTF-8, comes after its own text.
            guard let row = rows.last, let end = words.last, end != last.word else { break }
            last = (row[0] as DatabaseValue, end)
            let unused = try notebook.read { db in try words.filter { try !Self.isHeld($0, db) } }
            if unused.isEmpty { continue }
            try notebook.write { transaction in
                // A note may contain one of the words by now.
                for word in unused where try !Self.isHeld(word, transaction.db) {
                    try transaction.run(TermTable.deletion, [word])
                }
                try transaction.endTermGeneration()
            }
        }
    }

    private static func isHeld(_ word: String, _ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM search WHERE search MATCH ?)")
        return try Bool.fetchOne(statement, arguments: ["\"\(word.replacing("\"", with: "\"\""))\""]) ?? true
    }
}

/// The limit of one table: which rows exceed it, and how to delete one.
private struct Trimming {
    /// Selects keys and bytes, the rows that are kept longest first.
    let rows: String
    let count: Int
    let bytes: Int64
    let deletion: String

    static func all(versionBytes: Int64, historyBytes: Int64, gone: Int) -> [Trimming] {
        [
            actions, histories(bytes: historyBytes), versions(bytes: versionBytes), formerTitles,
            goneNames(count: gone), settingsOfGoneNotes,
        ]
    }

    private static let actions = Trimming(
        rows: """
            SELECT id, length(CAST(changes AS BLOB)) FROM action WHERE id <> (SELECT max(id) FROM action)
            ORDER BY id DESC
            """,
        count: Bounds.actions - 1, bytes: Bounds.actionBytes, deletion: "DELETE FROM action WHERE id = ?")

    private static func histories(bytes: Int64) -> Trimming {
        Trimming(
            rows: "SELECT note, length(data) FROM note_history ORDER BY date DESC, note DESC",
            count: Bounds.histories, bytes: bytes, deletion: "DELETE FROM note_history WHERE note = ?")
    }

    /// The versions of all notes; the newest of each note stays.
    private static func versions(bytes: Int64) -> Trimming {
        Trimming(
            rows: """
                SELECT id, length(CAST(text AS BLOB)) FROM note_version AS v
                WHERE number < (SELECT max(number) FROM note_version AS n WHERE n.note = v.note)
                ORDER BY createdDate DESC, id DESC
                """,
            count: .max, bytes: bytes, deletion: "DELETE FROM note_version WHERE id = ?")
    }

    /// The former titles that no link names.
    ///
    /// Their table has no row key: both key columns are joined by a character that no title contains.
    private static let formerTitles = Trimming(
        rows: """
            SELECT note || char(10) || titleKey, length(CAST(titleKey AS BLOB)) FROM former_title
            WHERE NOT EXISTS (SELECT 1 FROM note_link WHERE kind = 'title' AND targetKey = titleKey)
                AND NOT EXISTS (SELECT 1 FROM link_name WHERE nameKey = titleKey AND isFolder = 0)
            ORDER BY date DESC, titleKey
            """,
        count: Bounds.formerTitles, bytes: Bounds.formerTitleBytes,
        deletion: """
            DELETE FROM former_title WHERE note = CAST(substr(?1, 1, instr(?1, char(10)) - 1) AS INTEGER)
                AND titleKey = substr(?1, instr(?1, char(10)) + 1)
            """)

    /// The names of what is gone; those that have not been sent yet stay.
    ///
    /// All machines drop the same ones, since they are sorted by name.
    private static func goneNames(count: Int) -> Trimming {
        Trimming(
            rows: """
                SELECT id, length(id) + coalesce(length(successor), 0) FROM sync_gone
                WHERE NOT EXISTS (SELECT 1 FROM sync_mark WHERE sync_mark.id = sync_gone.id)
                ORDER BY successor IS NULL, id
                """,
            count: count, bytes: .max, deletion: "DELETE FROM sync_gone WHERE id = ?")
    }

    /// The settings of notes that are gone, except their privacy, since another machine may bring them back.
    private static let settingsOfGoneNotes = Trimming(
        rows: """
            SELECT key, 0 FROM setting
            WHERE (key >= 'imported/' AND key < 'imported0' OR key >= 'summary/' AND key < 'summary0'
                    OR key >= 'importedTitle/' AND key < 'importedTitle0')
                AND NOT EXISTS (SELECT 1 FROM note WHERE uuid = substr(key, instr(key, '/') + 1))
            """,
        count: 0, bytes: 0, deletion: "DELETE FROM setting WHERE key = ?")

    static func words(bytes: Int64) -> Trimming {
        Trimming(
            rows: "SELECT term, length(CAST(term AS BLOB)) FROM search_term ORDER BY length, term",
            count: .max, bytes: bytes, deletion: TermTable.deletion)
    }

    /// Returns the keys of the rows that exceed the limit.
    func excess(_ db: Database) throws -> [DatabaseValue] {
        let rows = try Row.fetchCursor(db, sql: rows)
        var left = (count: count, bytes: bytes)
        var excess: [DatabaseValue] = []
        while let row = try rows.next() {
            left.count -= 1
            left.bytes -= (row[1] as Int64?) ?? 0
            if left.count < 0 || left.bytes < 0 { excess.append(row[0]) }
        }
        return excess
    }
}

extension Transaction {
    /// Deletes the oldest versions of a note until the rest is within `Bounds.versionBytesOfNote`.
    func trimVersions(of note: Int64) throws {
        var left = Bounds.versionBytesOfNote
        let versions = try rows(
            "SELECT id, length(CAST(text AS BLOB)) FROM note_version WHERE note = ? ORDER BY number DESC", [note])
        for version in versions.dropFirst() {
            left -= (version[1] as Int64?) ?? 0
            if left < 0 { try run("DELETE FROM note_version WHERE id = ?", [version[0] as Int64]) }
        }
    }

    /// Records that words have been removed, so that no program relies on words that it has seen before.
    func endTermGeneration() throws {
        try run(
            """
            INSERT INTO setting (key, value) VALUES ('termGeneration', '1')
            ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)
            """)
        knownTermGeneration = nil
    }

    /// Returns the number of recorded removals from the table of words.
    func termGeneration() throws -> Int64 {
        if let known = knownTermGeneration { return known }
        let found: Int64 =
            try value("SELECT CAST(value AS INTEGER) FROM setting WHERE key = 'termGeneration'") ?? 0
        knownTermGeneration = found
        return found
    }
}
