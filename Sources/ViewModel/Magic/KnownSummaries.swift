import NoteStore

/// The notes whose stored summaries belong to their current text.
///
/// A text is hashed once for each revision that a list shows, and only if its note has a summary.
struct KnownSummaries {
    private struct Known {
        let revision: Int64
        let summary: String
        let isCurrent: Bool
    }

    private var notes: [NoteID: Known] = [:]

    /// The size in bytes up to which a text is read while a list is drawn, which takes about a millisecond.
    private static let maximumSize = 500_000
    /// The largest number of notes remembered: far more than a screen shows.
    private static let maximumNotes = 2000

    mutating func isCurrent(_ row: NoteRow, text: () -> String?) -> Bool {
        if row.size > Self.maximumSize { return false }
        if let known = notes[row.id], known.revision == row.revision, known.summary == row.aiSummary {
            return known.isCurrent
        }
        if notes.count >= Self.maximumNotes { notes = [:] }
        let isCurrent = text().map { Note.contentHash(of: $0) == row.contentHash } ?? false
        notes[row.id] = Known(revision: row.revision, summary: row.aiSummary, isCurrent: isCurrent)
        return isCurrent
    }
}

extension TakeNoteVM {
    /// Returns the line under a note's title: its summary if that belongs to its current text, else its beginning.
    public func lineUnderTitle(of row: NoteRow) -> String {
        guard !row.aiSummary.isEmpty else { return row.preview }
        // A text that cannot be read counts as having no current summary.
        let isCurrent = knownSummaries.isCurrent(row) { try? notebook.notes.text(row.id) }
        return isCurrent ? row.aiSummary : row.preview
    }
}
