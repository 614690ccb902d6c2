import GRDB

extension Notebook.Care {
    /// The number of notes that are read in one transaction; the lock is free between two transactions.
    private static let tagBatch: Int64 = 500

    /// Reads the tags in the texts of a notebook that an older program wrote, once, in short transactions.
    ///
    /// If there is nothing to do, it costs one look-up.
    public func readTags() throws(StoreError) {
        let isNeeded = try notebook.read { db in
            try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM setting WHERE key = 'tagsAreOld')")) ?? false
        }
        guard isNeeded else { return }
        while try notebook.write({ try $0.readOldTags(Self.tagBatch) }) { notebook.yieldToWriters() }
    }
}

extension Transaction {
    /// Reads the tags of the next notes; returns whether any notes are left.
    fileprivate func readOldTags(_ count: Int64) throws -> Bool {
        guard let last: Int64 = try value("SELECT CAST(value AS INTEGER) FROM setting WHERE key = 'tagsAreOld'")
        else { return false }
        let next = "SELECT max(note) FROM (SELECT note FROM note_text WHERE note > ? ORDER BY note LIMIT ?)"
        guard let end: Int64 = try value(next, [last, count]) else {
            try run("DELETE FROM setting WHERE key = 'tagsAreOld'")
            change.notes = nil
            return false
        }
        let notes = try rows(
            """
            SELECT note FROM note_text WHERE note > ?1 AND note <= ?2 AND (instr(text, '#') OR EXISTS (SELECT 1
                FROM note_tag JOIN container ON container.id = tag
                WHERE note_tag.note = note_text.note AND instr(name, '/')))
            ORDER BY note
            """, [last, end]
        ).map { $0[0] as Int64 }
        for key in notes {
            try addTagsAbove(key)
            // A marked note gets its tags when it is indexed.
            if try isMarked(key) { continue }
            try writeTags(TextFacts.tags(in: try Notebook.Notes.text(db, key: key) ?? ""), of: key)
        }
        try run("UPDATE setting SET value = ? WHERE key = 'tagsAreOld'", [String(end)])
        return true
    }
}
