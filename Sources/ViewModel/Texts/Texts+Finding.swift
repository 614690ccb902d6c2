/// Searching the notes, and finding in a text.
extension Texts {
    static let searching = "searching"
    static let noMatch = "no match"
    static func match(_ number: Int, of total: String) -> String { "\(number) of \(total)" }
    static let invalidRegex = "invalid regex"
    static func problem(_ problem: String, in title: String) -> String { "\(problem) in \(quoted(title))" }

    /// The words of the search field's grammar, with their meanings.
    static let searchGrammar: [(word: String, meaning: String)] = [
        ("tag:", "has the tag"), ("in:", "is in the folder"), ("is:starred", "has a star"),
        ("has:task", "an open task; also done, link, backlink, broken, image"), ("title:", "in the title"),
        ("created:", "2026-01, >2026, 7d"), ("updated:", "today, 3w, 12h"), ("\"…\"", "these words together"),
        ("begin*", "words that begin so"), ("-word", "without it"), ("OR", "either"),
    ]
}
