import NoteStore
import ViewModel

/// What can be done to notes.
@MainActor
let noteCommands: [Command] = [
    Command("note.new", "New note", .notes, keys: [.everywhere: "Ctrl-N", .list: "n"]) { $0.addNote() },
    Command("note.mark", "Mark", .notes, keys: [.list: "Space"], when: needsNote) {
        $0.model.toggleMark()
        $0.moveCursor(by: 1)
    },
    Command("note.markAll", "Mark all, or none", .notes, keys: [.list: "*"], when: needsNote) {
        $0.model.toggleAllMarks()
    },
    Command("note.star", "Star, or take the star away", .notes, keys: [.list: "s"], when: needsLiveNote) {
        $0.model.noteStarredToggle()
    },
    Command("note.trash", "Move to the Trash", .notes, keys: [.list: "d Delete"], when: needsLiveNote) {
        $0.model.moveNoteToTrash()
    },
    Command("note.copyLink", "Copy as a Markdown link", .notes, keys: [.list: "y"], when: needsNote) {
        $0.copyLinks { $0.getMarkdownLink() }
    },
    Command("note.copyURL", "Copy the URL", .notes, keys: [.list: "Y"], when: needsNote) {
        $0.copyLinks { $0.getURL() }
    },
    Command("list.sort", "Sort by the next order", .notes, keys: [.list: "o"]) { $0.model.sortByNext() },
    Command("app.undo", "Undo the last action", .notes, keys: [.browsing: "u"]) { $0.model.undoAction() },
    Command("app.redo", "Redo the action undone", .notes, keys: [.browsing: "U"]) { $0.model.redoAction() },
]

@MainActor
private func needsNote(_ interface: NotebookInterface) -> Availability {
    .when(!interface.model.selectedNotes.isEmpty, else: "No note is selected")
}

@MainActor
private func needsLiveNote(_ interface: NotebookInterface) -> Availability {
    guard needsNote(interface).isAvailable else { return needsNote(interface) }
    return .when(!interface.model.trashFolderSelected, else: "Restore the note from the Trash first")
}

extension NotebookInterface {
    /// Makes a note and puts the caret in it.
    func addNote() {
        state.searchField = nil
        state.headingUnderCursor = nil
        if model.addNote() != nil { focus(.editor) }
    }

    func copyLinks(_ text: (NoteRow) -> String) {
        guard let host else { return }
        model.say(host.copy(model.selectedNotes.map(text).joined(separator: "\n")))
    }
}
