import NoteStore
import TextEditing
import ViewModel

/// Commands for notes.
@MainActor
let noteCommands: [Command] = [
    Command("note.new", "New note", .notes, keys: [.everywhere: "Ctrl-N", .list: "n"]) { $0.addNote() },
    Command("note.mark", "Mark and move down", .notes, keys: [.list: "Space"], when: { $0.model.canActOnNotes }) {
        $0.model.toggleMark()
        $0.moveCursor(by: 1)
    },
    Command(
        "note.markDown", "Mark it and the next", .notes, keys: [.list: "Shift-Down"], when: { $0.model.canActOnNotes }
    ) {
        $0.markAndMove(by: 1)
    },
    Command(
        "note.markUp", "Mark it and the one above", .notes, keys: [.list: "Shift-Up"],
        when: { $0.model.canActOnNotes }
    ) {
        $0.markAndMove(by: -1)
    },
    Command("note.markAll", "Mark all or none", .notes, keys: [.list: "*"], when: { $0.model.canActOnNotes }) {
        $0.model.toggleAllMarks()
    },
    Command(
        "note.star", "Star or unstar", .notes, keys: [.list: "s"], when: { $0.model.canChangeNotes }
    ) { $0.model.noteStarredToggle() },
    Command("note.rename", "Rename the note", .notes, keys: [.list: "r"], when: { $0.model.canRenameNote }) {
        $0.renameNote()
    },
    Command("note.move", "Move to a folder", .notes, keys: [.list: "m"], when: { $0.model.canChangeNotes }) {
        $0.moveNotes()
    },
    Command("note.tag", "Tags of the note", .notes, keys: [.list: "t"], when: { $0.model.canChangeNotes }) {
        $0.editTags()
    },
    Command(
        "note.archive", "Archive or unarchive", .notes, keys: [.list: "a"],
        when: { $0.model.canChangeNotes }
    ) { $0.model.noteArchivedToggle() },
    Command("note.cut", "Cut the note", .notes, keys: [.list: "x"], when: { $0.model.canChangeNotes }) {
        $0.model.cutNotes()
    },
    Command("note.copy", "Copy the note", .notes, keys: [.list: "c"], when: { $0.model.canActOnNotes }) {
        $0.model.copyNotes()
    },
    Command("note.paste", "Paste notes here", .notes, keys: [.browsing: "v"], when: { $0.model.canPaste }) {
        $0.model.pasteNotes()
    },
    Command("note.duplicate", "Duplicate the note", .notes, when: { $0.model.canChangeNotes }) {
        $0.model.duplicateNotes()
    },
    Command(
        "note.merge", "Merge the marked notes into one", .notes, keys: [.list: "M"], when: { $0.model.canMergeNotes }
    ) {
        $0.model.mergeNotes()
    },
    Command(
        "note.trash", "Move to the Trash; in the Trash delete for ever", .notes, keys: [.list: "d Delete"],
        when: { $0.model.canActOnNotes }
    ) { $0.trashNotes() },
    Command("note.restore", "Restore from the Trash", .notes, keys: [.list: "R"], when: { $0.model.canRestoreNotes }) {
        $0.model.restoreNotes()
    },
    Command("note.showFolder", "Go to the note's folder", .notes, when: { $0.model.canActOnNotes }) {
        if let note = $0.model.selectedNotes.first { $0.model.show(note) }
    },
    Command("note.copyLink", "Copy as a Markdown link", .notes, keys: [.list: "y"], when: { $0.model.canActOnNotes }) {
        $0.copyLines(called: Texts.links) { $0.getMarkdownLink() }
    },
    Command("note.copyURL", "Copy the URL", .notes, keys: [.list: "Y"], when: { $0.model.canActOnNotes }) {
        $0.copyLines(called: Texts.addresses) { $0.getURL() }
    },
    Command("app.undo", "Undo the last action", .notes, keys: [.browsing: "u"]) { $0.undo() },
    Command("app.redo", "Redo the last undone action", .notes, keys: [.browsing: "U"]) { $0.model.redoAction() },
]

extension NotebookInterface {
    /// Creates a note and puts the caret in it.
    func addNote() {
        state.headingUnderCursor = nil
        if model.addNote() != nil { focusNewNote() } else { offerToTryAgain() }
    }

    /// Shows why no note was created, in a box that takes the letters meant for the note.
    ///
    /// In the list they would be commands: “dear” moves a note to the Trash and opens the editor.
    private func offerToTryAgain() {
        let reason = model.notice?.text ?? ""
        show(PickerOverlay(title: reason, from: [.init(title: Texts.tryAgain) { [weak self] in self?.addNote() }]))
    }

    /// Undoes the last action, after a question if it changed many notes.
    fileprivate func undo() {
        guard let (question, action) = model.undoQuestion else { return model.undoAction() }
        show(ConfirmOverlay(question) { [weak self] in self?.model.undoAction(action) })
    }

    /// Copies a line for each selected note.
    fileprivate func copyLines(called name: ([NoteRow]) -> String, _ line: (NoteRow) -> String) {
        let notes = model.selectedNotes
        keep(Clipping(text: notes.map(line).joined(separator: "\n")), called: name(notes))
    }

    /// Marks the note under the cursor, if it is not marked, and the next one, so that repeated presses mark a run.
    fileprivate func markAndMove(by step: Int) {
        if let note = model.noteUnderCursor, !model.isMarked(note.id) { model.toggleMark() }
        let before = model.listCursor
        moveCursor(by: step)
        if model.listCursor != before, let note = model.noteUnderCursor, !model.isMarked(note.id) { model.toggleMark() }
    }

    fileprivate func renameNote() {
        guard let note = model.selectedNotes.first else { return }
        let prompt = LinePrompt(title: Texts.title, text: note.title, hints: Texts.Hints.rename) { [weak self] in
            self?.model.rename(note, to: $0)
        }
        prompt.anchor = { [weak self] in self?.list.rect(of: note.id) }
        show(prompt)
    }

    /// Moves the notes to the Trash; notes that are already there are deleted for ever, after a question.
    fileprivate func trashNotes() {
        let notes = model.selectedNotes
        // The next note is opened in the editor, and must not receive what is typed.
        if state.focus == .editor { focus(.list) }
        guard notes.allSatisfy({ $0.place == .trash }) else { return model.moveNoteToTrash(notes) }
        if let deletion = model.deletionForever(of: notes) { ask(about: deletion) }
    }

    /// The number of notes of a folder or tag beside its name; empty for none, and for a screen reader.
    private func noteCount(of container: NoteContainer) -> String {
        container.noteCount == 0 || state.theme.glyphs.isWords ? "" : "\(container.noteCount)"
    }

    /// Asks for a folder by its path, and moves the notes there.
    fileprivate func moveNotes() {
        let notes = model.selectedNotes
        let items = model.noteDestinations.map { folder in
            let isHere = notes.allSatisfy { $0.folder == folder.id }
            return PickerOverlay.Item(
                title: pathText(of: folder.id),
                detail: isHere ? Texts.currentFolder : noteCount(of: folder),
                isDisabled: isHere, reason: isHere ? Texts.inThisFolder : nil
            ) { [weak self] in self?.model.onMoveToFolder(folder.id, notes: notes) }
        }
        pickFolder(Texts.move(notesText(notes)), from: items) { [weak self] in
            self?.model.moveNotes(notes, toNewFolder: $0)
        }
    }

    /// The names from the top down: `Poems › Your Poetry › Draft`.
    func pathText(of id: ContainerID) -> String {
        model.path(of: id).joined(separator: state.theme.glyphs.separator)
    }

    /// The note's title in quotes, or the number of notes: `“Groceries”`, `3 notes`.
    func notesText(_ notes: [NoteRow]) -> String {
        notes.count == 1 ? "“\(notes[0].title)”" : Question.count(notes.count, "note")
    }

    // MARK: Tags

    /// Lets the user add and remove tags, and create the typed one if it does not exist.
    fileprivate func editTags() {
        let ids = model.selectedNotes.map(\.id)
        let title = Texts.tags(of: notesText(model.selectedNotes))
        show(
            PickerOverlay(title: title, prompt: "#", hints: Texts.Hints.tags) { [weak self] typed in
                self?.tagItems(for: ids, fitting: typed.trimmingWhitespace) ?? []
            })
    }

    /// Returns an item for each tag that fits the typed text, and one that creates the tag of that name.
    private func tagItems(for ids: [NoteID], fitting typed: String) -> [PickerOverlay.Item] {
        let notes = model.rows(of: ids)
        let pattern = typed.foldedCharacters
        var items = model.tags.filter { FuzzyMatch(pattern, in: $0.name.foldedCharacters) != nil }
            .map { tag in
                let mark =
                    switch model.coverage(of: tag.id, on: notes) {
                    case .all: "[x]"
                    case .some: "[-]"
                    case .none: "[ ]"
                    }
                return PickerOverlay.Item(
                    title: tag.name, detail: noteCount(of: tag),
                    style: state.theme.style(of: tag), mark: mark, keepsOpen: true
                ) { [weak self] in self?.model.toggleTag(tag, on: notes) }
            }
        let isNew = !typed.isEmpty && model.nameProblem(typed, kind: .tag, in: nil) == nil
        if isNew {
            let new = PickerOverlay.Item(title: typed, detail: Texts.createTag, mark: "[+]", keepsOpen: true) {
                [weak self] in
                guard let self, let reason = model.tag(notes, named: typed) else { return }
                model.say(reason, kind: .refused)
            }
            items.append(new)
        }
        return items
    }
}
