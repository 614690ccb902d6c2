import ViewModel

/// The titles, labels and items of overlays, and of the find bar.
extension Texts {
    // MARK: Boxes

    static let help = "Help"
    static let report = "Report"
    static let news = "What is new"
    static let lastMessage = "Last message"
    static let noMessage = "There was no message yet"
    static let title = "Title"
    static let earlierVersions = "Earlier versions"
    static let comparing = "Comparing …"
    static let conflicts = "Conflicts between machines"
    static let identicalTexts = "Both texts are the same."
    static let originalIsGone = "its note is gone"
    static let noConflicts = "There are no conflicts between machines"
    static let notSynchronised = "This notebook is not synchronised; tn sync init URL sets it up"
    static let identicalVersion = "Identical to the current text."
    static let noMatches = "No matches"
    static func altChangedText(_ key: String, letter: String, undo: String?) -> String {
        "\(key) has changed the text; if it was Esc and then \(letter), \(undo.map { "\($0) undoes it" } ?? "undo it")"
    }
    static let pathNeeded = "Type a path first"
    static let waitingForDisk = "The disk has not answered yet; Esc gives up"
    static let stopping = "stopping"
    static let nothingOpenOverPanes = "No box is open"

    enum Project {
        static let title = "New project"
        static let name = "Name"
        static let type = "Type"
        static let details = "Details"
    }

    /// Returns `creates “Plans”`: the effect of Enter on a title that no note has.
    static func createsNote(_ title: String) -> String { "creates “\(title)”" }

    // MARK: Finding and replacing

    /// The labels of the two fields, which have the same width, including the space after them.
    static func findLabels(isShort: Bool) -> (find: String, replace: String) {
        isShort ? ("Find ", "With ") : ("Find    ", "Replace ")
    }

    static let replaceInNotes = "Replace in notes"
    static let searching = "searching"
    static let noMatch = "no match"
    static let noPattern = "there is no text to find"
    static let stillSearching = "the search goes on"
    static let allExcluded = "every match is excluded"
    static let needsFindBar = "Open the find bar first"
    static let needsWriting = "Go back to writing to replace"

    /// Returns `12 of 14 in 3 notes`.
    static func replacing(_ count: Int, of all: Int, notes: Int, isCut: Bool) -> String {
        let chosen = count == all ? "\(all)" : Self.count(count, of: all)
        return "\(chosen) in \(Question.count(notes, "note"))\(isCut ? ", the first" : "")"
    }

    static let invalidRegex = "invalid regex"
    static let changedMeanwhile = "the text has changed meanwhile"
    static func notReplaced(_ reason: String) -> String { "Nothing replaced: \(reason)" }
    static func replaced(_ count: Int) -> String { count == 1 ? "1 match replaced" : "\(count) matches replaced" }

    // MARK: Titles and items of pickers and prompts

    static let commands = "Commands"
    static let goToNote = "Go to note"
    static let goToHeading = "Go to heading or line"
    static func line(_ number: Int) -> String { "Line \(number)" }
    static let backlinks = "Backlinks"
    static func backlinks(over limit: Int) -> String { "more than \(limit) backlinks" }
    static let linkToNote = "Link to note"
    static let noSuchTitle = "No note has this title yet"
    /// The text before and after the title of a note that can be created.
    static let newNote = ["New note “", "”"]
    static let create = "create"
    static let createTag = "create tag"
    static let copyAddress = "Copy the address"
    static let openIt = "Open it"
    static let outside = "outside"
    static let currentFolder = "current folder"
    static let inThisFolder = "Already in this folder"
    static func move(_ what: String) -> String { "Move \(what) to" }
    static func tags(of what: String) -> String { "Tags of \(what)" }
    static let newFolder = "New folder"
    static func newFolder(in path: String) -> String { "New folder in \(path)" }
    static let newTag = "New tag"
    static let search = "search"
    static func name(of what: String) -> String { "Name of the \(what)" }
    static func details(of name: String) -> String { "Details of \(name)" }
    static func symbol(of name: String) -> String { "Symbol of \(name)" }
    static func color(of name: String) -> String { "Colour of \(name)" }
    static let none = "None"
    static let asItIs = "As it is"
    static let now = "now"
    static let topLevel = "Top level"
    static let allNotes = "All notes"
    static let showOnly = "Show only notes with"
    static let theme = "Theme"
    static let followsTerminal = "follows the terminal"
    static let saveSearch = "Save search as"
    static let newNoteFrom = "New note from"
    static let titleOfNewNote = "Title of the new note"
    static let insertImage = "Insert the image"
    static let everything = "everything"
    static func export(_ what: String) -> String { "Export \(what) to folder" }
    static func importTitle(_ path: String?) -> String { "Import \(into(path))" }
    static let importIt = "Import it"
    static func into(_ name: String?) -> String { "into \(name ?? "the notebook")" }
    static let notePath = "Make a note of the path"

    /// The question before the program ends while something cannot be saved.
    enum Quit {
        static let title = "Not everything is saved"
        static let stay = "Stay: keep trying to save"
        static let quit = "Quit: the text is recovered at the next start"
        static let lose = "Quit and lose the text: no journal can be written"

        static func write(_ count: Int) -> String {
            "Write \(count == 1 ? "the open text" : "\(count) texts") to the home folder, and quit"
        }

        static func written(to folder: String) -> String { "Written to \(folder)" }
        static func notWritten(_ reason: String) -> String { "Could not write the texts: \(reason)" }
    }
}
