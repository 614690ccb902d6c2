import AsyncAlgorithms
import NoteStore
import Synchronization

/// Brings the notebook's changes to the main actor, a burst of commits as one.
///
/// It ends when it is released.
final class ChangeFeed: Sendable {
    /// Whether another program was among those that changed the notebook since the last delivery.
    private final class Pending: Sendable {
        let byAnother = Atomic(false)
    }

    /// A burst is over when this long no commit has come: far below what is noticed, far above what parts the commits
    /// of one action on many notes.
    private static let calm = Duration.milliseconds(15)

    private let observation: ChangeObservation
    private let delivery: Task<Void, Never>

    /// Begins to watch.
    ///
    /// - Parameter deliver: called on the main actor, with whether another program changed something.
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
