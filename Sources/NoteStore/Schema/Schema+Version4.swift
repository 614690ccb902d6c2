import GRDB

extension Schema {
    /// Version 4: the search index has decomposed Hangul, kana and ideographs in composed form.
    ///
    /// Only notes with such characters are indexed again, so that a large notebook opens at once. Only values derived
    /// from texts and titles change.
    static func composeIndexedWords(_ db: Database) throws {
        for key in try notesWithDecomposedWords(db) {
            guard let (title, text) = try indexed(key, db) else { continue }
            let old = (SearchText.prepared(title, composing: false), SearchText.prepared(text, composing: false))
            let words = IndexedWords(title: title, text: text, unknownTo: TermCache())
            guard old != (words.title, words.text) else { continue }
            do {
                try db.execute(
                    sql: """
                        INSERT INTO search (search, rowid, title, text) VALUES ('delete', ?1, ?2, ?3);
                        """, arguments: [key, old.0, old.1])
                try db.execute(
                    sql: "INSERT INTO search_title (search_title, rowid, title) VALUES ('delete', ?, ?)",
                    arguments: [key, old.0])
                try db.execute(
                    sql: "INSERT INTO search (rowid, title, text) VALUES (?, ?, ?)",
                    arguments: [key, words.title, words.text])
                try db.execute(
                    sql: "INSERT INTO search_title (rowid, title) VALUES (?, ?)", arguments: [key, words.title])
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                // The next maintenance rebuilds the whole index.
                try db.execute(sql: "INSERT OR REPLACE INTO setting (key, value) VALUES ('indexIsDamaged', '1')")
                return
            }
            try words.forEachTerm { term in
                try db.execute(
                    sql: "INSERT OR IGNORE INTO search_term (term, stem) VALUES (?, ?)",
                    arguments: [term.word, Stemmer.stem(term.word)])
            }
        }
    }

    /// Returns the notes that may have decomposed words; costs a pass over all texts.
    private static func notesWithDecomposedWords(_ db: Database) throws -> [Int64] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT note.id, note.title, note_text.text FROM note LEFT JOIN note_text ON note_text.note = note.id
                UNION ALL SELECT note, title, text FROM search_mark
                """)
        var keys: Set<Int64> = []
        while let row = try rows.next() {
            guard let key = row[0] as Int64? else { continue }
            for column in 1...2 {
                let isFound = try row.withUnsafeData(atIndex: column) { data in
                    data?.withUnsafeBytes { SearchText.mayCompose($0.bindMemory(to: UInt8.self)) } ?? false
                }
                if isFound { keys.insert(key) }
            }
        }
        return keys.sorted()
    }

    /// Returns the title and text of a note as they were indexed, or nil if the index does not have it.
    private static func indexed(_ key: Int64, _ db: Database) throws -> (title: String, text: String)? {
        let mark = try Row.fetchOne(
            db, sql: "SELECT title, CAST(text AS TEXT) FROM search_mark WHERE note = ?", arguments: [key])
        let note =
            try mark
            ?? Row.fetchOne(
                db,
                sql: """
                    SELECT title, CAST(note_text.text AS TEXT) FROM note
                        LEFT JOIN note_text ON note_text.note = note.id WHERE id = ?
                    """, arguments: [key])
        guard let note, let title = note[0] as String? else { return nil }
        return (title, note[1] as String? ?? "")
    }
}
