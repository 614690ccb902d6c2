import NoteStore

/// Actions on notes; each acts on the selected notes unless others are given.
extension TakeNoteVM {
    /// Creates an empty note and opens it.
    ///
    /// It goes into the selected container if that can hold notes, otherwise into a folder of its project or the Inbox.
    /// If a tag is selected, the note gets that tag. An unused note is removed again when it is left.
    @discardableResult
    public func addNote() -> NoteRow? {
        let target = folderOfNewNote
        let isHere = target == selectedContainer?.id && !search.isActive
        let tags = selectedContainer.map { $0.isTag ? [$0.id] : [] } ?? []
        var made: NoteRow?
        attempt(Texts.Attempt.createNote) {
            let left = currentLocation
            clearSearch()
            let row = try notebook.notes.createUndoably(NewNote(folder: target, tags: tags))
            if let left, left.note != nil { history.leave(left) }
            try reloadContainers()
            try show(container: target, around: row.id)
            open(row, by: .choice)
            open.recordMade(row)
            made = row
        }
        if made != nil, !isHere { say(Texts.created(in: container(target)?.name ?? Texts.inbox)) }
        return made
    }

    /// The folder for a new note.
    ///
    /// If the selected container of a project holds no notes itself, it is the nearest Draft folder of that project, or
    /// the first folder that can hold notes; in every other case it is the Inbox.
    private var folderOfNewNote: ContainerID {
        guard !search.isActive, let selected = selectedContainer, !selected.isInTrash else { return .inbox }
        if canAddNote { return selected.id }
        var above = selected.isFolder || selected.isProject ? selected : nil
        while let here = above {
            let folders = containers.filter { $0.isFolder && $0.holdsNotes && sidebar.isInside($0.id, here.id) }
            if let folder = folders.first(where: { $0.role == .draft }) ?? folders.first { return folder.id }
            above = here.parent.flatMap(container)
        }
        return .inbox
    }

    /// Moves notes to the Trash, from which they can be restored.
    public func moveNoteToTrash(_ notes: [NoteRow]? = nil) {
        act(Texts.Attempt.moveToTrash, on: notes) {
            try notebook.trash.add($0)
        } saying: {
            Texts.trashed($0)
        }
    }

    /// Stars the notes, or removes the stars if all of them have one.
    public func noteStarredToggle(_ notes: [NoteRow]? = nil) {
        let notes = notes ?? selectedNotes
        let starred = !notes.allSatisfy(\.starred)
        act(Texts.Attempt.changeStar, on: notes) {
            try notebook.notes.setStarred($0, starred)
        } saying: {
            starred ? Texts.starred($0) : Texts.unstarred($0)
        }
    }

    /// Stars those of the notes that have no star.
    private func star(_ notes: [NoteRow]) {
        let unstarred = notes.filter { !$0.starred }
        guard notes.isEmpty || !unstarred.isEmpty else { return say(Texts.alreadyStarred, kind: .refused) }
        noteStarredToggle(unstarred)
    }

    /// Moves notes to the Archive.
    public func moveNoteToArchive(_ notes: [NoteRow]? = nil) {
        act(Texts.Attempt.archive, on: notes) {
            try notebook.notes.archive($0)
        } saying: {
            Texts.archived($0)
        }
    }

    /// Returns archived notes to the folders they came from.
    private func moveNoteOutOfArchive(_ notes: [NoteRow]) {
        putBack(Texts.Attempt.unarchive, notes) {
            try notebook.notes.unarchive($0)
        } saying: {
            Texts.unarchived($0)
        }
    }

    /// Archives the notes, or unarchives them if all of them are archived.
    public func noteArchivedToggle(_ notes: [NoteRow]? = nil) {
        let notes = notes ?? selectedNotes
        if notes.allSatisfy({ $0.place == .archive }) { moveNoteOutOfArchive(notes) } else { moveNoteToArchive(notes) }
    }

    /// Restores notes from the Trash to the folders they came from.
    public func restoreNotes(_ notes: [NoteRow]? = nil) {
        putBack(Texts.Attempt.restore, notes) {
            try notebook.trash.restore($0)
        } saying: {
            Texts.restored($0)
        }
    }

    /// Sets the title of a note, and changes its heading too if that had the old title.
    ///
    /// An empty title makes the title follow the text again.
    ///
    /// - Returns: why the title was refused, or nil.
    public func rename(_ note: NoteRow, to title: String) -> String? {
        refusal {
            saver.saveNow()
            let heading = try notebook.notes.rename(note.id, to: title)
            try reload()
            switch heading {
            case .renamed: say(Texts.renamedWithHeading)
            case .renamedLine: say(Texts.renamedWithLine)
            case .stayed(let firstLine): say(Texts.renamedTitleOnly(firstLine))
            case .agrees: break
            }
        }
    }

    /// Moves notes into a folder, or does what dropping them on another container means.
    ///
    /// A tag is added to them, Starred stars them, the Trash and the Archive receive them.
    public func onMoveToFolder(_ target: ContainerID, notes: [NoteRow]? = nil) {
        guard let folder = container(target) else { return }
        switch folder.kind {
        case .trash: return moveNoteToTrash(notes)
        case .archive: return moveNoteToArchive(notes)
        case .tag: return addTag(folder, to: notes)
        case .starred: return star(notes ?? selectedNotes)
        default: break
        }
        act(Texts.Attempt.move, on: notes) {
            try notebook.notes.move($0, to: target)
        } saying: {
            Texts.moved($0, to: folder.name)
        }
    }

    /// Creates a folder by its path, with the missing folders on the way, and moves notes into it.
    public func moveNotes(_ notes: [NoteRow], toNewFolder path: String) {
        var folder: NoteContainer?
        attempt(Texts.Attempt.createFolder) {
            folder = try notebook.folders.create(path: Notebook.Containers.names(ofPath: path))
            try reloadContainers()
        }
        if let folder { onMoveToFolder(folder.id, notes: notes) }
    }

    /// Creates a copy of each note in the same folder.
    public func duplicateNotes(_ notes: [NoteRow]? = nil) {
        let notes = notes ?? selectedNotes
        var made: [NoteRow] = []
        act(Texts.Attempt.duplicate, on: notes) {
            made = try notebook.notes.duplicate($0)
        } saying: {
            Texts.duplicated($0)
        }
        if let first = made.first { putCursor(on: first) }
    }

    /// Merges several notes into a new one, in the order of marking, and opens it; the originals go to the Trash.
    public func mergeNotes(_ notes: [NoteRow]? = nil) {
        let notes = notes ?? selectedNotes
        guard notes.count > 1 else { return say(Texts.markToMerge, kind: .refused) }
        var merged: NoteRow?
        act(Texts.Attempt.merge, on: notes) {
            merged = try notebook.notes.merge($0)
        } saying: {
            Texts.merged($0)
        }
        if let merged { putCursor(on: merged) }
    }

    // MARK: Helpers

    /// Runs an action on notes, reads the changes, and shows a message.
    func act(
        _ action: String,
        on notes: [NoteRow]?,
        keepingMarks: Bool = false,
        _ body: ([NoteID]) throws -> Void,
        saying sentence: (String) -> String
    ) {
        let notes = notes ?? selectedNotes
        guard !notes.isEmpty else { return say(Texts.noNoteSelected, kind: .refused) }
        let done = attempt(action) {
            saver.saveNow()
            try body(notes.map(\.id))
            if !keepingMarks { clearMarks() }
            try reload()
            openNext(from: notes.map(\.id))
        }
        if done { say(sentence(describe(notes))) }
    }

    /// Returns notes to the folders they came from, and says which could not go there.
    private func putBack(
        _ action: String, _ notes: [NoteRow]?, _ body: ([NoteID]) throws -> [NoteRow],
        saying sentence: (String) -> String
    ) {
        var elsewhere: [NoteRow] = []
        act(action, on: notes) {
            elsewhere = try body($0)
        } saying: { what in
            guard let first = elsewhere.first else { return sentence(what) }
            return Texts.putElsewhere(sentence(what), describe(elsewhere), in: first.folderName)
        }
    }

    /// Runs an action that can be refused.
    ///
    /// - Returns: the reason as a sentence; nil if it succeeded.
    func refusal(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return Sentence.of(error)
        }
    }

    /// Puts the list's cursor on a note, if the list contains it, and opens it.
    func putCursor(on note: NoteRow) {
        attempt(Texts.Attempt.readList) { try reloadList(around: note.id) }
        openNoteUnderCursor(by: .choice)
    }

    /// The notes in words: the title of one, the number of several.
    func describe(_ notes: [NoteRow]) -> String { Texts.notes(notes) }
}
