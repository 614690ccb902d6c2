import NoteStore
import Terminal
import ViewModel

/// The texts of the window.
///
/// Other texts of the window are the titles of commands, in the tables of commands, and those of settings, in
/// `Setting.all`.
enum Texts {
    static let sidebarHidden = "The sidebar is shown only while it has the keys"
    static let sidebarShown = "The sidebar stays"
    static let oneRowEach = "One row for each note"
    static let twoRowsEach = "Two rows for each note"
    static let notebooks = "Notebooks"
    static let newNotebook = ["New notebook “", "”"]

    // MARK: Requests of other programs

    static func cameTo(_ title: String, back: String?) -> String {
        "Opened “\(title)” from outside" + (back.map { "; \($0) goes back" } ?? "")
    }
    static let noteAsksToBeOpened = "A note is to be opened from outside; close this first"

    // MARK: Overlays

    /// The hints of overlays, shown with their keys in the frame of the box and in the status line.
    enum Hints {
        static let cancel = [KeyHint("overlay.cancel", "cancel", rank: 0)]
        static let closes = [KeyHint("overlay.cancel", "closes", rank: 0)]
        static let help = [KeyHint("overlay.find", "finds"), KeyHint("overlay.pageDown", "scrolls")] + closes
        /// The hints while the text to find in a pager is typed.
        static let finding = [KeyHint("overlay.down", "next"), KeyHint("overlay.accept", "done")] + cancel
        static let picker = [KeyHint("overlay.accept", "select")] + cancel
        static let prompt = [KeyHint("overlay.accept", "OK")] + cancel
        /// What an empty field means where a note is renamed, for the smallest screens.
        static let emptyTitle = "empty: first line"
        static let rename = [KeyHint("overlay.accept", "saves; leave empty to use the first line")]
        static let tags = [KeyHint("overlay.accept", "toggles")] + closes
        static let color = [KeyHint("overlay.accept", "select, or type #RRGGBB")]
        static let path = [KeyHint("overlay.next", "completes"), KeyHint("overlay.accept", "OK")] + cancel
        static let project = [KeyHint("overlay.next", "next"), KeyHint("overlay.accept", "create")] + cancel
        static let history =
            [KeyHint("overlay.pageDown", "scrolls"), KeyHint("overlay.accept", "restores")] + closes
        static let conflicts =
            [
                KeyHint("overlay.keepThis", "keeps -"), KeyHint("overlay.keepThat", "keeps +"),
                KeyHint("overlay.keepBoth", "keeps both"), KeyHint("overlay.accept", "edits both"),
            ] + closes
        static let replaceFields =
            [KeyHint("overlay.next", "next"), KeyHint("find.replaceAll", "replaces")] + cancel
        static let replaceList =
            [KeyHint("overlay.toggle", "excludes"), KeyHint("overlay.accept", "replaces")] + cancel
        static let stops = [KeyHint("overlay.cancel", "stops it")]
        static let consent = [
            KeyHint("overlay.yes", "once"), KeyHint("overlay.toggleAll", "always"), KeyHint("overlay.no", "no"),
        ]
    }

    /// The hints in the status line, by state of the window, in display order.
    ///
    /// If the line is short, the hint with the highest rank is dropped first.
    enum Footer {
        static func of(_ context: HintContext) -> [KeyHint] {
            switch context {
            case .list: [KeyHint("note.new", "new", rank: 5), KeyHint("search.start", "search", rank: 4)] + general(1)
            case .trash:
                [KeyHint("note.restore", "restore", rank: 0), KeyHint("note.trash", "delete for ever", rank: 1)]
                    + general(2)
            case .sidebar:
                [KeyHint("folder.new", "new folder", rank: 4), KeyHint("folder.rename", "rename", rank: 5)] + general(1)
            case .fixedInSidebar: [KeyHint("folder.new", "new folder", rank: 4)] + general(1)
            case .trashInSidebar: [KeyHint("trash.empty", "empty", rank: 0)] + general(1)
            case .trashedFolder:
                [KeyHint("folder.restore", "restore", rank: 0), KeyHint("folder.delete", "delete for ever", rank: 1)]
                    + general(2)
            case .editor:
                [
                    KeyHint("pane.list", "list", rank: 0), KeyHint("find.start", "find", rank: 4),
                    KeyHint("note.preview", "preview", rank: 3),
                ] + closingHints(1)
            case .carets:
                [
                    KeyHint("pane.list", "one caret", rank: 0), KeyHint("carets.nextMatch", "next match", rank: 3),
                ] + closingHints(1)
            case .preview:
                [
                    KeyHint("note.preview", "write", rank: 0), KeyHint("find.start", "find", rank: 3),
                    KeyHint("preview.nextLink", "next link", rank: 4),
                ] + general(1)
            case .search:
                [
                    KeyHint("search.complete", "complete", rank: 2), KeyHint("search.save", "save", rank: 3),
                    KeyHint("search.open", "open", rank: 1), KeyHint("search.cancel", "cancel", rank: 0),
                ]
            case .find:
                [
                    KeyHint("find.next", "next", rank: 1), KeyHint("find.field", "other field", rank: 3),
                    KeyHint("find.replaceAll", "replace all", rank: 2), KeyHint("find.close", "close", rank: 0),
                ]
            case .findInPreview:
                [
                    KeyHint("find.next", "next", rank: 1), KeyHint("find.previous", "previous", rank: 2),
                    KeyHint("find.close", "close", rank: 0),
                ]
            }
        }

        /// Returns the hints of an overlay, with the help and the key that closes the overlay.
        static func of(_ hints: [KeyHint]) -> [KeyHint] {
            let isLeft = hints.contains { $0.command == "overlay.cancel" }
            return [KeyHint("app.help", "help", rank: 4)] + hints + (isLeft ? [] : Hints.cancel)
        }

        private static func general(_ rank: Int) -> [KeyHint] {
            [KeyHint("app.help", "help", rank: rank)] + closingHints(rank + 1)
        }

        private static func closingHints(_ rank: Int) -> [KeyHint] {
            [
                KeyHint("app.palette", "commands", rank: rank + 1, in: .everywhere),
                KeyHint("app.quit", "quit", rank: rank, in: .everywhere),
            ]
        }
    }

    static func notInText(_ text: String) -> String { "“\(text)” is not in this text" }
    static let escCancels = "Esc cancel"
    static let moreKeys = "more keys"
    static func noCommand(on keys: String) -> String { "\(keys) has no command here" }

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

    // MARK: Boxes

    static let help = "Help"
    static let report = "Report"
    static let news = "What is new"
    static let title = "Title"
    static let earlierVersions = "Earlier versions"
    static let comparing = "Comparing …"
    static let conflicts = "Conflicts between machines"
    static let identicalTexts = "Both texts are the same."
    static let originalIsGone = "its note is gone"
    static let noConflicts = "There are no conflicts between machines"
    static let notSynchronised = "This notebook is not synchronised; tn sync init URL begins it"
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

    // MARK: Reasons

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
    static let noParagraph = "No paragraph here to break anew"
    static let noSnippets = "No snippets yet: write them below [snippets] in config.toml"
    static let snippets = "Snippets"
    static let writingMode = "Writing: the caret's row stays in the middle, and its paragraph stands out"
    static let noWritingMode = "The writing mode is over"
    static func words(_ number: Int, of goal: Int) -> String {
        number < goal ? "\(number) of \(goal) words" : "\(Question.count(number, "word")), the goal"
    }
    static let noRowForCaret = "No row there for another caret"
    static let nothingToMatch = "No word here to look for"
    static let noMoreMatches = "Every match has a caret"
    static let oneCaretInVim = "vim's keys have one caret; Ctrl-V selects a block"
    static func firstMatches(_ number: Int) -> String { "Only the first \(number) matches have a caret" }
    static let nothingToFold = "Nothing to fold here"
    static let notPasted = "Not pasted: another note was opened meanwhile"
    static let pathChanged = "The picture was not put in: its path was changed meanwhile"
    static let nothingToPaste = "Nothing to paste: the clipboard is empty, or cannot be read here"
    static let nothingLeftOut = "Nothing was left out"
    static let onePaneVisible = "Only one pane is visible"
    static let fileExists = "A file with this name already exists"
    static let noSuchFile = "No such file or folder"

    static func chooseLink(with key: String?) -> String { "Choose a link\(with(key)) first" }
    static func needsSearchField(_ key: String?) -> String { "Open the search first\(with(key, comma: true))" }
    static func needsSearch(_ key: String?) -> String { "Search for something first\(with(key, comma: true))" }

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

    static let wrapped = "Long lines are wrapped"
    static let notWrapped = "Long lines are not wrapped"
    static let asWideAsPane = "Text is as wide as the pane"
    static func width(_ columns: Int) -> String { "Text is at most \(columns) columns wide" }

    // MARK: Panes

    static let program = "TakeNote"
    static let noNoteOpenYet = "No note is open."
    static let cellBelow = "Cell below, in a new row at the end"
    static let nextCell = "Next cell"
    static let previousCell = "Previous cell"
    static let stops = "stops"

    /// The message on a screen that is too small.
    static func needs(_ size: Size) -> String { "tn needs \(size.columns)x\(size.rows)" }

    /// Names the key that is useful in an empty list.
    static func press(_ key: String, _ purpose: String) -> String { "Press \(key) \(purpose)." }

    /// The effect of the key in the first steps, from the longest text to the shortest.
    static let keepsWelcome = [
        " keeps this as a note to try things in", " keeps this as a note", " keeps this",
    ]

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

    // MARK: Counts

    /// Returns `120 of 400`.
    static func count(_ count: Int, of all: Int) -> String { "\(count) of \(all)" }
}
