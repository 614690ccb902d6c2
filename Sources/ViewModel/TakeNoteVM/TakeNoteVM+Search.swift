import NoteStore
import TextEditing

/// Search over all live notes.
extension TakeNoteVM {
    /// Searches as it is typed.
    ///
    /// An empty text shows the container again.
    public func search(for text: String) {
        search.type(text, from: currentPlace)
        clearMarks()
        guard !text.isEmpty else { return leaveHits() }
        search.run(failed: searchFailed) { [weak self] hits, isRanked in self?.show(hits, isRanked: isRanked) }
    }

    /// Opens the hit under the cursor in All Notes; the search is kept.
    public func searchSubmitted() {
        guard !noteSearchText.isEmpty else { return }
        if isSearchPending { showFirstHits() }
        search.navigate { list.select(allNotesFolder ?? selectedContainer) }
        openNoteUnderCursor(by: .choice)
        keepHit()
    }

    /// Takes the first hits at once, for whoever is quicker than the search: what is opened is what was asked for.
    private func showFirstHits() {
        attempt(Texts.Attempt.search) { show(try search.firstHits(), isRanked: false) }
        refreshHits()
    }

    /// Has the list's cursor stay on its hit, and the open note open, whatever hits come.
    public func keepHit() { search.keepHit() }

    /// Leaves the search and goes back to where it began.
    public func cancelSearch() {
        let place = search.origin
        clearSearch()
        if let place { go(to: place) } else { attempt(Texts.Attempt.readList) { try reloadList() } }
    }

    /// Forgets the search; the list is for the caller to read anew.
    func clearSearch() {
        if search.end() { session?.hideHits() }
    }

    /// Runs the search again after the notes have changed.
    func refreshHits() {
        search.run(failed: searchFailed) { [weak self] hits, isRanked in
            if isRanked { self?.show(hits, isRanked: true) }
        }
    }

    /// Says why the hits are those of an earlier search.
    private var searchFailed: @MainActor @Sendable (StoreError) -> Void {
        { [weak self] error in _ = self?.attempt(Texts.Attempt.search) { throw error } }
    }

    private func leaveHits() {
        let place = search.origin
        clearSearch()
        if let place { go(to: place) }
    }

    /// Takes hits into the list.
    ///
    /// While the search is typed, the cursor is on the best hit, which is shown. Once the user has chosen one it stays on
    /// that, or where it was if that is no hit any more, and nothing else opens.
    private func show(_ hits: [SearchHit], isRanked: Bool) {
        search.take(hits, isRanked: isRanked)
        list.fill(hits, cursorOn: search.keepsHit ? openNote?.id : nil, orNear: search.keepsHit)
        openNoteUnderCursor(by: .searching)
        // What is written in stays where it is on the screen.
        if !isWriting { showHits() }
        guard isRanked, let taken = search.claimNoteTakenAway() else { return }
        guard taken == openNote?.id, noteList.index(of: taken) == nil else { return }
        openNoteUnderCursor(by: .listChange)
    }

    /// Shows in the open note what the search has found in it, if it is a hit.
    func showHits() {
        guard !noteSearchText.isEmpty, let session, let hit = searchHits[session.noteID],
            let marks = notebook.search.marks(for: noteSearchText)
        else { return }
        session.show(hits: TextFinder(noteSearchText, marks: marks), at: hit.place)
    }
}
