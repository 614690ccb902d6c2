import NoteStore

/// The messages of `tn line`, in ASCII: short, and the most telling word first.
enum LineTexts {
    static let prompt = "> "
    static let welcome = "TakeNote. Type list, search and words, new and a text, or help."
    static let notText = "Left out: that line is not UTF-8 text."
    static let endsWithStop = "Lines; a full stop alone ends them."
    static let help = [
        "list, or list and a folder: its notes, numbered.",
        "more: the rest of the list.",
        "folders: all folders, numbered.",
        "search and words: what is found, numbered.",
        "A number: open it.",
        "show: read the open note; show 3 a line, show 3 5 some.",
        "lines: the same with numbers.",
        "new and a text: a new note.",
        "append and a text: at the end of the open note.",
        "change 3 and a text, insert 3 and a text, delete 3: its lines.",
        "Without a text, lines are read up to a full stop alone.",
        "edit: the open note in your editor.",
        "title and a name; star; unstar; trash; undo.",
        "quit: leave.",
    ]
    static let nothingHere = "No notes here."
    static let nothingFound = "Nothing found."
    static let noMore = "No more."
    static let noneOpen = "no note is open; type list, then a number"
    static let empty = "The note is empty."
    static let nothingWritten = "Nothing written."
    static let saved = "Saved."
    static let starred = "Starred."
    static let unstarred = "No longer starred."
    static let undone = "Undone."
    static let nothingToUndo = "Nothing to undo."

    static func unknown(_ word: String) -> String { "No such word: \(word). Type help." }
    static func left(_ count: Int) -> String { "\(count) more; type more." }
    static func noNumber(_ number: Int) -> String { "No \(number) in the last list." }
    static func noLine(_ number: Int) -> String { "No line \(number)." }
    static func needsLine(_ word: String) -> String { "Which line? For example: \(word) 3" }
    static func made(_ row: NoteRow) -> String { "New note: \(row.title)." }
    static func trashed(_ row: NoteRow) -> String { "In the Trash: \(row.title). Type undo to take it back." }

    /// Returns a row such as "2 Groceries, starred, Home": number, title, states, folder.
    static func row(_ row: NoteRow, number: Int) -> String {
        var parts = [row.title]
        if row.starred { parts.append("starred") }
        if row.place != .live || row.folder != .inbox { parts.append(row.folderName) }
        return "\(number) " + parts.joined(separator: ", ")
    }

    static func opened(_ row: NoteRow, lines: Int) -> String {
        "\(row.title), \(Texts.count(lines, "line")). Type show."
    }
}
