import NoteStore

/// The order of the list, and its filter.
extension TakeNoteVM {
    /// The sort order of the current list.
    public var listSortBy: SortBy { isSortedByHand ? .byHand : sortBy }

    /// Whether the current list is sorted by hand.
    var isSortedByHand: Bool { list.isSortedByHand }

    /// Sorts the list; the cursor stays on its note.
    ///
    /// Sorting by hand applies to this container alone and is kept for it; the other orders apply to all lists.
    public func sort(by: SortBy, order: SortOrder) {
        if by == .byHand { return sortByHand() }
        list.sort(by: by, order: order)
        orderChanged()
        attempt(Texts.Attempt.sort) { try reloadList() }
    }

    /// Whether the order of the list can be reversed.
    public var canReverseOrder: Availability {
        .when(!isSortedByHand, else: Texts.sortedByHand(sort: keyLabel("list.sort")))
    }

    /// Reverses the order of the list: oldest first, or titles from the end of the alphabet.
    public func reverseOrder() {
        sort(by: listSortBy, order: sortOrder == .newestFirst ? .oldestFirst : .newestFirst)
    }

    /// Changes to the next sort order: created, title, updated.
    ///
    /// Created and updated begin with the newest; sorting by hand is followed by created.
    public func sortByNext() {
        switch listSortBy {
        case .updated: sort(by: .created, order: .newestFirst)
        case .created: sort(by: .title, order: .oldestFirst)
        case .title: sort(by: .updated, order: .newestFirst)
        case .byHand: sort(by: .created, order: .newestFirst)
        }
    }

    // MARK: Sorting by hand

    /// Whether the list can be sorted by hand; it must consist of notes put into it, not of those found by a query.
    public var canSortByHand: Availability {
        guard noteSearchText.isEmpty else { return .unavailable(Texts.leaveSearchToSort) }
        guard let container = selectedContainer, !container.isInTrash, !container.isTrash, !container.isAllNotes,
            !container.isStarred
        else { return .unavailable(Texts.cannotSortByHand) }
        return .available
    }

    /// Whether the note under the cursor can be moved in the list.
    public var canMoveByHand: Availability {
        guard canSortByHand.isAvailable else { return canSortByHand }
        guard tagFilter == nil else { return .unavailable(Texts.showAllToMove) }
        guard markedNotes.isEmpty else { return .unavailable(Texts.moveOne) }
        return canActOnNotes
    }

    /// Sorts the list by hand, starting with the current order.
    public func sortByHand() {
        guard canSortByHand.isAvailable, let query = list.query else {
            return say(canSortByHand.reason ?? "", kind: .refused)
        }
        attempt(Texts.Attempt.sortByHand) {
            try notebook.lists.beginOrder(as: query)
            list.sortByHand()
            orderChanged()
            try reloadList()
        }
    }

    /// Moves the note under the cursor up or down by one; the list is sorted by hand from then on.
    public func moveByHand(_ step: Notebook.Lists.OrderStep) {
        if let reason = canMoveByHand.reason { return say(reason, kind: .refused) }
        guard let note = noteUnderCursor, let container = selectedContainer else { return }
        let isNew = !isSortedByHand
        if isNew { sortByHand() }
        attempt(Texts.Attempt.moveNote) {
            guard try notebook.lists.move(note.id, step, in: container.id) else {
                return say(reasonNotMovable(step), kind: .refused)
            }
            try reloadList(around: note.id)
            if isNew { say(Texts.isSortedByHandNow(container.name, sort: keyLabel("list.sort"))) }
        }
    }

    /// Returns the reason why the note under the cursor cannot be moved further.
    private func reasonNotMovable(_ step: Notebook.Lists.OrderStep) -> String {
        let next = listCursor + (step == .up ? -1 : 1)
        guard next >= 0, next < noteList.count else {
            return step == .up ? Texts.isFirst : Texts.isLast
        }
        let star = keyLabel("note.star")
        return step == .up ? Texts.starToMove(star: star) : Texts.unstarToMove(star: star)
    }

    // MARK: Tag filter

    /// The tag by which the list is filtered.
    public var tagFilterContainer: NoteContainer? { tagFilter.flatMap(container) }

    /// Whether the list can be filtered by a tag.
    public var canFilterByTag: Availability {
        guard noteSearchText.isEmpty else { return .unavailable(Texts.typeTagFilter) }
        return .when(!tags.isEmpty, else: Texts.noTags)
    }

    /// Shows only the notes of the list with a tag; nil removes the filter.
    public func filterByTag(_ tag: ContainerID?) {
        guard tagFilter != tag else { return }
        list.narrow(to: tag)
        clearMarks()
        attempt(Texts.Attempt.readList) { try reloadList() }
        openNoteUnderCursor(by: .listChange)
    }
}
