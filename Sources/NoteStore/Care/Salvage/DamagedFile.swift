import Foundation
import SystemPackage

/// The pages of an SQLite file that SQLite itself may refuse to read, with the pages of its log applied.
///
/// Follows sqlite.org/fileformat2.html. Any number in the file may be wrong, so each is checked before use, and invalid
/// data is ignored.
struct DamagedFile {
    let pageSize: Int
    /// How many bytes of a page hold content; the rest is reserved.
    let usable: Int
    let pageCount: Int
    /// Pages of the log that no valid commit covers; they are read last.
    let strayPages: [Data]

    /// Whether the file and its log contain parts of several notebooks, by their identities.
    ///
    /// Cost: reads the whole file.
    var isMixed: Bool { Self.identities(in: main).union(Self.identities(in: log)).count > 1 }

    private let main: Data
    private let log: Data
    /// The newest committed page of each number in the log.
    private let logged: [Int: Data]

    /// The page size of a notebook, in bytes, used unless the file's header is readable and gives another.
    private static let usualPageSize = 4096

    /// - Parameter readsLog: whether to apply the pages of the log, if there is one.
    /// - Throws: what reading the file and its log throws, since the newest texts may be in the log alone.
    init(_ path: String, readsLog: Bool = true) throws {
        // Mapped, because a notebook can be larger than the memory.
        main = try MappedFile.data(of: FilePath(path))
        log = readsLog ? try Self.log(of: path) : Data()
        var size = Self.usualPageSize
        var reserved = 0
        if main.count >= 100, main.startsAsSQLite {
            let told = main.bigEndian16(at: 16)
            let real = told == 1 ? 65_536 : told
            if real >= 512, real <= 65_536, real & (real - 1) == 0 { size = real }
            if main[main.startIndex + 20] <= 32 { reserved = Int(main[main.startIndex + 20]) }
        }
        pageSize = size
        usable = size - reserved
        (logged, strayPages) = Self.read(log, pageSize: size)
        pageCount = max((main.count + size - 1) / size, logged.keys.max() ?? 0)
    }

    /// A page by its number from 1, or nil if there is none.
    ///
    /// A page cut off by the end of the file is padded with zeros.
    func page(_ number: Int) -> Data? {
        if let page = logged[number] { return page }
        guard number >= 1, number <= pageCount else { return nil }
        let start = (number - 1) * pageSize
        guard start < main.count else { return nil }
        let page = main[main.startIndex + start..<main.startIndex + min(start + pageSize, main.count)]
        return page.count == pageSize ? page : page + Data(count: pageSize - page.count)
    }

    /// The numbers of the free pages, whose content was deleted.
    func freePages() -> Set<Int> {
        guard let first = page(1), first.startsAsSQLite else { return [] }
        var free: Set<Int> = []
        var trunk = first.bigEndian32(at: 32)
        while let page = page(trunk), free.insert(trunk).inserted {
            let count = page.bigEndian32(at: 4)
            guard count <= usable / 4 - 2 else { break }
            for index in 0..<count { free.insert(page.bigEndian32(at: 8 + 4 * index)) }
            trunk = page.bigEndian32(at: 0)
        }
        return free
    }

    /// Returns the content of a file's log; nothing if it has none, like most files.
    private static func log(of path: String) throws(StoreError) -> Data {
        do {
            return try MappedFile.data(of: FilePath(path + "-wal"))
        } catch .noSuchFile {
            return Data()
        }
    }

    /// The identities of notebooks found anywhere in these bytes.
    private static func identities(in data: Data) -> Set<NotebookID> {
        let (key, length) = (Array(NotebookID.key.utf8), NotebookID().description.utf8.count)
        var found: Set<NotebookID> = []
        var rest = data[...]
        while let next = rest.end(of: key) {
            rest = rest[next...]
            if let id = NotebookID(stored: String(decoding: rest.prefix(length), as: UTF8.self)) { found.insert(id) }
        }
        return found
    }

    // MARK: - The log

    private static let logHeader = 32
    private static let frameHeader = 24

    /// Reads a write-ahead log: the pages up to the last commit, and those after it.
    private static func read(_ log: Data, pageSize: Int) -> (committed: [Int: Data], stray: [Data]) {
        guard log.count >= logHeader + frameHeader + pageSize, log.bigEndian32(at: 0) & ~1 == 0x377F_0682,
            log.bigEndian32(at: 8) == pageSize
        else { return ([:], []) }
        let sums = LogChecksum(bigEndian: log.bigEndian32(at: 0) & 1 == 1)
        let salt = log.slice(16, 8)
        var sum = sums.adding(log.slice(0, 24), to: (0, 0))
        guard sum == (UInt32(log.bigEndian32(at: 24)), UInt32(log.bigEndian32(at: 28))) else { return ([:], []) }
        var committed: [Int: Data] = [:]
        var pending: [(Int, Data)] = []
        var stray: [Data] = []
        var isSound = true
        for start in stride(from: logHeader, through: log.count - frameHeader - pageSize, by: frameHeader + pageSize) {
            guard log.slice(start + 8, 8) == salt else { break }
            let page = log.slice(start + frameHeader, pageSize)
            sum = sums.adding(page, to: sums.adding(log.slice(start, 8), to: sum))
            isSound =
                isSound && sum == (UInt32(log.bigEndian32(at: start + 16)), UInt32(log.bigEndian32(at: start + 20)))
            guard isSound else {
                stray.append(page)
                continue
            }
            pending.append((log.bigEndian32(at: start), page))
            if log.bigEndian32(at: start + 4) > 0 {
                for (number, page) in pending { committed[number] = page }
                pending = []
            }
        }
        return (committed, pending.map(\.1) + stray)
    }
}

/// The checksum of a write-ahead log, over pairs of 32-bit words.
private struct LogChecksum {
    let bigEndian: Bool

    func adding(_ data: Data, to sum: (UInt32, UInt32)) -> (UInt32, UInt32) {
        data.withUnsafeBytes { bytes in
            var (first, second) = sum
            for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
                first = first &+ word(bytes, offset) &+ second
                second = second &+ word(bytes, offset + 4) &+ first
            }
            return (first, second)
        }
    }

    private func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
        let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return bigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
    }
}
