/// Limits of the tables that would otherwise only grow; `Notebook.Care.keepWithinBounds()` enforces them.
///
/// Bytes count the stored texts of a table, not its pages.
enum Bounds {
    /// The maximum number of actions that can be undone; enforced with each new one.
    static let actions = 200
    /// The UTF-8 bytes of the states stored in actions; the newest action is kept whatever its size.
    static let actionBytes: Int64 = 32 << 20

    /// The UTF-8 bytes of a note's versions; the newest one is kept whatever its size.
    static let versionBytesOfNote: Int64 = 32 << 20
    /// The UTF-8 bytes of all versions; the newest one of each note is kept.
    static let versionBytes: Int64 = 1 << 30

    /// The number of notes whose undo histories are kept, the last ones left, and the bytes of all histories.
    static let histories = 10_000
    static let historyBytes: Int64 = 128 << 20

    /// The number of former titles that are kept in all, and the bytes of their keys.
    ///
    /// Titles used in a link do not count; each note keeps `Transaction.formerTitleLimit`.
    static let formerTitles = 50_000
    static let formerTitleBytes: Int64 = 4 << 20

    /// How many notes and folders that were deleted for ever the synchronisation remembers: 7 MB at most.
    ///
    /// The names tell machines that still have such a note to delete it. If a name is forgotten and a machine still has
    /// the note, the note goes to the Trash of all machines instead: absence never destroys. A name that no machine was
    /// told yet is not forgotten.
    static let gone = 100_000

    /// UTF-8 bytes of the words that are found by their middle or stem; a word has at most
    /// `SearchTerms.lengths.upperBound`.
    static let wordBytes: Int64 = 32 << 20
    /// Milliseconds between two searches for words that no note contains any more: a week.
    static let wordsInterval: Int64 = 7 * 24 * 3_600_000
}
