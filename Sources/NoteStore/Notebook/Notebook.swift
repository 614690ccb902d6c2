import Foundation
import GRDB
import Synchronization

/// The notebook: one SQLite file, all rules, every write.
///
/// Reads of an interactive notebook run on connections of their own and never wait for a writer. Writes are serialized,
/// in this process and across processes, and each is one transaction. All calls are synchronous; which thread pays is
/// the caller's choice.
public final class Notebook: Sendable {
    public enum Mode: Sendable {
        /// One writing connection and several reading ones, for a program that stays.
        case interactive
        /// One connection, for a command that does one thing and ends.
        case command
    }

    /// What a notebook is opened with besides its path.
    public struct Options: Sendable {
        /// The clock, for tests.
        public var now: @Sendable () -> Date
        /// How long a write waits for another program's, in seconds.
        public var busyTimeout: Double
        /// Whether journals of programs that have died are replayed when it is opened.
        public var recoversSessions: Bool
        /// Changes nothing and makes nothing.
        public var readOnly: Bool
        /// What journals are written by; tests put one that fails in its place.
        var journalDisk = JournalDisk.system
        /// The backup that is being restored, which no other backup displaces.
        var sparedBackup: String?

        public init(
            now: @escaping @Sendable () -> Date = { Date() }, busyTimeout: Double = 5, recoversSessions: Bool = true,
            readOnly: Bool = false
        ) {
            self.now = now
            self.busyTimeout = busyTimeout
            self.recoversSessions = recoversSessions
            self.readOnly = readOnly
        }
    }

    /// The file, without symbolic links.
    public let path: String
    public let mode: Mode
    let options: Options
    let database: any DatabaseWriter
    let changes: ChangeCenter
    let gate = ClosingGate()
    let files: OpenFiles
    let lock: WriteLock
    let patience: Patience
    /// Bytes of the write-ahead log from which on it is moved into the file.
    let logLimit = Atomic<Int>(usualLog)
    let termCache = TermCache()
    /// Made by the first search of an interactive notebook.
    let searches = Mutex<SearchConnection?>(nil)
    private let recovery = Mutex(Recovery())

    /// What opening has brought back and put right.
    public struct Recovery: Equatable, Sendable {
        public var replay = ReplayReport()
        public var maintenance = MaintenanceReport()
        /// What kept it from being done; it is tried again at the next start.
        public var problem: StoreError?

        public var isEmpty: Bool { self == Recovery() }
    }

    /// What opening has brought back and put right, for a notice.
    public var recovered: Recovery { recovery.withLock { $0 } }

    init(
        path: String, mode: Mode, options: Options, database: any DatabaseWriter, lock: WriteLock, patience: Patience
    ) {
        self.path = path
        self.mode = mode
        self.options = options
        self.database = database
        files = OpenFiles(path)
        self.lock = lock
        self.patience = patience
        changes = ChangeCenter(database: database)
    }

    /// Replays the journals of programs that died and puts right what other programs left.
    ///
    /// A notebook that cannot be written now opens all the same.
    func recover() {
        var result = Recovery()
        // Each by itself: what is wrong with one keeps no other from being done.
        func attempt(_ body: () throws(StoreError) -> Void) {
            do { try body() } catch { result.problem = result.problem ?? error }
        }
        attempt { () throws(StoreError) in
            result.replay = try journal.replay()
            result.problem = result.replay.problems.first
        }
        // What a running program has not finished is its own business, and what a dead one has left is found by the
        // first search.
        attempt { () throws(StoreError) in result.maintenance = try care.maintain(unfinished: false) }
        guard mode == .interactive else { return recovery.withLock { [result] in $0 = result } }
        attempt { () throws(StoreError) in try images.cullWaiting() }
        attempt { () throws(StoreError) in try journal.forgetMarksOfGone() }
        recovery.withLock { [result] in $0 = result }
    }

    /// Closes the connections when the calls that are under way have ended; every later one throws `StoreError.closed`.
    ///
    /// - Parameter checkpointing: whether the last one to leave moves the write-ahead log into the file, which waits for
    ///   the disk several times. `nil`: not in command mode while the log is short, where the connection is left to the
    ///   end of the process instead; what was written is safe in the log, and the next program goes on from there.
    public func close(checkpointing: Bool? = nil) throws(StoreError) {
        changes.stop()
        gate.close()
        search.cancel()
        gate.wait()
        do {
            try searches.withLock { connection in
                try connection?.close()
                connection = nil
            }
            // A checkpoint would write into a file without a name, and remove a log that is another's by now.
            if checkpointing ?? (mode == .interactive || DiskFile.size(of: path + "-wal") > Self.commandLog),
                try isOwnFile()
            {
                try shortenLog(above: mode == .command ? Self.commandLog : 0)
                // The last one to leave moves the rest.
                try lock.hold(patience) { try database.close() }
                lock.endKeeping()
            } else {
                // The system closes it with the process.
                _ = Unmanaged.passRetained(database as AnyObject)
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Whether the notebook's file is still the one that was opened; keeps what can be kept if it is not.
    private func isOwnFile() throws(StoreError) -> Bool {
        do {
            try refuseLostFiles(readingContent: !options.readOnly)
            return true
        } catch {
            // It has been told by the last write, and the next start brings in what is in the journal.
            if files.problem() != nil { return false }
            throw error
        }
    }

    /// From now on a write on this thread waits for other programs so many seconds at most: a window that waits heeds no
    /// key.
    public func beHastyOnThisThread(seconds: Double = 1) { patience.beHasty(seconds: seconds) }

    /// From now on all waiting for other programs together lasts two seconds at most, that which is under way included.
    ///
    /// To be called by a program that stays before its last writes.
    public func beginLeaving() { patience.beginLeaving(seconds: 2) }

    /// Stops the queries that are running, which throw `StoreError.interrupted`.
    public func interrupt() { database.interrupt() }

    // MARK: - The two doors

    func read<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
        do {
            return try gate.pass(orThrow: .closed(path: path)) {
                if mode == .interactive || options.readOnly { return try database.read(body) }
                return try readOnOnlyConnection(body)
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Runs one transaction, then tells the observers what it changed.
    ///
    /// What has gone into files that have lost their names is not acknowledged.
    func write<T>(_ body: (Transaction) throws -> T) throws(StoreError) -> T {
        try refuseLostFiles()
        do {
            let result = try commit(body)
            try refuseLostFiles()
            return result
        } catch {
            try refuseLostFiles()
            throw error
        }
    }

    private func commit<T>(_ body: (Transaction) throws -> T) throws(StoreError) -> T {
        do {
            let (result, (change, terms)) = try gate.pass(orThrow: .closed(path: path)) {
                try writeTransaction { db in
                    try refuseNewerSchema(db)
                    let transaction = Transaction(db, now: options.now().milliseconds, termCache)
                    transaction.titlesStand = mode == .command
                    let result = try body(transaction)
                    try transaction.settleLinks()
                    try transaction.flushIndex()
                    return (result, (transaction.change, (transaction.newTerms, transaction.knownTermGeneration)))
                }
            }
            if let generation = terms.1 { termCache.add(terms.0, generation) }
            changes.post(change)
            return result
        } catch {
            throw StoreError(error, path: path)
        }
    }
}

extension Notebook {
    /// Reads in one transaction on the connection that also writes.
    ///
    /// GRDB's own `read` would forbid writing by a pragma before and allow it after, and each of them makes SQLite
    /// prepare every kept statement anew.
    private func readOnOnlyConnection<T>(_ body: (Database) throws -> T) throws -> T {
        try database.unsafeReentrantWrite { db in
            if db.isInsideTransaction { return try body(db) }
            try db.beginTransaction(.deferred)
            do {
                let result = try body(db)
                try db.commit()
                return result
            } catch {
                try? db.rollback()  // nothing was written; what is told is the first error
                throw error
            }
        }
    }

    /// A newer program may have changed the schema while this one runs, which then must not write any more.
    private func refuseNewerSchema(_ db: Database) throws {
        let found = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA user_version")) ?? 0
        if found > Schema.version { throw StoreError.newerSchema(path: path, found: found, known: Schema.version) }
    }
}

/// One write transaction: the connection, the time that it writes, and what it has changed.
///
/// Every rule that SQLite cannot enforce lives in this type's extensions; nothing else writes.
final class Transaction {
    let db: Database
    /// Milliseconds since 1970; one time for all that one action does.
    let now: Int64
    var change = StoreChange(source: .thisProgram)
    let termCache: TermCache
    /// Changes of the search index that wait for the end, and the bytes of their words.
    var pendingIndex: [IndexChange] = []
    var pendingBytes = 0
    /// False while the whole search index is about to be written anew.
    var writesIndex = true
    /// Whether links by UUID may be waiting for a note that is made.
    var hasOpenLinks = true
    /// Whether a title that follows the text it is saved with stands: true where nobody goes on typing.
    var titlesStand = false
    /// Hashes of the words that it has added, for the cache once they are committed.
    var newTerms = HashSet()
    /// `termGeneration()`, once it was asked.
    var knownTermGeneration: Int64?

    init(_ db: Database, now: Int64, _ termCache: TermCache) {
        self.db = db
        self.now = now
        self.termCache = termCache
    }

    /// Runs a statement that is kept prepared.
    func run(_ sql: String, _ arguments: StatementArguments = []) throws {
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    func value<T: DatabaseValueConvertible>(_ sql: String, _ arguments: StatementArguments = []) throws -> T? {
        try T.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
    }

    func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
        try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
    }

    func row(_ sql: String, _ arguments: StatementArguments = []) throws -> Row? {
        try Row.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
    }
}
