import Foundation
import GRDB
import SystemPackage

extension Notebook.Care {
    /// The size of the file without its log, in bytes.
    public var fileSize: Int { DiskFile.size(of: notebook.path) }

    /// Returns the memory that saving a long text took to the system.
    ///
    /// A prepared statement keeps a copy of its last arguments, and the allocator keeps freed memory. The call takes a
    /// millisecond or two, and the statements are prepared again later.
    public func releaseMemory() {
        notebook.gate.passIfOpen { notebook.database.writeWithoutTransaction { $0.releaseMemory() } }
        returnFreeMemory()
    }

    /// Returns the memory to the system that the allocator keeps after work that took much of it for a while.
    ///
    /// Cost: a millisecond or two.
    public func returnFreeMemory() {
        #if canImport(Glibc)
        _ = trimAllocator(keeping: 0)
        #endif
    }

    /// Kilobytes of pages that a long write keeps in memory, by SQLite's count.
    ///
    /// This is eight times the usual, since each new note changes pages anywhere in the indexes.
    private static let roomForMany = 16_000
    /// The size of the write-ahead log, in bytes, above which a long write checkpoints it.
    ///
    /// A page that changes again and again is then moved once.
    private static let logForMany = 64_000_000

    /// Runs a long write, with more memory for pages and a longer log than usual.
    func withRoomForMany(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        let usual: Int
        do {
            usual = try notebook.database.writeWithoutTransaction { db in
                let usual = try Int.fetchOne(db, sql: "PRAGMA cache_size") ?? -2000
                try Self.setRoom(Self.roomForMany * -1, db)
                return usual
            }
        } catch {
            throw StoreError(error, path: notebook.path)
        }
        notebook.logLimit.store(Self.logForMany, ordering: .relaxed)
        defer {
            notebook.logLimit.store(Notebook.defaultLogLimit, ordering: .relaxed)
            notebook.database.writeWithoutTransaction { try? Self.setRoom(usual, $0) }  // more room does no harm
            try? notebook.shortenLog()  // the next one makes up for it
        }
        try body()
    }

    private static func setRoom(_ room: Int, _ db: Database) throws {
        try db.execute(sql: "PRAGMA cache_size = \(room)")
    }

    /// Makes the allocator take every block of eight megabytes or more from the system and return it when freed.
    ///
    /// Otherwise the allocator adapts to the first such block and keeps them, and the memory for saving a long text
    /// stays in use. It keeps smaller blocks: each key in a line of megabytes takes such a block, whose pages would be
    /// new every time.
    static func returnLargeBlocks() {
        #if canImport(Glibc)
        _ = setAllocator(mmapThreshold, 8 << 20)
        _ = setAllocator(trimThreshold, 16 << 20)
        #endif
    }
}

#if canImport(Glibc)
/// `M_MMAP_THRESHOLD` of glibc's malloc.h.
private let mmapThreshold: CInt = -3

/// `M_TRIM_THRESHOLD` of the same: how much may stay free at the end of the heap, by default 128 KB.
private let trimThreshold: CInt = -1

/// `mallopt(3)`; glibc declares it, like `malloc_trim`, in a header that its Swift module leaves out.
@_silgen_name("mallopt")
private func setAllocator(_ parameter: CInt, _ value: CInt) -> CInt

/// `malloc_trim(3)`.
@_silgen_name("malloc_trim")
private func trimAllocator(keeping bytes: Int) -> CInt
#endif
