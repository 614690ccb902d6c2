/// Limits of the tables that would only grow; `Notebook.Care.keepWithinBounds()` enforces them.
///
/// Bytes count the stored texts of a table, not its pages.
enum Bounds {
    /// How many actions can be undone; enforced with each new one.
    static let actions = 200
    /// UTF-8 bytes of the states stored in actions; the newest action stays whatever its size.
    static let actionBytes: Int64 = 32 << 20

    /// UTF-8 bytes of a note's versions; its newest stays whatever its size.
    static let versionBytesOfNote: Int64 = 32 << 20
    /// UTF-8 bytes of all versions; the newest of each note stays.
    static let versionBytes: Int64 = 1 << 30

    /// How many notes keep their undo history, those left last first, and the bytes of all histories.
    static let histories = 10_000
    static let historyBytes: Int64 = 128 << 20

    /// How many former titles are kept in all, and the bytes of their keys.
    ///
    /// Titles that a link names do not count; each note keeps `Transaction.formerTitleLimit`.
    static let formerTitles = 50_000
    static let formerTitleBytes: Int64 = 4 << 20

    /// UTF-8 bytes of the words that are found by their middle or stem; a word has at most
    /// `SearchTerms.lengths.upperBound`.
    static let wordBytes: Int64 = 32 << 20
    /// Milliseconds between two searches for words that no note contains any more: a week.
    static let wordsInterval: Int64 = 7 * 24 * 3_600_000
}
