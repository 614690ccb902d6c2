import Dispatch
import NoteStore
import Synchronization

/// Runs searches behind the main actor: the instant rows first, then the ranked order; a newer query ends an older one.
@MainActor
final class NoteSearcher {
    private let notebook: Notebook
    private let scheduler: any MainScheduler
    private let queue = DispatchQueue(label: "tn.search", qos: .userInitiated)
    private var running: SearchCancellation?

    /// Hits shown at most: more than anyone reads.
    private nonisolated static let limit = 200

    init(notebook: Notebook, scheduler: any MainScheduler) {
        self.notebook = notebook
        self.scheduler = scheduler
    }

    /// Searches, and calls `deliver` once or twice on the main actor, unless a newer search or `cancel()` comes first.
    ///
    /// - Parameter deliver: takes the hits, and whether they are in their final order.
    func search(_ text: String, deliver: @escaping @MainActor @Sendable ([SearchHit], Bool) -> Void) {
        cancel()
        let cancellation = SearchCancellation()
        running = cancellation
        let (notebook, scheduler) = (notebook, scheduler)
        queue.async { @Sendable in
            for stage in [SearchStage.instant, .ranked] {
                // An interrupted query throws, and a newer one is on its way: there is nobody left to tell.
                guard !cancellation.isCancelled,
                    let hits = try? notebook.search(text, limit: Self.limit, stage: stage)
                else { return }
                scheduler.post {
                    guard !cancellation.isCancelled else { return }
                    deliver(hits, stage == .ranked)
                }
            }
        }
    }

    /// Ends the search that is running, if one is.
    func cancel() {
        running?.cancel()
        running = nil
    }
}

/// Tells a search on another thread that nobody waits for it any more.
private final class SearchCancellation: Sendable {
    private let cancelled = Atomic(false)

    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    func cancel() { cancelled.store(true, ordering: .relaxed) }
}
