import Foundation
import GRDB
import Synchronization

/// The connections on which all reads of a thread share one transaction, while `Notebook.atOneMoment` runs there.
final class SharedReads: Sendable {
    /// A connection is used by the thread that it is kept with, and by no other.
    private struct Reader: @unchecked Sendable {
        let thread: pthread_t
        let db: Database
    }

    private let readers = Mutex<[Reader]>([])

    /// The connection that the reads of this thread share; nil if each read is a transaction of its own.
    var onThisThread: Database? {
        readers.withLock { $0.first { pthread_equal($0.thread, pthread_self()) != 0 } }?.db
    }

    /// Runs `body`, whose reads on this thread use `db`.
    func share<T>(_ db: Database, _ body: () throws -> T) rethrows -> T {
        let reader = Reader(thread: pthread_self(), db: db)
        readers.withLock { $0.append(reader) }
        defer { readers.withLock { $0.removeAll { pthread_equal($0.thread, pthread_self()) != 0 } } }
        return try body()
    }
}
