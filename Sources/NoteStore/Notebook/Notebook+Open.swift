import Foundation
import GRDB
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension Notebook {
    /// Where the notebook is unless a path is given: `$TAKENOTE_DATABASE`, else
    /// `$XDG_DATA_HOME/takenote/notes.sqlite` (`takenote-dev` in debug builds).
    public static func defaultPath() -> String {
        if let path = variable("TAKENOTE_DATABASE"), !path.isEmpty { return path }
        return folder("XDG_DATA_HOME", else: ".local/share") + "/notes.sqlite"
    }

    /// Where pane widths, the log and the snapshot are: `$XDG_STATE_HOME/takenote`.
    public static func stateFolder() -> String { folder("XDG_STATE_HOME", else: ".local/state") }

    private static func folder(_ name: String, else home: String) -> String {
        #if DEBUG
        let folder = "takenote-dev"
        #else
        let folder = "takenote"
        #endif
        // The XDG specification tells programs to ignore a relative path.
        if let base = variable(name), base.hasPrefix("/") { return base + "/" + folder }
        return (variable("HOME") ?? NSHomeDirectory()) + "/" + home + "/" + folder
    }

    /// One variable of the environment; `ProcessInfo` makes a dictionary of all of them each time.
    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Opens the notebook, making the file (0600) and its folders (0700) if they are missing, and brings its schema
    /// up to date.
    ///
    /// Throws `newerSchema`, changing nothing, if a newer program has written the file.
    public static func open(
        _ path: String, mode: Mode = .interactive, options: Options = Options()
    ) throws(StoreError) -> Notebook {
        let isNew = try prepareFile(path, options)
        do {
            let notebook = Notebook(
                path: path, mode: mode, options: options, database: try connect(path, mode, options, isNew: isNew))
            try notebook.bringUpToDate()
            notebook.files.remember()
            if mode == .interactive {
                returnLargeBlocks()
                notebook.changes.begin()
            }
            if options.recoversSessions, !options.readOnly { notebook.recover() }
            return notebook
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(error, path: path)
        }
    }

    // MARK: - File and connections

    /// Makes what is missing; returns whether the file is empty.
    private static func prepareFile(_ path: String, _ options: Options) throws(StoreError) -> Bool {
        if DiskFile.exists(path) { return DiskFile.size(of: path) == 0 }
        if options.readOnly { throw .noSuchFile(path: path) }
        try DiskFile.makeFolders(FilePath(path).removingLastComponent())
        do {
            try DiskFile.make(path)
        } catch let error as Errno where error != .fileExists {
            throw .cannotCreate(path: path, errno: error.rawValue)
        } catch {
            // Another program made it in the same moment.
            return false
        }
        return true
    }

    private static func connect(
        _ path: String, _ mode: Mode, _ options: Options, isNew: Bool
    ) throws -> any DatabaseWriter {
        var configuration = Configuration()
        configuration.busyMode = .callback(backOff(seconds: options.busyTimeout))
        configuration.readonly = options.readOnly
        // A statement that fires triggers keeps what it must be able to take back in a file of its own otherwise.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA temp_store = MEMORY") }
        switch mode {
        case .interactive:
            configuration.maximumReaderCount = 3
            // Opening a connection parses the schema, so readers are kept.
            configuration.persistentReadOnlyConnections = true
            let pool = try patiently(options) { try DatabasePool(path: path, configuration: configuration) }
            // The pool asks for less; a save that was acknowledged must survive a power cut.
            if !options.readOnly {
                try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            }
            return pool
        case .command:
            if isNew { configuration.journalMode = .wal }
            return try patiently(options) { try DatabaseQueue(path: path, configuration: configuration) }
        }
    }

    /// Opens as soon as no other program is in the way.
    ///
    /// Of several programs that make the file at once one switches it to write-ahead mode, and SQLite does not ask the
    /// others to wait for that as it does for a transaction.
    private static func patiently<T>(_ options: Options, _ open: () throws -> T) throws -> T {
        let wait = backOff(seconds: options.busyTimeout)
        var tries = 0
        while true {
            do {
                return try open()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                guard wait(tries) else { throw error }
                tries += 1
            }
        }
    }

    /// Waits 1 ms, then longer and longer up to 25, a little differently in each process, for `seconds` in all.
    private static func backOff(seconds: Double) -> Database.BusyCallback {
        { tries in
            let milliseconds = min(25, 1 << min(tries, 5)) + Int.random(in: 0...3)
            if Double(tries) * 0.02 > seconds { return false }
            usleep(UInt32(milliseconds) * 1000)
            return true
        }
    }

    // MARK: - Schema

    private func bringUpToDate() throws {
        let found = try database.unsafeReentrantRead { try Schema.foundVersion($0, path: self.path) }
        if found > Schema.version { throw StoreError.newerSchema(path: path, found: found, known: Schema.version) }
        guard found < Schema.version, !options.readOnly else { return }
        if found > 0 { try makeBackup(.beforeMigration) }
        try Schema.bringUpToDate(database)
    }
}

extension Schema {
    /// The schema's number in this file, 0 if the file is empty.
    static func foundVersion(_ db: Database, path: String) throws -> Int {
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard version == 0 else { return version }
        // A file of another program, or one whose first migration did not end?
        let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
        if !tables.isEmpty, !tables.contains("grdb_migrations") { throw StoreError.notANotebook(path: path) }
        return 0
    }
}
