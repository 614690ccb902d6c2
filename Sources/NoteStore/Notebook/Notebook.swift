import Foundation
import GRDB
import Synchronization

/// The notebook: one SQLite file, all rules, every write.
///
/// Reads of an interactive notebook run on separate connections and never wait for a writer. Writes are serialised, in
/// this process and across processes, and each is one transaction. All calls are synchronous; the caller chooses the
/// thread.
public final class Notebook: Sendable {
    /// How many connections a notebook opens.
    public enum Mode: Sendable {
        /// One writing connection and several reading ones, for a long-running program.
        case interactive
        /// One connection, for a command that does one thing and ends.
        case command
    }

    /// The options for opening a notebook.
    public struct Options: Sendable {
        /// The clock, for tests.
        public var now: @Sendable () -> Date
        /// The time in seconds for which a write waits for another program's write.
        public var busyTimeout: Double
        /// Whether opening replays the journals of programs that have died.
        public var recoversSessions: Bool
        /// Whether the notebook is opened without changing or making anything.
        public var readOnly: Bool
        /// Whether an interactive notebook reads on its writing connection until `openReaders` is called.
        ///
        /// Each connection parses the schema when it is opened, which takes as long as everything else that is read
        /// before the first frame.
        public var opensReadersLater = false
        /// Whether a short command that only reads can open the notebook where there is no room for the memory that
        /// programs share beside the file, or no such memory on its file system.
        ///
        /// No other program of this machine can open the notebook then until the command ends. Where there is no such memory,
        /// nothing is written, and the log stays as it is.
        public var readsOnFullDisk = false
        /// The source of new identities; trials replace it, so that a seed repeats a run exactly.
        package var identity: @Sendable () -> UUID = { UUID.random() }
        /// Whether the program was told to end, so that statements that run on are ended after some seconds, with
        /// `StoreError.interrupted`; called on the thread of the statement.
        public var isAskedToEnd: @Sendable () -> Bool = { false }
        /// The time for which they may run on.
        var grace = StatementGuard.grace
        /// The time without a write after which the program looks for other programs' commits only when it is woken.
        var wakefulness = Duration.seconds(30)
        /// The functions that write journals; tests replace them by failing ones.
        var journalDisk = JournalDisk.system
        /// The backup that is being restored, which no other backup may replace.
        var sparedBackup: String?

        public init(
            now: @escaping @Sendable () -> Date = { Date() }, busyTimeout: Double = 10, recoversSessions: Bool = true,
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
    let changes: ChangeCenter
    let gate = ClosingGate()
    let files: OpenFiles
    let patience: Patience
    let statements: StatementGuard
    let connections: NotebookConnections
    /// Whether reads run on the connection that writes, because those that only read are not open yet.
    private let readsOnWriter: Atomic<Bool>
    private let sharedReads = SharedReads()
    /// The size of the write-ahead log, in bytes, above which it is checkpointed.
    let logLimit = Atomic<Int>(defaultLogLimit)
    /// The free disk space, in bytes, below which a write empties the log first.
    let scarceRoom = Atomic<Int>(Notebook.scarceRoom)
    let termCache = TermCache()
    /// Made by the first search of an interactive notebook.
    let searches = Mutex<SearchConnection?>(nil)
    let recovery = Mutex(Recovery())
    /// The name under which actions are recorded, other than that of any other program.
    let actor = UUID.random().uuidString
    /// The actions that this program has undone, also those of others, in this order.
    let undoneHere = Mutex<[Int64]>([])

    /// The results of the recovery and the maintenance at opening.
    public struct Recovery: Equatable, Sendable {
        public var replay = ReplayReport()
        public var maintenance = MaintenanceReport()
        /// The path of a notebook that has what was saved after a damaged part of the log; nil if nothing was.
        public var lostLog: String?
        /// The first error that stopped a step; the step is tried again at the next start.
        public var problem: StoreError?

        public var isEmpty: Bool { self == Recovery() }
    }

    /// The results of the recovery and the maintenance at opening, for a notice.
    public var recovered: Recovery { recovery.withLock { $0 } }

    init(
        path: String, mode: Mode, options: Options, access: NotebookConnections.Access, patience: Patience,
        statements: StatementGuard
    ) {
        self.path = path
        self.mode = mode
        self.options = options
        files = OpenFiles(path, readOnly: options.readOnly)
        changes = ChangeCenter(path, wakefulness: options.wakefulness)
        (self.patience, self.statements) = (patience, statements)
        connections = NotebookConnections(access)
        readsOnWriter = Atomic(mode == .command || options.opensReadersLater)
        changes.look(through: connections, passing: gate)
    }

    var database: any DatabaseWriter { connections.present.database }
    var lock: WriteLock { connections.present.lock }
    /// Whether nothing can be written: it was opened so, or its file could not be written then.
    var isReadOnly: Bool { connections.present.isReadOnly }

    /// Replays the journals of programs that died and repairs what other programs left.
    ///
    /// A notebook that cannot be written still opens.
    func recover() {
        var result = recovered
        // Each step runs by itself, so that an error in one does not stop the others.
        func attempt(_ body: () throws(StoreError) -> Void) {
            do { try body() } catch { result.problem = result.problem ?? error }
        }
        attempt(files.claimName)
        attempt { () throws(StoreError) in
            result.replay = try journal.replay()
            result.problem = result.problem ?? result.replay.problems.first
        }
        // A running program finishes its own work; the first search finds what a dead one left unfinished.
        attempt { () throws(StoreError) in result.maintenance = try care.maintain(unfinished: false) }
        // A command needs the tags at once; a long-running program reads them after its first frame.
        if mode == .command { attempt { () throws(StoreError) in try care.readTags() } }
        guard mode == .interactive else { return recovery.withLock { [result] in $0 = result } }
        attempt { () throws(StoreError) in try images.cullWaiting() }
        recovery.withLock { [result] in $0 = result }
    }

    /// Finds texts in journals that wait until the notebook can be written.
    func lookForWaiting() {
        var result = Recovery()
        do { result.replay.waiting = try journal.waiting() } catch { result.problem = error }
        recovery.withLock { [result] in $0 = result }
    }

    /// Closes the connections after the calls in progress have ended; every later call throws `StoreError.closed`.
    ///
    /// - Parameter checkpointing: whether the last program to close moves the write-ahead log into the file, which
    ///   waits for the disk several times. With `nil`, command mode skips this while the log is short and leaves the
    ///   connection open until the process ends; the writes are safe in the log, and the next program continues from
    ///   there.
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
            // A checkpoint would write into a file that has no name, and remove a log that now belongs to another file, or
            // that a program on another machine is writing.
            if !connections.present.isUnshared, checkpointing ?? (mode == .interactive || hasLongLog), try isOwnFile() {
                try shortenLog(above: mode == .command ? Self.commandLog : 0)
                // The last connection to close moves the rest.
                try lock.hold(patience) {
                    emptyLinkedLog()
                    try database.close()
                }
                lock.endKeeping()
            } else {
                files.removeMovedLog()
                // The system closes the connection when the process ends.
                _ = Unmanaged.passRetained(database as AnyObject)
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Whether the log is so long that a command checkpoints it.
    private var hasLongLog: Bool { database.writeWithoutTransaction { isLog(longerThan: Self.commandLog, $0) } }

    /// Whether the notebook's file is still the one that was opened; if not, rescues as much of its content as
    /// possible.
    private func isOwnFile() throws(StoreError) -> Bool {
        do {
            try refuseLostFiles(readingContent: !isReadOnly)
            return true
        } catch {
            // The last write has reported it, and the next start replays the journal.
            if files.problem() != nil { return false }
            // A checkpoint would change the file under its other names too; the log keeps what it has.
            if case .linked = error { return false }
            throw error
        }
    }

    /// Limits each wait on this thread for other programs to `seconds` from now on, since an interface that waits does
    /// not react to keys.
    public func limitWaitsOnThisThread(seconds: Double = 1) { patience.limitWaits(seconds: seconds) }

    /// Returns whether the thread of `limitWaitsOnThisThread` has waited for another program since the last call.
    public func takeLimitedWait() -> Bool { patience.takeLimitedWait() }

    /// Limits all waits for other programs together to a second while `body` runs, since an interface waits for it.
    public func hurry<T>(_ body: () throws -> T) rethrows -> T { try patience.hurry(seconds: 1, body) }

    /// Runs long work on this thread, such as an import, whose waits `hurry` on another thread does not limit.
    public func unhurried<T>(_ body: () throws -> T) rethrows -> T { try patience.unhurried(body) }

    /// Limits all further waiting for other programs to two seconds in total, waits in progress included, and the time
    /// of each statement.
    ///
    /// A long-running program calls it before its last writes.
    public func beginLeaving() {
        patience.beginLeaving(seconds: 2)
        statements.setLeaving(true)
    }

    /// Restores the limits from before `beginLeaving`, because the program does not leave after all.
    public func endLeaving() {
        patience.endLeaving()
        statements.setLeaving(false)
    }

    // MARK: - Reading and writing

    func read<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
        do {
            if let db = sharedReads.onThisThread { return try body(db) }
            return try gate.pass(orThrow: .closed(path: path)) {
                if isReadOnly || !readsOnWriter.load(ordering: .acquiring) { return try database.read(body) }
                return try readOnWriter(body)
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Runs `body`, whose reads on this thread see the notebook as it is at one moment, and share one transaction.
    ///
    /// What `body` itself writes is not seen by its reads. While reads run on the connection that writes, each read is a
    /// transaction of its own, as it is outside of `body`.
    public func atOneMoment<T>(_ body: () throws -> T) throws -> T {
        guard !readsOnWriter.load(ordering: .acquiring), sharedReads.onThisThread == nil else { return try body() }
        return try read { db in sharedReads.share(db) { Result(catching: body) } }.get()
    }

    /// Runs one transaction, then tells the observers what it changed.
    ///
    /// A write into files that have lost their names is not acknowledged.
    func write<T>(_ body: (Transaction) throws -> T) throws(StoreError) -> T {
        try becomeWritable()
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
                    transaction.identity = options.identity
                    transaction.titlesStand = mode == .command
                    transaction.actor = actor
                    let result = try body(transaction)
                    try transaction.settleLinks()
                    try transaction.settleTags()
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
    /// Opens the first connection that only reads, so that from now on no read waits for a write.
    ///
    /// It does nothing unless the notebook was opened with `opensReadersLater`.
    public func openReaders() throws(StoreError) {
        guard mode == .interactive, readsOnWriter.load(ordering: .relaxed) else { return }
        do {
            try gate.pass(orThrow: .closed(path: path)) {
                // The first statement about a table makes the connection parse the schema.
                _ = try database.read { try Int.fetchOne($0, sql: "SELECT 1 FROM setting LIMIT 1") }
            }
            readsOnWriter.store(false, ordering: .releasing)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Reads in one transaction on the connection that also writes.
    ///
    /// GRDB's own `read` would forbid writing by a pragma before and allow it after, and each pragma makes SQLite
    /// prepare every cached statement again.
    func readOnWriter<T>(_ body: (Database) throws -> T) throws -> T {
        try database.unsafeReentrantWrite { db in
            if db.isInsideTransaction { return try body(db) }
            try db.beginTransaction(.deferred)
            do {
                let result = try body(db)
                try db.commit()
                return result
            } catch {
                try? db.rollback()  // nothing was written; the first error is reported
                throw error
            }
        }
    }

    /// Throws if a newer program has changed the schema while this one runs, which must then stop writing.
    private func refuseNewerSchema(_ db: Database) throws {
        let found = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA user_version")) ?? 0
        if found > Schema.version { throw StoreError.newerSchema(path: path, found: found, known: Schema.version) }
    }
}
