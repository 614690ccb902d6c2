import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// The connection on which searches run, so that ending a search ends nothing else.
///
/// A newer search ends a running one: SQLite checks every few thousand steps whether the search is still wanted.
final class SearchConnection: Sendable {
    private let queue: DatabaseQueue
    private let wanted: Wanted
    let terms = TermText()

    /// The numbers of the newest search and of the running one.
    ///
    /// A caller writes the first, only the connection's queue writes the second.
    private final class Wanted: Sendable {
        let newest = Atomic<Int>(0)
        let running = Atomic<Int>(0)

        var isStale: Bool { newest.load(ordering: .relaxed) != running.load(ordering: .relaxed) }
    }

    /// The size of the page cache in kilobytes.
    ///
    /// It holds the pages that a search for a word of 2,000 notes among 100,000 reads again at the next key.
    private static let cacheSize = 8_000

    /// The number of steps of SQLite's virtual machine between two checks, which take about 0.1 ms.
    private static let stepsBetweenChecks: Int32 = 4000

    init(path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(2)
        let wanted = Wanted()
        configuration.prepareDatabase { db in
            db.stopReportingStatements()
            try db.execute(sql: "PRAGMA cache_size = -\(Self.cacheSize)")
            // The context outlives the handler, since this object keeps it for as long as the queue.
            let context = Unmanaged.passUnretained(wanted).toOpaque()
            sqlite3_progress_handler(
                db.sqliteConnection, Self.stepsBetweenChecks,
                { context in
                    guard let context else { return 0 }
                    return Unmanaged<Wanted>.fromOpaque(context).takeUnretainedValue().isStale ? 1 : 0
                }, context)
        }
        self.wanted = wanted
        queue = try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Ends the running search.
    func cancel() { wanted.newest.add(1, ordering: .relaxed) }

    /// Runs a search after ending the previous one; throws `interrupted` if a newer one begins.
    func read<T>(_ body: (Database) throws -> T) throws -> T {
        let number = wanted.newest.add(1, ordering: .relaxed).newValue
        return try queue.read { db in
            wanted.running.store(number, ordering: .relaxed)
            if wanted.isStale { throw StoreError.interrupted }
            return try body(db)
        }
    }

    func close() throws { try queue.close() }
}
