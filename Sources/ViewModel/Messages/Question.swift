import NoteStore

/// A question asked before an action; the safe answer is the default.
public struct Question: Equatable, Sendable {
    public let title: String
    /// The consequences of the answer yes, with counts: a sentence or two.
    public let text: String
    /// A text that the question is about, such as a line of the shell, which is shown as it is; nil if there is none.
    public let quoted: String?
    /// The answer that runs the action: `Delete for ever`.
    public let accept: String
    /// The answer that changes nothing.
    public let decline: String

    public init(title: String, text: String, quoted: String? = nil, accept: String, decline: String) {
        self.title = title
        self.text = text
        self.quoted = quoted
        self.accept = accept
        self.decline = decline
    }

    /// Creates a question that is declined with Cancel.
    public init(title: String, text: String, accept: String) {
        self.init(title: title, text: text, accept: accept, decline: Texts.cancel)
    }

    /// Returns a count with its noun: `1 note`, `3 notes`.
    public static func count(_ number: Int, _ noun: String) -> String {
        Texts.count(number, noun)
    }

    /// Returns the counts that are not zero, as a list: `3 notes, 1 folder and 1 project`.
    static func counts(_ counts: [(Int, String)]) -> String {
        Texts.list(counts.filter { $0.0 > 0 }.map { count($0.0, $0.1) })
    }
}

extension TakeNoteVM {
    /// The question before a folder, project or tag is deleted.
    ///
    /// A folder or project goes to the Trash; `deletionForever(of:)` asks about one that is there. A tag is deleted.
    public func deletionQuestion(_ container: NoteContainer) -> Question {
        let (notes, folders) = sidebar.contents(of: container.id)
        let counts = Question.counts([(notes, "note"), (folders, "folder")])
        if container.isTag {
            return Question(
                title: Texts.deleteTagTitle(container.name), text: Texts.deleteTagText(container.noteCount),
                accept: Texts.deleteAnswer, decline: Texts.keep)
        }
        return Question(
            title: Texts.trashFolderTitle(container.name), text: Texts.trashFolderText(counts),
            accept: Texts.trashFolderAnswer, decline: Texts.keep)
    }

    // MARK: Emptying the Trash

    /// Asks whether to empty the Trash; `emptyTrashQuestion` has the counts.
    public func showEmptyTrashAlert() {
        guard canEmptyTrash else { return say(Texts.trashIsEmpty, kind: .refused) }
        attempt(Texts.Attempt.readTrash) {
            saver.saveNow()
            let contents = try notebook.trash.contents()
            let counts = Question.counts([
                (contents.notes, "note"), (contents.folders, "folder"), (contents.projects, "project"),
            ])
            messages.askToEmptyTrash(
                Question(
                    title: Texts.emptyTrashTitle, text: Texts.willBeGone(counts), accept: Texts.emptyTrashAnswer,
                    decline: Texts.keep), about: contents)
        }
    }

    /// Deletes for ever what was counted for the question, after a backup; what came into the Trash since then stays.
    public func emptyTrash() {
        emptyTrashAlertIsPresented = false
        guard let contents = messages.trashContents else { return }
        let notebook = notebook
        afterBackup(Texts.Attempt.emptyTrash) {
            try notebook.trash.empty(contents)
        } then: { [self] removed in
            if let selected = selectedContainer, selected.isInTrash, !selected.isTrash {
                try reloadContainers()
                try show(container: .trash, around: nil)
            }
            try reload()
            if let open = openNote?.id, try notebook.notes.row(open) == nil { openNext(from: [open]) }
            let counts = Question.counts([
                (removed.notes, "note"), (removed.folders, "folder"), (removed.projects, "project"),
            ])
            let isEmpty = try notebook.trash.contents().isEmpty
            say(isEmpty ? Texts.trashEmptied(counts) : Texts.removedFromTrash(counts))
        }
    }
}
