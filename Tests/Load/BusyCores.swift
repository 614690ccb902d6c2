import Foundation
import Synchronization

/// Keeps every processor busy from its making until it is ended.
///
/// The processors are really taken when `init` returns: it waits for all threads to run.
public final class BusyCores: Sendable {
    private let isEnded = Atomic(false)

    /// - Parameter isShared: whether the processors that the shared load of another process keeps busy are left to it,
    ///   so that several processes with tests under load do not slow each other down further.
    public init(isShared: Bool = false) {
        let began = DispatchSemaphore(value: 0)
        for processor in 0..<Self.count {
            Thread { @Sendable [self] in
                guard isShared else {
                    began.signal()
                    return spin()
                }
                let turn = Turn(processor)
                began.signal()
                // The next process takes over within a millisecond of the end of the one before.
                while !isEnded.load(ordering: .relaxed) {
                    if turn.take() { spin() } else { usleep(1000) }
                }
            }.start()
        }
        for _ in 0..<Self.count { began.wait() }
    }

    private func spin() {
        while !isEnded.load(ordering: .relaxed) {}
    }

    /// The number of threads: as many as there are processors.
    public static var count: Int { ProcessInfo.processInfo.activeProcessorCount }

    /// The number of processors that a shared load of some process keeps busy now.
    public static var busyProcessors: Int { (0..<count).count { !Turn($0).take() } }

    public func end() { isEnded.store(true, ordering: .relaxed) }
}

/// The turn to keep a processor busy, which one thread of all processes of a user has at a time; it ends with the object.
private final class Turn {
    private let descriptor: Int32

    init(_ processor: Int) {
        descriptor = open("/tmp/tn-load-\(getuid())-\(processor)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    }

    /// Takes the turn if nobody has it; without a lock file the turn is everybody's.
    func take() -> Bool { descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    deinit { if descriptor >= 0 { close(descriptor) } }
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
            if shared.load == nil { shared.load = BusyCores(isShared: true) }
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
