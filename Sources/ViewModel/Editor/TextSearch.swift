import Dispatch
import TextEditing

/// Searches a snapshot of a text in the background, one search at a time.
///
/// A newer search, or `cancel()`, ends the running one: a regular expression checks at least every 0.2 ms whether to go
/// on.
@MainActor
public final class TextSearch {
    private let scheduler: any MainScheduler
    private let queue = DispatchQueue(label: "tn.find", qos: .userInitiated)
    private var running: Cancellation?
    /// The processor time allowed for one search.
    public var computing = SearchBudget().computing

    init(scheduler: any MainScheduler) { self.scheduler = scheduler }

    isolated deinit { running?.cancel() }

    /// Whether a search is running or waiting to run.
    public var isRunning: Bool { running != nil }

    /// Cancels the running search, which then delivers nothing more.
    public func cancel() {
        running?.cancel()
        running = nil
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
        let run = Cancellation()
        running = run
        let (scheduler, computing) = (scheduler, computing)
        queue.async { @Sendable [weak self] in
            guard !run.isCancelled else { return }
            let budget = SearchBudget(computing: computing) { !run.isCancelled }
            let found = search(budget) { part in
                scheduler.post { if !run.isCancelled { deliver(part, false) } }
            }
            scheduler.post {
                guard !run.isCancelled else { return }
                self?.running = nil
                deliver(found, true)
            }
        }
    }
}

extension TakeNoteVM {
    /// Makes a search that runs in the background, for a text that is not the source of a note.
    public func makeTextSearch() -> TextSearch { TextSearch(scheduler: scheduler) }
}
