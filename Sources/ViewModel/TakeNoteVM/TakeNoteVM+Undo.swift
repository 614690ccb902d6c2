import NoteStore

/// Undo and redo of actions on notes and folders; the text has its own.
extension TakeNoteVM {
    /// The number of notes, folders and tags up to which an action is undone without a question.
    private static let undoneUnasked = 10

    /// Returns the question before the next undo if it changes many notes, and the action; nil otherwise.
    public var undoQuestion: (question: Question, action: ActionSummary)? {
        // Undo itself reports what cannot be read.
        guard let action = try? notebook.actions.nextUndo(), action.totalCount > Self.undoneUnasked else { return nil }
        let question = Question(
            title: Texts.undoTitle(action), text: Texts.undoText(action, age: age(of: action)),
            accept: Texts.undoAnswer)
        return (question, action)
    }

    /// The time since an action, in seconds.
    private func age(of action: ActionSummary) -> Double { now().timeIntervalSince(action.date) }

    /// Undoes the last action on notes or folders.
    ///
    /// - Parameter asked: The action that the user was asked about, which another program may have undone meanwhile.
    public func undoAction(_ asked: ActionSummary? = nil) {
        if asked == nil, undoUnusedNote() { return }
        let owner = bufferOwner
        retrace(
            Texts.Attempt.undo, { try $0.actions.nextUndo() }, { try $0.actions.undo(asked, owner: owner) }
        ) { [self] undone in
            guard let undone else {
                return asked == nil ? sayNothingToUndo() : say(Texts.notNextToUndo, kind: .refused)
            }
            try reload(after: undone)
            if undone.kind == .trashFolder, let folder = undone.containers.first { try goBack(to: folder) }
            try goBack(to: undone.notes, kind: undone.kind)
            say(Texts.undone(undone, age: age(of: undone)), kind: undone.isGone ? .refused : .done)
        }
    }

    /// Removes the open note if making it was the last action, and nothing was done with it since.
    ///
    /// - Returns: whether it was removed; an empty note is of no use in the Trash.
    private func undoUnusedNote() -> Bool {
        // Undo itself reports what cannot be read.
        guard let made = open.made, let action = try? notebook.actions.nextUndo(), action.kind == .addNote,
            action.notes == [made.id], removeUntouchedNote()
        else { return false }
        attempt(Texts.Attempt.undo) {
            try reload()
            openNoteUnderCursor(by: .listChange)
            say(Texts.unused(action))
        }
        return true
    }

    /// Redoes the action that was undone last.
    public func redoAction() {
        let owner = bufferOwner
        retrace(
            Texts.Attempt.redo, { try $0.actions.nextRedo() }, { try $0.actions.redo(owner: owner) }
        ) { [self] redone in
            guard let redone else { return say(Texts.nothingToRedo, kind: .refused) }
            try reload(after: redone)
            say(Texts.redone(redone, age: age(of: redone)), kind: redone.isGone ? .refused : .done)
        }
    }

    /// Reads the changes of an action that was undone or redone; if it has taken the open note from the list, opens the
    /// next one, as the action itself does.
    private func reload(after action: ActionSummary) throws {
        let wasTrashed = openNote?.place == .trash
        let shown = selectedContainer?.id
        try reload()
        // The folder that was shown may be gone; another one is shown then, as if the user had chosen it.
        if selectedContainer?.id != shown, !search.isActive { openNoteUnderCursor(by: .listChange) }
        openNext(from: action.notes)
        // A folder takes its notes along.
        if let open = openNote, open.place == .trash, !wasTrashed { openNext(from: [open.id]) }
    }

    /// Undoes or redoes an action, in the background if it changed long texts.
    ///
    /// These must be merged with later changes.
    private func retrace(
        _ attempted: String, _ summary: (Notebook) throws -> ActionSummary?,
        _ work: @escaping @Sendable (Notebook) throws -> ActionSummary?,
        then: @escaping @MainActor @Sendable (ActionSummary?) throws -> Void
    ) {
        saver.saveNow()
        var isLong = false
        attempt(attempted) {
            let notes = try summary(notebook).map { $0.changesTexts ? $0.notes : [] } ?? []
            isLong = try notebook.notes.rows(notes).reduce(0) { $0 + $1.size } > Self.quicklyMerged
        }
        guard isLong else { return _ = attempt(attempted) { try then(work(notebook)) } }
        saver.perform { @Sendable [weak self, notebook, scheduler] in
            let outcome = Result { try work(notebook) }
            scheduler.post { _ = self?.attempt(attempted) { try then(outcome.get()) } }
        }
    }

    /// The size in bytes of texts that are merged at once: a few milliseconds.
    private static let quicklyMerged = 100_000

    /// Says that there is no action to undo; typing has its own undo, in the text.
    private func sayNothingToUndo() {
        let hasTyped = session?.canUndo == true
        say(hasTyped ? Texts.nothingToUndoHere : Texts.nothingToUndo, kind: .refused)
    }

    /// Selects a folder that undo has restored from the Trash.
    private func goBack(to folder: ContainerID) throws {
        guard !search.isActive, let folder = container(folder), !folder.isInTrash else { return }
        sidebar.reveal(folder.id)
        try show(container: folder.id, around: nil)
        openNoteUnderCursor(by: .listChange)
    }

    /// Selects the first note that undo has brought back into the list, or any note that it changed if none is open.
    private func goBack(to notes: [NoteID], kind: ActionSummary.Kind) throws {
        let isBack = [.trash, .archive, .move, .cut].contains(kind) && !isWriting
        guard isBack || openNote == nil else { return }
        // Which of them are hits is known once the search has run again.
        if search.isActive { return search.recordReturn(notes) }
        guard let query = list.query else { return }
        guard let id = try notes.first(where: { try notebook.lists.contains($0, in: query) }),
            let note = try notebook.notes.row(id)
        else { return }
        putCursor(on: note)
    }
}

extension ActionSummary {
    /// Whether undo may have to merge texts.
    fileprivate var changesTexts: Bool { [.rename, .renameTag, .replaceText, .restoreVersion].contains(kind) }
}
