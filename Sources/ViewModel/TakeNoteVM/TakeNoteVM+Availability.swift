import NoteStore

/// What can be done now, and if not, why: faces disable what cannot, and say the reason.
extension TakeNoteVM {
    // MARK: To the selected notes

    /// For what works on any note, wherever it is.
    public var canActOnNotes: Availability {
        .when(!selectedNotes.isEmpty, else: Texts.noNoteSelected)
    }

    /// For what changes notes: in the Trash only restoring, deleting for ever, copying and exporting work.
    public var canChangeNotes: Availability {
        guard canActOnNotes.isAvailable else { return canActOnNotes }
        return .when(!selectedNotes.contains { $0.place == .trash }, else: Texts.restoreNoteFirst)
    }

    /// For what acts on one note alone.
    public var canRenameNote: Availability {
        guard canChangeNotes.isAvailable else { return canChangeNotes }
        return .when(!multipleNotesSelected, else: Texts.renameOne)
    }

    /// For restoring and deleting for ever.
    public var canRestoreNotes: Availability {
        guard canActOnNotes.isAvailable else { return canActOnNotes }
        return .when(selectedNotes.allSatisfy { $0.place == .trash }, else: Texts.noteNotInTrash)
    }

    /// For making one note of several.
    public var canMergeNotes: Availability {
        guard canChangeNotes.isAvailable else { return canChangeNotes }
        return .when(multipleNotesSelected, else: Texts.markToMerge)
    }

    // MARK: To a container

    /// For renaming, colouring, deleting: what is the user's own and not in the Trash.
    public func canChange(_ container: NoteContainer?) -> Availability {
        guard let container else { return .unavailable(Texts.chooseContainer) }
        guard !container.isSystemFolder else { return .unavailable(Texts.builtIn(container.name)) }
        return .when(!container.isInTrash, else: Texts.inTrash(container.name))
    }

    /// For moving: tags and projects have no place but their own.
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

    /// For making the folders of a project's template again.
    public func canRepairTemplate(of container: NoteContainer?) -> Availability {
        guard let container, canChange(container).isAvailable else { return canChange(container) }
        return .when(container.isProject, else: Texts.noTemplate)
    }

    /// For emptying the Trash, folders in it included.
    public var canEmptyTrashNow: Availability { .when(canEmptyTrash, else: Texts.trashIsEmpty) }
}

extension NoteContainer {
    /// What the user calls it: `folder`, `project`, `tag`.
    public var kindName: String { Texts.kind(kind) }
}
