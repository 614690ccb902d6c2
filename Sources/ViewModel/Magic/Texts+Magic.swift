extension Texts {
    /// The messages about a model's work on a text.
    enum Magic {
        static let nothingToChange = "The note has no text yet"
        static let nothingToSummarize = "The note has no sentences to summarise"
        static let oneNote = "the text of one note"
        static let noteIsLeft = "The note is not open any more; nothing was changed"
        static let textMovedOn = "The same words were changed meanwhile; nothing was taken. Try again"
        static let nothingTaken = "The text stays as it is"
        static let formatted = "Formatted; undo brings the text back"
        static let summaryKept = "Summary kept; the list shows it as long as it fits the text"
        static func characters(_ count: Int) -> String { "a text of \(count) character\(count == 1 ? "" : "s")" }
    }
}
