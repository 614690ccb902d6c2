import NoteStore
import Observation

/// The note list: its container, its rows, its order, its cursor and its marks.
///
/// It does not know which note is open: the cursor and the open note can differ after the list is read again.
///
/// It is a class, so that each pane observes only the members that it reads.
@MainActor
@Observable
final class ListState {
    /// The selected container.
    private(set) var container: NoteContainer?
    /// The notes of the selected container, or the hits of a search.
    private(set) var notes = NoteList()
    /// The index of the note under the cursor; 0 in an empty list.
    private(set) var cursor = 0
    /// The notes marked for an action on many, in the order of marking.
    private(set) var marks: [NoteRow] = []
    /// The sort order of the lists that are not sorted by hand.
    private(set) var sortBy = SortBy.created
    private(set) var sortOrder = SortOrder.newestFirst
    /// The containers whose lists are sorted by hand, whatever `sortBy` says.
    private(set) var sortedByHand: Set<ContainerID> = []
    /// The tag by which the list is filtered.
    private(set) var tagFilter: ContainerID?
    /// The number of words in the selected folder or project; nil if there is no such number or it is not counted yet.
    private(set) var wordCount: Int?

    /// The note under the cursor; nil in an empty list.
    var underCursor: NoteRow? { notes[cursor] }

    /// Whether the current list is sorted by hand.
    var isSortedByHand: Bool { container.map { sortedByHand.contains($0.id) } ?? false }

    /// The query for the rows of the list.
    var query: ListQuery? {
        container.map { container in
            ListQuery(
                container: container.id, sortBy: isSortedByHand ? .byHand : sortBy,
                sortOrder: isSortedByHand ? .newestFirst : sortOrder, tag: tagFilter)
        }
    }

    // MARK: Contents

    /// Selects a container, and clears the list; a change of the container also removes the filter.
    func enter(_ container: NoteContainer?) {
        if self.container?.id != container?.id {
            tagFilter = nil
            wordCount = nil
        }
        self.container = container
        marks = []
        cursor = 0
        notes = NoteList()
    }

    /// Updates the selected container, or selects another one without changing the notes shown; that removes the filter.
    func select(_ container: NoteContainer?) {
        guard container != self.container else { return }
        if container?.id != self.container?.id {
            narrow(to: nil)
            take(wordCount: nil)
        }
        self.container = container
    }

    /// Shows a list of notes, with the cursor on the given note, or on the first one.
    func fill(_ notes: NoteList, cursorOn note: NoteID?) {
        self.notes = notes
        cursor = note.flatMap { notes.index(of: $0) } ?? 0
    }

    /// Shows the hits of a search, with the cursor on the given note, or near its old index, or on the first hit.
    func fill(_ hits: [SearchHit], cursorOn note: NoteID?, orNear isNear: Bool) {
        notes = NoteList(rows: hits.map(\.row))
        let nearest = isNear ? min(cursor, max(notes.count - 1, 0)) : 0
        cursor = note.flatMap { notes.index(of: $0) } ?? nearest
    }

    /// Fetches the rows of `range`, as far as the list has them.
    ///
    /// - Throws: the notebook's read errors.
    func require(_ range: Range<Int>, from notebook: Notebook) throws {
        // Checked first, since a change without an effect would also cause a redraw of the list.
        guard let query, !notes.holds(range) else { return }
        try notes.require(range, of: query, from: notebook)
    }

    /// Filters the list by a tag; nil removes the filter.
    ///
    /// The caller must read the list again.
    func narrow(to tag: ContainerID?) {
        if tag != tagFilter { tagFilter = tag }
    }

    /// Sets the number of words in the notes of the selected container.
    func take(wordCount count: Int?) {
        if count != wordCount { wordCount = count }
    }

    // MARK: Cursor and marks

    /// The index in the list that is nearest to `index`.
    func nearest(to index: Int) -> Int { min(max(index, 0), max(notes.count - 1, 0)) }

    func putCursor(at index: Int) { cursor = nearest(to: index) }

    /// Puts the cursor on a note, if its row is in memory.
    func putCursor(on note: NoteID) {
        if let index = notes.index(of: note) { cursor = index }
    }

    func isMarked(_ id: NoteID) -> Bool { marks.contains { $0.id == id } }

    /// Marks or unmarks the note under the cursor.
    func toggleMark() {
        guard let note = underCursor else { return }
        if let index = marks.firstIndex(where: { $0.id == note.id }) {
            marks.remove(at: index)
        } else {
            marks.append(note)
        }
    }

    /// Marks these notes and no others.
    func mark(_ notes: [NoteRow]) {
        if !(marks.isEmpty && notes.isEmpty) { marks = notes }
    }

    // MARK: Order

    /// Restores the order of an earlier run.
    func restore(sortBy: SortBy, order: SortOrder, byHand: Set<ContainerID>) {
        (self.sortBy, sortOrder) = (sortBy, order)
        sortedByHand = byHand
    }

    /// Sets the sort order of all lists that are not sorted by hand; the selected one is no longer sorted by hand.
    func sort(by: SortBy, order: SortOrder) {
        if let container { sortedByHand.remove(container.id) }
        sortBy = by
        sortOrder = order
    }

    /// Marks the selected container as sorted by hand.
    func sortByHand() {
        if let container { sortedByHand.insert(container.id) }
    }
}
