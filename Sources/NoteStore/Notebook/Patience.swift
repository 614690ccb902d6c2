import Foundation
import GRDB
import Synchronization

/// The time that a notebook waits for other programs that hold a lock on it.
///
/// SQLite tries each lock again that it cannot have, and opening takes several, so a limit for each would add up to
/// minutes. Here a command, an opening of the notebook or its closing has one time budget for all its waits.
final class Patience: Sendable {
    private struct State {
        /// The limit of each wait, or of all waits together on a shared budget, in seconds.
        var seconds: Double
        /// Seconds used up of the shared budget; nil where each wait has the whole time to itself.
        var spent: Double? = 0
        /// The thread on which SQLite must not wait for a lock.
        var nonWaitingThread: pthread_t?
        /// The thread on which a wait is short, and its limit in seconds.
        var limitedThread: (thread: pthread_t, seconds: Double)?
        /// Whether that thread has waited since `takeLimitedWait`.
        var hasWaitedUnderLimit = false
        /// Whether the shared budget is that of `hurry`, which does not bind the unhurried threads.
        var isHurried = false
        var unhurried: [pthread_t] = []

        /// The limit of this wait, in seconds.
        var limit: Double {
            guard let limitedThread, pthread_equal(limitedThread.thread, pthread_self()) != 0 else { return seconds }
            return min(limitedThread.seconds, seconds)
        }

        /// Whether this thread is exempt from the limit of `hurry` on another thread.
        var isExempt: Bool { isHurried && unhurried.contains { pthread_equal($0, pthread_self()) != 0 } }
    }

    private let state: Mutex<State>

    /// The maximum length of a wait in seconds, except while the program is leaving.
    private let seconds: Double

    init(seconds: Double) {
        self.seconds = seconds
        state = Mutex(State(seconds: seconds))
    }

    /// The busy callback for SQLite: waits, and returns whether to try again.
    var callback: Database.BusyCallback { { [self] in wait(after: $0) } }

    /// Gives each wait the whole time from now on: the notebook is open, and its program keeps running.
    func endOpening() { state.withLock { $0.spent = nil } }

    /// Limits all waits together from now on, those in progress included, because the program is leaving.
    func beginLeaving(seconds: Double) {
        state.withLock { state in
            state.seconds = min(state.seconds, seconds)
            (state.spent, state.isHurried) = (0, false)
        }
    }

    /// Gives each wait the whole time again, because the program does not leave after all.
    func endLeaving() {
        state.withLock { state in
            state.seconds = seconds
            state.spent = nil
        }
    }

    /// Limits all waits of all threads together while `body` runs, unless they share a time budget already.
    ///
    /// The hurried thread then waits for the others, and counts as having waited if one of them has. Unhurried threads
    /// do not take part in this.
    func hurry<T>(seconds: Double, _ body: () throws -> T) rethrows -> T {
        let isShared = state.withLock { state in
            guard state.spent == nil else { return true }
            (state.seconds, state.spent, state.isHurried) = (min(state.seconds, seconds), 0, true)
            return false
        }
        defer {
            if !isShared {
                state.withLock { state in
                    if state.spent ?? 0 > 0 { state.hasWaitedUnderLimit = true }
                    (state.seconds, state.spent, state.isHurried) = (self.seconds, nil, false)
                }
            }
        }
        return try body()
    }

    /// Runs `body` on this thread without the limit that `hurry` on another thread sets.
    func unhurried<T>(_ body: () throws -> T) rethrows -> T {
        state.withLock { $0.unhurried.append(pthread_self()) }
        defer {
            state.withLock { state in
                let own = state.unhurried.lastIndex { pthread_equal($0, pthread_self()) != 0 }
                if let own { state.unhurried.remove(at: own) }
            }
        }
        return try body()
    }

    /// Limits each wait on this thread from now on.
    func limitWaits(seconds: Double) { state.withLock { $0.limitedThread = (pthread_self(), seconds) } }

    /// Returns whether the thread with limited waits has waited since the last call.
    func takeLimitedWait() -> Bool {
        state.withLock { state in
            defer { state.hasWaitedUnderLimit = false }
            return state.hasWaitedUnderLimit
        }
    }

    /// Runs `body` on this thread without letting SQLite wait for a lock.
    func withoutWaiting<T>(_ body: () throws -> T) rethrows -> T {
        state.withLock { $0.nonWaitingThread = pthread_self() }
        defer { state.withLock { $0.nonWaitingThread = nil } }
        return try body()
    }

    /// Waits 1 ms at first, then longer, up to 25 ms, with a small random addition.
    ///
    /// - Parameter tries: the number of earlier attempts to take this lock.
    /// - Returns: false if no time is left.
    func wait(after tries: Int) -> Bool {
        let pause = Double(min(25, 1 << min(tries, 5)) + Int.random(in: 0...3)) / 1000
        let mayWait = state.withLock { state in
            if let nonWaitingThread = state.nonWaitingThread, pthread_equal(nonWaitingThread, pthread_self()) != 0 {
                return false
            }
            if state.isExempt { return Self.usual(tries) < seconds }
            if let spent = state.spent { return spent < state.seconds }
            return Self.usual(tries) < state.limit
        }
        guard mayWait else { return false }
        state.withLock { state in
            guard let limitedThread = state.limitedThread, pthread_equal(limitedThread.thread, pthread_self()) != 0
            else { return }
            state.hasWaitedUnderLimit = true
        }
        let waited = ContinuousClock().measure { usleep(UInt32(pause * 1_000_000)) }
        let spent = Double(waited.components.seconds) + Double(waited.components.attoseconds) * 1e-18
        state.withLock { if let before = $0.spent, !$0.isExempt { $0.spent = before + spent } }
        return true
    }

    /// Seconds that the given number of pauses usually take.
    private static func usual(_ tries: Int) -> Double {
        (tries < 5 ? 6 * Double(tries) : 31 + 26 * Double(tries - 5)) / 1000
    }
}
