import Foundation
import GRDB
import SystemPackage

extension Notebook.Care {
    /// Bytes of the file, without its log.
    public var fileSize: Int { DiskFile.size(of: notebook.path) }

    /// Gives back to the system what the saving of a long text took.
    ///
    /// A prepared statement keeps a copy of what it was last given, and the allocator what was freed. Takes a millisecond
    /// or two, and the statements are prepared anew.
    public func releaseMemory() {
        notebook.gate.passIfOpen { notebook.database.writeWithoutTransaction { $0.releaseMemory() } }
        #if canImport(Glibc)
        _ = trimAllocator(keeping: 0)
        #endif
    }

    /// Kilobytes of pages that a long piece of writing keeps in memory, by SQLite's count eight times the usual: the
    /// indexes that each new note goes into anywhere.
    private static let roomForMany = 16_000
    /// Bytes of the write-ahead log after which a long piece of writing moves it into the file: a page that is changed
    /// again and again is moved once.
    private static let logForMany = 64_000_000

    /// Writes much, with more memory for pages and a longer log than usual.
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
            notebook.logLimit.store(Notebook.usualLog, ordering: .relaxed)
            notebook.database.writeWithoutTransaction { try? Self.setRoom(usual, $0) }  // more room harms nobody
            try? notebook.shortenLog()  // the next one makes up for it
        }
        try body()
    }

    private static func setRoom(_ room: Int, _ db: Database) throws {
        try db.execute(sql: "PRAGMA cache_size = \(room)")
    }

    /// Has the system give and take back every block of eight megabytes or more by itself.
    ///
    /// Otherwise the allocator learns from the first such block to keep them, and what saving a long text took stays.
    /// Smaller ones it keeps: each key in a line of megabytes takes such a block, whose pages would come anew every time.
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

/// `M_TRIM_THRESHOLD` of the same: what may lie free at the end of the heap, 128 KB unless told.
private let trimThreshold: CInt = -1

/// `mallopt(3)`; like the next, glibc declares it in a header that its Swift module leaves out.
@_silgen_name("mallopt")
private func setAllocator(_ parameter: CInt, _ value: CInt) -> CInt

/// `malloc_trim(3)`.
@_silgen_name("malloc_trim")
private func trimAllocator(keeping bytes: Int) -> CInt
#endif
