import Dispatch
import Synchronization
import TextEditing

/// Searches a snapshot of a text behind the main actor, one search at a time.
///
/// A newer search, or `cancel()`, ends the one that runs: expressions ask every 0.2 ms at the latest whether to go on.
@MainActor
final class TextSearch {
    private let scheduler: any MainScheduler
    private let queue = DispatchQueue(label: "tn.find", qos: .userInitiated)
    private var wanted: SearchFlag?
    /// Time that the processor may work on one search.
    var computing = SearchBudget().computing

    init(scheduler: any MainScheduler) { self.scheduler = scheduler }

    isolated deinit { wanted?.lower() }

    /// Whether a search runs or is about to.
    var isRunning: Bool { wanted != nil }

    /// Ends what runs; it delivers nothing any more.
    func cancel() {
        wanted?.lower()
        wanted = nil
    }

    /// Searches, and hands what was found to the main actor.
    ///
    /// - Parameters:
    ///   - search: runs elsewhere, within the budget that it is given; what it hands to its second argument is delivered
    ///     on the way.
    ///   - deliver: called on the main actor, at last with `isDone`, unless the search was cancelled before.
    func run<Found: Sendable>(
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
