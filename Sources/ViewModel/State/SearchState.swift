import NoteStore
import Observation

/// The search over all notes: its text, its hits, and what the user has done with them.
///
/// It is a class, so that each pane observes only the members that it reads.
@MainActor
@Observable
final class SearchState {
    /// The list that a search replaces, which comes back when the user leaves the search.
    struct Origin {
        var location: Location
        var marks: [NoteRow]
        var tagFilter: ContainerID?
    }

    /// The search text; empty if there is no search.
    private(set) var text = ""
    /// The hits by note, with their snippets.
    private(set) var hits: [NoteID: SearchHit] = [:]
    /// The remarks about the search: unknown filters, archived notes that it omits.
    private(set) var remarks: [SearchRemark] = []
    /// Whether opening a hit is changing the selected container, which keeps the search.
    private(set) var isNavigating = false
    /// Whether the hits are still those of the previous search text.
    private(set) var isPending = false
    /// Whether the hits are in their final, ranked order.
    private(set) var isRanked = true
    /// The saved search whose hits the list shows.
    private(set) var saved: SavedSearchID?

    /// Whether the selected hit is opened as hits arrive, which is so while the user types into the search field.
    @ObservationIgnored private(set) var followsHits = false
    /// Whether the cursor stays on its hit as hits arrive, because the user has put it there.
    @ObservationIgnored private(set) var keepsHit = false
    /// Where the search began, to which `Esc` returns.
    @ObservationIgnored private(set) var origin: Origin?
    /// The open note, if an action of the user has just removed it from the hits.
    @ObservationIgnored private var removedNote: NoteID?
    /// The notes that undo has just brought back, some of which may be hits.
    @ObservationIgnored private var returnedNotes: [NoteID] = []
    @ObservationIgnored private let searcher: NoteSearcher

    init(searcher: NoteSearcher) { self.searcher = searcher }

    var isActive: Bool { !text.isEmpty }

    // MARK: Searching

    /// Gets ready to search, once the search field is open.
    func prepare() { searcher.prepare() }

    /// Sets the search text; from now on the editor follows the selected hit.
    ///
    /// - Parameter present: where the user is now, to which `Esc` returns from a search that begins now.
    func type(_ text: String, from present: Origin?) {
        if !isActive, !text.isEmpty { origin = present }
        self.text = text
        saved = nil
        returnedNotes = []
        (followsHits, keepsHit) = (true, false)
        if isActive, !isPending { isPending = true }
    }

    /// Searches in the background.
    ///
    /// - Parameters:
    ///   - failed: called with the reason if the notebook could not be searched.
    ///   - deliver: called up to three times with the hits, and whether they are in their final order.
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

    /// Cancels the running search; the known hits stay.
    func interrupt() { searcher.cancel() }

    /// Cancels the running search, and returns the first hits at once.
    func firstHits() throws(StoreError) -> [SearchHit] { try searcher.firstHits(text) }

    /// Stores the hits of the search.
    func take(_ found: [SearchHit], isRanked: Bool) {
        isPending = false
        hits = Dictionary(found.map { ($0.row.id, $0) }) { first, _ in first }
        self.isRanked = isRanked
    }

    /// Ends the search, and clears its text and hits.
    ///
    /// - Returns: whether there was a search.
    func end() -> Bool {
        searcher.cancel()
        if isPending { isPending = false }
        origin = nil
        guard isActive else { return false }
        text = ""
        saved = nil
        returnedNotes = []
        hits = [:]
        remarks = []
        isRanked = true
        return true
    }

    // MARK: Hits

    /// Keeps the list's cursor on its hit, and the note open, even when other hits arrive.
    func keepHit() {
        (followsHits, keepsHit) = (false, true)
        (removedNote, returnedNotes) = (nil, [])
    }

    /// Runs a change of the container that opening a hit requires.
    func navigate(_ change: () -> Void) {
        isNavigating = true
        change()
        isNavigating = false
    }

    /// Records that an action of the user has removed the open note from the hits.
    func recordRemoval(_ note: NoteID) { removedNote = note }

    /// Returns the note that was removed from the hits, and clears the record.
    func claimRemoval() -> NoteID? {
        defer { removedNote = nil }
        return removedNote
    }

    /// Records the notes that undo has brought back, so that the cursor can go to the first hit among them.
    func recordReturn(_ notes: [NoteID]) { returnedNotes = notes }

    /// Returns the first hit among the notes that undo has brought back, and clears the record.
    func claimReturn() -> NoteID? {
        defer { returnedNotes = [] }
        return returnedNotes.first { hits[$0] != nil }
    }

    // MARK: Saved searches

    /// Records that the search is this saved one.
    func choose(_ search: SavedSearchID) { saved = search }

    /// Records that the saved search was deleted; its hits stay.
    func forgetSaved() {
        if saved != nil { saved = nil }
    }
}
