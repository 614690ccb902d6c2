import GRDB
import GRDBSQLite

extension Transaction {
    /// The triggers that update lists, counts, rules and marks for each new row.
    private static let triggersOfNewRows = [
        "note_insert", "note_listed", "note_named", "note_text_inserted", "note_tagged", "listing_inserted",
        "sync_note_made", "sync_note_tagged", "image_used",
    ]

    /// Makes many new notes, and then puts all of them into their lists at once.
    ///
    /// SQLite copies every page that a statement with triggers changes, which costs an import more than the notes
    /// themselves. So this drops the triggers of new rows and restores them, as they were, inside the transaction: no
    /// other program can see the file without them, and a transaction that does not commit leaves them in place.
    ///
    /// - Parameter body: makes notes by `insertNote`, which enforces the rules itself, and folders and tags; it must
    ///   not change anything that existed before.
    func insertingMany(_ body: () throws -> Void) throws {
        let names = Self.triggersOfNewRows.map { "'\($0)'" }.joined(separator: ", ")
        let triggers = try Row.fetchAll(
            db, sql: "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name IN (\(names))")
        let last: Int64 = try value("SELECT max(id) FROM note") ?? 0
        for trigger in triggers { try db.execute(sql: "DROP TRIGGER \(trigger[0] as String)") }
        checkConstraints(false)
        defer { checkConstraints(true) }
        hasOpenLinks =
            try value(
                """
                SELECT EXISTS (SELECT 1 FROM note_link WHERE destination IS NULL AND kind = 'note')
                """) ?? true
        defer { hasOpenLinks = true }
        // A link is stored when all notes that it may lead to are there, so that only older links must be resolved again:
        // `markNames` marks the names of these.
        heldLinks = []
        defer { heldLinks = nil }
        try indexingMany(body)
        try putIntoLists(after: last)
        try countInLists(after: last)
        try markNames(after: last)
        try addHeldLinks()
        try markUsedImages(after: last)
        try markForSync(after: last)
        for trigger in triggers { try db.execute(sql: trigger[1]) }
    }

    /// Turns the conditions of the tables (`CHECK`), which the rules of this program include, off or on.
    ///
    /// SQLite makes a temporary table for each link, to find its kind in a list of three, which costs more than writing
    /// it. GRDB would run nothing after a transaction that SQLite has ended, so this does not go through it.
    private func checkConstraints(_ isOn: Bool) {
        sqlite3_exec(db.sqliteConnection, "PRAGMA ignore_check_constraints = \(isOn ? "OFF" : "ON")", nil, nil, nil)
    }

    /// The settings of the search index with which FTS5 writes the words of many notes as one segment, and merges eight
    /// segments at a time.
    ///
    /// By default it writes a segment for each megabyte in memory and merges every four, which takes more than a third
    /// of the time for the index. What it has in memory before a flush is about as large as `pendingLimit`. More
    /// segments at a time would be merged all at once, while others wait.
    private static let manyWords = [("automerge", 8), ("hashsize", 16_000_000)]
    /// FTS5's own settings.
    private static let usualWords = [("automerge", 4), ("hashsize", 1 << 20)]

    /// Makes many new notes and writes their words to the index in large segments.
    private func indexingMany(_ body: () throws -> Void) throws {
        try setIndex(Self.manyWords)
        try body()
        try flushIndex()
        try setIndex(Self.usualWords)
    }

    /// Changes settings of the search index; a transaction that does not commit leaves them as they were.
    private func setIndex(_ settings: [(name: String, value: Int)]) throws {
        do {
            for table in ["search", "search_title"] {
                for (name, value) in settings {
                    try run("INSERT INTO \(table) (\(table), rank) VALUES (?, ?)", [name, value])
                }
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            // A damaged index takes no words either; `flushIndex` marks it.
        }
    }

    /// Returns a query for the lists that show each note which meets a condition: `id` and `list`.
    ///
    /// The triggers do the same for one note.
    static func memberships(where condition: String) -> String {
        """
        SELECT id, folder AS list FROM note WHERE \(condition) AND folder IS NOT NULL
        UNION ALL SELECT id, 3 FROM note WHERE \(condition) AND place = 0
        UNION ALL SELECT id, 4 FROM note WHERE \(condition) AND place = 2
        UNION ALL SELECT id, 2 FROM note WHERE \(condition) AND place = 0 AND starred = 1
        UNION ALL SELECT note.id, project FROM note JOIN container ON container.id = note.folder
            WHERE \(condition) AND note.place = 0 AND project IS NOT NULL
        UNION ALL SELECT note.id, gatheredBy FROM note JOIN container ON container.id = note.folder
            WHERE \(condition) AND note.place = 0 AND gatheredBy IS NOT NULL
        UNION ALL SELECT note.id, tag FROM note_tag JOIN note ON note.id = note_tag.note
            WHERE \(condition) AND place = 0
        """
    }

    /// Puts all notes with greater keys into their lists, as `note_listed` and `note_tagged` do for one note.
    func putIntoLists(after last: Int64) throws {
        try run(
            """
            INSERT OR IGNORE INTO listing (list, note, starred, createdDate, updatedDate, titleSort)
            SELECT list, note.id, note.starred, note.createdDate, note.updatedDate, substr(note.titleKey, 1, 64)
            FROM (\(Self.memberships(where: "note.id > ?1"))) AS listed JOIN note USING (id)
            """, [last])
    }

    /// Marks the titles of these notes where links name them, as `note_named` does for one note.
    private func markNames(after last: Int64) throws {
        try run(
            """
            INSERT OR IGNORE INTO link_mark (nameKey) SELECT titleKey FROM note WHERE id > ? AND (
                EXISTS (SELECT 1 FROM note_link WHERE kind = 'title' AND targetKey = titleKey)
                OR EXISTS (SELECT 1 FROM link_name WHERE nameKey = titleKey AND isFolder = 0))
            """, [last])
    }

    /// Marks the images that these notes show as used, as `image_used` does for one link.
    private func markUsedImages(after last: Int64) throws {
        try run(
            """
            INSERT OR IGNORE INTO image_use (image) SELECT note_image.id FROM note_link
            JOIN note_image ON note_image.uuid = target WHERE source > ? AND +kind = 'image'
            """, [last])
    }

    /// Marks these notes as changed, as `sync_note_made` does for one note.
    private func markForSync(after last: Int64) throws {
        try run(
            """
            INSERT OR REPLACE INTO sync_mark (kind, id) SELECT 'note', uuid FROM note
            WHERE id > ? AND EXISTS (SELECT 1 FROM setting WHERE key = 'sync.url')
            """, [last])
    }

    /// Adds these notes to the counts of their lists, as `listing_inserted` does for one note.
    private func countInLists(after last: Int64) throws {
        try run(
            """
            UPDATE container SET noteCount = noteCount + added.notes
            FROM (SELECT list, count(*) AS notes FROM listing WHERE note > ? GROUP BY list) AS added
            WHERE container.id = added.list
            """, [last])
    }
}
