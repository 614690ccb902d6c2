import Foundation
import GRDB
import GRDBSQLite
import SystemPackage
import TextPrimitives

extension Notebook {
    /// Keeps what a damaged log hides, and records where it is; must be called first when the notebook is opened.
    ///
    /// - Throws: `diskFull` or `quotaUsedUp` if there is no room for it, since the next write would go over it without
    ///   needing any.
    func keepWhatLogHides() throws(StoreError) {
        guard !isReadOnly else { return }
        do {
            let kept = try keepLostLog()
            if let kept { recovery.withLock { $0.lostLog = kept } }
        } catch {
            let problem = StoreError(error, path: path)
            switch problem {
            case .diskFull:
                leaveLog()
                throw .diskFull(path: path)
            case .quotaUsedUp:
                leaveLog()
                throw .quotaUsedUp(path: path)
            default: recovery.withLock { $0.problem = problem }
            }
        }
    }

    /// Leaves the connection to the system, since the last one that is closed removes the log.
    private func leaveLog() { _ = Unmanaged.passRetained(database as AnyObject) }

    /// Keeps what was saved after a damaged part of the log, which the next write would destroy.
    ///
    /// Call it before anything is written. It costs a question for the size of the log, and a few reads where the log's
    /// file is longer than the log.
    ///
    /// - Returns: the path of a notebook that has everything; nil if nothing is lost.
    private func keepLostLog() throws -> String? {
        try database.writeWithoutTransaction { db in
            guard LogEnd(db)?.mayHideFrames == true else { return nil }
            let kept = try lock.holdIfFree { () throws -> String? in
                // While another program writes, frames that the index does not count yet are no sign of damage.
                do {
                    try patience.withoutWaiting { try db.beginTransaction(.immediate) }
                } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                    return nil
                }
                defer { try? db.rollback() }  // nothing was written
                guard let main = RawFile(.main, of: db), let end = LogEnd(db), end.mayHideFrames else { return nil }
                let name = "\(path).log-" + Hexadecimal.text(end.salts)
                // It was kept already, and the log has not begun anew since.
                guard !DiskFile.exists(name), let log = end.repaired() else { return nil }
                return try main.withoutCheckpoints { try Self.makeNotebook(name, of: main, log) }
            }
            return kept ?? nil
        }
    }

    /// Removes a transaction from the end of the log that a program wrote there before it was killed, without telling the
    /// others of it.
    ///
    /// What is written now goes over its beginning. Its frames behind that would look, to whoever reads the log from its
    /// beginning, like those that a damaged frame hides. Call it in a transaction that has not written yet. It costs a
    /// question for the size of the log, and a read of a few bytes where the log's file is longer than the log.
    func removeUnfinishedRest(_ db: Database) {
        guard let end = LogEnd(db), end.isRestUnfinished else { return }
        end.removeRest()
    }

    /// Removes a transaction that is in the log although it failed, as when the disk could not sync it.
    ///
    /// The next program that reads the log from its beginning would find it, after its failure was told. Call it while
    /// `lock` is held.
    func removeFailedCommit(_ db: Database) {
        do { try patience.withoutWaiting { try db.beginTransaction(.immediate) } } catch {
            // A tool that knows no lock of ours writes, and goes over it.
            return
        }
        removeUnfinishedRest(db)
        try? db.rollback()  // nothing was written
    }

    /// Makes a notebook of a file and its log.
    private static func makeNotebook(_ name: String, of main: RawFile, _ log: [UInt8]) throws -> String {
        let unfinished = name + ".part"
        let endings = ["", "-wal", "-shm", "-journal"]
        for ending in endings { DiskFile.remove(unfinished + ending) }
        do {
            try PrivateFile.write(log, to: FilePath(unfinished + "-wal"))
            let file = try FileDescriptor.open(
                FilePath(unfinished), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: .ownerReadWrite)
            try file.closeAfter {
                let (size, step) = (main.size, 1 << 20)
                for start in stride(from: 0, to: size, by: step) {
                    guard let piece = main.bytes(min(step, size - start), at: start) else { throw Errno.ioError }
                    try file.writeWaiting(piece)
                }
            }
            do {
                let copy = try DatabaseQueue(path: unfinished)
                try copy.writeWithoutTransaction { _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE") }
                try copy.close()
            } catch is DatabaseError {
                // A damaged page is in the way; `tn doctor --repair` reads the file and its log without SQLite.
            }
            if DiskFile.exists(unfinished + "-wal") { try DiskFile.move(unfinished + "-wal", to: name + "-wal") }
            DiskFile.remove(unfinished + "-shm")
            try DiskFile.replace(name, by: unfinished)
        } catch {
            for ending in endings { DiskFile.remove(unfinished + ending) }
            throw error
        }
        DiskFile.syncFolder(of: name)
        return name
    }
}

/// The end of a connection's log: by the index that all programs share, and in the file.
private struct LogEnd {
    let salts: Data
    private let log: RawFile
    private let size: Int
    private let pageSize: Int
    /// The number of frames that SQLite reads.
    private let readable: Int
    /// Whether the beginning of the log's file is that of the log in the index.
    private let isHeaderKnown: Bool
    /// Whether nothing was committed since a program has read the log up to its end or its first damaged frame.
    private let isJustRead: Bool

    /// Nil if there is no log.
    init?(_ db: Database) {
        guard let main = RawFile(.main, of: db), let log = RawFile(.log, of: db) else { return nil }
        let size = log.size
        guard size > DamagedLog.headerSize, let index = main.logIndex, let header = log.bytes(32, at: 0) else {
            return nil
        }
        (self.log, self.size) = (log, size)
        pageSize = index.pageSize > 0 ? index.pageSize : 4_096
        readable = index.frames
        salts = header.slice(16, 8)
        isHeaderKnown = salts == index.salts
        isJustRead = index.changes == 0
    }

    private var count: Int { (size - DamagedLog.headerSize) / (pageSize + 24) }

    /// Whether frames of this log may follow the last one that SQLite reads.
    ///
    /// Those of an earlier log, which the file still holds, have other salts. The frame after the last one may be
    /// damaged itself, so more than one is read. Once something was committed, frames that follow are the rest of a
    /// transaction that a program was killed in: what a damaged frame hides was kept before.
    var mayHideFrames: Bool {
        guard count > readable, isJustRead else { return false }
        if readable == 0, isHeaderDamaged { return true }
        // A log that begins anew is in the index before it is in the file.
        guard isHeaderKnown else { return false }
        let looked = Set((readable..<min(count, readable + 3)) + [count - 1])
        return looked.contains { commits($0) != nil }
    }

    /// Whether a transaction of this log ends behind the last frame that SQLite reads.
    ///
    /// One that was cut off ends nowhere. It may take more memory than there is, so only the beginnings of its frames are
    /// read.
    private var hidesTransaction: Bool { isHeaderDamaged || (readable..<count).contains { commits($0) ?? 0 > 0 } }

    /// The size of the file in pages after the transaction that a frame of this log ends; 0 if it ends none, and nil if it
    /// is not a frame of this log.
    private func commits(_ frame: Int) -> Int? {
        guard let beginning = log.bytes(16, at: DamagedLog.headerSize + frame * (pageSize + 24)),
            beginning.slice(8, 8) == salts
        else { return nil }
        return beginning.bigEndian32(at: 4)
    }

    /// Whether the file does not begin as a log does; one of zeros was never on the disk.
    private var isHeaderDamaged: Bool {
        guard let header = log.bytes(DamagedLog.headerSize, at: 0), header.contains(where: { $0 != 0 }) else {
            return false
        }
        return !DamagedLog(Array(header), pageSize: pageSize).isHeaderWhole
    }

    /// The largest log in bytes that is repaired, which takes as much memory twice.
    ///
    /// `Notebook.excessiveLog` is far below; only one transaction of another tool is so long.
    private static let maximumSize = 1 << 30

    /// The log with all that was saved; nil if that is what SQLite reads.
    func repaired() -> [UInt8]? { wholeLog()?.repaired(readable: readable) }

    /// All of the log's file, if a transaction may be hidden in it.
    private func wholeLog() -> DamagedLog? {
        guard size <= Self.maximumSize, hidesTransaction else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { memory, count in
            count = log.read(into: UnsafeMutableRawBufferPointer(memory), at: 0) ? size : 0
        }
        return bytes.isEmpty ? nil : DamagedLog(bytes, pageSize: pageSize)
    }

    /// Whether one undamaged transaction follows the last frame that SQLite reads, of which no program was told.
    var isRestUnfinished: Bool {
        guard count > readable, isHeaderKnown, commits(readable) != nil else { return false }
        return wholeLog()?.continuesOnce(after: readable) ?? false
    }

    /// Ends the log's file with the last frame that SQLite reads.
    ///
    /// If the rest cannot be removed, it only looks like damage.
    func removeRest() { log.cut(to: DamagedLog.headerSize + readable * (pageSize + 24)) }
}
