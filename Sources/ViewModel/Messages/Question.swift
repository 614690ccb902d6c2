import NoteStore

/// Something that is asked before it is done; the safe answer is the default.
public struct Question: Equatable, Sendable {
    public let title: String
    /// What will happen, with its counts: a sentence or two.
    public let text: String
    /// The answer that does it: `Delete for ever`.
    public let accept: String
    /// The answer that leaves everything as it is.
    public let decline: String

    public init(title: String, text: String, accept: String, decline: String = "Cancel") {
        self.title = title
        self.text = text
        self.accept = accept
        self.decline = decline
    }

    /// A count with its noun: `1 note`, `3 notes`.
    public static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }

    /// The counts that are not zero, as a list: `3 notes, 1 folder and 1 project`.
    static func counts(_ counts: [(Int, String)]) -> String {
        let parts = counts.filter { $0.0 > 0 }.map { count($0.0, $0.1) }
        guard parts.count > 1, let last = parts.last else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + " and " + last
    }
}

extension TakeNoteVM {
    /// Asked before notes in the Trash are deleted for ever.
    public func deleteForeverQuestion(_ notes: [NoteRow]? = nil) -> Question {
        let notes = notes ?? selectedNotes
        let text = "\(describe(notes)) will be gone; this cannot be undone. A backup is made first."
        return Question(title: "Delete for ever?", text: text, accept: "Delete for ever", decline: "Keep")
    }

    /// Asked before a folder or project goes to the Trash, before a tag is deleted, or before a folder in the Trash is
    /// deleted for ever.
    public func deletionQuestion(_ container: NoteContainer) -> Question {
        let (notes, folders) = sidebar.contents(of: container.id)
        let counts = Question.counts([(notes, "note"), (folders, "folder")])
        if container.isTag {
            let text =
                container.noteCount == 0
                ? "No note has it." : "\(Question.count(container.noteCount, "note")) will lose it and stay."
            return Question(title: "Delete the tag #\(container.name)?", text: text, accept: "Delete", decline: "Keep")
        }
        if container.isInTrash {
            let text = counts.isEmpty ? "It is empty." : "\(counts) in it will be gone; this cannot be undone."
            return Question(
                title: "Delete “\(container.name)” for ever?", text: text, accept: "Delete for ever", decline: "Keep")
        }
        let text = counts.isEmpty ? "It is empty." : "\(counts) in it will go along, and can be restored."
        return Question(
            title: "Move “\(container.name)” to the Trash?", text: text, accept: "Move to Trash", decline: "Keep")
    }

    // MARK: Emptying the Trash

    /// Asks whether the Trash shall be emptied; `emptyTrashQuestion` has the counts.
    public func showEmptyTrashAlert() {
        guard canEmptyTrash else { return say("The Trash is empty", kind: .refused) }
        attempt("read the Trash") {
            saver.saveNow()
            let contents = try notebook.trash.contents()
            let counts = Question.counts([
                (contents.notes, "note"), (contents.folders, "folder"), (contents.projects, "project"),
            ])
            messages.askToEmptyTrash(
                Question(
                    title: "Empty the Trash?",
                    text: "\(counts) will be gone; this cannot be undone. A backup is made first.",
                    accept: "Empty the Trash", decline: "Keep"))
        }
    }

    /// Removes everything in the Trash for ever, after a backup.
    public func emptyTrash() {
        emptyTrashAlertIsPresented = false
        let notebook = notebook
        afterBackup("empty the Trash") {
            try notebook.trash.empty()
        } then: { [self] removed in
            if let selected = selectedContainer, selected.isInTrash, !selected.isTrash {
                try reloadContainers()
                try show(container: .trash, around: nil)
            }
            try reload()
            if let open = openNote?.id, try notebook.notes.row(open) == nil { stepOn(from: [open]) }
            let counts = Question.counts([
                (removed.notes, "note"), (removed.folders, "folder"), (removed.projects, "project"),
            ])
            say("Trash emptied: \(counts)")
        }
    }
}
