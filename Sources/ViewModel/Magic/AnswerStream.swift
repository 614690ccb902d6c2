import Synchronization

/// Collects an answer, and delivers it at most thirty times a second.
final class AnswerStream: Sendable {
    private struct State {
        var text = ""
        var isWaiting = false
    }

    private let state = Mutex(State())
    private let scheduler: any MainScheduler
    private let deliver: @MainActor @Sendable (String) -> Void
    /// The time between two deliveries.
    private static let interval = Duration.milliseconds(33)

    init(scheduler: any MainScheduler, _ deliver: @escaping @MainActor @Sendable (String) -> Void) {
        self.scheduler = scheduler
        self.deliver = deliver
    }

    func add(_ text: String) {
        let isFirst = state.withLock { state in
            state.text += text
            defer { state.isWaiting = true }
            return !state.isWaiting
        }
        if isFirst { scheduler.post { self.flush() } }
    }

    /// Removes and returns the text that has not been delivered yet.
    func takeRest() -> String {
        state.withLock { state in
            defer { state.text = "" }
            return state.text
        }
    }

    @MainActor
    private func flush() {
        let text = takeRest()
        guard !text.isEmpty else { return state.withLock { $0.isWaiting = false } }
        deliver(text)
        _ = scheduler.schedule(after: Self.interval) { self.flush() }
    }
}
