import Synchronization

/// A limited number of threads, which run work in the order in which it comes.
///
/// A thread ends when no work is left. Dispatch's global and concurrent queues, on which Swift's tasks run too, are not
/// used: they count their busy threads in `/proc`, and Dispatch ends a program that cannot read it, as in a chroot.
/// Serial queues and threads like these are not counted.
public final class WorkerThreads: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var threads = 0
    }

    private let name: String
    private let maximum: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - name: The threads' name for debuggers, of at most 15 bytes.
    ///   - maximum: The largest number of threads at a time. When all hang, further work waits.
    public init(_ name: String, maximum: Int) { (self.name, self.maximum) = (name, maximum) }

    /// The number of threads now.
    public var count: Int { state.withLock { $0.threads } }

    /// Runs work on one of the threads, after the work that waits already.
    public func run(_ work: @escaping @Sendable () -> Void) {
        let isNew = state.withLock { state in
            state.waiting.append(work)
            guard state.threads < maximum else { return false }
            state.threads += 1
            return true
        }
        guard isNew else { return }
        onOwnThread(name) { [self] in
            while let work = next() { work() }
        }
    }

    /// The next work; nil ends the thread that asks for it.
    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            if state.waiting.isEmpty {
                state.threads -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
