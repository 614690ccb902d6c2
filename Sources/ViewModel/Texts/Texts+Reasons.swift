import NoteStore

/// The reasons why an action is not possible.
extension Texts {
    // MARK: Reasons

    static let noNoteSelected = "No note is selected"
    static let restoreNoteFirst = "Restore the note from the Trash first"
    static func restoreToWrite(restore key: String?) -> String {
        "The note is in the Trash" + (key.map { "; \($0) in the list restores it" } ?? "")
    }
    static let renameOne = "Only one note can be renamed at a time"
    static let noteNotInTrash = "The note is not in the Trash"
    static let alreadyStarred = "Already starred"
    static let markToMerge = "Mark the notes to merge first"
    static let chooseContainer = "Choose a folder, project or tag first"
    static let chooseTrashedFolder = "Choose a folder in the Trash first"
    static func builtIn(_ name: String) -> String { "\(quoted(name)) is built in and can't be changed" }
    static func inTrash(_ name: String) -> String { "\(quoted(name)) is in the Trash; restore it first" }
    static func notInTrash(_ name: String) -> String { "\(quoted(name)) is not in the Trash" }
    static func notMovable(_ container: NoteContainer) -> String {
        "Only folders can be moved; \(quoted(container.name)) is a \(kind(container.kind))"
    }
    static let noTemplate = "Only a project has a template"
    static let trashIsEmpty = "The Trash is empty"
    static let nothingCopied = "Nothing is cut or copied"
    static let nothingCopiedHere = "Nothing is cut or copied here"
    static let leaveSearchToPaste = "Leave the search to paste"
    static func cannotPaste(_ name: String) -> String {
        "\(quoted(name)) cannot hold notes; choose a folder to paste into"
    }
    static let noNoteBefore = "No other note has been open yet"
    static let noteIsGone = "That note no longer exists"
    static let noLinkAtCaret = "There is no link or tag at the caret"
    static func leadsNowhere(_ target: String) -> String { "Nothing can be opened at \(quoted(target))" }
    static func noHeading(_ name: String) -> String { "The note has no heading \(quoted(name))" }
    static func noBlock(_ name: String) -> String { "The note has no block \(quoted(name))" }
    static func noNoteAt(_ url: String) -> String { "There is no note at \(url)" }
    static let nothingBack = "Nothing to go back to"
    static let nothingForward = "Nothing to go forward to"
    static let searchFirst = "Search for something first"
    static func sortedByHand(sort: String?) -> String {
        "The list is sorted by hand" + hint(sort, "sorts by date again")
    }
    static func isSortedByHandNow(_ name: String, sort: String?) -> String {
        "\(quoted(name)) is sorted by hand now" + hint(sort, "sorts by date again")
    }
    static let leaveSearchToSort = "Leave the search to sort by hand"
    static let cannotSortByHand = "Folders, projects and tags can be sorted by hand"
    static let showAllToMove = "Show all notes to move one by hand"
    static let moveOne = "Only one note can be moved at a time; unmark the others first"
    static let isFirst = "It is already the first"
    static let isLast = "It is already the last"
    static func starToMove(star: String?) -> String {
        "Starred notes stay above the others" + hint(star, "stars this one")
    }
    static func unstarToMove(star: String?) -> String {
        "Starred notes stay above the others" + hint(star, "unstars this one")
    }
    static let typeTagFilter = "Type tag: in the search instead"
    static let noTags = "There are no tags yet"
    static let nothingTicked = "No line is selected"
    static func taskRuns(_ title: String?) -> String { "\(title ?? "A task") is still running" }
    static let nothingRuns = "Nothing is running"

    // MARK: Names that are not allowed

    static let emptyName = "A name cannot be empty"
    static let tagExists = "A tag with this name already exists"
    static let searchExists = "A search with this name already exists"
    static let nameTaken = "This name is already used there"
    static func holdsNoFolders(_ name: String) -> String { "\(quoted(name)) cannot hold folders" }
}
