import Dispatch
import Foundation
import Synchronization

/// As many threads as there are processors, which share a loop.
///
/// `DispatchQueue.concurrentPerform` runs on threads that Dispatch counts in `/proc`, and ends a program that cannot
/// read it, as in a chroot. The threads of serial queues are not counted.
struct ReadingThreads {
    private let queues = (0..<ProcessInfo.processInfo.activeProcessorCount).map {
        DispatchQueue(label: "NoteStore.import.\($0)", qos: .userInitiated)
    }

    /// Calls a function with each number from 0 up to `count`, which is not included, and returns after all calls.
    func perform(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
        let taken = Atomic(0)
        let group = DispatchGroup()
        for queue in queues.prefix(count) {
            queue.async(group: group) { @Sendable in
                while case let number = taken.add(1, ordering: .relaxed).oldValue, number < count { work(number) }
            }
        }
        group.wait()
    }
}
