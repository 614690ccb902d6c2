import Dispatch
import GRDB
import Synchronization
import SystemPackage

/// The connections that an open notebook uses.
///
/// They are exchanged once at most: where a file that could only be read when it was opened can be written.
final class NotebookConnections: Sendable {
    /// The connections to the file as it could be opened, with the lock that its writers take.
    struct Access: Sendable {
        let database: any DatabaseWriter
        let lock: WriteLock
        /// Whether the connections can only read.
        let isReadOnly: Bool
        /// Whether the file system shares no memory between programs, so that one on another machine may have the notebook
        /// open without being noticed.
        var isUnshared = false

        /// Whether a transaction that writes can begin.
        ///
        /// It cannot while another connection of this process has the shared memory beside the file open for reading
        /// alone, because SQLite opens that memory once in a process.
        fileprivate func canBegin() throws -> Bool {
            do {
                try database.writeWithoutTransaction { db in
                    try db.beginTransaction(.immediate)
                    try db.rollback()
                }
                return true
            } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
                return false
            }
        }
    }

    private let current: Mutex<Access>
    /// Held while new connections are opened.
    private let exchange = Mutex(())

    init(_ access: Access) { current = Mutex(access) }

    /// The connections that are used now.
    var present: Access { current.withLock { $0 } }

    /// Exchanges connections that can only read, unless another thread has done so.
    ///
    /// Those before stay open until the process ends, since other threads may be reading through them, unless the new
    /// ones cannot write beside them.
    ///
    /// - Parameters:
    ///   - open: opens new ones; those that can only read again are closed and not used.
    ///   - alone: runs its argument while nobody uses the connections before; false if somebody goes on using them.
    ///   - prepare: runs when the new ones are in use; if it throws, nothing is written through them.
    /// - Returns: whether this call has exchanged them.
    func exchange(
        by open: @escaping () throws -> Access, alone: (() throws -> Void) throws -> Bool,
        prepare: () throws -> Void
    ) throws -> Bool {
        try exchange.withLock { _ in
            let old = present
            guard old.isReadOnly else { return false }
            let new = try open()
            guard !new.isReadOnly else {
                try new.database.close()
                return false
            }
            if try new.canBegin() {
                current.withLock { $0 = new }
                try use(prepare, or: old)
                _ = Unmanaged.passRetained(old.database as AnyObject)
                return true
            }
            try new.database.close()
            let isAlone = try alone {
                try old.database.close()
                let new = try open()
                current.withLock { $0 = new }
            }
            let opened = present
            guard isAlone, !opened.isReadOnly else { return false }
            let unprepared = Access(database: opened.database, lock: opened.lock, isReadOnly: true)
            try use(prepare, or: unprepared)
            return true
        }
    }

    /// Prepares the connections in use, or uses others if that fails.
    private func use(_ prepare: () throws -> Void, or others: Access) throws {
        do {
            try prepare()
        } catch {
            current.withLock { $0 = others }
            throw error
        }
    }
}

extension Notebook {
    /// Opens the connections anew if the file could only be read when the notebook was opened, and can be written now.
    ///
    /// A disk that is mounted for reading, or a folder without permission, may be given back at any time. Every write
    /// asks, which costs two calls to the kernel while the notebook can only be read, and nothing afterwards. What opening
    /// does to a notebook that can be written is done then: the schema, the journals of programs that died, and repairs.
    func becomeWritable() throws(StoreError) {
        guard isReadOnly, !connections.present.isUnshared, !options.readOnly,
            DiskFile.isWritable(path), DiskFile.isWritable(folder), files.problem() == nil
        else { return }
        do {
            let isExchanged = try gate.pass(orThrow: .closed(path: path)) {
                try connections.exchange { [self] in
                    try Self.connect(path, mode, options, patience, statements)
                } alone: { exchange in
                    search.cancel()
                    let done: Void? = try gate.alone(within: Self.aloneLimit) {
                        try searches.withLock { connection in
                            try connection?.close()
                            connection = nil
                        }
                        try exchange()
                    }
                    return done != nil
                } prepare: {
                    try migrate()
                    files.remember()
                    try database.writeWithoutTransaction(files.rememberContent)
                }
            }
            guard isExchanged else { return }
        } catch {
            throw StoreError(error, path: path)
        }
        if options.recoversSessions { recover() }
        changes.connectionsChanged()
    }

    /// How long the calls in progress may keep the connections from being exchanged; the next write tries again.
    private static let aloneLimit = DispatchTimeInterval.milliseconds(500)

    private var folder: String {
        let folder = FilePath(path).parent
        return folder.isEmpty ? "." : folder.string
    }
}
