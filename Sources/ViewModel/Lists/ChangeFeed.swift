import Dispatch
import NoteStore
import Synchronization

/// Delivers the notebook's changes to the main actor, combining a burst of commits into one delivery.
///
/// It stops when it is released.
final class ChangeFeed: Sendable {
    /// The commits since the last delivery.
    private final class Burst: Sendable {
        /// Whether another program has changed the notebook.
        let isByAnother = Atomic(false)
        /// Fires when the burst has ended.
        let end: Mutex<any DispatchSourceTimer>

        init(_ end: sending any DispatchSourceTimer) { self.end = Mutex(end) }
    }

    /// A burst ends when no commit has arrived for this long.
    ///
    /// It is far below what is noticed, and far above the time between the commits of one action on many notes.
    private static let calm = DispatchTimeInterval.milliseconds(15)

    private let observation: ChangeObservation
    private let burst: Burst

    /// Begins to observe the notebook.
    ///
    /// - Parameter deliver: called on the main actor; its argument is whether another program changed something.
    init(
        of notebook: Notebook, scheduler: any MainScheduler,
        deliver: @escaping @MainActor @Sendable (_ isByAnother: Bool) -> Void
    ) {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "tn.changes", qos: .userInitiated))
        let burst = Burst(timer)
        self.burst = burst
        burst.end.withLock { end in
            end.setEventHandler { @Sendable in
                let isByAnother = burst.isByAnother.exchange(false, ordering: .relaxed)
                scheduler.post { deliver(isByAnother) }
            }
            end.activate()
        }
        observation = notebook.observeChanges { change in
            if change.source == .anotherProgram { burst.isByAnother.store(true, ordering: .relaxed) }
            burst.end.withLock { $0.schedule(deadline: .now() + Self.calm) }
        }
    }

    deinit {
        burst.end.withLock { $0.cancel() }
    }
}
