import Foundation
import GRDB
import GRDBSQLite
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension Notebook {
    /// The path of the notebook when none is given: `$TAKENOTE_DATABASE`, or
    /// `$XDG_DATA_HOME/takenote/notes.sqlite` (`takenote-dev` in debug builds).
    public static func defaultPath() -> String {
        if let path = variable("TAKENOTE_DATABASE"), !path.isEmpty { return path }
        return dataFolder() + "/notes.sqlite"
    }

    /// The folder of the user's notebooks: `$XDG_DATA_HOME/takenote`.
    public static func dataFolder() -> String { folder("XDG_DATA_HOME", else: ".local/share") }

    /// The folder of pane widths, the log and the snapshot: `$XDG_STATE_HOME/takenote`.
    public static func stateFolder() -> String { folder("XDG_STATE_HOME", else: ".local/state") }

    private static func folder(_ name: String, else home: String) -> String {
        #if DEBUG
        let folder = "takenote-dev"
        #else
        let folder = "takenote"
        #endif
        // The XDG specification tells programs to ignore a relative path.
        if let base = variable(name), base.hasPrefix("/") { return base + "/" + folder }
        return FilePath(HomeFolder.path()).appending(home).appending(folder).string
    }

    /// One environment variable; `ProcessInfo` would make a dictionary of all of them each time.
    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Opens the notebook and brings its schema up to date.
    ///
    /// Makes the file (0600) and its folders (0700) if they are missing. Throws `newerSchema`, changing nothing, if a
    /// newer program has written the file.
    public static func open(
        _ path: String, mode: Mode = .interactive, options: Options = Options()
    ) throws(StoreError) -> Notebook {
        let path = resolved(path)
        let lostLog = try prepareFile(path, options)
        let patience = Patience(seconds: options.busyTimeout)
        do {
            let statements = StatementGuard(grace: options.grace, isAskedToEnd: options.isAskedToEnd)
            let access = try connect(path, mode, options, patience, statements)
            let notebook = Notebook(
                path: path, mode: mode, options: options, access: access, patience: patience,
                statements: statements)
            try notebook.keepWhatLogHides()
            if let lostLog { notebook.recovery.withLock { $0.lostLog = lostLog } }
            try notebook.migrate()
            notebook.files.remember()
            if !access.isReadOnly {
                try access.database.writeWithoutTransaction(notebook.files.rememberContent)
            }
            if mode == .interactive {
                Care.returnLargeBlocks()
                notebook.changes.begin()
            }
            if options.recoversSessions {
                if !notebook.isReadOnly { notebook.recover() } else if !options.readOnly { notebook.lookForWaiting() }
            }
            // A command uses one shared waiting time for its whole life.
            if mode == .interactive { patience.endOpening() }
            return notebook
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(error, path: path)
        }
    }

    // MARK: - File and connections

    /// Makes the file and its folders if they are missing.
    ///
    /// - Returns: the path of a notebook with what the log of an emptied file held; nil if there is no such log.
    private static func prepareFile(_ path: String, _ options: Options) throws(StoreError) -> String? {
        if DiskFile.exists(path) {
            // Opening a pipe would block until a program writes to it.
            guard DiskFile.isRegular(path) else { throw .notANotebook(path: path) }
            return options.readOnly ? nil : keepLogOfEmptyFile(path)
        }
        if options.readOnly { throw .noSuchFile(path: path) }
        try DiskFile.makeFolders(FilePath(path).parent)
        do {
            try DiskFile.make(path)
        } catch let error as Errno where error != .fileExists {
            throw .cannotCreate(path: path, errno: error.rawValue)
        } catch {
            // Another program made it at the same moment.
        }
        return nil
    }

    /// Keeps the log of a file that something has emptied, which SQLite would remove.
    private static func keepLogOfEmptyFile(_ path: String) -> String? {
        guard DiskFile.size(of: path) == 0, DiskFile.size(of: path + "-wal") > DamagedLog.headerSize else { return nil }
        return OpenFiles.makeNotebook("\(path).log-\(UUID.random().uuidString.prefix(8))", ofLog: path)
    }

    /// Opens the connections, for reading alone if the file cannot be written.
    static func connect(
        _ path: String, _ mode: Mode, _ options: Options, _ patience: Patience, _ statements: StatementGuard
    ) throws -> NotebookConnections.Access {
        SQLiteLibrary.prepare()
        let lock = WriteLock(notebook: path, readOnly: options.readOnly)
        var configuration = Configuration()
        configuration.busyMode = .callback(patience.callback)
        configuration.readonly = options.readOnly
        configuration.prepareDatabase { db in
            // Otherwise a statement that fires triggers keeps its undo data in a separate file.
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
            if db.configuration.readonly { return db.stopReportingStatements() }
            let isCurrent = try prepareForWriting(db, path, statements)
            // The next steps may start a log. A file that has one is only read, so a program that is stopped in the
            // midst of a long write keeps nobody from opening it.
            if try lock.takeIfFree() || isCurrent && hasLog(db, path, mode) { return }
            try lock.take(patience)
        }
        defer { lock.giveBack() }
        do {
            let database = try retryingWhileBusy(patience) { try connect(path, mode, configuration) }
            let isReadOnly = options.readOnly || !database.writeWithoutTransaction(canWrite)
            return NotebookConnections.Access(database: database, lock: lock, isReadOnly: isReadOnly)
        } catch let error as DatabaseError
            where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode) && isFrozen(path)
        {
            let database = try frozen(path, configuration)
            return NotebookConnections.Access(database: database, lock: lock, isReadOnly: true)
        } catch let error as DatabaseError
            where [.SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_SHMMAP].contains(error.extendedResultCode)
            && options.readsOnFullDisk && mode == .command
        {
            let alone = uri(path, "vfs=unix-excl")
            guard let database = try? connect(alone, mode, configuration) else { throw error }  // others have it open
            // A file system without such memory may also hide the locks of another machine, whose log must stay.
            let isUnshared = error.extendedResultCode == .SQLITE_IOERR_SHMMAP
            return NotebookConnections.Access(
                database: database, lock: lock, isReadOnly: isUnshared, isUnshared: isUnshared)
        }
    }

    /// Prepares a connection that can write, before it writes anything, so another program's file stays as it is.
    ///
    /// - Returns: whether the notebook has the present schema.
    private static func prepareForWriting(
        _ db: Database, _ path: String, _ statements: StatementGuard
    ) throws -> Bool {
        let isCurrent = try Schema.foundVersion(db, path: path) == Schema.version
        if isCurrent { db.stopReportingStatements() }
        stopAutomaticCheckpoints(db)
        statements.watch(db)
        return isCurrent
    }

    /// The name by which SQLite opens a file in a certain way.
    ///
    /// With `immutable` it needs neither locks nor a log. With `unix-excl` it keeps the file locked and the index of
    /// its log in its own memory, so that no `-shm` file is needed.
    private static func uri(_ path: String, _ parameter: String) -> String {
        let name = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
        return "file:\(name)?\(parameter)"
    }

    /// Whether opening the file starts no log.
    private static func hasLog(_ db: Database, _ path: String, _ mode: Mode) throws -> Bool {
        guard try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal" else { return false }
        // GRDB's pool writes into a log that is empty, since its readers could not open the file without one.
        return mode == .command || DiskFile.size(of: path + "-wal") > 0
    }

    /// Whether SQLite could open the file for writing; it falls back to reading by itself.
    private static func canWrite(_ db: Database) -> Bool { sqlite3_db_readonly(db.sqliteConnection, "main") == 0 }

    private static func connect(_ path: String, _ mode: Mode, _ configuration: Configuration) throws
        -> any DatabaseWriter
    {
        switch mode {
        case .interactive:
            var configuration = configuration
            configuration.maximumReaderCount = 3
            // Opening a connection parses the schema, so readers stay open.
            configuration.persistentReadOnlyConnections = true
            let pool = try DatabasePool(path: path, configuration: configuration)
            // The pool sets a weaker level; an acknowledged save must survive a power cut.
            if !configuration.readonly {
                try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            }
            return pool
        case .command:
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            if configuration.readonly {
                try queue.read { _ = try Schema.foundVersion($0, path: path) }
            } else {
                try queue.writeWithoutTransaction(useLog)
            }
            return queue
        }
    }

    /// Switches a new file, or one written from a dump or by a backup, to a write-ahead log.
    private static func useLog(_ db: Database) throws {
        guard try String.fetchOne(db, sql: "PRAGMA journal_mode") != "wal" else { return }
        _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
    }

    /// Whether the file is complete without `-wal` and `-shm`, and its folder does not let anyone make them.
    private static func isFrozen(_ path: String) -> Bool {
        let folder = FilePath(path).parent
        return DiskFile.size(of: path + "-wal") == 0 && !DiskFile.isWritable(folder.isEmpty ? "." : folder.string)
    }

    /// Opens a file in a read-only folder, without the locks and the shared memory that need files there.
    private static func frozen(_ path: String, _ configuration: Configuration) throws -> any DatabaseWriter {
        var configuration = configuration
        configuration.readonly = true
        let queue = try DatabaseQueue(path: uri(path, "immutable=1"), configuration: configuration)
        try queue.read { _ = try Schema.foundVersion($0, path: path) }
        return queue
    }

    /// Opens the file as soon as no other program prevents it.
    ///
    /// When several programs make the file at once, one switches it to write-ahead mode. SQLite does not make the
    /// others wait for that, as it does for a transaction.
    private static func retryingWhileBusy<T>(_ patience: Patience, _ open: () throws -> T) throws -> T {
        var tries = 0
        while true {
            do {
                return try open()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                guard patience.wait(after: tries) else { throw error }
                tries += 1
            }
        }
    }

    // MARK: - Schema

    /// Brings the schema of a notebook that can be written up to date, after a backup.
    ///
    /// A header that a dump has lost is restored first.
    func migrate() throws {
        let versions = { (db: Database) throws in
            (
                try Schema.foundVersion(db, path: self.path),
                try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            )
        }
        let (found, written) = try isReadOnly ? database.unsafeReentrantRead(versions) : readOnWriter(versions)
        if found > Schema.version { throw StoreError.newerSchema(path: path, found: found, known: Schema.version) }
        if isReadOnly { return }
        if found != written {
            try writeAlone { db in
                try db.inTransaction {
                    try Schema.restoreHeader(db, version: found); return .commit
                }
            }
        }
        guard found < Schema.version else { return }
        try files.claimName()
        if found > 0 {
            // The backup contains the identity.
            try writeAlone { _ = try NotebookID.make($0) }
            try backups.create(.beforeMigration)
        }
        try lock.hold(patience) { try Schema.migrate(database, path: path) }
    }
}
