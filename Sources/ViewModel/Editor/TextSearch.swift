import Dispatch
import Synchronization
import TextEditing

/// Searches a snapshot of a text in the background, one search at a time.
///
/// A newer search, or `cancel()`, ends the running one: a regular expression checks at least every 0.2 ms whether to go
/// on.
@MainActor
public final class TextSearch {
    private let scheduler: any MainScheduler
    private let queue = DispatchQueue(label: "tn.find", qos: .userInitiated)
    private var wanted: SearchFlag?
    /// The processor time allowed for one search.
    public var computing = SearchBudget().computing

    init(scheduler: any MainScheduler) { self.scheduler = scheduler }

    isolated deinit { wanted?.lower() }

    /// Whether a search is running or waiting to run.
    public var isRunning: Bool { wanted != nil }

    /// Cancels the running search, which then delivers nothing more.
    public func cancel() {
        wanted?.lower()
        wanted = nil
    }

    /// Searches, and delivers the results to the main actor.
    ///
    /// - Parameters:
    ///   - search: runs on another thread, within the given budget; partial results passed to its second argument are
    ///     delivered at once.
    ///   - deliver: called on the main actor, the last time with `isDone`, unless the search is cancelled before.
    public func run<Found: Sendable>(
        _ search: @escaping @Sendable (SearchBudget, (Found) -> Void) -> Found,
        deliver: @escaping @MainActor @Sendable (_ found: Found, _ isDone: Bool) -> Void
    ) {
        cancel()
        let wanted = SearchFlag()
        self.wanted = wanted
        let (scheduler, computing) = (scheduler, computing)
        queue.async { @Sendable [weak self] in
            guard wanted.isRaised else { return }
            let budget = SearchBudget(computing: computing) { wanted.isRaised }
            let found = search(budget) { part in
                scheduler.post { if wanted.isRaised { deliver(part, false) } }
            }
            scheduler.post {
                guard wanted.isRaised else { return }
                self?.wanted = nil
                deliver(found, true)
            }
        }
    }
}

/// Whether a search on another thread is still wanted.
final class SearchFlag: Sendable {
    private let raised = Atomic(true)

    var isRaised: Bool { raised.load(ordering: .relaxed) }

    func lower() { raised.store(false, ordering: .relaxed) }
}

extension TakeNoteVM {
    /// Makes a search that runs in the background, for a text that is not the source of a note.
    public func makeTextSearch() -> TextSearch { TextSearch(scheduler: scheduler) }
}
