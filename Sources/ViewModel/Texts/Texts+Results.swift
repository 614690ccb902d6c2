import NoteStore

/// Sentences of the status line about finished actions.
extension Texts {
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
    static func tagStays(_ name: String) -> String {
        "No note has #\(name) by itself now; it stays for the tags below it"
    }
    static func tagRenamed(_ name: String, notes: Int, undo: String?) -> String {
        "Tag renamed to #\(name), in the text of \(count(notes, "note")) too" + hint(undo, "takes it back")
    }
    static func tagLeft(_ name: String, in title: String, others: Int) -> String {
        let notes = quoted(title) + (others == 0 ? "" : " and \(count(others, "other note"))")
        let verb = others == 0 ? "has" : "have"
        return "Tag renamed, but \(notes) still \(verb) \(name) in front matter that cannot hold the new name; "
            + "change it by hand"
    }
    static func searchSaved(_ name: String) -> String { "Search \(quoted(name)) saved in the sidebar" }
    static func searchDeleted(_ name: String, undo: String?) -> String {
        "Search \(quoted(name)) deleted" + hint(undo, "brings it back")
    }
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

    /// - Parameter age: the time since the action, in seconds.
    static func undone(_ action: ActionSummary, age: Double) -> String {
        let isInTrash = action.kind == .addNote && !action.isGone
        return retraced("undo", "Undone", action, age) + (isInTrash ? "; it is in the Trash" : "")
    }
    /// An undone action that made a note which nobody has used, and which is gone.
    static func unused(_ action: ActionSummary) -> String { retraced("undo", "Undone", action, 0) }
    static func redone(_ action: ActionSummary, age: Double) -> String { retraced("redo", "Redone", action, age) }
    /// An action of another window, such as one that was closed days ago, is told with its age.
    private static func retraced(_ verb: String, _ done: String, _ action: ActionSummary, _ age: Double) -> String {
        let sentence = Sentence.of(action)
        if action.isGone { return "Cannot \(verb): \(sentence); what it changed was deleted for ever since" }
        if action.isOwn { return "\(done): \(sentence)" }
        let when = age < 60 ? "not done in this window" : "done \(ago(age)), not in this window"
        return "\(done): \(sentence), \(when)"
    }
    static func undoTitle(_ action: ActionSummary) -> String { "Undo: \(Sentence.of(action))?" }
    /// - Parameter age: the time since the action, in seconds.
    static func undoText(_ action: ActionSummary, age: Double) -> String {
        "It was done \(ago(age)), \(action.isOwn ? "in this window" : "not in this window")."
    }
    /// - Parameter age: a time in seconds.
    private static func ago(_ age: Double) -> String {
        let minutes = Int(age / 60)
        if minutes < 1 { return "just now" }
        if minutes < 60 { return "\(count(minutes, "minute")) ago" }
        return minutes < 1440 ? "\(count(minutes / 60, "hour")) ago" : "\(count(minutes / 1440, "day")) ago"
    }
    static let undoAnswer = "Undo"
    static let nothingToUndo = "Nothing to undo"
    static let notNextToUndo = "Nothing was undone: another program has undone or done something meanwhile"
    static let nothingToUndoHere = "Nothing to undo here; undo typing in the editor"
    static let nothingToRedo = "Nothing to redo"
}
