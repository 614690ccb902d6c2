import DequeModule
import Synchronization

/// A queue that brings work from any thread to the event loop, in order, and wakes it.
public final class Mailbox: Sendable {
    private let letters = Mutex<Deque<@MainActor () -> Void>>([])

    /// Queues `work` for the loop.
    ///
    /// May be called from any thread. Costs a system call only if the mailbox was empty.
    public func post(_ work: @escaping @MainActor @Sendable () -> Void) {
        let wasEmpty = letters.withLock { letters in
            letters.append(work)
            return letters.count == 1
        }
        if wasEmpty { SignalPipe.wake() }
    }

    /// Runs all work posted so far; true if there was any.
    @MainActor
    func empty() -> Bool {
        let taken = letters.withLock { letters in
            defer { letters = [] }
            return letters
        }
        for work in taken { work() }
        return !taken.isEmpty
    }
}
