import Foundation
import GRDB
import Synchronization

/// How long a notebook waits for other programs that hold a lock on it.
///
/// SQLite asks anew for each lock that it cannot have, and opening takes several, so that a limit for each would add up
/// to minutes. Here all waits of a command, and all of an opening, are taken from one account.
final class Patience: Sendable {
    private struct State {
        /// Seconds that have been waited on the account.
        var spent = 0.0
        /// Whether waits are taken from the account; else each has the whole time to itself.
        var isCounting = true
    }

    private let seconds: Double
    private let state = Mutex(State())

    init(seconds: Double) { self.seconds = seconds }

    /// For SQLite: waits, and answers whether to try again.
    var callback: Database.BusyCallback { { [self] in wait(after: $0) } }

    /// From now on each wait has the whole time to itself: the notebook is open, and its program stays.
    func endOpening() { state.withLock { $0.isCounting = false } }

    /// Waits 1 ms, then longer and longer up to 25, a little differently in each process.
    ///
    /// - Parameter tries: how often this lock has been tried before.
    /// - Returns: false if there is no time left.
    func wait(after tries: Int) -> Bool {
        let pause = Double(min(25, 1 << min(tries, 5)) + Int.random(in: 0...3)) / 1000
        let mayWait = state.withLock { state in
            if state.isCounting { return state.spent < seconds }
            return Self.usual(tries) < seconds
        }
        guard mayWait else { return false }
        let waited = ContinuousClock().measure { usleep(UInt32(pause * 1_000_000)) }
        let spent = Double(waited.components.seconds) + Double(waited.components.attoseconds) * 1e-18
        state.withLock { if $0.isCounting { $0.spent += spent } }
        return true
    }

    /// Seconds that so many pauses take.
    private static func usual(_ tries: Int) -> Double {
        (tries < 5 ? 6 * Double(tries) : 31 + 26 * Double(tries - 5)) / 1000
    }
}
