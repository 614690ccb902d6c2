import NoteStore
import TextEditing

/// Search over all notes.
extension TakeNoteVM {
    /// Gets ready to search; call it when the search field opens, so that the first letter finds its notes at once.
    public func prepareSearch() { search.prepare() }

    /// Searches for the text in the search field, after every change of it.
    ///
    /// An empty text shows the container again.
    public func search(for text: String) {
        let present = currentLocation.map {
            SearchState.Origin(location: $0, marks: markedNotes, tagFilter: tagFilter)
        }
        search.type(text, from: present)
        clearMarks()
        guard !text.isEmpty else { return _ = leaveHits() }
        // All notes are searched, not only those that the list was filtered to.
        list.narrow(to: nil)
        search.run(failed: searchFailed) { [weak self] hits, isRanked in self?.show(hits, isRanked: isRanked) }
    }

    /// Opens the hit under the cursor, and selects All Notes; the search stays.
    ///
    /// Going back leads to the location where the search began.
    public func searchSubmitted() {
        guard !noteSearchText.isEmpty else { return }
        if isSearchPending { showFirstHits() }
        search.navigate { list.select(allNotesFolder ?? selectedContainer) }
        openNoteUnderCursor(by: .choice)
        if let left = search.origin?.location, left.note != nil, left.note != openNote?.id { history.leave(left) }
        keepHit()
    }

    /// Fetches the first hits at once, if the user presses Enter before the search has delivered any.
    ///
    /// So the note that opens is one that was searched for.
    private func showFirstHits() {
        attempt(Texts.Attempt.search) { show(try search.firstHits(), isRanked: false) }
        refreshHits()
    }

    /// Keeps the list's cursor on its hit, and the note open, even when other hits arrive.
    public func keepHit() { search.keepHit() }

    /// Ends the search, and goes back to the location where it began.
    public func cancelSearch() {
        if !leaveHits() { attempt(Texts.Attempt.readList) { try reloadList() } }
    }

    /// Ends the search; the caller must read the list again.
    func clearSearch() {
        if search.end() { session?.hideHits() }
    }

    /// Runs the search again after the notes have changed.
    func refreshHits() {
        search.run(failed: searchFailed) { [weak self] hits, isRanked in
            if isRanked { self?.show(hits, isRanked: true) }
        }
    }

    /// Shows why the search failed; the hits of the earlier search stay.
    private var searchFailed: @MainActor @Sendable (StoreError) -> Void {
        { [weak self] error in _ = self?.attempt(Texts.Attempt.search) { throw error } }
    }

    /// Ends the search, and puts back what was there when it began: the list, its filter, the open note, the marks.
    ///
    /// - Returns: whether it is known where the search began.
    private func leaveHits() -> Bool {
        let origin = search.origin
        clearSearch()
        guard let origin else { return false }
        go(to: origin.location)
        if let tag = origin.tagFilter, container(tag) != nil { filterByTag(tag) }
        // A note that was moved or deleted meanwhile is not marked any more.
        let folders = Dictionary(origin.marks.map { ($0.id, $0.folder) }) { first, _ in first }
        if !folders.isEmpty { list.mark(rows(of: origin.marks.map(\.id)).filter { $0.folder == folders[$0.id] }) }
        return true
    }

    /// Shows hits in the list.
    ///
    /// While the user types, the cursor is on the best hit, which is opened. Once the user has chosen a hit, the cursor
    /// stays on it, or stays near if it is no longer a hit, and no other note opens. A hit that undo has brought back
    /// gets the cursor, and is opened.
    private func show(_ hits: [SearchHit], isRanked: Bool) {
        search.take(hits, isRanked: isRanked)
        let returned = isRanked && !isWriting ? search.claimReturn() : nil
        let kept = search.keepsHit ? openNote?.id : nil
        list.fill(hits, cursorOn: returned ?? kept, orNear: search.keepsHit)
        openNoteUnderCursor(by: returned == nil ? .searching : .listChange)
        // While the user writes in the text, it must not scroll.
        if !isWriting { showHits() }
        guard isRanked, let taken = search.claimRemoval() else { return }
        guard taken == openNote?.id, noteList.index(of: taken) == nil else { return }
        openNoteUnderCursor(by: .listChange)
    }

    /// Highlights the matches of the search in the open note, if it is a hit.
    func showHits() {
        guard !noteSearchText.isEmpty, let session, let hit = searchHits[session.noteID],
            let marks = notebook.search.marks(for: noteSearchText)
        else { return }
        session.show(hits: TextFinder(noteSearchText, marks: marks), at: hit.position)
    }
}
