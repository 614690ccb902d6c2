import NoteStore

/// The availability of actions; interfaces disable the unavailable ones, and show the reason.
extension TakeNoteVM {
    // MARK: Selected notes

    /// The condition of actions on any note, wherever it is.
    public var canActOnNotes: Availability {
        .when(!selectedNotes.isEmpty, else: Texts.noNoteSelected)
    }

    /// The condition of actions that change notes; notes in the Trash must be restored first.
    public var canChangeNotes: Availability {
        guard canActOnNotes.isAvailable else { return canActOnNotes }
        return .when(!selectedNotes.contains { $0.place == .trash }, else: Texts.restoreNoteFirst)
    }

    /// The condition of changing the text of the open note; a note in the Trash must be restored first.
    ///
    /// If another program moves the note to the Trash while the user writes in it, the user can go on: the note comes
    /// back with what is typed.
    public var canChangeText: Availability {
        .when(!open.isOfTrash, else: Texts.restoreToWrite(restore: keyLabel("note.restore")))
    }

    /// Returns whether the user may change the text of a session; if not, a notice says why.
    func allowsChange(of session: EditorSession?) -> Bool {
        guard session === self.session, let reason = canChangeText.reason else { return true }
        say(reason, kind: .refused)
        return false
    }

    /// The condition of actions on a single note.
    public var canRenameNote: Availability {
        guard canChangeNotes.isAvailable else { return canChangeNotes }
        return .when(!multipleNotesSelected, else: Texts.renameOne)
    }

    /// The condition of restoring and of deleting for ever.
    public var canRestoreNotes: Availability {
        guard canActOnNotes.isAvailable else { return canActOnNotes }
        return .when(selectedNotes.allSatisfy { $0.place == .trash }, else: Texts.noteNotInTrash)
    }

    /// The condition of merging several notes into one.
    public var canMergeNotes: Availability {
        guard canChangeNotes.isAvailable else { return canChangeNotes }
        return .when(multipleNotesSelected, else: Texts.markToMerge)
    }

    // MARK: Containers

    /// The condition of renaming, colouring and deleting: the container must be the user's own and outside the Trash.
    public func canChange(_ container: NoteContainer?) -> Availability {
        guard let container else { return .unavailable(Texts.chooseContainer) }
        guard !container.isSystemFolder else { return .unavailable(Texts.builtIn(container.name)) }
        return .when(!container.isInTrash, else: Texts.inTrash(container.name))
    }

    /// The condition of moving: tags and projects cannot be moved.
    public func canMove(_ container: NoteContainer?) -> Availability {
        guard let container, canChange(container).isAvailable else { return canChange(container) }
        return .when(container.isFolder, else: Texts.notMovable(container))
    }

    /// The condition of restoring a folder or project, and of deleting it for ever.
    public func canRestore(_ container: NoteContainer?) -> Availability {
        guard let container, !container.isSystemFolder else {
            return .unavailable(Texts.chooseTrashedFolder)
        }
        return .when(container.isInTrash, else: Texts.notInTrash(container.name))
    }

    /// The condition of creating the missing folders of a project's template.
    public func canRepairTemplate(of container: NoteContainer?) -> Availability {
        guard let container, canChange(container).isAvailable else { return canChange(container) }
        return .when(container.isProject, else: Texts.noTemplate)
    }

    /// The condition of emptying the Trash, including the folders in it.
    public var canEmptyTrashNow: Availability { .when(canEmptyTrash, else: Texts.trashIsEmpty) }
}

extension NoteContainer {
    /// The user's word for its kind: `folder`, `project`, `tag`.
    public var kindName: String { Texts.kind(kind) }
}
