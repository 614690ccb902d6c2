import NoteStore

/// Actions on notes. Each acts on the selected notes unless it is told which.
extension TakeNoteVM {
    /// Makes an empty note where the selected container takes one, else in the Inbox, and opens it.
    ///
    /// Made while a tag is selected, it gets that tag.
    @discardableResult
    public func addNote() -> NoteRow? {
        let isHere = canAddNote && noteSearchText.isEmpty
        let target = isHere ? selectedContainer?.id ?? .inbox : .inbox
        let tags = selectedContainer.map { $0.isTag ? [$0.id] : [] } ?? []
        var made: NoteRow?
        attempt("make a note") {
            clearSearch()
            let row = try notebook.create(NewNote(folder: target, tags: tags))
            try reloadContainers()
            try show(container: target, around: row.id)
            open(row)
            made = row
        }
        if made != nil, !isHere { say("Made in \(container(target)?.name ?? "the Inbox")") }
        return made
    }

    /// Moves notes to the Trash.
    public func moveNoteToTrash(_ notes: [NoteRow]? = nil) {
        act("move to the Trash", on: notes) {
            try notebook.moveToTrash($0)
        } saying: {
            "\($0) moved to the Trash"
        }
    }

    /// Stars the notes, or takes the star from them when all have it.
    public func noteStarredToggle(_ notes: [NoteRow]? = nil) {
        let notes = notes ?? selectedNotes
        let starred = !notes.allSatisfy(\.starred)
        act("change the star", on: notes) {
            try notebook.setStarred($0, starred)
        } saying: {
            starred ? "\($0) starred" : "Star taken from \($0)"
        }
    }

    /// Takes back the last action on notes or folders.
    public func undoAction() {
        attempt("undo") {
            guard let undone = try notebook.undo() else { return say("Nothing to undo", kind: .refused) }
            try reload()
            say("Undone: \(Sentence.of(undone))")
        }
    }

    /// Does again what was taken back last.
    public func redoAction() {
        attempt("redo") {
            guard let redone = try notebook.redo() else { return say("Nothing to redo", kind: .refused) }
            try reload()
            say("Done again: \(Sentence.of(redone))")
        }
    }

    /// Does something to notes, reads anew what it changed, and says so.
    func act(
        _ action: String,
        on notes: [NoteRow]?,
        _ body: ([NoteID]) throws -> Void,
        saying sentence: (String) -> String
    ) {
        let notes = notes ?? selectedNotes
        guard !notes.isEmpty else { return say("No note is selected", kind: .refused) }
        let done = attempt(action) {
            saver.saveNow()
            try body(notes.map(\.id))
            clearMarks()
            try reload()
        }
        if done { say(sentence(describe(notes))) }
    }

    /// The notes in words: the title of one, the number of many.
    private func describe(_ notes: [NoteRow]) -> String {
        notes.count == 1 ? "“\(notes[0].title)”" : "\(notes.count) notes"
    }
}
