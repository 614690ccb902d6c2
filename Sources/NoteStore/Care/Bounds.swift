/// What the tables that would only grow may hold; `Notebook.keepWithinBounds()` brings them back to it.
///
/// Bytes are those of the texts that a table keeps, not of its pages.
enum Bounds {
    /// Actions that can be undone; enforced with each new one.
    static let actions = 200
    /// UTF-8 bytes of the states that actions keep; the newest action stays whatever it has.
    static let actionBytes: Int64 = 32 << 20

    /// UTF-8 bytes of a note's versions; its newest stays whatever it has.
    static let versionBytesOfNote: Int64 = 32 << 20
    /// UTF-8 bytes of all versions; the newest of each note stays.
    static let versionBytes: Int64 = 1 << 30

    /// Notes whose undo history is kept, the last left first, and its bytes.
    static let histories = 10_000
    static let historyBytes: Int64 = 128 << 20

    /// Former titles of all notes, those that a link names not counted, and the bytes of their keys; of one note
    /// `Transaction.formerTitleLimit` stay.
    static let formerTitles = 50_000
    static let formerTitleBytes: Int64 = 4 << 20

    /// Milliseconds between two searches for words that no note holds any more: a week.
    static let wordsInterval: Int64 = 7 * 24 * 3_600_000
}
