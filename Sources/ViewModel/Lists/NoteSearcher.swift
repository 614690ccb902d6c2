import Dispatch
import NoteStore

/// Runs searches in the background, in three stages: first rows at once, ranked order, then matches of parts of words.
///
/// The cost of ranking grows with the number of matches, so a search with very many matches is ranked only when typing
/// pauses. A newer search ends an older one at any stage.
@MainActor
final class NoteSearcher {
    private let notebook: Notebook
    private let scheduler: any MainScheduler
    private let queue = DispatchQueue(label: "tn.search", qos: .userInitiated)
    private var running: Cancellation?

    /// The largest number of hits of each stage: the first more than a window shows, the others more than anyone reads.
    fileprivate nonisolated static let limits: [SearchStage: Int] = [.instant: 60, .ranked: 200, .complete: 200]
    /// The largest number of matches that can be ranked as fast as the user types.
    private nonisolated static let quicklyRanked = 5_000
    /// The pause in typing after which any search is ranked.
    private nonisolated static let pause = DispatchTimeInterval.milliseconds(250)

    init(notebook: Notebook, scheduler: any MainScheduler) {
        self.notebook = notebook
        self.scheduler = scheduler
    }

    /// Gets ready in the background, before the first letter is typed.
    func prepare() {
        queue.async { @Sendable [notebook] in notebook.search.prepare() }
    }

    /// Searches, and calls `deliver` up to three times on the main actor.
    ///
    /// A newer search or `cancel()` ends the calls.
    ///
    /// - Parameters:
    ///   - remark: receives the remarks about the search, after the final hits.
    ///   - failed: receives the reason why the search failed; being ended by a newer search is not a failure.
    ///   - deliver: receives the hits, and whether they are in their final order.
    func search(
        _ text: String, remark: @escaping @MainActor @Sendable ([SearchRemark]) -> Void,
        failed: @escaping @MainActor @Sendable (StoreError) -> Void,
        deliver: @escaping @MainActor @Sendable ([SearchHit], Bool) -> Void
    ) {
        cancel()
        let cancellation = Cancellation()
        running = cancellation
        let run = SearchRun(
            text: text, notebook: notebook, scheduler: scheduler, cancellation: cancellation, remark: remark,
            failed: failed, deliver: deliver)
        let (notebook, queue) = (notebook, queue)
        queue.async { @Sendable in
            guard run.perform(.instant),
                // A thrown error means that this search was ended, and its ranking with it.
                let count = try? notebook.search.indexCount(text, limit: Self.quicklyRanked + 1)
            else {
                return
            }
            if count <= Self.quicklyRanked {
                run.rank()
            } else {
                queue.asyncAfter(deadline: .now() + Self.pause) { @Sendable in
                    run.rank()
                    // Sorting 100,000 matches takes some eight megabytes.
                    notebook.care.returnFreeMemory()
                }
            }
        }
    }

    /// Ends the running search, and returns the first hits of another at once.
    ///
    /// A stage of the old search that has just found itself not cancelled may still begin and interrupt this one, which
    /// then runs again.
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

    /// Ends the running search, if there is one.
    func cancel() {
        guard let running else { return }
        running.cancel()
        self.running = nil
        notebook.search.cancel()
    }
}

/// One search on another thread, and the receivers of its results on the main actor.
private struct SearchRun: Sendable {
    let text: String
    let notebook: Notebook
    let scheduler: any MainScheduler
    let cancellation: Cancellation
    let remark: @MainActor @Sendable ([SearchRemark]) -> Void
    let failed: @MainActor @Sendable (StoreError) -> Void
    let deliver: @MainActor @Sendable ([SearchHit], Bool) -> Void

    /// Ranks the hits, and finds matches of parts of words where whole words leave room.
    func rank() {
        if perform(.ranked) { _ = perform(.complete) }
    }

    /// Performs a stage, and delivers its hits.
    ///
    /// - Returns: whether there is more to find.
    func perform(_ stage: SearchStage) -> Bool {
        guard !cancellation.isCancelled else { return false }
        let limit = NoteSearcher.limits[stage] ?? 0
        let hits: [SearchHit]
        do throws(StoreError) {
            hits = try notebook.search.hits(text, limit: limit, stage: stage)
        } catch {
            scheduler.post { if !cancellation.isCancelled, error != .interrupted { failed(error) } }
            return false
        }
        // If whole words fill the list, parts of words add nothing.
        let isFinal = stage == .complete || stage == .ranked && hits.count == limit
        scheduler.post {
            if !cancellation.isCancelled { deliver(hits, isFinal) }
        }
        if isFinal, !cancellation.isCancelled, let remarks = try? notebook.search.remarks(text) {  // or no remarks
            scheduler.post {
                if !cancellation.isCancelled { remark(remarks) }
            }
        }
        return !isFinal
    }
}
