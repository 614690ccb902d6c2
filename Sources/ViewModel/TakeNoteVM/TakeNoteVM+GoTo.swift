import NoteStore

/// Finding a note by its title.
extension TakeNoteVM {
    /// The number of recently changed notes among which a title is matched.
    private static let recentNotes = 500
    /// The largest number of further notes found in the whole notebook.
    private static let foundNotes = 50

    /// The most recently changed live notes, the newest first.
    public func recentNotes() -> [NoteRow] {
        var rows: [NoteRow] = []
        attempt(Texts.Attempt.readNotes) {
            let query = ListQuery(container: .allNotes, sortBy: .updated, sortOrder: .newestFirst, starredFirst: false)
            rows = try notebook.lists.rows(query, from: .start, limit: Self.recentNotes)
        }
        return rows
    }

    /// The notes of the whole notebook whose titles contain the words of `text`.
    public func notes(titled text: String) -> [NoteRow] {
        let words = text.split(separator: " ").map { "title:\($0)" }.joined(separator: " ")
        let hits = try? notebook.search.hits(words, limit: Self.foundNotes, stage: .instant)  // the recent notes remain
        return hits?.map(\.row) ?? []
    }

    /// Opens the note with a title, or the only note whose title has these words; returns whether there is one.
    public func showNote(titled title: String) -> Bool {
        var isFound = false
        attempt(Texts.Attempt.readNotes) {
            let target = try notebook.links.target(of: title, from: openNote?.id)?.note
            let others = target == nil ? notesToLink(title) : []
            guard let note = target ?? (others.count == 1 ? others[0] : nil) else { return }
            show(note)
            isFound = true
        }
        return isFound
    }

    /// Creates a note with a title, as its first line, and opens it.
    public func addNote(titled title: String) {
        guard addNote() != nil else { return }
        session?.paste("# \(title)\n\n")
    }
}
