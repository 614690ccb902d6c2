import Terminal
import ViewModel

/// Words that the panes show besides notes.
extension Texts {
    // MARK: Panes

    static let program = "TakeNote"
    static let noNoteOpenYet = "No note is open."
    static let cellBelow = "Cell below, in a new row at the end"
    static let nextCell = "Next cell"
    static let previousCell = "Previous cell"
    static let stops = "stops"

    /// The rows of the message on a screen that is too small; where they do not fit, the size that is needed.
    @MainActor
    static func needs(_ size: Size, in screen: Size) -> [String] {
        let needed = "\(size.columns)x\(size.rows)"
        let rows = "tn needs \(needed)".lines(fitting: screen.columns)
        let fits = rows.count <= screen.rows && rows.allSatisfy { $0.count <= screen.columns }
        return fits ? rows : [needed.count < screen.columns ? needed + "!" : needed]
    }

    /// Names the key that is useful in an empty list.
    static func press(_ key: String, _ purpose: String) -> String { "Press \(key) \(purpose)." }

    /// The effect of the key in the first steps, from the longest text to the shortest.
    static let keepsWelcome = [
        " keeps this as a note to try things in", " keeps this as a note", " keeps this",
    ]

    /// How much of a long note is above the end of the pane, or before the caret.
    static func percent(_ share: Int) -> String { "\(share)%" }
    static func toRead(minutes: Int) -> String {
        minutes < 120 ? "\(minutes) min read" : "\((minutes + 30) / 60) h read"
    }

    /// The texts of the list of notes, also while it is empty.
    enum List {
        static let starred = "Starred"
        static let notes = "Notes"
        static let created = "created"
        static let updated = "updated"
        static let title = "title"
        static let byHand = "by hand"
        static func marked(_ count: Int, of all: Int) -> String { "\(count) of \(all) marked" }

        static let nothingFound = "Nothing found."
        static func noNote(with tag: String) -> String { "No note here has #\(tag)." }
        static let toSeeAll = "to see all"
        static let noStarred = "No starred notes."
        static let toStar = "on a note to star it"
        static let noArchived = "Nothing is archived."
        static let toArchive = "on a note to archive it"
        static let noTagged = "No note has this tag."
        static let toTag = "on a note to tag it"
        static let emptyProject = "No notes in this project yet."
        static let emptyAll = "No notes in this project's folders yet."
        static let noDirectNotes = "No notes are directly in it."
        static let toRestore = "in the sidebar to restore it"
        static let foldersOnly = "This folder holds folders only."
        static let noNotes = "No notes yet."
        static let toWrite = "to write one"
        static let forATour = "for a short tour"
        static func newHere(_ hint: String) -> String { "New here? " + hint }
        static let emptyTrash = "The Trash is empty."
        static func noNotesBut(_ counts: [String]) -> String { "No notes, but \(counts.joined(separator: " and "))." }
        static let toRestoreOne = "on one in the sidebar to restore it"
    }

    /// The age of a note, in the shortest form.
    enum Ages {
        static let now = "now"
        static let yesterday = "yesterday"
        static func minutes(_ count: Int) -> String { "\(count) min" }
        static func hours(_ count: Int) -> String { "\(count) h" }
        static func days(_ count: Int) -> String { "\(count) d" }
    }

    // MARK: Marked notes

    static func notesMarked(_ count: Int) -> String { "\(count) notes marked" }
    static func andMore(_ count: Int) -> String { "and \(count) more" }

    /// Returns `240 words, 2 starred`.
    static func summary(words: Int, starred: Int) -> String {
        Question.count(words, "word") + (starred > 0 ? ", \(starred) starred" : "")
    }

    static let markedActions = [
        KeyHint("note.move", "move"), KeyHint("note.tag", "tags"), KeyHint("note.star", "star"),
        KeyHint("note.archive", "archive"), KeyHint("note.trash", "trash"), KeyHint("note.restore", "restore"),
        KeyHint("note.cut", "cut"), KeyHint("note.copy", "copy"), KeyHint("note.merge", "merge"),
        KeyHint("cursor.leave", "unmark"),
    ]
}
