/// How background results and timers reach the main actor.
///
/// The program's main thread sits in its own loop, so neither `Task` nor the main queue ever runs there:
/// everything that comes from elsewhere is posted here.
public protocol MainScheduler: AnyObject, Sendable {
    /// Runs `work` on the main actor soon, in the order posted. Callable from any thread.
    nonisolated func post(_ work: @escaping @MainActor @Sendable () -> Void)

    /// The time that delays are counted in.
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

    /// Wraps what takes the timer back; cancelling after it has fired does nothing.
    public init(onCancel: @escaping @MainActor () -> Void) {
        self.onCancel = onCancel
    }

    /// Takes the timer back.
    public func cancel() {
        onCancel()
    }
}
