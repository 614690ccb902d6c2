/// What a journal holds of one note that is not in the notebook.
struct RecoveredText: Equatable {
    var note: NoteID
    /// The text that was on the screen; `nil` if it cannot be told any more.
    var text: String?
    /// The text of the notebook that it was made from, and its revision there.
    var base: String?
    var baseRevision: Int64 = 0
    /// What was typed but cannot be put in its place, because something before it is missing.
    var pieces = ""
    /// Where the last of these ended, to tell whether the next goes on there.
    private var end: Int?
    /// The number of the last change that it holds.
    var last: UInt64 = 0

    init(note: NoteID) { self.note = note }

    /// Adds what an edit inserts.
    mutating func addPieces(of edit: some Collection<UInt8>) {
        for part in JournalFormat.parts(edit) ?? [] {
            if part.start != end, !pieces.isEmpty, !part.inserted.isEmpty { pieces += "\n" }
            pieces += part.inserted
            // A damaged number may be anything.
            end = part.start &+ part.inserted.utf8.count
        }
    }
}
