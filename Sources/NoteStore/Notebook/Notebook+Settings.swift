import GRDB

extension Notebook {
    /// What the notebook itself remembers under a key; other programs on it see it too.
    public func setting(_ key: String) throws(StoreError) -> String? {
        try read { db in
            try String.fetchOne(
                db.cachedStatement(sql: "SELECT value FROM setting WHERE key = ?"), arguments: [key])
        }
    }

    /// Remembers a value, or forgets it with `nil`.
    public func setSetting(_ key: String, _ value: String?) throws(StoreError) {
        try write { transaction in
            if let value {
                try transaction.run("INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", [key, value])
            } else {
                try transaction.run("DELETE FROM setting WHERE key = ?", [key])
            }
        }
    }

    /// Keeps a summary of a note with the hash of the text that it sums up.
    public func setSummary(_ summary: String, of id: NoteID) throws(StoreError) {
        try write { transaction in
            let head = try transaction.head(id)
            let text = try Self.text(transaction.db, key: head.key) ?? ""
            try transaction.run(
                "UPDATE note SET aiSummary = ?, contentHash = ? WHERE id = ?",
                [summary, Note.contentHash(of: text), head.key])
            transaction.change.notes?.insert(id)
        }
    }
}
