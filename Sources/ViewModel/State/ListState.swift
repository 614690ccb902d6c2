import NoteStore
import Observation

/// The note list: what it shows, in which order, where its cursor is and which notes are marked.
///
/// Which note is open is not its business: the cursor and the open note part when a list is read anew.
///
/// A class, so that each pane observes only the members that it reads.
@MainActor
@Observable
final class ListState {
    /// The container that is selected.
    private(set) var container: NoteContainer?
    /// The notes of the selected container, or the hits of a search.
    private(set) var notes = NoteList()
    /// The index of the note that the cursor is on; 0 in an empty list.
    private(set) var cursor = 0
    /// The notes marked for an action on many, in the order of marking.
    private(set) var marks: [NoteRow] = []
    /// What lists are sorted by that have no order of their own.
    private(set) var sortBy = SortBy.created
    private(set) var sortOrder = SortOrder.newestFirst
    /// The containers whose lists are sorted by hand, whatever `sortBy` says.
    private(set) var sortedByHand: Set<ContainerID> = []
    /// The tag that the list is narrowed to.
    private(set) var tagFilter: ContainerID?
    /// The words of the selected folder's or project's notes together; nil where there is none or it is not counted yet.
    private(set) var wordCount: Int?

    /// The note that the cursor is on, or nil in an empty list.
    var underCursor: NoteRow? { notes[cursor] }

    /// Whether the list that is shown is in an order of the user's own.
    var isSortedByHand: Bool { container.map { sortedByHand.contains($0.id) } ?? false }

    /// What the list reads from the notebook.
    var query: ListQuery? {
        container.map { container in
            ListQuery(
                container: container.id, sortBy: isSortedByHand ? .byHand : sortBy,
                sortOrder: isSortedByHand ? .newestFirst : sortOrder, tag: tagFilter)
        }
    }

    // MARK: What is shown

    /// Shows a container, with nothing read of it yet: marks go, and from another container the filter too.
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

    /// Takes over what has become of the selected container, or selects another one and keeps the notes that are shown.
    func select(_ container: NoteContainer?) {
        if container != self.container { self.container = container }
    }

    /// Shows notes that were read, with the cursor on one of them, or on the first.
    func fill(_ notes: NoteList, cursorOn note: NoteID?) {
        self.notes = notes
        cursor = note.flatMap { notes.index(of: $0) } ?? 0
    }

    /// Shows the hits of a search, with the cursor on one of them, or near where it was, or on the first.
    func fill(_ hits: [SearchHit], cursorOn note: NoteID?, orNear isNear: Bool) {
        notes = NoteList(rows: hits.map(\.row))
        let nearest = isNear ? min(cursor, max(notes.count - 1, 0)) : 0
        cursor = note.flatMap { notes.index(of: $0) } ?? nearest
    }

    /// Has the rows of `range` at hand, as far as the list has them.
    ///
    /// - Throws: what the notebook's reading throws.
    func require(_ range: Range<Int>, from notebook: Notebook) throws {
        // Asked first, since a change that changes nothing would have the list drawn again.
        guard let query, !notes.holds(range) else { return }
        try notes.require(range, of: query, from: notebook)
    }

    /// Narrows the list to a tag, or not with nil; what is shown is for the caller to read anew.
    func narrow(to tag: ContainerID?) {
        if tag != tagFilter { tagFilter = tag }
    }

    /// Takes over how many words the notes of the selected container have together.
    func take(wordCount count: Int?) {
        if count != wordCount { wordCount = count }
    }

    // MARK: Cursor and marks

    /// The index nearest to `index` that the list has.
    func nearest(to index: Int) -> Int { min(max(index, 0), max(notes.count - 1, 0)) }

    func putCursor(at index: Int) { cursor = nearest(to: index) }

    /// Puts the cursor on a note, if it is among the rows at hand.
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

    /// Takes over the order of an earlier run.
    func restore(sortBy: SortBy, order: SortOrder, byHand: Set<ContainerID>) {
        (self.sortBy, sortOrder) = (sortBy, order)
        sortedByHand = byHand
    }

    /// Sorts all lists that have no order of their own; the selected one has none from now on.
    func sort(by: SortBy, order: SortOrder) {
        if let container { sortedByHand.remove(container.id) }
        sortBy = by
        sortOrder = order
    }

    /// Shows the selected container in an order of its own.
    func sortByHand() {
        if let container { sortedByHand.insert(container.id) }
    }
}
