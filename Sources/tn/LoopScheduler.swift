import Terminal
import ViewModel

/// Gives the view-model access to the loop's mailbox and timers.
final class LoopScheduler: MainScheduler {
    private let mailbox: Mailbox
    @MainActor private let loop: EventLoop

    @MainActor init(_ loop: EventLoop) {
        self.loop = loop
        mailbox = loop.mailbox
    }

    nonisolated func post(_ work: @escaping @MainActor @Sendable () -> Void) {
        mailbox.post(work)
    }

    @MainActor func schedule(after delay: Duration, _ work: @escaping @MainActor () -> Void) -> ScheduledWork {
        let timer = loop.schedule(after: delay, work)
        return ScheduledWork { [weak loop] in loop?.cancel(timer) }
    }
}
