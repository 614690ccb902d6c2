import GRDB

extension Notebook.Settings {
    /// Returns the value that the notebook stores under a key; other programs that open the notebook see it too.
    public func value(_ key: String) throws(StoreError) -> String? {
        try notebook.read { db in
            try String.fetchOne(
                db.cachedStatement(sql: "SELECT value FROM setting WHERE key = ?"), arguments: [key])
        }
    }

    /// Stores a value under a key; `nil` removes it.
    public func set(_ key: String, _ value: String?) throws(StoreError) {
        try notebook.write { transaction in
            if let value {
                try transaction.run("INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", [key, value])
            } else {
                try transaction.run("DELETE FROM setting WHERE key = ?", [key])
            }
        }
    }
}
