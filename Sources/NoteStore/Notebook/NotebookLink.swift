import GRDB
import Synchronization
import SystemPackage

/// The connections that an open notebook uses.
///
/// They are exchanged once at most: where a file that could only be read when it was opened can be written.
final class NotebookLink: Sendable {
    struct Connections: Sendable {
        let database: any DatabaseWriter
        let lock: WriteLock
        /// Whether the connections can only read.
        let isReadOnly: Bool
    }

    private let current: Mutex<Connections>
    /// Held while new connections are opened.
    private let exchange = Mutex(())

    init(_ connections: Connections) { current = Mutex(connections) }

    var connections: Connections { current.withLock { $0 } }

    /// Exchanges connections that can only read, unless another thread has done so.
    ///
    /// Those before stay open until the process ends, since other threads may be reading through them.
    ///
    /// - Parameters:
    ///   - open: opens new ones; those that can only read again are closed and not used.
    ///   - prepare: runs when the new ones are in use; if it throws, those before are used again.
    /// - Returns: whether this call has exchanged them.
    func exchange(by open: () throws -> Connections, prepare: () throws -> Void) throws -> Bool {
        try exchange.withLock { _ in
            let old = connections
            guard old.isReadOnly else { return false }
            let new = try open()
            guard !new.isReadOnly else {
                try new.database.close()
                return false
            }
            current.withLock { $0 = new }
            do {
                try prepare()
            } catch {
                current.withLock { $0 = old }
                throw error
            }
            _ = Unmanaged.passRetained(old.database as AnyObject)
            return true
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
        guard isReadOnly, !options.readOnly, DiskFile.isWritable(path), DiskFile.isWritable(folder),
            files.problem() == nil
        else { return }
        do {
            let isExchanged = try gate.pass(orThrow: .closed(path: path)) {
                try link.exchange {
                    try Self.connect(path, mode, options, patience, statements)
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

    private var folder: String {
        let folder = FilePath(path).removingLastComponent()
        return folder.isEmpty ? "." : folder.string
    }
}
