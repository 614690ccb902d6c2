import Dispatch
import NoteStore

/// Counts in the background what would take too long on the main actor: hits of saved searches, words of a folder.
///
/// While one request is being counted, a newer one replaces the one that waits.
@MainActor
final class BackgroundCounter {
    struct Request: Sendable {
        var searches: [SavedSearch]
        /// The container in whose notes the words are counted; nil for none.
        var container: ContainerID?
    }

    struct Counts: Sendable {
        var searches: [SavedSearchID: Int] = [:]
        var words: Int?
    }

    /// The largest number of hits counted, since four digits fit the sidebar.
    private nonisolated static let maximumHits = 9_999

    private let notebook: Notebook
    private let scheduler: any MainScheduler
    private let queue = DispatchQueue(label: "tn.count", qos: .utility)
    private var isCounting = false
    private var waiting: (request: Request, deliver: @MainActor @Sendable (Request, Counts) -> Void)?

    init(notebook: Notebook, scheduler: any MainScheduler) {
        self.notebook = notebook
        self.scheduler = scheduler
    }

    /// Counts, and calls `deliver` on the main actor, unless a newer request replaces this one before it begins.
    func count(_ request: Request, deliver: @escaping @MainActor @Sendable (Request, Counts) -> Void) {
        guard !isCounting else {
            waiting = (request, deliver)
            return
        }
        isCounting = true
        let (notebook, scheduler) = (notebook, scheduler)
        queue.async { @Sendable [weak self] in
            var counts = Counts()
            for search in request.searches {
                // A search that cannot be counted now is counted after the next change.
                let count = try? notebook.search.count(search.query, limit: Self.maximumHits)  // no number until then
                counts.searches[search.id] = count
            }
            counts.words = request.container.flatMap { try? notebook.lists.wordCount(of: $0) }  // no number until then
            scheduler.post { [counts] in
                deliver(request, counts)
                self?.counted()
            }
        }
    }

    private func counted() {
        isCounting = false
        guard let next = waiting else { return }
        waiting = nil
        count(next.request, deliver: next.deliver)
    }
}

extension TakeNoteVM {
    /// Counts the numbers that are not stored: the hits of saved searches, the words of a folder or project.
    func recount() {
        let container = selectedContainer.flatMap { $0.isFolder || $0.isProject ? $0.id : nil }
        // The number shown belongs to the previous container.
        if container == nil { list.take(wordCount: nil) }
        guard container != nil || !savedSearches.isEmpty else { return }
        counter.count(BackgroundCounter.Request(searches: savedSearches, container: container)) {
            [weak self] request, counts in
            self?.take(counts, of: request)
        }
    }

    private func take(_ counts: BackgroundCounter.Counts, of request: BackgroundCounter.Request) {
        sidebar.take(counts: counts.searches)
        if selectedContainer?.id == request.container { list.take(wordCount: counts.words) }
    }
}
