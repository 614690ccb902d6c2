import GRDB

extension Notebook.Journal {
    /// Replays a journal of version 0.1, a small database, and removes it.
    ///
    /// - Returns: false if the journal is left alone because it is of another notebook.
    func replayLegacy(_ path: String, _ report: inout ReplayReport) throws(StoreError) -> Bool {
        guard !LegacyJournal.isOwned(path) else { return true }
        let queue: DatabaseQueue
        let texts: [RecoveredText]?
        do {
            queue = try LegacyJournal.open(path)
            texts = try queue.read { db in
                guard isOwn(fileNamed: try LegacyJournal.notebook(db)) else { return nil }
                return try LegacyJournal.recovered(db) { try notebook.notes.text($0) }
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            return true
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB
        {
            for ending in ["-wal", "-shm"] where DiskFile.exists(path + ending) {
                try DiskFile.move(path + ending, to: path + ending + JournalFile.damagedEnding)
            }
            try setAside(path, &report)
            return true
        } catch {
            throw StoreError(error, path: path)
        }
        for text in texts ?? [] { try bringBack(text, try storedText(text.note), at: nil, &report) }
        // Removed before the lock is released, so that no program replays it again.
        if texts != nil {
            LegacyJournal.remove(path)
            DiskFile.syncFolder(folder)
        }
        do {
            try queue.close()
        } catch {
            throw StoreError(error, path: path)
        }
        return texts != nil
    }
}
