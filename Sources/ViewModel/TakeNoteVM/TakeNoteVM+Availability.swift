import NoteStore

/// Which actions are available now, and why the others are not: interfaces disable these, and show the reason.
extension TakeNoteVM {
    // MARK: Selected notes

    /// For actions on any note, wherever it is.
    public var canActOnNotes: Availability {
        .when(!selectedNotes.isEmpty, else: Texts.noNoteSelected)
    }

    /// For actions that change notes; in the Trash only restoring, deleting for ever, copying and exporting work.
    public var canChangeNotes: Availability {
        guard canActOnNotes.isAvailable else { return canActOnNotes }
        return .when(!selectedNotes.contains { $0.place == .trash }, else: Texts.restoreNoteFirst)
    }

    /// For actions on a single note.
    public var canRenameNote: Availability {
        guard canChangeNotes.isAvailable else { return canChangeNotes }
        return .when(!multipleNotesSelected, else: Texts.renameOne)
    }

    /// For restoring and deleting for ever.
    public var canRestoreNotes: Availability {
        guard canActOnNotes.isAvailable else { return canActOnNotes }
        return .when(selectedNotes.allSatisfy { $0.place == .trash }, else: Texts.noteNotInTrash)
    }

    /// For merging several notes into one.
    public var canMergeNotes: Availability {
        guard canChangeNotes.isAvailable else { return canChangeNotes }
        return .when(multipleNotesSelected, else: Texts.markToMerge)
    }

    // MARK: Containers

    /// For renaming, colouring and deleting: the container must be the user's own and outside of the Trash.
    public func canChange(_ container: NoteContainer?) -> Availability {
        guard let container else { return .unavailable(Texts.chooseContainer) }
        guard !container.isSystemFolder else { return .unavailable(Texts.builtIn(container.name)) }
        return .when(!container.isInTrash, else: Texts.inTrash(container.name))
    }

    /// For moving: tags and projects cannot be moved.
    public func canMove(_ container: NoteContainer?) -> Availability {
        guard let container, canChange(container).isAvailable else { return canChange(container) }
        return .when(container.isFolder, else: Texts.notMovable(container))
    }

    /// For restoring a folder or project, and deleting it for ever.
    public func canRestore(_ container: NoteContainer?) -> Availability {
        guard let container, !container.isSystemFolder else {
            return .unavailable(Texts.chooseTrashedFolder)
        }
        return .when(container.isInTrash, else: Texts.notInTrash(container.name))
    }

    /// For creating the missing folders of a project's template.
    public func canRepairTemplate(of container: NoteContainer?) -> Availability {
        guard let container, canChange(container).isAvailable else { return canChange(container) }
        return .when(container.isProject, else: Texts.noTemplate)
    }

    /// For emptying the Trash, folders in it included.
    public var canEmptyTrashNow: Availability { .when(canEmptyTrash, else: Texts.trashIsEmpty) }
}

extension NoteContainer {
    /// The user's word for its kind: `folder`, `project`, `tag`.
    public var kindName: String { Texts.kind(kind) }
}
