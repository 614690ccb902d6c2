import NoteStore

/// Finding a note by its title, to go there.
extension TakeNoteVM {
    /// Notes among which a title is guessed at: those changed last.
    private static let recentNotes = 500
    /// Notes that the whole notebook adds to them.
    private static let foundNotes = 50

    /// The live notes changed last, the newest first.
    public func recentNotes() -> [NoteRow] {
        var rows: [NoteRow] = []
        attempt(Texts.Attempt.readNotes) {
            let query = ListQuery(container: .allNotes, sortBy: .updated, sortOrder: .newestFirst, starredFirst: false)
            rows = try notebook.lists.rows(query, from: .start, limit: Self.recentNotes)
        }
        return rows
    }

    /// Notes of the whole notebook with the words of `text` in their titles.
    public func notes(titled text: String) -> [NoteRow] {
        let words = text.split(separator: " ").map { "title:\($0)" }.joined(separator: " ")
        let hits = try? notebook.search.hits(words, limit: Self.foundNotes, stage: .instant)  // the recent notes remain
        return hits?.map(\.row) ?? []
    }

    /// Makes a note with a title, as its first line, and opens it.
    public func addNote(titled title: String) {
        guard addNote() != nil else { return }
        session?.paste("# \(title)\n\n")
    }
}
