import Dispatch
import Synchronization

/// Lets calls through until it is closed, and has closing wait for those that are under way.
///
/// GRDB promises nothing to who reads while another thread closes the connection: SQLite is then handed none, and the
/// program dies.
final class ClosingGate: Sendable {
    private let isClosed = Mutex(false)
    private let calls = DispatchGroup()

    /// Runs a call, which may make others.
    ///
    /// - Throws: `closed` if the gate is, and what the call throws.
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

    /// Lets nobody in any more.
    func close() { isClosed.withLock { $0 = true } }

    /// Returns when the last call has ended; to be called once it is closed.
    func wait() { calls.wait() }

    private func enter() -> Bool {
        isClosed.withLock { isClosed in
            if !isClosed { calls.enter() }
            return !isClosed
        }
    }
}
