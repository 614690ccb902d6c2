/// Brings background results and timers to the main actor.
///
/// The program's main thread runs its own loop, so neither `Task` nor the main queue ever runs there: all work from
/// other threads is posted here.
public protocol MainScheduler: AnyObject, Sendable {
    /// Runs `work` on the main actor soon, in the order posted. Callable from any thread.
    nonisolated func post(_ work: @escaping @MainActor @Sendable () -> Void)

    /// The current time of the clock for delays.
    @MainActor var now: ContinuousClock.Instant { get }

    /// Runs `work` once, `delay` from now, unless the returned handle is cancelled before.
    @MainActor func schedule(after delay: Duration, _ work: @escaping @MainActor () -> Void) -> ScheduledWork
}

extension MainScheduler {
    @MainActor public var now: ContinuousClock.Instant { .now }
}

/// A timer that has not fired yet.
@MainActor
public struct ScheduledWork {
    private let onCancel: @MainActor () -> Void

    /// Wraps the closure that cancels the timer; cancelling after it has fired does nothing.
    public init(onCancel: @escaping @MainActor () -> Void) {
        self.onCancel = onCancel
    }

    /// Cancels the timer.
    public func cancel() {
        onCancel()
    }
}
