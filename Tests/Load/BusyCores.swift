import Foundation
import Synchronization

/// Keeps every processor busy from its making until it is ended.
///
/// The processors are really taken when `init` returns: it waits for all threads to run.
public final class BusyCores: Sendable {
    private let isEnded = Atomic(false)
    private static let busy = Atomic(0)

    public init() {
        let began = DispatchSemaphore(value: 0)
        for _ in 0..<Self.count {
            Thread { @Sendable [self] in
                Self.busy.add(1, ordering: .relaxed)
                began.signal()
                while !isEnded.load(ordering: .relaxed) {}
                Self.busy.subtract(1, ordering: .relaxed)
            }.start()
        }
        for _ in 0..<Self.count { began.wait() }
    }

    /// The number of threads: as many as there are processors.
    public static var count: Int { ProcessInfo.processInfo.activeProcessorCount }

    /// The number of threads that are busy now, of all loads.
    public static var busyThreads: Int { busy.load(ordering: .relaxed) }

    public func end() { isEnded.store(true, ordering: .relaxed) }
}

extension BusyCores {
    private struct Shared {
        var load: BusyCores?
        var users = 0
    }

    private static let shared = Mutex(Shared())

    /// Begins the shared load, or joins the one that runs.
    static func join() {
        shared.withLock { shared in
            shared.users += 1
            if shared.load == nil { shared.load = BusyCores() }
        }
    }

    /// Leaves the shared load, which ends with its last user.
    static func leave() {
        shared.withLock { shared in
            shared.users -= 1
            guard shared.users == 0 else { return }
            shared.load?.end()
            shared.load = nil
        }
    }
}
