import Dispatch

/// Occupies the threads that concurrent queues share, as work does that hangs.
///
/// What needs one of them does not begin before they are free.
public final class OccupiedThreads: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    /// More than there are threads for a processor, on any machine that runs the tests.
    private static let count = 512

    public init() {
        let gate = gate
        for _ in 0..<Self.count {
            DispatchQueue.global(qos: .userInitiated).async { gate.wait() }
        }
    }

    public func free() {
        for _ in 0..<Self.count { gate.signal() }
    }
}
