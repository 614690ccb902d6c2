import NoteStore
import Observation

/// The search through all notes: what is searched for, what was found, and what the user has done with the hits.
///
/// A class, so that each pane observes only the members that it reads.
@MainActor
@Observable
final class SearchState {
    /// What is searched for; empty when nothing is.
    private(set) var text = ""
    /// The hits by note, with their snippets.
    private(set) var hits: [NoteID: SearchHit] = [:]
    /// What there is to tell about the search: unknown filters, archived notes that it leaves out.
    private(set) var remarks: [SearchRemark] = []
    /// Whether the container is being changed by opening a hit, which keeps the search.
    private(set) var isNavigating = false
    /// Whether the hits are still those of what was searched for before.
    private(set) var isPending = false
    /// Whether the hits are in their final, ranked order.
    private(set) var isRanked = true
    /// The saved search whose hits the list shows.
    private(set) var saved: SavedSearchID?

    /// Whether the selected hit is opened as the hits come: while what is typed goes into the search field.
    @ObservationIgnored private(set) var followsHits = false
    /// Whether the list's cursor stays on its hit as the hits come, since the user has put it there.
    @ObservationIgnored private(set) var keepsHit = false
    /// Where the search began, for `Esc` to go back to.
    @ObservationIgnored private(set) var origin: Location?
    /// The open note, when a command of the user has just taken it away from the hits.
    @ObservationIgnored private var takenAway: NoteID?
    @ObservationIgnored private let searcher: NoteSearcher

    init(searcher: NoteSearcher) { self.searcher = searcher }

    var isActive: Bool { !text.isEmpty }

    // MARK: Searching

    /// Changes what is searched for; the hits follow what is typed.
    ///
    /// - Parameter place: where the user is, to go back to from a search that begins.
    func type(_ text: String, from place: Location?) {
        if !isActive, !text.isEmpty { origin = place }
        self.text = text
        saved = nil
        (followsHits, keepsHit) = (true, false)
        if isActive, !isPending { isPending = true }
    }

    /// Searches behind the main actor.
    ///
    /// - Parameters:
    ///   - failed: called with why the notebook could not be searched.
    ///   - deliver: called up to three times, with whether the hits are in their final order.
    func run(
        failed: @escaping @MainActor @Sendable (StoreError) -> Void,
        deliver: @escaping @MainActor @Sendable ([SearchHit], Bool) -> Void
    ) {
        searcher.search(
            text, remark: { [weak self] in self?.remarks = $0 },
            failed: { [weak self] error in
                self?.isPending = false
                failed(error)
            }, deliver: deliver)
    }

    /// Ends what is being searched, to show what is known; the hits are for the caller to give.
    func interrupt() { searcher.cancel() }

    /// Ends what is being searched and finds the first hits at once, for whoever does not wait.
    func firstHits() throws(StoreError) -> [SearchHit] { try searcher.firstHits(text) }

    /// Takes over what was found.
    func take(_ found: [SearchHit], isRanked: Bool) {
        isPending = false
        hits = Dictionary(found.map { ($0.row.id, $0) }) { first, _ in first }
        self.isRanked = isRanked
    }

    /// Forgets the search.
    ///
    /// - Returns: whether there was one.
    func end() -> Bool {
        searcher.cancel()
        if isPending { isPending = false }
        origin = nil
        guard isActive else { return false }
        text = ""
        saved = nil
        hits = [:]
        remarks = []
        isRanked = true
        return true
    }

    // MARK: The hits

    /// Has the list's cursor stay on its hit, and the open note open, whatever hits come.
    func keepHit() {
        (followsHits, keepsHit) = (false, true)
        takenAway = nil
    }

    /// Changes the container for opening a hit.
    func navigate(_ change: () -> Void) {
        isNavigating = true
        change()
        isNavigating = false
    }

    /// Remembers that a command of the user has taken the open note away from the hits.
    func noteTakenAway(_ note: NoteID) { takenAway = note }

    /// The note that was taken away, told once.
    func claimNoteTakenAway() -> NoteID? {
        defer { takenAway = nil }
        return takenAway
    }

    // MARK: Saved searches

    /// Notes that the search is this saved one.
    func choose(_ search: SavedSearchID) { saved = search }

    /// Notes that the saved search is gone; what it found stays.
    func forgetSaved() {
        if saved != nil { saved = nil }
    }
}
