import TextEditing
import ViewModel

/// Moving and changing text.
@MainActor
let editingCommands: [Command] =
    motionCommands + deletingCommands + lineCommands + foldingCommands + viewingCommands + [
        edit("edit.newLine", "New line; continues a list", "Enter") { $0.newLine() },
        edit("edit.tab", "Indent the item, next cell, or a tab", "Tab") { $0.tab(backwards: false) },
        edit("edit.outdent", "Outdent the item, or previous cell", "Shift-Tab") { $0.tab(backwards: true) },
        edit("edit.task", "Toggle the checkbox", "Ctrl-T Ctrl-Space") { $0.toggleTask() },
        edit("edit.undo", "Undo", "Ctrl-Z") { $0.undo() },
        edit("edit.redo", "Redo", "Ctrl-Y") { $0.redo() },
        edit("edit.selectAll", "Select all", "Ctrl-A") { $0.selectAll() },
        editing("edit.copy", "Copy the selection or line", "Ctrl-C") { $0.copySelection() },
        editing("edit.cut", "Cut the selection or line", "Ctrl-X") { $0.cutSelection() },
        editing("edit.paste", "Paste what was cut or copied here", "Ctrl-V") { $0.pasteClipboard() },
        editing("edit.save", "Save now", "Ctrl-S") { $0.model.saveNow() },
    ]

/// What acts on whole lines or on the letters of the selection.
@MainActor
private let lineCommands: [Command] = [
    edit("line.moveUp", "Move the lines up", "Alt-Up") { $0.moveLines(down: false) },
    edit("line.moveDown", "Move the lines down", "Alt-Down") { $0.moveLines(down: true) },
    edit("line.duplicate", "Duplicate the selection or line") { $0.change { $0.duplicate() } },
    edit("line.join", "Join the lines") { $0.change { $0.joinLines() } },
    edit("line.sort", "Sort the lines") { $0.change { $0.sortLines() } },
    edit("line.trim", "Trim the ends of lines") { $0.change { $0.trimTrailingSpace() } },
    edit("text.transpose", "Transpose the characters") { $0.change { $0.transpose() } },
    edit("text.upperCase", "To upper case") { $0.change { $0.changeCase(.upper) } },
    edit("text.lowerCase", "To lower case") { $0.change { $0.changeCase(.lower) } },
]

/// Folding what stands under headings away.
@MainActor
private let foldingCommands: [Command] = [
    editing("fold.toggle", "Fold or unfold the section", "Alt-.") { interface in
        if interface.model.session?.toggleFold() == false {
            interface.model.say("Nothing to fold here", kind: .refused)
        }
    },
    edit("fold.all", "Fold all sections: show the headings") { $0.foldAll() },
    edit("fold.none", "Unfold all sections", "Alt-,") { $0.unfoldAll() },
]

/// How the text is set.
@MainActor
private let viewingCommands: [Command] = [
    Command("view.wrap", "Toggle line wrapping", .editing) { interface in
        interface.model.editorSettings.wrap.toggle()
        interface.model.say(
            interface.model.editorSettings.wrap ? "Long lines are wrapped" : "Long lines are not wrapped")
    },
    Command("view.lineNumbers", "Toggle line numbers", .editing) { $0.model.editorSettings.lineNumbers.toggle() },
    editing("view.count", "Count words and characters", "") { interface in
        interface.model.session.map { interface.model.say($0.countSummary) }
    },
    Command("view.readableWidth", "Toggle the readable width", .editing) { $0.toggleReadableWidth() },
]

/// The motions, each of which selects when Shift is held.
@MainActor
private let motionCommands: [Command] = [
    motion("left", "Left", "Left") { _ in .left },
    motion("right", "Right", "Right") { _ in .right },
    motion("up", "Up", "Up") { _ in .up },
    motion("down", "Down", "Down") { _ in .down },
    motion("wordLeft", "A word left", "Ctrl-Left Alt-Left Alt-B") { _ in .wordLeft },
    motion("wordRight", "A word right", "Ctrl-Right Alt-Right Alt-F") { _ in .wordRight },
    motion("lineStart", "To the start of the line", "Home") { _ in .lineStart },
    motion("lineEnd", "To the end of the line", "End") { _ in .lineEnd },
    motion("rowStart", "To the start of the row", "Alt-Home") { _ in .rowStart },
    motion("rowEnd", "To the end of the row", "Alt-End") { _ in .rowEnd },
    motion("paragraphUp", "A paragraph up", "Ctrl-Up") { _ in .paragraphUp },
    motion("paragraphDown", "A paragraph down", "Ctrl-Down") { _ in .paragraphDown },
    motion("pageUp", "A page up", "PgUp") { .pageUp(rows: $0) },
    motion("pageDown", "A page down", "PgDn") { .pageDown(rows: $0) },
    motion("start", "To the start of the note", "Ctrl-Home") { _ in .documentStart },
    motion("end", "To the end of the note", "Ctrl-End") { _ in .documentEnd },
].flatMap { $0 }

/// The command that moves, and its twin that selects.
@MainActor
private func motion(
    _ name: String, _ title: String, _ keys: String, _ motion: @escaping (Int) -> Motion
) -> [Command] {
    // Shift is part of a letter, so only the other keys have a twin that selects.
    let shifted = keys.split(separator: " ").filter { KeyChord(String($0))?.isCharacter == false }
        .map { "Shift-\($0)" }.joined(separator: " ")
    return [
        editing(CommandName("caret.\(name)"), title, keys) { $0.moveCaret(motion, extending: false) },
        editing(CommandName("select.\(name)"), "Select: \(title.lowercased())", shifted) {
            $0.moveCaret(motion, extending: true)
        },
    ]
}

@MainActor
private let deletingCommands: [Command] = [
    edit("delete.backward", "Delete left", "Backspace Shift-Backspace") { $0.change { $0.deleteBackward() } },
    edit("delete.forward", "Delete right", "Delete") { $0.change { $0.deleteForward() } },
    edit("delete.wordBackward", "Delete the word left", "Ctrl-W Alt-Backspace Ctrl-Backspace") {
        $0.change { $0.deleteWordBackward() }
    },
    edit("delete.wordForward", "Delete the word right", "Alt-D Ctrl-Delete") { $0.change { $0.deleteWordForward() } },
    edit("delete.toLineStart", "Delete to the start of the line", "Ctrl-U") { $0.change { $0.deleteToLineStart() } },
    edit("delete.toLineEnd", "Delete to the end of the line", "Ctrl-K") { $0.change { $0.deleteToLineEnd() } },
]

/// A command on the open text.
@MainActor
private func edit(
    _ name: CommandName, _ title: String, _ keys: String = "", _ action: @escaping @MainActor (EditorSession) -> Void
) -> Command {
    editing(name, title, keys) { interface in interface.model.session.map(action) }
}

/// A command that needs an open text.
@MainActor
private func editing(
    _ name: CommandName, _ title: String, _ keys: String, _ action: @escaping @MainActor (NotebookInterface) -> Void
) -> Command {
    Command(
        name, title, .editing, keys: [.editor: keys],
        when: { $0.canWrite }, do: action)
}

extension NotebookInterface {
    /// Moves the caret; a page is what is seen, less a row that stays in sight.
    func moveCaret(_ motion: (Int) -> Motion, extending: Bool) {
        let rows = max(1, (layout.panes[.editor]?.rows ?? 2) - 1)
        model.session?.move(motion(rows), extending: extending)
    }

    /// Between prose of a readable width and prose as wide as the pane.
    func toggleReadableWidth() {
        if let width = model.editorSettings.readableWidth {
            lastReadableWidth = width
            model.editorSettings.readableWidth = nil
            model.say("Text is as wide as the pane")
        } else {
            model.editorSettings.readableWidth = lastReadableWidth
            model.say("Text is at most \(lastReadableWidth) columns wide")
        }
    }

    /// Copies the selection, or without one the caret's line.
    func copySelection() {
        if let clipping = model.session?.copy() { keep(clipping) }
    }

    func cutSelection() {
        if let clipping = model.session?.cut() { keep(clipping) }
    }

    private func keep(_ clipping: Clipping) {
        clipboard = clipping
        host?.copy(clipping.text) { [weak model] in model?.say($0) }
    }

    func pasteClipboard() {
        guard let clipboard else { return model.say("Nothing was cut or copied here yet", kind: .refused) }
        model.session?.paste(clipboard)
    }
}
