import Foundation
import GRDB
import GRDBSQLite

extension Notebook {
    /// Bytes of the write-ahead log from which on it is moved into the file after a write: as many pages as SQLite's own
    /// checkpoints wait for.
    static let usualLog = 4_000_000

    /// Bytes from which on a command that ends moves it.
    ///
    /// Whoever opens the notebook first reads the log through, 1.2 instructions a byte (measured 2026-11): without this a
    /// log that only commands write grows for ever. A note takes some 70 KB of it.
    static let commandLog = 1 << 20

    /// Bytes from which on anyone moves it, since whoever should has not: it may be stopped.
    private static let excessiveLog = 64_000_000

    /// Leaves no checkpoint to SQLite, which makes them without our lock.
    static func stopAutomaticCheckpoints(_ db: Database) { _ = sqlite3_wal_autocheckpoint(db.sqliteConnection, 0) }

    /// Runs a write on the writing connection while no other program writes or moves the log.
    func writeAlone<T>(_ body: (Database) throws -> T) throws -> T {
        try whenFree { db in try alone(db, body) }
    }

    /// Runs one transaction while no other program writes.
    func writeTransaction<T>(_ body: (Database) throws -> T) throws -> T {
        try whenFree { db -> T? in
            try alone(db) { db -> T? in
                do {
                    try patience.withoutWaiting { try db.beginTransaction(.immediate) }
                } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                    return nil
                }
                do {
                    let result = try body(db)
                    try db.commit()
                    return result
                } catch {
                    try? db.rollback()  // what is told is the first error; SQLite may have rolled back by itself
                    throw error
                }
            }
        }
    }

    /// Runs `body` on the writing connection as soon as no other program holds the write lock.
    ///
    /// It waits outside of the connection's queue: a thread with much patience keeps none with little from the notebook.
    ///
    /// - Parameter body: nil where another program, which knows only SQLite's own locks, is writing.
    /// - Throws: `busy` when there is no patience left.
    func whenFree<T>(_ body: (Database) throws -> T?) throws -> T {
        var tries = 0
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

    /// Lets those write who wait for it, in this program and in others: to be called between two transactions of many.
    ///
    /// It ends after a second at the latest: who waits may be waiting for something else.
    func giveWay() {
        for _ in 0..<100 where lock.isWaitedFor { usleep(10_000) }
    }

    private func alone<T>(_ db: Database, _ body: (Database) throws -> T) throws -> T {
        try files.refuseOtherContent(db, patience)
        let result = Result { try body(db) }
        // Nothing was done then, whatever it says.
        try files.refuseOtherContent(db, patience)
        let value = try result.get()
        try checkpoint(db, from: logLimit.load(ordering: .relaxed))
        return value
    }

    /// Moves the log into the file if it is at least so long and no other program has taken that upon itself.
    ///
    /// To be called while `lock` is held. A failure leaves the log as it is, for the next time.
    ///
    /// - Throws: `replaced` if another file was copied over the notebook's meanwhile.
    private func checkpoint(_ db: Database, from limit: Int) throws {
        let bytes = DiskFile.size(of: path + "-wal")
        // A connection that is closed already has none.
        guard bytes > limit, !db.isInsideTransaction, let connection = db.sqliteConnection else { return }
        guard lock.becomeKeeper() || bytes > Self.excessiveLog else { return }
        _ = sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        // A program that stays keeps at it; so the others need not try.
        if mode == .command { lock.endKeeping() }
        // What lies in the file now is compared with the log that it came from, before that is begun anew.
        try files.refuseOtherContent(db, patience)
    }

    /// Moves a log of more than `limit` bytes into the file.
    func shortenLog(above limit: Int = 0) throws {
        guard !options.readOnly else { return }
        try whenFree { db in
            try files.refuseOtherContent(db, patience)
            try checkpoint(db, from: limit)
        }
    }
}
