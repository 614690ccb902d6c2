import Foundation
import GRDB

/// Detects that another file was copied over the notebook's while it is open.
///
/// To the system it is still the same file.
///
/// While a connection is open only a checkpoint writes to the file, and it writes pages of the log. So the watched
/// pages, the first one and the one with the notebook's identity, are unchanged, or the log contains them. If another
/// program has restarted the log meanwhile, that cannot be checked; then the file must be a later state of the same
/// notebook by its header and its identity.
///
/// It cannot distinguish two states of one notebook whose watched pages are equal.
struct FileContent {
    /// The watched pages by number, as they were in the file.
    private var pages: [Int: Data] = [:]
    /// The page that holds the identity; nil while the identity is only in the log.
    private(set) var identityPage: Int?
    private var identity: NotebookID?
    /// The header of the log that the file was compared with.
    private var logStart = Data()
    private let pageSize: Int

    /// Reads the file's present content through an open connection.
    ///
    /// Nil for a file that uses no log, or that cannot be read directly.
    init?(_ db: Database) throws {
        guard let main = RawFile(.main, of: db), let header = main.bytes(Header.size, at: 0).map(Header.init),
            header.usesLog
        else { return nil }
        pageSize = header.pageSize
        identity = try NotebookID.read(db)
        logStart = Self.logStart(db)
        watch(main.bytes(pageSize, at: 0), try Self.pageOfIdentity(identity, main, pageSize, db))
    }

    private mutating func watch(_ first: Data?, _ identity: (number: Int, page: Data)?) {
        pages = [:]
        pages[1] = first
        identityPage = identity?.number
        if let identity { pages[identity.number] = identity.page }
    }

    /// Whether the file is still the one that was opened; if it is, remembers its present content.
    ///
    /// Call it under the notebook's write lock, on the writing connection and outside of a transaction.
    ///
    /// - Throws: `busy` if another program checkpoints for longer than `patience` lasts.
    mutating func isSame(_ db: Database, path: String, _ patience: Patience) throws -> Bool {
        guard let main = RawFile(.main, of: db) else { return true }
        if !hasChanged(main) {
            if identityPage == nil { watch(pages[1], try Self.pageOfIdentity(identity, main, pageSize, db)) }
            return true
        }
        var tries = 0
        while true {
            if let isSame = try main.withoutCheckpoints({ try acceptIfExplained(main, db) }) { return isSame }
            guard patience.wait(after: tries) else { throw StoreError.busy(path: path) }
            tries += 1
        }
    }

    /// Whether a watched page has changed; costs a read of each, some microseconds.
    private func hasChanged(_ main: RawFile) -> Bool {
        pages.contains { number, page in main.bytes(pageSize, at: (number - 1) * pageSize) != page }
    }

    /// Compares the file's present content with the log, and remembers it if the log explains it.
    private mutating func acceptIfExplained(_ main: RawFile, _ db: Database) throws -> Bool {
        var now: [Int: Data] = [:]
        for (number, page) in pages { now[number] = main.bytes(pageSize, at: (number - 1) * pageSize) ?? page }
        let changed = now.filter { pages[$0.key] != $0.value }
        let (log, start) = (LogPages(db, pageSize: pageSize), Self.logStart(db))
        let isExplained = changed.allSatisfy { log.contains($0.value, as: $0.key) }
        // Two empty logs need not be the same one: another may have been written and emptied in between.
        let isSameLog = start == logStart && start.contains { $0 != 0 }
        guard isExplained || !isSameLog && isLaterState(now[1] ?? Data()) else { return false }
        // A program may also have written another notebook into this file through SQLite.
        let newest = try NotebookID.read(db)
        var found = try Self.pageOfIdentity(newest, main, pageSize, db)
        if newest != identity, let page = found, !log.contains(page.page, as: page.number) { found = nil }
        guard found != nil || !holdsStrangersIdentity(main) else { return false }
        if found != nil { identity = newest }
        logStart = start
        watch(now[1], found)
        return true
    }

    private func isLaterState(_ page: Data) -> Bool {
        guard let known = pages[1].map(Header.init) else { return true }
        return Header(page).isLaterState(of: known)
    }

    // MARK: - The identity

    /// Returns the page of the file that holds an identity, found below the root of its table.
    ///
    /// Nil while the identity is only in the log.
    private static func pageOfIdentity(
        _ identity: NotebookID?, _ main: RawFile, _ pageSize: Int, _ db: Database
    ) throws -> (number: Int, page: Data)? {
        guard let mark = identity.map({ Array((NotebookID.key + $0.description).utf8) }) else { return nil }
        let root = "SELECT rootpage FROM sqlite_master WHERE name = 'setting'"
        var number = try Int.fetchOne(db.cachedStatement(sql: root)) ?? 0
        for _ in 0..<maximumDepth {
            guard number > 1, let page = main.bytes(pageSize, at: (number - 1) * pageSize) else { return nil }
            if page.end(of: mark) != nil { return (number, page) }
            guard let child = page.child(toward: Array(NotebookID.key.utf8)) else { return nil }
            number = child
        }
        return nil
    }

    /// The maximum number of pages from the root of the settings to the one with the identity.
    ///
    /// An inner page leads to dozens of others, so that a billion settings need fewer; a damaged file may have a circle.
    private static let maximumDepth = 20

    /// Whether the file contains the identity of another notebook and not that of this one.
    ///
    /// Cost: reads the whole file.
    private func holdsStrangersIdentity(_ main: RawFile) -> Bool {
        let (key, length) = (Array(NotebookID.key.utf8), NotebookID().description.utf8.count)
        let (size, step) = (main.size, 1 << 20)
        var holdsOther = false
        for start in stride(from: 0, to: size, by: step) {
            // Each piece is a little longer than a step, to find a match across the end of the step.
            guard let piece = main.bytes(min(step + key.count + length, size - start), at: start) else { continue }
            var rest = piece[...]
            while let found = rest.end(of: key) {
                rest = rest[found...]
                guard let id = NotebookID(stored: String(decoding: rest.prefix(length), as: UTF8.self)) else {
                    continue
                }
                if id == identity { return false }
                holdsOther = true
            }
        }
        return holdsOther
    }

    /// Returns the header of the log, which differs each time the log restarts.
    private static func logStart(_ db: Database) -> Data { RawFile(.log, of: db)?.bytes(32, at: 0) ?? Data() }

    /// The first 100 bytes of a file: sqlite.org/fileformat2.html#the_database_header.
    private struct Header {
        static let size = 100
        let bytes: Data

        init(_ page: Data) { bytes = page.prefix(Self.size) }

        var pageSize: Int {
            let told = bytes.bigEndian16(at: 16)
            return told == 1 ? 65_536 : max(512, told)
        }
        var usesLog: Bool { bytes.startsAsSQLite && bytes.bigEndian16(at: 18) == 0x0202 }
        private var layout: Data { bytes.slice(0, 24) }
        private var changeCounter: UInt32 { UInt32(bytes.bigEndian32(at: 24)) }
        private var application: Int { bytes.bigEndian32(at: 68) }

        /// Whether this can be a later header of the same file.
        ///
        /// A later header still uses the log, which no program can switch off while another one has the file open, and
        /// its change counter is at least as high.
        func isLaterState(of known: Header) -> Bool {
            bytes.count == Self.size && layout == known.layout
                && Int32(bitPattern: changeCounter &- known.changeCounter) >= 0
                && (application == known.application || known.application == 0)
        }
    }
}

/// The pages in a connection's present write-ahead log, without those left from earlier logs.
private struct LogPages {
    private let log: RawFile?
    private let pageSize: Int
    /// The offsets of the pages in the log, by page number.
    private var offsets: [Int: [Int]] = [:]

    init(_ db: Database, pageSize: Int) {
        let log = RawFile(.log, of: db)
        (self.log, self.pageSize) = (log, pageSize)
        // sqlite.org/fileformat2.html#walformat
        guard let log, let header = log.bytes(32, at: 0) else { return }
        let salts = header.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 16, as: UInt64.self) }
        // A save of a long text leaves thousands of pages in the log, so all their headers are read into one buffer.
        withUnsafeTemporaryAllocation(byteCount: 24, alignment: 8) { frame in
            for start in stride(from: 32, through: log.size - 24 - pageSize, by: 24 + pageSize) {
                guard log.read(into: frame, at: start), frame.load(fromByteOffset: 8, as: UInt64.self) == salts else {
                    break
                }
                offsets[Int(UInt32(bigEndian: frame.load(as: UInt32.self))), default: []].append(start + 24)
            }
        }
    }

    func contains(_ page: Data, as number: Int) -> Bool {
        (offsets[number] ?? []).contains { log?.bytes(pageSize, at: $0) == page }
    }
}
