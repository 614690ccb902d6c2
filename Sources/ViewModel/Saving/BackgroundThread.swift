import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A thread that runs pieces of work in order, with a lower priority than the thread that draws.
///
/// It is not a dispatch queue, since their threads are shared: the priority of one of them cannot be lowered for a
/// while.
final class BackgroundThread: Sendable {
    private let pending = Pending()

    init(name: String) {
        let pending = pending
        let thread = Thread {
            Self.lowerPriority()
            while let work = pending.next() { work() }
        }
        thread.name = name
        thread.start()
    }

    deinit { pending.add(nil) }

    /// Runs `work` after all work added before.
    func async(_ work: @escaping @Sendable () -> Void) { pending.add(work) }

    /// Returns when all work added so far is done.
    func finish() {
        let done = DispatchSemaphore(value: 0)
        async { done.signal() }
        done.wait()
    }

    /// Raises the niceness by ten, which leaves the thread a tenth of a busy processor, or all of an idle one.
    ///
    /// A lower priority could delay a thread that waits for the notebook's lock.
    private static func lowerPriority() {
        #if canImport(Glibc)
        // On Linux the call affects only this thread. If it fails, other threads only wait a little.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        #elseif canImport(Darwin)
        pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
        #endif
    }

    /// The queue of pending work; nil ends the thread.
    private final class Pending: Sendable {
        private let work = Mutex<[(@Sendable () -> Void)?]>([])
        private let arrived = DispatchSemaphore(value: 0)

        func add(_ piece: (@Sendable () -> Void)?) {
            work.withLock { $0.append(piece) }
            arrived.signal()
        }

        func next() -> (@Sendable () -> Void)? {
            arrived.wait()
            return work.withLock { $0.removeFirst() }
        }
    }
}
