import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A thread of its own that does one piece of work after another and gives way to whoever draws.
///
/// Not a dispatch queue, whose threads are shared: the priority of one of them cannot be lowered for a while.
final class BackgroundThread: Sendable {
    private let pending = Pending()

    init(name: String) {
        let pending = pending
        let thread = Thread {
            Self.giveWay()
            while let work = pending.next() { work() }
        }
        thread.name = name
        thread.start()
    }

    deinit { pending.add(nil) }

    /// Does `work` after all that was asked for before.
    func async(_ work: @escaping @Sendable () -> Void) { pending.add(work) }

    /// Returns when all that was asked for is done.
    func finish() {
        let done = DispatchSemaphore(value: 0)
        async { done.signal() }
        done.wait()
    }

    /// Ten steps of niceness: a tenth of a processor that others want, all of an idle one.
    ///
    /// Less could hold up whoever waits for the notebook's lock.
    private static func giveWay() {
        #if canImport(Glibc)
        // On Linux the call concerns the thread alone. That it fails only means that others wait a little.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        #elseif canImport(Darwin)
        pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
        #endif
    }

    /// What is to be done; nil ends the thread.
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
