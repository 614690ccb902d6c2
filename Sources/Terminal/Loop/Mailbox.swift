import DequeModule
import Synchronization

/// A queue that brings work from any thread to the event loop, in order, and wakes it.
public final class Mailbox: Sendable {
    private let pending = Mutex<Deque<@MainActor () -> Void>>([])

    /// Queues `work` for the loop.
    ///
    /// May be called from any thread. Costs a system call only if the mailbox was empty.
    public func post(_ work: @escaping @MainActor @Sendable () -> Void) {
        let wasEmpty = pending.withLock { pending in
            pending.append(work)
            return pending.count == 1
        }
        if wasEmpty { SignalPipe.wake() }
    }

    /// Runs all work posted so far; true if there was any.
    @MainActor
    func empty() -> Bool {
        let taken = pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
        for work in taken { work() }
        return !taken.isEmpty
    }
}
