import Dispatch
import Synchronization

/// Lets calls through until it is closed, and lets closing, or a call that must be alone, wait for the calls in progress.
///
/// GRDB promises nothing to a thread that reads while another closes the connection: SQLite then gets a null
/// connection, and the program crashes.
final class ClosingGate: Sendable {
    private struct State {
        var isClosed = false
        /// Whether a call wants to be alone, or is.
        var isPaused = false
    }

    private let state = Mutex(State())
    private let calls = DispatchGroup()
    /// Has a member while the gate is paused.
    private let pauses = DispatchGroup()

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

    /// Runs a part of a call while no other call is in progress; those that come meanwhile wait.
    ///
    /// Call it inside of `pass`. The call must not pass again.
    ///
    /// - Parameter limit: how long to wait for the other calls in progress.
    /// - Returns: what the call returns; nil if the others did not end in time, or another one wants to be alone.
    func alone<T>(within limit: DispatchTimeInterval, _ call: () throws -> T) rethrows -> T? {
        let isFirst = state.withLock { state in
            defer { state.isPaused = true }
            if !state.isPaused { pauses.enter() }
            return !state.isPaused
        }
        guard isFirst else { return nil }
        calls.leave()
        defer {
            calls.enter()
            state.withLock { $0.isPaused = false }
            pauses.leave()
        }
        // A call in progress may wait for the pause to end before it makes a nested call.
        guard calls.wait(timeout: .now() + limit) == .success else { return nil }
        return try call()
    }

    /// Refuses all later calls.
    func close() { state.withLock { $0.isClosed = true } }

    /// Returns when the last call has ended; call it after `close()`.
    func wait() {
        calls.wait()
        // While a call is alone, it does not count as one in progress.
        pauses.wait()
        calls.wait()
    }

    private func enter() -> Bool {
        while true {
            let isInside: Bool? = state.withLock { state in
                if state.isClosed { return false }
                if state.isPaused { return nil }
                calls.enter()
                return true
            }
            if let isInside { return isInside }
            pauses.wait()
        }
    }
}
