import Foundation
import GRDB
import GRDBSQLite

/// One of a connection's files, read directly, without SQLite's cache and its write-ahead log.
///
/// It uses SQLite's own descriptor: opening the file again and closing it would end all locks that this process holds
/// on it. Use it on the connection's own queue, and not beyond the connection's life.
struct RawFile {
    private let file: UnsafeMutablePointer<sqlite3_file>

    enum Which: Int32 {
        /// SQLITE_FCNTL_FILE_POINTER
        case main = 7
        /// SQLITE_FCNTL_JOURNAL_POINTER
        case log = 28
    }

    /// Nil if the connection has no such file.
    init?(_ which: Which, of db: Database) {
        var found: UnsafeMutablePointer<sqlite3_file>?
        guard let connection = db.sqliteConnection,
            sqlite3_file_control(connection, "main", which.rawValue, &found) == SQLITE_OK,
            let found, found.pointee.pMethods != nil
        else { return nil }
        file = found
    }

    /// Reads `count` bytes from `offset`, with zeros beyond the end of the file; nil if they cannot be read.
    func bytes(_ count: Int, at offset: Int) -> Data? {
        var bytes = Data(count: count)
        return bytes.withUnsafeMutableBytes { read(into: $0, at: offset) } ? bytes : nil
    }

    /// Fills memory with the bytes from `offset`, with zeros beyond the end of the file; false if they cannot be read.
    func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
        let result = file.pointee.pMethods.pointee.xRead(
            file, memory.baseAddress, Int32(memory.count), sqlite3_int64(offset))
        // SQLite fills a short read with zeros.
        return result == SQLITE_OK || result == Self.shortRead
    }

    /// SQLITE_IOERR_SHORT_READ of sqlite.org/rescode.html, a macro that Swift does not import.
    private static let shortRead = SQLITE_IOERR | 2 << 8

    /// The size in bytes, or 0 if the system does not give it.
    var size: Int {
        var size: sqlite3_int64 = 0
        return file.pointee.pMethods.pointee.xFileSize(file, &size) == SQLITE_OK ? Int(size) : 0
    }

    /// The system's reason (`errno`) for the last failure on this file; 0 if there was none.
    var lastError: Int32 {
        /// SQLITE_FCNTL_LAST_ERRNO of sqlite.org/c3ref/c_fcntl_begin_atomic_write.html.
        let question: Int32 = 4
        var number: Int32 = 0
        _ = file.pointee.pMethods.pointee.xFileControl(file, question, &number)
        return number
    }

    /// Cuts the file off after `size` bytes, if the system does.
    func cut(to size: Int) { _ = file.pointee.pMethods.pointee.xTruncate(file, sqlite3_int64(size)) }

    /// The state of the log, from the memory beside the main file that all programs share; nil if there is none.
    ///
    /// Call it on the main file of a connection that has read from a log. `changes` counts the transactions since a
    /// program has read the log from its beginning, which the first one to open the notebook does.
    var logIndex: (frames: Int, pageSize: Int, salts: Data, changes: Int)? {
        let methods = file.pointee.pMethods.pointee
        var region: UnsafeMutableRawPointer?
        // The first region of the memory has 32 KB: sqlite.org/walformat.html#the_wal_index_header.
        guard methods.iVersion >= 2, let map = methods.xShmMap, map(file, 0, 32_768, 0, &region) == SQLITE_OK,
            let region
        else { return nil }
        let size = Int(region.load(fromByteOffset: 14, as: UInt16.self))
        return (
            Int(region.load(fromByteOffset: 16, as: UInt32.self)), size & 0xFE00 | (size & 1) << 16,
            Data(bytes: region + 32, count: 8), Int(region.load(fromByteOffset: 8, as: UInt32.self))
        )
    }

    /// Runs `body` while no program can checkpoint.
    ///
    /// Call it on the main file of a notebook that uses a log.
    ///
    /// - Returns: nil, without running `body`, if a program is checkpointing.
    func withoutCheckpoints<T>(_ body: () throws -> T) rethrows -> T? {
        /// `WAL_CKPT_LOCK` of sqlite.org/walformat.html.
        let byte: Int32 = 1
        let methods = file.pointee.pMethods.pointee
        guard methods.iVersion >= 2, let lock = methods.xShmLock else { return try body() }
        guard lock(file, byte, 1, SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE) == SQLITE_OK else { return nil }
        defer { _ = lock(file, byte, 1, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE) }
        return try body()
    }
}
