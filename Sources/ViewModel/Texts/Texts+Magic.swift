extension Texts {
    /// The messages about a model's work on a text.
    enum Magic {
        static let nothingToChange = "The note has no text yet"
        static let nothingToSummarize = "The note has no sentences to summarise"
        static let oneNote = "the text of one note"
        static let nothingSent = "nothing was sent"
        static let savedInInbox = "Saved as a note in the Inbox"
        static let noteIsLeft = "The note is no longer open; nothing was changed"
        static let textMovedOn = "The same words were changed in the meantime; the note is unchanged. Try again"
        static let nothingTaken = "The text is unchanged"
        static let formatted = "Formatted; undo restores the earlier text"
        static let summaryKept = "Summary saved; the list shows it until the text changes"
        static func characters(_ count: Int) -> String { "a text of \(Texts.count(count, "character"))" }
    }
}
