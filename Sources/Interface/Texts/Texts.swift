import NoteStore
import Terminal
import ViewModel

/// The texts of the window, a file for each topic.
///
/// This file has the messages of the status line: what a command did, or why it cannot. Other texts of the window are the
/// titles of commands, in the tables of commands, and those of settings, in `Setting.all`.
enum Texts {
    static let sidebarHidden = "The sidebar is shown only while it has the keys"
    static let sidebarShown = "The sidebar is always shown"
    static let backlinksShown = "Notes that link to the open one are listed below it"
    static let backlinksHidden = "Notes that link to the open one are not listed"
    static let oneRowEach = "One row for each note"
    static let twoRowsEach = "Two rows for each note"
    static let notebooks = "Notebooks"
    static let newNotebook = ["New notebook “", "”"]
    static func notInText(_ text: String) -> String { "“\(text)” is not in this text" }
    static let escCancels = "Esc cancel"
    static let moreKeys = "more keys"
    /// The effect of the key that scrolls a question for which the screen is too small.
    static let moreText = "more"
    static func noCommand(on keys: String) -> String { "\(keys) has no command here" }

    // MARK: Requests of other programs

    static func cameTo(_ title: String, back: String?) -> String {
        "Opened “\(title)” from outside" + (back.map { "; \($0) goes back" } ?? "")
    }
    static let noteAsksToBeOpened = "A note is to be opened from outside; close this first"

    // MARK: Pasting

    static func pasteStalled(bytes: Int) -> String {
        "Pasting… \(Question.count(bytes, "byte")) so far, and no end. Ctrl-C gives up"
    }

    static let pasteAbandoned =
        "Pasted what came; the rest, and all keys, are dropped until the paste ends. Ctrl-C ends it now"

    static func pasteTooLong(limit megabytes: Int) -> String {
        "Not pasted: longer than \(megabytes) MB; import it as a file"
    }

    static func pastedAsText(_ reason: String) -> String { "Pasted as text: \(reason)" }

    // MARK: Reasons

    /// What the status line says of a text that is neither saved nor in the journal.
    static func keptNowhere(_ reason: String) -> String { "not saving, and a crash loses it: \(reason)" }

    static let tryAgain = "Try again"
    static func cut(_ notes: Int) -> String { "\(Question.count(notes, "note")) cut" }
    static let noNoteOpen = "No note is open"
    static let needsPreview = "Open the preview first"
    static let onlyProjects = "Only a project has details"
    static let chooseContainer = "Choose a folder, project or tag first"
    static let createFolder = "create folder"
    static let nowhereToMove = "There is nowhere else to move it yet"
    static let noBacklinks = "No note links here"
    static let noVersions = "No earlier versions yet"
    static let noParagraph = "No paragraph here to reflow"
    static let noSnippets = "No snippets yet: write them below [snippets] in config.toml"
    static let snippets = "Snippets"
    static let writingMode = "Writing: the caret's row stays in the middle, and its paragraph stands out"
    static let noWritingMode = "The writing mode is off"
    static func words(_ number: Int, of goal: Int) -> String {
        if number < goal { return "\(number) of \(goal) words" }
        return Question.count(number, "word") + (number == goal ? ", the goal" : ", past the goal of \(goal)")
    }
    static let noRowForCaret = "No row there for another caret"
    static let nothingToMatch = "No word here to look for"
    static let noMoreMatches = "Every match has a caret"
    static let oneCaretInVim = "Vim's keys have one caret; Ctrl-V selects a block"
    static func firstMatches(_ number: Int) -> String { "Only the first \(number) matches have a caret" }
    static let nothingToFold = "Nothing to fold here"
    static let noHeadings = "Nothing to fold: no heading has text below it"
    static let nothingFolded = "Nothing is folded"
    static let linesAreSorted = "The lines are sorted already"
    static let notPasted = "Not pasted: another note was opened meanwhile"
    static let pasteGivenUp = "Not pasted: the clipboard did not answer"
    static let pathChanged = "The picture was not put in: its path was changed meanwhile"
    static let nothingToPaste = "Nothing to paste: the clipboard is empty, or cannot be read here"
    static let nothingLeftOut = "Nothing was left out"
    static let onePaneVisible = "Only one pane is visible"
    static let fileExists = "A file with this name already exists"
    static let noSuchFile = "No such file or folder"

    static func chooseLink(with key: String?) -> String { "Choose a link\(with(key)) first" }
    static func needsSearchField(_ key: String?) -> String { "Open the search first\(with(key, comma: true))" }
    static func needsSearch(_ key: String?) -> String { "Search for something first\(with(key, comma: true))" }

    static func isRead(write key: String?) -> String {
        "The note is only read now" + (key.map { "; \($0) goes back to writing" } ?? "")
    }

    static func notesAreMarked(unmark key: String?) -> String {
        "Several notes are marked" + (key.map { "; \($0) in the list unmarks them" } ?? "")
    }

    static func noTemplates(folder: String) -> String {
        "Create a folder “\(folder)”; its notes are the templates"
    }

    private static func with(_ key: String?, comma: Bool = false) -> String {
        key.map { "\(comma ? "," : "") with \($0)" } ?? ""
    }

    // MARK: Results

    /// Returns where a copied text went: `Copied the link of “Groceries” to tmux`.
    static func copied(_ name: String?, _ outcome: ClipboardOutcome) -> String {
        let copied = name.map { "Copied \($0)" } ?? "Copied"
        return switch outcome {
        case .tool(let program): "\(copied) with \(program)"
        case .tmux: "\(copied) to tmux"
        case .terminal: "\(copied) to the terminal's clipboard"
        case .tooLarge(let limit): "\(copied) inside tn only: terminals accept at most \(limit / 1_000) KB"
        case .refused(let programs): "\(copied) inside tn only: \(programs.joined(separator: " and ")) did not take it"
        case .unavailable: "\(copied) inside tn only: no clipboard was found"
        }
    }

    static func links(of notes: [NoteRow]) -> String {
        notes.count == 1 ? "the link of “\(notes[0].title)”" : "the links of \(notes.count) notes"
    }
    static func addresses(of notes: [NoteRow]) -> String {
        notes.count == 1 ? "the URL of “\(notes[0].title)”" : "the URLs of \(notes.count) notes"
    }
    static let address = "the address"
    static let answer = "the answer"

    static let wrapped = "Long lines are wrapped"
    static let notWrapped = "Long lines are not wrapped"
    static let asWideAsPane = "Text is as wide as the pane"
    static func width(_ columns: Int) -> String { "Text is at most \(columns) columns wide" }

    // MARK: Help

    static func heading(of topic: Command.Topic) -> String {
        switch topic {
        case .application: "Everywhere"
        case .panes: "Panes"
        case .moving: "Sidebar and list"
        case .notes: "Notes"
        case .folders: "Folders and tags"
        case .search: "Search"
        case .editing: "Editor"
        case .tables: "Tables"
        case .find: "Find and replace"
        case .preview: "Preview"
        case .custom: "Commands of your own"
        case .fields: "Fields of one line"
        case .overlays: "Boxes over the panes"
        }
    }

    // MARK: Counts

    /// Returns `120 of 400`.
    static func count(_ count: Int, of all: Int) -> String { "\(count) of \(all)" }
}
