extension Texts {
    /// The words that tell a screen reader what marks show to others.
    enum Words {
        static let marked = "marked"
        static let starred = "starred"
        static let folded = "folded"
        static let unfolded = "unfolded"
        static let taken = "taken:"
        static let partlyTaken = "partly taken:"
        static let leftOut = "left out:"
        static let chosen = "chosen"
        static let partlyChosen = "partly chosen"
        static let done = "done"
        static let late = "late"
        static let notAvailable = "not available"
        static let matchCase = "match case"
        static let wholeWords = "whole words"
        static let expression = "expression"
        /// The same three for a row of twenty columns.
        static let shortCase = "case"
        static let shortWords = "words"
        static let shortExpression = "regex"
        static let searchField = "Search"
        static let hasNote = "has a note"
        static let noNote = "no note"
        static let today = "today"
        static let tag = "tag"
        static let search = "saved search"
    }
}
