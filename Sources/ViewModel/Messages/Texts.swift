import Foundation
import NoteStore
import TextEditing

/// All texts of this module for the user, in one place, so that they can be read and translated together.
///
/// The words of Markdown, of search filters and of file formats are not texts: they are the same in every language.
enum Texts {
    // MARK: Parts of sentences

    static func quoted(_ name: String) -> String { "“\(name)”" }

    /// Returns a count with its noun: `1 note`, `3 notes`.
    static func count(_ number: Int, _ noun: String) -> String { number == 1 ? "1 \(noun)" : "\(number) \(noun)s" }

    /// Returns the title of one note in quotes, or the number of notes: `“Groceries”`, `3 notes`.
    static func notes(_ notes: [NoteRow]) -> String {
        notes.count == 1 ? quoted(notes[0].title) : "\(notes.count) notes"
    }

    /// Joins the parts of a list: `3 notes, 1 folder and 1 project`.
    static func list(_ parts: [String]) -> String {
        guard parts.count > 1, let last = parts.last else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + " and " + last
    }

    static let topLevel = "the top level"
    static let inbox = "the Inbox"
    static let notebook = "the notebook"

    /// Returns a size in decimal units: `840 bytes`, `12 KB`, `3.4 MB`.
    static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_000: "\(bytes) bytes"
        case ..<1_000_000: "\((bytes + 500) / 1_000) KB"
        default: "\((bytes + 50_000) / 1_000_000).\((bytes + 50_000) / 100_000 % 10) MB"
        }
    }

    static func kind(_ kind: NoteContainer.Kind) -> String {
        switch kind {
        case .project: "project"
        case .tag: "tag"
        default: "folder"
        }
    }

    // MARK: Sidebar and titles

    static func section(_ section: SidebarSection) -> String {
        switch section {
        case .folders: "Folders"
        case .projects: "Projects"
        case .tags: "Tags"
        case .searches: "Searches"
        }
    }

    static let searchTitle = "Search"

    // MARK: Failures

    /// - Parameter action: one of `Attempt`.
    static func couldNot(_ action: String, _ error: any Error) -> String {
        "Could not \(action): \(Sentence.of(error))"
    }

    /// The attempted actions, worded to follow "Could not ".
    enum Attempt {
        static let openFolder = "open the folder"
        static let readNotebook = "read the notebook"
        static let readList = "read the list"
        static let readNotes = "read the notes"
        static let readMarkedNotes = "read the marked notes"
        static let readTrash = "read the Trash"
        static let readTemplates = "read the templates"
        static let readTemplate = "read the template"
        static let readVersions = "read the earlier versions"
        static let compareVersions = "compare the versions"
        static let restoreVersion = "restore the version"
        static let markAll = "mark all notes"
        static let search = "search"
        static let followLink = "follow the link"
        static let openToday = "open today’s note"
        static let openWelcome = "open the welcome note"
        static let openNoteBefore = "open the previous note"
        static let createNote = "create the note"
        static let createFolder = "create the folder"
        static let repairNotebook = "repair the notebook"
        static let emptyBuffer = "put back the notes that were cut"
        static let showRepairs = "show what was repaired"
        static let repairTemplate = "repair the template"
        static let deleteTag = "delete the tag"
        static let openFile = "open the file"
        static let renameTag = "rename the tag"
        static let deleteSearch = "delete the search"
        static let removeTag = "remove the tag"
        static let setTag = "set the tag"
        static let sort = "sort the list"
        static let sortByHand = "sort by hand"
        static let moveNote = "move the note"
        static let moveToTrash = "move to the Trash"
        static let changeStar = "change the star"
        static let archive = "archive"
        static let unarchive = "unarchive"
        static let restore = "restore"
        static let move = "move"
        static let duplicate = "duplicate"
        static let merge = "merge"
        static let cut = "cut"
        static let paste = "paste"
        static let undo = "undo"
        static let redo = "redo"
        static let deleteForever = "delete for ever"
        static let emptyTrash = "empty the Trash"
        static let makeBackup = "make a backup"

        static func open(_ name: String) -> String { "open \(quoted(name))" }
        static func read(_ name: String) -> String { "read \(quoted(name))" }
        static func move(_ name: String) -> String { "move \(quoted(name))" }
        static func delete(_ name: String) -> String { "delete \(quoted(name))" }
        static func deleteForever(_ name: String) -> String { "delete \(quoted(name)) for ever" }
        static func restore(_ name: String) -> String { "restore \(quoted(name))" }
        static func changeColor(_ name: String) -> String { "change the colour of \(quoted(name))" }
        static func changeSymbol(_ name: String) -> String { "change the symbol of \(quoted(name))" }
        static func changeDetails(_ name: String) -> String { "change the details of \(quoted(name))" }
    }

    // MARK: Results for notes

    // `what` describes the notes in words.
    static func created(in folder: String) -> String { "Created in \(folder)" }
    static func created(_ title: String, in folder: String) -> String { "Created \(quoted(title)) in \(folder)" }
    static func trashed(_ what: String) -> String { "\(what) moved to the Trash" }
    static func starred(_ what: String) -> String { "\(what) starred" }
    static func unstarred(_ what: String) -> String { "\(what) unstarred" }
    static func archived(_ what: String) -> String { "\(what) archived" }
    static func unarchived(_ what: String) -> String { "\(what) unarchived" }
    static func restored(_ what: String) -> String { "\(what) restored" }
    static func moved(_ what: String, to folder: String) -> String { "\(what) moved to \(folder)" }
    static func duplicated(_ what: String) -> String { "\(what) duplicated" }
    static func merged(_ what: String) -> String { "\(what) merged into one" }
    static func deletedForever(_ what: String) -> String { "\(what) deleted for ever" }
    static func cut(_ what: String) -> String { "\(what) cut" }
    static func copied(_ what: String) -> String { "\(what) copied" }
    static func pasted(_ what: String, into folder: String) -> String { "\(what) pasted into \(folder)" }
    static func tagged(_ what: String, _ tag: String) -> String { "\(what) tagged #\(tag)" }
    static func untagged(_ what: String, _ tag: String) -> String { "#\(tag) removed from \(what)" }
    static func putElsewhere(_ done: String, _ what: String, in folder: String) -> String {
        "\(done); \(what) to \(folder), because the old folder is gone"
    }
    static func movedBack(_ what: String) -> String { "\(what) moved back" }
    static func pasteHint(_ key: String, isCut: Bool) -> String {
        "; \(key) pastes in \(isCut ? "another folder" : "any folder")"
    }
    static let renamedWithHeading = "Renamed, with the heading in the text"
    static let renamedWithLine = "Renamed, with the first line of the text"
    static func renamedTitleOnly(_ firstLine: String) -> String {
        "Only the title was renamed; the text still begins with \(quoted(firstLine))"
    }

    // MARK: Results for folders, projects, tags and searches

    static func created(_ container: NoteContainer) -> String {
        "Created \(kind(container.kind)) \(quoted(container.name))"
    }
    static func createdTag(_ name: String) -> String { "Created tag #\(name)" }
    static func folderMoved(_ name: String, to parent: String) -> String { "\(quoted(name)) moved to \(parent)" }
    static func folderTrashed(_ name: String) -> String { trashed(quoted(name)) }
    static func folderDeletedForever(_ name: String) -> String { deletedForever(quoted(name)) }
    /// - Parameters:
    ///   - newName: its new name, if its old one was taken meanwhile.
    ///   - parent: where it is now, if its old folder is gone.
    static func folderRestored(_ name: String, as newName: String?, to parent: String?) -> String {
        let renamed = newName.map { " as \(quoted($0))" } ?? ""
        return restored(quoted(name)) + renamed + (parent.map { " to \($0); its old folder is gone" } ?? "")
    }
    static func templateRepaired(_ folders: [String]) -> String {
        folders.isEmpty ? "Nothing was missing" : "Created again: \(folders.joined(separator: ", "))"
    }
    static func tagDeleted(_ name: String, undo: String?) -> String {
        "Tag #\(name) deleted" + hint(undo, "brings it back")
    }
    static func tagRenamed(_ name: String, notes: Int, undo: String?) -> String {
        "Tag renamed to #\(name), in the text of \(count(notes, "note")) too" + hint(undo, "takes it back")
    }
    static func searchSaved(_ name: String) -> String { "Search \(quoted(name)) saved in the sidebar" }
    static func searchDeleted(_ name: String, undo: String?) -> String {
        "Search \(quoted(name)) deleted" + hint(undo, "brings it back")
    }
    /// What a key does, as the end of a sentence; empty if the command has no key.
    private static func hint(_ key: String?, _ effect: String) -> String { key.map { "; \($0) \(effect)" } ?? "" }
    static func trashEmptied(_ counts: String) -> String { "Trash emptied: \(counts)" }
    static func removedFromTrash(_ counts: String) -> String {
        "Removed \(counts); what has changed meanwhile is still there"
    }
    static func notAllDeleted(_ notes: Int) -> String {
        let deleted = notes == 0 ? "No note" : count(notes, "note")
        return "\(deleted) deleted for ever; what has changed since the question is still there"
    }
    static let makingBackup = "Making a backup …"
    static func backupMade(_ path: String) -> String { "Backup made: \(path)" }
    static func imageAdded(_ name: String) -> String { "Added \(name) to the notebook" }

    // MARK: Undo

    static func undone(_ action: ActionSummary) -> String { retraced("undo", "Undone", action) }
    static func redone(_ action: ActionSummary) -> String { retraced("redo", "Redone", action) }
    private static func retraced(_ verb: String, _ done: String, _ action: ActionSummary) -> String {
        let sentence = Sentence.of(action)
        return action.isGone
            ? "Cannot \(verb): \(sentence); what it changed was deleted for ever since" : "\(done): \(sentence)"
    }
    static let nothingToUndo = "Nothing to undo"
    static let nothingToUndoHere = "Nothing to undo here; undo typing in the editor"
    static let nothingToRedo = "Nothing to redo"

    // MARK: Reasons

    static let noNoteSelected = "No note is selected"
    static let restoreNoteFirst = "Restore the note from the Trash first"
    static let renameOne = "Only one note can be renamed at a time"
    static let noteNotInTrash = "The note is not in the Trash"
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
    static let noNoteOpen = "no note is open"
    static let noLinkAtCaret = "There is no link at the caret"
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

    // MARK: Questions

    static let keep = "Keep"
    static let cancel = "Cancel"
    static let deleteForeverTitle = "Delete for ever?"
    static let deleteForeverAnswer = "Delete for ever"
    static func willBeGone(_ what: String) -> String {
        "\(what) will be gone; this cannot be undone. A backup is made first."
    }
    static func deleteTagTitle(_ name: String) -> String { "Delete the tag #\(name)?" }
    static func deleteTagText(_ notes: Int) -> String {
        notes == 0 ? "No note has it." : "\(count(notes, "note")) will lose it and stay."
    }
    static let deleteAnswer = "Delete"
    static func renameTagTitle(_ old: String, _ new: String) -> String { "Rename #\(old) to #\(new)?" }
    static func renameTagText(_ name: String, notes: Int) -> String {
        "#\(name) is in the text of \(count(notes, "note")), which will be changed there too."
    }
    static let renameAnswer = "Rename"
    static func deleteFolderForeverTitle(_ name: String) -> String { "Delete \(quoted(name)) for ever?" }
    static func deleteFolderForeverText(_ counts: String) -> String {
        counts.isEmpty ? "It is empty." : "\(counts) in it will be gone; this cannot be undone."
    }
    static func trashFolderTitle(_ name: String) -> String { "Move \(quoted(name)) to the Trash?" }
    static func trashFolderText(_ counts: String) -> String {
        counts.isEmpty ? "It is empty." : "\(counts) in it will go along, and can be restored."
    }
    static let trashFolderAnswer = "Move to Trash"
    static let emptyTrashTitle = "Empty the Trash?"
    static let emptyTrashAnswer = "Empty the Trash"

    // MARK: Other programs

    static func deletedElsewhere(_ title: String) -> String {
        "\(quoted(title)) was deleted for ever; typing here makes it again"
    }
    static func trashedElsewhere(_ title: String) -> String {
        "\(quoted(title)) is in the Trash now; typing here brings it back"
    }
    static let addWelcomeQuestion = "Add the welcome note?"
    static let addWelcomeDetails = "It is a tour to try things out, made in the Inbox."
    static let addWelcome = "Add it"
    static func besideDeleted(_ title: String) -> String {
        "\(quoted(title)), which was shown beside, was deleted for ever"
    }
    static func besideTrashed(_ title: String) -> String { "\(quoted(title)), shown beside, is in the Trash now" }
    static func keptAfterDeletion(_ title: String) -> String {
        "It was deleted for ever: your text is kept as \(quoted(title)) in the Inbox"
    }
    static let mergedWithOther = "Merged with a change from another program"
    /// - Parameter time: the time at which the other program saved its text.
    static func conflict(_ title: String, _ time: String, _ copy: String) -> String {
        "\(quoted(title)) now has what another program saved at \(time); the text of this window is in \(quoted(copy))"
    }
    static func backFromTrash(_ title: String) -> String {
        "\(quoted(title)) is back from the Trash, since you typed in it"
    }

    // MARK: Recovery

    static func recovered(_ notes: Int, in folder: String) -> String {
        "\(count(notes, "note")) without a folder: now in \(quoted(folder))"
    }
    static func damagedJournal(_ path: String, saved: [NoteRow]) -> String {
        let found = saved.isEmpty ? "nothing in it could be read" : "what it held is in \(notes(saved))"
        return "A damaged journal is kept as \(path); \(found)"
    }
    static func textWaits(in journals: [WaitingJournal]) -> String {
        let notes = journals.reduce(0) { $0 + $1.notes }
        let reason =
            switch journals.first?.problem {
            case .diskFull: "the disk is full"
            case .readOnly: "the notebook cannot be written"
            case .some(let problem): Sentence.of(problem)
            case nil: ""
            }
        return "Newer text of \(count(notes, "note")) waits in \(journals.first?.folder ?? ""), not saved: \(reason)"
    }
    static func textRecovered(as copies: [NoteRow]) -> String { "Unsaved text brought back as \(notes(copies))" }
    static func textRecovered(of saved: [NoteRow]) -> String { "Unsaved text of \(notes(saved)) brought back" }
    static func cutNotesElsewhere(_ cut: [NoteRow], in folder: String) -> String {
        "\(notes(cut)) had been cut; now in \(folder), because the old folder is gone"
    }
    static func cutNotesBack(_ cut: [NoteRow]) -> String { "\(notes(cut)) had been cut but not pasted; moved back" }

    // MARK: Saving

    static let saved = "saved"
    static let saving = "saving"
    static func notSaving(_ reason: String) -> String { "not saving: \(reason)" }
    static let savingAgain = "Saving again"
    static func notJournaling(_ reason: String) -> String { "Not journaling: \(reason)" }
    static func notSynced(_ reason: String) -> String { "Not safe against a power cut: \(reason)" }
    static let journalingAgain = "Journaling again"

    // MARK: Versions

    static func version(_ version: NoteVersion) -> String {
        let why =
            switch version.reason {
            case .left: ""
            case .restored: ", before a restore"
            case .merged: ", before a merge"
            case .outside: ", before a change from outside"
            }
        return "\(version.title) (\(count(version.wordCount, "word"))\(why))"
    }
    /// - Parameter key: the key that undoes an action in the list.
    static func versionRestored(_ key: String?) -> String {
        "Earlier version restored" + (key.map { "; \($0) in the list undoes it" } ?? "")
    }

    // MARK: Counts

    static let tableHeadings = ["Column 1", "Column 2"]
    static func carets(_ number: Int) -> String { count(number, "caret") }

    static func counts(_ counts: TextStatistics, minutes: Int, isSelection: Bool) -> String {
        let parts = [
            count(counts.words, "word"), count(counts.characters, "character"), count(counts.lines, "line"),
            minutes <= 1 ? "1 minute to read" : "\(minutes) minutes to read",
        ]
        return (isSelection ? "Selected: " : "") + parts.joined(separator: " · ")
    }

    // MARK: Find

    static let searching = "searching"
    static let noMatch = "no match"
    static func match(_ number: Int, of total: String) -> String { "\(number) of \(total)" }
    static let invalidRegex = "invalid regex"
    static func problem(_ problem: String, in title: String) -> String { "\(problem) in \(quoted(title))" }

    /// The words of the search field's grammar, with their meanings.
    static let searchGrammar: [(word: String, meaning: String)] = [
        ("tag:", "has the tag"), ("in:", "is in the folder"), ("is:starred", "has a star"),
        ("has:task", "an open task; also done, link, image"), ("title:", "in the title"),
        ("created:", "2026-01, >2026, 7d"), ("updated:", "today, 3w, 12h"), ("\"…\"", "these words together"),
        ("-word", "without it"), ("OR", "either"),
    ]

    // MARK: Long tasks

    static let exporting = "Exporting"
    static let importing = "Importing"
    static let replacing = "Replacing"
    static let rebuilding = "Rebuilding the search index"
    static func failed(_ title: String, _ error: any Error) -> String { "\(title) failed: \(Sentence.of(error))" }
    static let stoppedUnchanged = "Stopped; nothing was changed"
    static func problems(_ number: Int) -> String { number == 0 ? "" : "; \(count(number, "problem"))" }
    static func exported(_ counts: String, to folder: String, isStopped: Bool) -> String {
        let what = counts.isEmpty ? "Nothing" : counts
        return isStopped ? "Export stopped: \(what) written to \(folder)" : "\(what) exported to \(folder)"
    }
    static func imported(
        _ notes: Int, into folder: String, merged: Int = 0, unchanged: Int, isStopped: Bool
    ) -> String {
        let done = "\(count(notes, "note")) imported into \(folder)"
        let skipped = unchanged == 0 ? "" : ", \(unchanged) unchanged left out"
        return (isStopped ? "Import stopped: " : "") + done + (merged == 0 ? "" : ", \(merged) merged") + skipped
    }
    static func replaced(_ matches: Int, in notes: Int, changedMeanwhile: Int, undo: String?) -> String {
        let missed =
            changedMeanwhile == 0 ? "" : "; \(count(changedMeanwhile, "note")) changed meanwhile and stayed the same"
        let found = matches == 1 ? "1 match" : "\(matches) matches"
        return "\(found) in \(count(notes, "note")) replaced" + hint(undo, "takes it back") + missed
    }
    static func rebuilt(_ repaired: Int) -> String {
        "The index was rebuilt" + (repaired == 0 ? "" : "; \(count(repaired, "fault")) repaired")
    }
}

// MARK: - Errors and actions

/// Errors in words: the problem, where it is, and what to do.
///
/// The sentences begin in lower case and have no full stop, so that they can follow a colon.
public enum Sentence {
    /// Returns the sentence for any error; an error that is not the notebook's describes itself.
    public static func of(_ error: any Error) -> String {
        switch error {
        case let error as StoreError: error.sentence
        case let error as any CustomStringConvertible: error.description
        // Any other error uses the system's description, since its raw form would mean nothing to users.
        default: (error as NSError).localizedDescription
        }
    }
}

extension Sentence {
    /// Returns an action in words, to follow "Undone: ": `move “Groceries” to the Trash`.
    public static func of(_ action: ActionSummary) -> String {
        let what = action.count == 1 ? "“\(action.subject)”" : "\(action.count) \(things(of: action.kind))"
        let thing = action.count == 1 ? "\(noun(of: action.kind)) \(what)" : what
        return switch action.kind {
        case .star: "star \(what)"
        case .unstar: "unstar \(what)"
        case .rename: "rename \(what)"
        case .renameFolder, .renameSearch: "rename \(thing)"
        case .move: "move \(what)"
        case .moveFolder: "move \(thing)"
        case .trash: "move \(what) to the Trash"
        case .trashFolder: "move \(thing) to the Trash"
        case .restore: "restore \(what)"
        case .restoreFolder: "restore \(thing)"
        case .archive: "archive \(what)"
        case .unarchive: "unarchive \(what)"
        case .tag: "tag \(what)"
        case .untag: "untag \(what)"
        case .cut: "cut \(what)"
        case .paste: "paste \(what)"
        case .copy: "copy \(what)"
        case .merge: "merge \(what)"
        case .addFolder, .addProject, .addTag: "create \(thing)"
        case .recolor: "change the colour of \(what)"
        case .changeSymbol: "change the symbol of \(what)"
        case .reorder: "reorder \(what)"
        case .addSearch: "save \(thing)"
        case .deleteSearch, .deleteTag: "delete \(thing)"
        case .restoreVersion: "restore an earlier version of \(what)"
        case .replaceText: "replace text in \(what)"
        case .importNotes: "import \(what)"
        }
    }

    private static func noun(of kind: ActionSummary.Kind) -> String {
        let things = things(of: kind)
        return things == "searches" ? "search" : String(things.dropLast())
    }

    private static func things(of kind: ActionSummary.Kind) -> String {
        switch kind {
        case .addFolder, .renameFolder, .moveFolder, .trashFolder, .restoreFolder, .recolor, .changeSymbol: "folders"
        case .addProject: "projects"
        case .addTag, .deleteTag: "tags"
        case .addSearch, .renameSearch, .deleteSearch: "searches"
        default: "notes"
        }
    }
}

extension Sentence {
    /// Returns the problem of a search in a text, in a few words for a bar.
    public static func of(_ error: FindError) -> String {
        switch error {
        case .emptyPattern, .cancelled: ""
        case .invalidExpression: Texts.invalidRegex
        case .noSuchGroup(let group, groups: 0): "no group \(group): the regex has none"
        case .noSuchGroup(let group, let groups): "no group \(group): the regex has \(groups)"
        case .unknownEscape("\\"): "\\ at the end; \\\\ is a backslash"
        case .unknownEscape(let escape): "\(escape) means nothing here"
        case .tooSlow(let time): "stopped after \(time.components.seconds) s: regex too slow"
        case .tooComplex: "stopped: regex too complex"
        }
    }
}
