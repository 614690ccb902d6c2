import Foundation
import GRDB
import GRDBSQLite

extension Notebook {
    /// The size of the write-ahead log, in bytes, above which a write checkpoints it.
    ///
    /// It is as many pages as SQLite's own checkpoints wait for.
    static let defaultLogLimit = 4_000_000

    /// The size, in bytes, above which a command checkpoints the log when it ends.
    ///
    /// The first program to open the notebook reads the whole log, 1.2 instructions a byte (measured 2026-11); without
    /// this limit a log that only commands write grows for ever. A note takes some 70 KB of it.
    static let commandLog = 1 << 20

    /// The size, in bytes, above which any program checkpoints, because the one that should may be stopped.
    private static let excessiveLog = 64_000_000

    /// Turns off SQLite's automatic checkpoints, which run without our lock.
    static func stopAutomaticCheckpoints(_ db: Database) { _ = sqlite3_wal_autocheckpoint(db.sqliteConnection, 0) }

    /// Runs a write on the writing connection while no other program writes or checkpoints the log.
    func writeAlone<T>(_ body: (Database) throws -> T) throws -> T {
        try whenFree { db in try exclusively(db, body) }
    }

    /// Runs one transaction while no other program writes.
    func writeTransaction<T>(_ body: (Database) throws -> T) throws -> T {
        try whenFree { db -> T? in
            try exclusively(db) { db -> T? in
                do {
                    try patience.withoutWaiting { try db.beginTransaction(.immediate) }
                } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                    return nil
                }
                removeUnfinishedRest(db)
                do {
                    let result = try body(db)
                    try db.commit()
                    return result
                } catch {
                    let reason = db.named(error, path: path)
                    try? db.rollback()  // the first error is reported; SQLite may have rolled back by itself
                    if error is DatabaseError { removeFailedCommit(db) }
                    throw reason
                }
            }
        }
    }

    /// Runs `body` on the writing connection as soon as no other program holds the write lock.
    ///
    /// It waits outside of the connection's queue, so a thread with a long limit does not delay one with a short limit.
    ///
    /// - Parameter body: returns nil if another program, which knows only SQLite's own locks, is writing.
    /// - Throws: `busy` when the waiting time is used up.
    func whenFree<T>(_ body: (Database) throws -> T?) throws -> T {
        var tries = 0
        let present = connections.present
        let (database, lock) = (present.database, present.lock)
        defer { if tries > 0 { lock.endWaiting() } }
        while true {
            let outcome = try lock.queued { isNext in
                try database.writeWithoutTransaction { db in
                    isNext()
                    return try lock.holdIfFree { try body(db) }
                }
            }
            if let outcome, let outcome { return outcome }
            if tries == 0 { lock.beginWaiting() }
            tries += 1
            guard patience.wait(after: tries - 1) else { throw StoreError.busy(path: path) }
        }
    }

    /// Lets waiting threads and programs write; call it between two of many transactions.
    ///
    /// It ends after a second at the latest, because a waiting thread may be waiting for something else.
    func yieldToWriters() {
        for _ in 0..<100 where lock.hasWaiters { usleep(10_000) }
    }

    private func exclusively<T>(_ db: Database, _ body: (Database) throws -> T) throws -> T {
        if connections.present.isUnshared { throw StoreError.readOnly(path: path) }
        try files.claimName()
        try files.refuseOtherContent(db, patience)
        try makeRoom(db)
        let result = Result { try body(db) }
        // If the file was replaced, nothing was done, whatever `result` says.
        try files.refuseOtherContent(db, patience)
        let value = try result.get()
        try checkpoint(db, from: logLimit.load(ordering: .relaxed))
        return value
    }

    /// The free disk space, in bytes, below which a write empties the log first.
    ///
    /// Saving a megabyte of text takes two to four megabytes of the log, and as much of the file when the log is
    /// emptied.
    static let scarceRoom = 16_000_000

    /// The largest size, in bytes, of a log that is not worth emptying: that of two or three small notes.
    private static let shortLog = 200_000

    /// Empties the log if the disk has little free space.
    ///
    /// A log that has filled the disk could not be emptied, because the file would have no room to grow.
    private func makeRoom(_ db: Database) throws {
        guard DiskFile.size(of: path + "-wal") > Self.shortLog, !db.isInsideTransaction,
            let connection = db.sqliteConnection,
            DiskFile.freeBytes(beside: path) ?? .max < scarceRoom.load(ordering: .relaxed)
        else { return }
        _ = sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        // Compares the file's content with the log that it came from, before the log is gone.
        try files.refuseOtherContent(db, patience)
        // A log that another program reads, or that did not fit into the file, stays.
        patience.withoutWaiting {
            _ = sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        }
    }

    /// Checkpoints the log if it is longer than `limit` and no other program has that task.
    ///
    /// Call it while `lock` is held. A failure leaves the log as it is, for the next time.
    ///
    /// - Throws: `replaced` if another file was copied over the notebook's in the meantime.
    private func checkpoint(_ db: Database, from limit: Int) throws {
        // A closed connection has no `sqliteConnection`.
        guard isLog(longerThan: limit, db), !db.isInsideTransaction, let connection = db.sqliteConnection
        else { return }
        guard lock.becomeCheckpointer() || isLog(longerThan: Self.excessiveLog, db) else { return }
        _ = sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        // A long-running program keeps the task, so that others need not try.
        if mode == .command { lock.endKeeping() }
        // Compares the file's content with the log that it came from, before the log restarts.
        try files.refuseOtherContent(db, patience)
    }

    /// Whether the log is longer than `bytes`, without what its file still holds of earlier logs.
    ///
    /// SQLite begins a log anew at the start of the file and leaves the file as long as it was, so that by its size
    /// alone every write beside an open window would checkpoint.
    func isLog(longerThan bytes: Int, _ db: Database) -> Bool {
        guard DiskFile.size(of: path + "-wal") > bytes else { return false }
        // A log that cannot be read is judged by the size of its file.
        guard let log = RawFile(.log, of: db), let header = log.bytes(32, at: 0) else { return true }
        // sqlite.org/fileformat2.html#walformat: a frame of the present log has the salts of its header.
        let frameSize = 24 + header.bigEndian32(at: 8)
        guard let frame = log.bytes(24, at: 32 + bytes / frameSize * frameSize) else { return true }
        return frame.slice(8, 8) == header.slice(16, 8)
    }

    /// Empties a log that has several names (hard links), as one has after the folder was copied with hard links.
    ///
    /// SQLite removes the log when it closes the file. Under its other name the log would stay as it is, and would be
    /// applied to the file again when that is opened by its other name. Call it while `lock` is held.
    func emptyLinkedLog() {
        guard !isReadOnly, DiskFile.names(of: path + "-wal") > 1 else { return }
        database.writeWithoutTransaction { db in
            guard let connection = db.sqliteConnection else { return }
            // A log that another program still reads is not removed either.
            _ = sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        }
    }

    /// Checkpoints a log of more than `limit` bytes.
    func shortenLog(above limit: Int = 0) throws {
        guard !isReadOnly else { return }
        try whenFree { db in
            try files.claimName()
            try files.refuseOtherContent(db, patience)
            try checkpoint(db, from: limit)
        }
    }
}
