import AsyncAlgorithms
import NoteStore
import Synchronization

/// Delivers the notebook's changes to the main actor, combining a burst of commits into one delivery.
///
/// It stops when it is released.
final class ChangeFeed: Sendable {
    /// Whether another program has changed the notebook since the last delivery.
    private final class Pending: Sendable {
        let byAnother = Atomic(false)
    }

    /// A burst ends when no commit has arrived for this long.
    ///
    /// It is far below what is noticed, and far above the time between the commits of one action on many notes.
    private static let calm = Duration.milliseconds(15)

    private let observation: ChangeObservation
    private let delivery: Task<Void, Never>

    /// Begins to observe the notebook.
    ///
    /// - Parameter deliver: called on the main actor; its argument is whether another program changed something.
    init(
        of notebook: Notebook, scheduler: any MainScheduler,
        deliver: @escaping @MainActor @Sendable (_ byAnother: Bool) -> Void
    ) {
        let pending = Pending()
        let (commits, arriving) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        observation = notebook.observeChanges { change in
            if change.source == .anotherProgram { pending.byAnother.store(true, ordering: .relaxed) }
            arriving.yield()
        }
        delivery = Task.detached {
            for await _ in commits.debounce(for: Self.calm) {
                let byAnother = pending.byAnother.exchange(false, ordering: .relaxed)
                scheduler.post { deliver(byAnother) }
            }
        }
    }

    deinit {
        delivery.cancel()
    }
}
