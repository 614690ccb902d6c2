import NoteStore

/// A deletion for ever that the user is asked about.
///
/// What was counted for the question is deleted and nothing else: what other programs add, change or restore while the
/// question is on the screen stays.
public struct DeletionForever: Sendable {
    public let question: Question
    fileprivate let target: Target
    fileprivate let counted: TrashContents

    fileprivate enum Target: Sendable {
        case notes([NoteRow])
        case folder(NoteContainer)
    }
}

extension TakeNoteVM {
    /// Counts notes in the Trash for the question before they are deleted for ever; nil after a notice if there are none.
    public func deletionForever(of notes: [NoteRow]? = nil) -> DeletionForever? {
        let notes = notes ?? selectedNotes
        guard !notes.isEmpty else {
            say(Texts.noNoteSelected, kind: .refused)
            return nil
        }
        return counted(Texts.Attempt.deleteForever) {
            DeletionForever(
                question: Question(
                    title: Texts.deleteForeverTitle, text: Texts.willBeGone(describe(notes)),
                    accept: Texts.deleteForeverAnswer, decline: Texts.keep),
                target: .notes(notes), counted: try notebook.trash.contents(of: notes.map(\.id)))
        }
    }

    /// Counts a folder or project in the Trash, with all its contents, for the question before it is deleted for ever.
    public func deletionForever(of folder: NoteContainer) -> DeletionForever? {
        counted(Texts.Attempt.deleteForever(folder.name)) {
            let contents = try notebook.trash.contents(of: [folder.id])
            let (folders, projects) = folder.isProject ? (0, -1) : (-1, 0)
            let counts = Question.counts([
                (contents.notes, "note"), (contents.folders + folders, "folder"),
                (contents.projects + projects, "project"),
            ])
            return DeletionForever(
                question: Question(
                    title: Texts.deleteFolderForeverTitle(folder.name), text: Texts.deleteFolderForeverText(counts),
                    accept: Texts.deleteForeverAnswer, decline: Texts.keep),
                target: .folder(folder), counted: contents)
        }
    }

    private func counted(_ action: String, _ count: () throws -> DeletionForever) -> DeletionForever? {
        var deletion: DeletionForever?
        attempt(action) {
            // A save after the question would look like a change by another program.
            saver.saveNow()
            deletion = try count()
        }
        return deletion
    }

    /// Deletes for ever what was counted for the question, after a backup.
    public func perform(_ deletion: DeletionForever) {
        switch deletion.target {
        case .notes(let notes): deleteForever(notes, deletion.counted)
        case .folder(let folder): deleteForever(folder, deletion.counted)
        }
    }

    private func deleteForever(_ notes: [NoteRow], _ counted: TrashContents) {
        let notebook = notebook
        afterBackup(Texts.Attempt.deleteForever) {
            try notebook.trash.deleteForever(notes.map(\.id), counted: counted)
        } then: { [self] removed in
            clearMarks()
            try reload()
            let gone = try notes.filter { try notebook.notes.row($0.id) == nil }
            openNext(from: gone.map(\.id))
            say(removed == counted ? Texts.deletedForever(describe(notes)) : Texts.notAllDeleted(removed.notes))
        }
    }

    private func deleteForever(_ folder: NoteContainer, _ counted: TrashContents) {
        let notebook = notebook
        afterBackup(Texts.Attempt.deleteForever(folder.name)) {
            try notebook.trash.deleteForever([folder.id], counted: counted)
        } then: { [self] removed in
            guard removed == counted else {
                try reloadContainers()
                try reload()
                return say(Texts.notAllDeleted(removed.notes))
            }
            try leave(folder)
            say(Texts.folderDeletedForever(folder.name))
        }
    }
}
