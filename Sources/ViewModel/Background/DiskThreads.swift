import Processes
import Synchronization

/// Threads for questions to the disk that may hang, such as those about a path on a mount that has gone away.
///
/// They are separate from all dispatch queues, so that a question that hangs occupies none of the threads that other
/// background work needs. There are at most `maximum` of them: when all hang, further questions wait, and those who
/// asked show that they are waiting. A thread ends when no question is left.
final class DiskThreads: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var threads = 0
    }

    private let maximum: Int
    private let state = Mutex(State())

    /// - Parameter maximum: the largest number of threads; the default exceeds the hanging mounts that a person may
    ///   try.
    init(maximum: Int = 8) { self.maximum = maximum }

    /// The number of threads now.
    var count: Int { state.withLock { $0.threads } }

    /// Asks on one of the threads, after the questions that wait already.
    func ask(_ question: @escaping @Sendable () -> Void) {
        let isNew = state.withLock { state in
            state.waiting.append(question)
            guard state.threads < maximum else { return false }
            state.threads += 1
            return true
        }
        guard isNew else { return }
        onOwnThread("tn.disk") { [self] in
            while let question = next() { question() }
        }
    }

    /// The next question; nil ends the thread that asks for it.
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

/// The number of the last of several questions of which only the last one matters.
final class Latest: Sendable {
    private let number = Atomic(0)

    /// The number of a new question, which is the last one now.
    func next() -> Int { number.add(1, ordering: .relaxed).newValue }

    func `is`(_ other: Int) -> Bool { number.load(ordering: .relaxed) == other }
}
