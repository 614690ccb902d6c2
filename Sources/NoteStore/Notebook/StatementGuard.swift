import GRDB
import GRDBSQLite
import Synchronization

/// Ends statements that run on although the program is to end.
///
/// Triggers in a notebook that somebody else has made may never end, and then only SIGKILL would end the program.
final class StatementGuard: Sendable {
    /// The time for which work may go on once the program is to end, so that a long text is still saved.
    ///
    /// It is shorter than the ten seconds after which services are usually killed.
    static let grace = Duration.seconds(5)

    /// The number of steps of SQLite's virtual machine between two checks, which take about 10 ms.
    private static let stepsBetweenChecks: Int32 = 400_000

    private let isAskedToEnd: @Sendable () -> Bool
    private let grace: Duration
    /// Whether the program is leaving the notebook.
    private let isLeaving = Atomic(false)
    /// The time at which a check first saw that the program is to end; nil before that.
    private let since = Mutex<ContinuousClock.Instant?>(nil)

    init(grace: Duration = StatementGuard.grace, isAskedToEnd: @escaping @Sendable () -> Bool) {
        (self.grace, self.isAskedToEnd) = (grace, isAskedToEnd)
    }

    func setLeaving(_ isLeaving: Bool) { self.isLeaving.store(isLeaving, ordering: .relaxed) }

    /// Watches the statements of a connection, which keeps this object for as long as the process lives.
    func watch(_ db: Database) {
        let context = Unmanaged.passRetained(self).toOpaque()
        sqlite3_progress_handler(
            db.sqliteConnection, Self.stepsBetweenChecks,
            { context in
                guard let context else { return 0 }
                return Unmanaged<StatementGuard>.fromOpaque(context).takeUnretainedValue().mayGoOn() ? 0 : 1
            }, context)
    }

    private func mayGoOn() -> Bool {
        let mustEnd = isLeaving.load(ordering: .relaxed) || isAskedToEnd()
        return since.withLock { since in
            guard mustEnd else {
                since = nil
                return true
            }
            let now = ContinuousClock.now
            let start = since ?? now
            since = start
            return now - start < grace
        }
    }
}
