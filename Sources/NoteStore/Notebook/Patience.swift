import Foundation
import GRDB
import Synchronization

/// How long a notebook waits for other programs that hold a lock on it.
///
/// SQLite asks anew for each lock that it cannot have, and opening takes several, so that a limit for each would add up
/// to minutes. Here all waits of a command, of an opening and of a leaving are taken from one account.
final class Patience: Sendable {
    private struct State {
        /// Seconds that each wait lasts at most, or all waits together on an account.
        var seconds: Double
        /// Seconds that have been waited on the account; nil where each wait has the whole time to itself.
        var spent: Double? = 0
        /// The thread that does not wait now.
        var impatient: pthread_t?
        /// The thread on which a wait is short, and how many seconds that is.
        var hasty: (thread: pthread_t, seconds: Double)?

        /// Seconds that this wait lasts at most.
        var limit: Double {
            guard let hasty, pthread_equal(hasty.thread, pthread_self()) != 0 else { return seconds }
            return min(hasty.seconds, seconds)
        }
    }

    private let state: Mutex<State>

    init(seconds: Double) { state = Mutex(State(seconds: seconds)) }

    /// For SQLite: waits, and answers whether to try again.
    var callback: Database.BusyCallback { { [self] in wait(after: $0) } }

    /// From now on each wait has the whole time to itself: the notebook is open, and its program stays.
    func endOpening() { state.withLock { $0.spent = nil } }

    /// From now on all waits together last at most so long, those that are under way included: the program leaves.
    func beginLeaving(seconds: Double) {
        state.withLock { state in
            state.seconds = min(state.seconds, seconds)
            state.spent = 0
        }
    }

    /// From now on each wait on this thread lasts at most so long.
    func beHasty(seconds: Double) { state.withLock { $0.hasty = (pthread_self(), seconds) } }

    /// Runs `body`, on this thread, in which SQLite waits for nobody.
    func withoutWaiting<T>(_ body: () throws -> T) rethrows -> T {
        state.withLock { $0.impatient = pthread_self() }
        defer { state.withLock { $0.impatient = nil } }
        return try body()
    }

    /// Waits 1 ms, then longer and longer up to 25, a little differently in each process.
    ///
    /// - Parameter tries: how often this lock has been tried before.
    /// - Returns: false if there is no time left.
    func wait(after tries: Int) -> Bool {
        let pause = Double(min(25, 1 << min(tries, 5)) + Int.random(in: 0...3)) / 1000
        let mayWait = state.withLock { state in
            if let impatient = state.impatient, pthread_equal(impatient, pthread_self()) != 0 { return false }
            if let spent = state.spent { return spent < state.seconds }
            return Self.usual(tries) < state.limit
        }
        guard mayWait else { return false }
        let waited = ContinuousClock().measure { usleep(UInt32(pause * 1_000_000)) }
        let spent = Double(waited.components.seconds) + Double(waited.components.attoseconds) * 1e-18
        state.withLock { if let before = $0.spent { $0.spent = before + spent } }
        return true
    }

    /// Seconds that so many pauses take.
    private static func usual(_ tries: Int) -> Double {
        (tries < 5 ? 6 * Double(tries) : 31 + 26 * Double(tries - 5)) / 1000
    }
}
