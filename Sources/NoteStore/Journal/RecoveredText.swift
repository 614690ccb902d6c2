/// The changes of one note that a journal contains and the notebook does not.
struct RecoveredText: Equatable {
    var note: NoteID
    /// The text that was on the screen; `nil` if it cannot be determined.
    var text: String?
    /// The notebook's text that `text` was made from, and the revision of that text.
    var base: String?
    var baseRevision: Int64 = 0
    /// Inserted text whose position is unknown, because an earlier change is missing.
    var pieces = ""
    /// The offset at which the last piece ended, which tells whether the next one continues it.
    private var end: Int?
    /// The number of the last change included.
    var last: UInt64 = 0

    init(note: NoteID) { self.note = note }

    /// Adds the text that an edit inserts.
    mutating func addPieces(of edit: some Collection<UInt8>) {
        for part in JournalFormat.parts(edit) ?? [] {
            if part.start != end, !pieces.isEmpty, !part.inserted.isEmpty { pieces += "\n" }
            pieces += part.inserted
            // The addition may overflow, since a damaged number may have any value.
            end = part.start &+ part.inserted.utf8.count
        }
    }
}
