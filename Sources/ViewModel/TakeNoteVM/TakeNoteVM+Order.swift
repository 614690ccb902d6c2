import NoteStore

/// The order of the list, and what of it is shown.
extension TakeNoteVM {
    /// What the list that is shown is sorted by.
    public var listSortBy: SortBy { isSortedByHand ? .byHand : sortBy }

    /// Whether the list that is shown is in an order of the user's own.
    public var isSortedByHand: Bool { list.isSortedByHand }

    /// Sorts the list anew; the cursor stays on its note.
    ///
    /// By hand is an order of this container alone, which it keeps; the others are those of all lists.
    public func sort(by: SortBy, order: SortOrder) {
        if by == .byHand { return sortByHand() }
        list.sort(by: by, order: order)
        orderChanged()
        attempt(Texts.Attempt.sort) { try reloadList() }
    }

    /// Whether the order of the list can be turned round.
    public var canReverseOrder: Availability {
        .when(!isSortedByHand, else: Texts.sortedByHand)
    }

    /// Turns the order of the list round: oldest first, or titles from the end of the alphabet.
    public func reverseOrder() {
        sort(by: listSortBy, order: sortOrder == .newestFirst ? .oldestFirst : .newestFirst)
    }

    /// Sorts by the next of the orders: created, title, updated.
    ///
    /// Created and updated begin with the newest; by hand is followed by created.
    public func sortByNext() {
        switch listSortBy {
        case .updated: sort(by: .created, order: .newestFirst)
        case .created: sort(by: .title, order: .oldestFirst)
        case .title: sort(by: .updated, order: .newestFirst)
        case .byHand: sort(by: .created, order: .newestFirst)
        }
    }

    // MARK: By hand

    /// Whether the list can have an order of its own: one that notes are put into, not one that is computed.
    public var canSortByHand: Availability {
        guard noteSearchText.isEmpty else { return .unavailable(Texts.leaveSearchToSort) }
        guard let container = selectedContainer, !container.isInTrash, !container.isTrash, !container.isAllNotes,
            !container.isStarred
        else { return .unavailable(Texts.cannotSortByHand) }
        return .available
    }

    /// Whether the note under the cursor can be put elsewhere in the list.
    public var canMoveByHand: Availability {
        guard canSortByHand.isAvailable else { return canSortByHand }
        guard tagFilter == nil else { return .unavailable(Texts.showAllToMove) }
        guard markedNotes.isEmpty else { return .unavailable(Texts.moveOne) }
        return canActOnNotes
    }

    /// Shows the list in the order of its own, which begins as the one that is seen.
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

    /// Puts the note under the cursor one place up or down; the list is sorted by hand from then on.
    public func moveByHand(_ step: Notebook.Lists.OrderStep) {
        if let reason = canMoveByHand.reason { return say(reason, kind: .refused) }
        guard let note = noteUnderCursor, let container = selectedContainer else { return }
        let isNew = !isSortedByHand
        if isNew { sortByHand() }
        attempt(Texts.Attempt.moveNote) {
            guard try notebook.lists.move(note.id, step, in: container.id) else {
                return say(reasonToStay(step), kind: .refused)
            }
            try reloadList(around: note.id)
            if isNew { say(Texts.isSortedByHandNow(container.name)) }
        }
    }

    /// Why the note under the cursor cannot go further.
    private func reasonToStay(_ step: Notebook.Lists.OrderStep) -> String {
        let next = listCursor + (step == .up ? -1 : 1)
        guard next >= 0, next < noteList.count else {
            return step == .up ? Texts.isFirst : Texts.isLast
        }
        return step == .up ? Texts.starToMove : Texts.unstarToMove
    }

    // MARK: By tag

    /// The tag that the list is narrowed to.
    public var tagFilterContainer: NoteContainer? { tagFilter.flatMap(container) }

    /// Whether the list can be narrowed.
    public var canFilterByTag: Availability {
        guard noteSearchText.isEmpty else { return .unavailable(Texts.typeTagFilter) }
        return .when(!tags.isEmpty, else: Texts.noTags)
    }

    /// Shows only the notes of the list that have a tag, or all with nil.
    public func filterByTag(_ tag: ContainerID?) {
        guard tagFilter != tag else { return }
        list.narrow(to: tag)
        clearMarks()
        attempt(Texts.Attempt.readList) { try reloadList() }
        openNoteUnderCursor(by: .listChange)
    }
}
