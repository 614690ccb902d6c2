import Dispatch
import Synchronization

/// Lets calls through until it is closed, and lets closing wait for the calls in progress.
///
/// GRDB promises nothing to a thread that reads while another closes the connection: SQLite then gets a null
/// connection, and the program crashes.
final class ClosingGate: Sendable {
    private let isClosed = Mutex(false)
    private let calls = DispatchGroup()

    /// Runs a call, which may make nested calls.
    ///
    /// - Throws: `closed` if the gate is closed, or what the call throws.
    func pass<T>(orThrow closed: @autoclosure () -> StoreError, _ call: () throws -> T) throws -> T {
        guard enter() else { throw closed() }
        defer { calls.leave() }
        return try call()
    }

    /// Runs a call if the gate is open.
    func passIfOpen(_ call: () -> Void) {
        guard enter() else { return }
        defer { calls.leave() }
        call()
    }

    /// Refuses all later calls.
    func close() { isClosed.withLock { $0 = true } }

    /// Returns when the last call has ended; call it after `close()`.
    func wait() { calls.wait() }

    private func enter() -> Bool {
        isClosed.withLock { isClosed in
            if !isClosed { calls.enter() }
            return !isClosed
        }
    }
}
