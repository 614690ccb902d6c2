import NoteStore

/// What can be done now, and if not, why: faces disable what cannot, and say the reason.
extension TakeNoteVM {
    // MARK: To the selected notes

    /// For what works on any note, wherever it is.
    public var canActOnNotes: Availability {
        .when(!selectedNotes.isEmpty, else: "No note is selected")
    }

    /// For what changes notes: in the Trash only restoring, deleting for ever, copying and exporting work.
    public var canChangeNotes: Availability {
        guard canActOnNotes.isAvailable else { return canActOnNotes }
        return .when(!selectedNotes.contains { $0.place == .trash }, else: "Restore the note from the Trash first")
    }

    /// For what acts on one note alone.
    public var canRenameNote: Availability {
        guard canChangeNotes.isAvailable else { return canChangeNotes }
        return .when(!multipleNotesSelected, else: "Only one note can be renamed at a time")
    }

    /// For restoring and deleting for ever.
    public var canRestoreNotes: Availability {
        guard canActOnNotes.isAvailable else { return canActOnNotes }
        return .when(selectedNotes.allSatisfy { $0.place == .trash }, else: "The note is not in the Trash")
    }

    /// For making one note of several.
    public var canMergeNotes: Availability {
        guard canChangeNotes.isAvailable else { return canChangeNotes }
        return .when(multipleNotesSelected, else: "Mark the notes to merge first")
    }

    // MARK: To a container

    /// For renaming, colouring, deleting: what is the user's own and not in the Trash.
    public func canChange(_ container: NoteContainer?) -> Availability {
        guard let container else { return .unavailable("Choose a folder, project or tag first") }
        guard !container.isSystemFolder else {
            return .unavailable("“\(container.name)” is built in and can't be changed")
        }
        return .when(!container.isInTrash, else: "“\(container.name)” is in the Trash; restore it first")
    }

    /// For moving: tags and projects have no place but their own.
    public func canMove(_ container: NoteContainer?) -> Availability {
        guard let container, canChange(container).isAvailable else { return canChange(container) }
        return .when(
            container.isFolder, else: "Only folders can be moved; “\(container.name)” is a \(container.kindName)")
    }

    /// For restoring a folder or project, and deleting it for ever.
    public func canRestore(_ container: NoteContainer?) -> Availability {
        guard let container, !container.isSystemFolder else {
            return .unavailable("Choose a folder in the Trash first")
        }
        return .when(container.isInTrash, else: "“\(container.name)” is not in the Trash")
    }

    /// For making the folders of a project's template again.
    public func canRepairTemplate(of container: NoteContainer?) -> Availability {
        guard let container, canChange(container).isAvailable else { return canChange(container) }
        return .when(container.isProject, else: "Only a project has a template")
    }

    /// For emptying the Trash, folders in it included.
    public var canEmptyTrashNow: Availability { .when(canEmptyTrash, else: "The Trash is empty") }
}

extension NoteContainer {
    /// What the user calls it: `folder`, `project`, `tag`.
    public var kindName: String {
        switch kind {
        case .project: "project"
        case .tag: "tag"
        default: "folder"
        }
    }
}
