import GRDB

extension Notebook {
    /// Whether the notebook has ever held a note, one deleted for ever since included.
    ///
    /// SQLite remembers the highest row number that it gave away, which is zero only before the first.
    public func hasHeldNotes() throws(StoreError) -> Bool {
        try read { db in
            try Bool.fetchOne(db, sql: "SELECT seq > 0 FROM sqlite_sequence WHERE name = 'note'") ?? false
        }
    }
}
