import DequeModule
import Synchronization

/// Brings work from any thread to the event loop, in order, and wakes it.
public final class Mailbox: Sendable {
    private let letters = Mutex<Deque<@MainActor () -> Void>>([])

    /// Has `work` done by the loop, soon; may be called from any thread, and costs a system call only when the box was
    /// empty.
    public func post(_ work: @escaping @MainActor @Sendable () -> Void) {
        let wasEmpty = letters.withLock { letters in
            letters.append(work)
            return letters.count == 1
        }
        if wasEmpty { SignalPipe.wake() }
    }

    /// Does all that has come up to now; true when there was any.
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
