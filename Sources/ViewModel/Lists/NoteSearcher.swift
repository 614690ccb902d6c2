import Dispatch
import NoteStore
import Synchronization

/// Runs searches behind the main actor: the first rows at once, then the ranked order, then what is found by parts of
/// words.
///
/// Ranking costs what matches, so a search that matches very much is ranked only when typing pauses. A newer search
/// ends an older one wherever it is.
@MainActor
final class NoteSearcher {
    private let notebook: Notebook
    private let scheduler: any MainScheduler
    private let queue = DispatchQueue(label: "tn.search", qos: .userInitiated)
    private var running: SearchTicket?

    /// Hits shown at most: of those that are shown at once more than a window holds, of the final ones more than
    /// anyone reads.
    private nonisolated static let limits: [SearchStage: Int] = [.instant: 60, .ranked: 200, .complete: 200]
    /// Matches up to which ranking is as quick as typing.
    private nonisolated static let quicklyRanked = 5_000
    /// A pause in typing after which anything is ranked.
    private nonisolated static let pause = DispatchTimeInterval.milliseconds(250)

    init(notebook: Notebook, scheduler: any MainScheduler) {
        self.notebook = notebook
        self.scheduler = scheduler
    }

    /// Searches, and calls `deliver` up to three times on the main actor, unless a newer search or `cancel()` comes first.
    ///
    /// - Parameters:
    ///   - remark: takes what is to be told of the search, behind the final hits.
    ///   - failed: takes why the notebook could not be searched; being ended by a newer search is no failure.
    ///   - deliver: takes the hits, and whether they are in their final order.
    func search(
        _ text: String, remark: @escaping @MainActor @Sendable ([SearchRemark]) -> Void,
        failed: @escaping @MainActor @Sendable (StoreError) -> Void,
        deliver: @escaping @MainActor @Sendable ([SearchHit], Bool) -> Void
    ) {
        cancel()
        let ticket = SearchTicket()
        running = ticket
        let (notebook, scheduler, queue) = (notebook, scheduler, queue)
        /// Returns whether there is more to find.
        let run = { @Sendable (stage: SearchStage) -> Bool in
            guard ticket.isValid else { return false }
            let limit = Self.limits[stage] ?? 0
            let hits: [SearchHit]
            do throws(StoreError) {
                hits = try notebook.search.hits(text, limit: limit, stage: stage)
            } catch {
                scheduler.post { if ticket.isValid, error != .interrupted { failed(error) } }
                return false
            }
            // Where the words themselves fill the list, parts of words add nothing.
            let isFinal = stage == .complete || stage == .ranked && hits.count == limit
            scheduler.post {
                if ticket.isValid { deliver(hits, isFinal) }
            }
            if isFinal, ticket.isValid, let remarks = try? notebook.search.remarks(text) {  // nothing is told, then
                scheduler.post {
                    if ticket.isValid { remark(remarks) }
                }
            }
            return !isFinal
        }
        let rank = { @Sendable in
            if run(.ranked) { _ = run(.complete) }
        }
        queue.async { @Sendable in
            guard run(.instant),
                // Ended, as its ranking is.
                let count = try? notebook.search.indexCount(text, limit: Self.quicklyRanked + 1)
            else {
                return
            }
            if count <= Self.quicklyRanked {
                rank()
            } else {
                queue.asyncAfter(deadline: .now() + Self.pause) { @Sendable in rank() }
            }
        }
    }

    /// Ends the search that is running and returns the first hits of another at once.
    ///
    /// A stage that had seen its ticket valid just before may still begin once, and end this search: then it is made again.
    func firstHits(_ text: String) throws(StoreError) -> [SearchHit] {
        cancel()
        let limit = Self.limits[.instant] ?? 0
        do {
            return try notebook.search.hits(text, limit: limit, stage: .instant)
        } catch {
            switch error {
            case .interrupted: return try notebook.search.hits(text, limit: limit, stage: .instant)
            default: throw error
            }
        }
    }

    /// Ends the search that is running, if one is.
    func cancel() {
        guard let running else { return }
        running.invalidate()
        self.running = nil
        notebook.search.cancel()
    }
}

/// Tells a search on another thread whether its answer is still wanted.
private final class SearchTicket: Sendable {
    private let valid = Atomic(true)

    var isValid: Bool { valid.load(ordering: .relaxed) }

    func invalidate() { valid.store(false, ordering: .relaxed) }
}
