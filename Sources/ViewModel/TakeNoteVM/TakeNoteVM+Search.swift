import NoteStore
import TextEditing

/// Search over all live notes.
extension TakeNoteVM {
    /// Searches as it is typed.
    ///
    /// An empty text shows the container again.
    public func search(for text: String) {
        if noteSearchText.isEmpty, !text.isEmpty { placeBeforeSearch = currentPlace }
        noteSearchText = text
        selectedSavedSearch = nil
        clearMarks()
        (followsHits, isHitKept) = (true, false)
        guard !text.isEmpty else { return leaveHits() }
        if !isSearchPending { isSearchPending = true }
        searcher.search(text) { [weak self] remarks in
            self?.searchRemarks = remarks
        } deliver: { [weak self] hits, isRanked in
            self?.show(hits, isRanked: isRanked)
        }
    }

    /// Opens the hit under the cursor in All Notes; the search is kept.
    public func searchSubmitted() {
        guard !noteSearchText.isEmpty else { return }
        if isSearchPending { showFirstHits() }
        isSearchNavigating = true
        selectedContainer = allNotesFolder ?? selectedContainer
        isSearchNavigating = false
        openNoteUnderCursor(by: .choice)
        keepHit()
    }

    /// Takes the first hits at once, for whoever is quicker than the search: what is opened is what was asked for.
    private func showFirstHits() {
        searcher.cancel()
        attempt("search") { show(try notebook.search(noteSearchText, limit: 60, stage: .instant), isRanked: false) }
        refreshHits()
    }

    /// Has the list's cursor stay on its hit, and the open note open, whatever hits come.
    public func keepHit() {
        (followsHits, isHitKept) = (false, true)
        noteTakenAway = nil
    }

    /// Leaves the search and goes back to where it began.
    public func cancelSearch() {
        let place = placeBeforeSearch
        clearSearch()
        if let place { go(to: place) } else { attempt("read the list") { try reloadList() } }
    }

    /// Forgets the search; the list is for the caller to read anew.
    func clearSearch() {
        searcher.cancel()
        if isSearchPending { isSearchPending = false }
        placeBeforeSearch = nil
        guard !noteSearchText.isEmpty else { return }
        noteSearchText = ""
        selectedSavedSearch = nil
        searchHits = [:]
        searchRemarks = []
        session?.hideHits()
        isSearchRanked = true
    }

    /// Runs the search again after the notes have changed.
    func refreshHits() {
        let text = noteSearchText
        searcher.search(text) { [weak self] remarks in
            self?.searchRemarks = remarks
        } deliver: { [weak self] hits, isRanked in
            guard isRanked else { return }
            self?.show(hits, isRanked: true)
        }
    }

    private func leaveHits() {
        let place = placeBeforeSearch
        clearSearch()
        if let place { go(to: place) }
    }

    /// Takes hits into the list.
    ///
    /// While the search is typed, the cursor is on the best hit, which is shown. Once the user has chosen one it stays on
    /// that, or where it was if that is no hit any more, and nothing else opens.
    private func show(_ hits: [SearchHit], isRanked: Bool) {
        let kept = isHitKept ? openNote?.id : nil
        isSearchPending = false
        searchHits = Dictionary(hits.map { ($0.row.id, $0) }) { first, _ in first }
        noteList = NoteList(rows: hits.map(\.row))
        isSearchRanked = isRanked
        let nearest = isHitKept ? min(listCursor, max(noteList.count - 1, 0)) : 0
        listCursor = kept.flatMap { noteList.index(of: $0) } ?? nearest
        openNoteUnderCursor(by: .searching)
        // What is written in stays where it is on the screen.
        if !isWriting { showHits() }
        guard isRanked, let taken = noteTakenAway else { return }
        noteTakenAway = nil
        guard taken == openNote?.id, noteList.index(of: taken) == nil else { return }
        openNoteUnderCursor(by: .listChange)
    }

    /// Shows in the open note what the search has found in it, if it is a hit.
    func showHits() {
        guard !noteSearchText.isEmpty, let session, let hit = searchHits[session.noteID],
            let marks = notebook.marks(for: noteSearchText)
        else { return }
        session.show(hits: TextFinder(noteSearchText, marks: marks), at: hit.place)
    }
}
