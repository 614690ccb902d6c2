import TextEditing
import ViewModel

/// Commands that move in the text and change it.
@MainActor
let editingCommands: [Command] =
    motionCommands + EditingKeys.deletions.map { command("delete", $0) } + lineCommands + caretCommands
    + formCommands + foldingCommands
    + viewingCommands + EditingKeys.typing.map { command("edit", $0) }
    + [
        edit("edit.newLineInItem", "New line in the same item", "Shift-Enter") { $0.newLineInItem() },
        edit("edit.task", "Toggle the checkbox", "Ctrl-T Ctrl-Space") { $0.toggleTask() },
    ]
    + EditingKeys.others.map { command("edit", $0) } + [
        editing("edit.copy", "Copy the selection or line", "Ctrl-C") { $0.copySelection() },
        editing("edit.cut", "Cut the selection or line", "Ctrl-X", changes: true) { $0.cutSelection() },
        editing("edit.paste", "Paste from the clipboard", "Ctrl-V", changes: true) { $0.pasteFromSystem(.copied) },
        editing("edit.save", "Save now", "Ctrl-S") { $0.model.saveNow() },
    ]

/// Commands on whole lines or on the letters of the selection.
@MainActor
private let lineCommands: [Command] = [
    edit("line.moveUp", "Move the lines up", "Alt-Up") { $0.moveLines(down: false) },
    edit("line.moveDown", "Move the lines down", "Alt-Down") { $0.moveLines(down: true) },
    edit("line.duplicate", "Duplicate the selection or line") { $0.change { $0.duplicate() } },
    edit("line.join", "Join the lines") { $0.change { $0.joinLines() } },
    editing("line.sort", "Sort the lines", "", changes: true) {
        $0.say(Texts.linesAreSorted, unless: $0.model.session?.sortLines())
    },
    edit("line.trim", "Trim the ends of lines") { $0.change { $0.trimTrailingSpace() } },
    edit("text.transpose", "Transpose the characters") { $0.change { $0.transpose() } },
    edit("text.upperCase", "To upper case") { $0.change { $0.changeCase(.upper) } },
    edit("text.lowerCase", "To lower case") { $0.change { $0.changeCase(.lower) } },
]

/// Commands that fold the sections under headings.
@MainActor
private let foldingCommands: [Command] = [
    editing("fold.toggle", "Fold or unfold the section", "Alt-.") {
        $0.say(Texts.nothingToFold, unless: $0.model.session?.toggleFold())
    },
    editing("fold.all", "Fold all sections: show the headings", "") {
        $0.say(Texts.noHeadings, unless: $0.model.session?.foldAll())
    },
    editing("fold.none", "Unfold all sections", "Alt-,") {
        $0.say(Texts.nothingFolded, unless: $0.model.session?.unfoldAll())
    },
]

/// Commands for the layout of the text.
@MainActor
private let viewingCommands: [Command] = [
    Command("view.wrap", "Toggle line wrapping", .editing) { window in
        window.model.editorSettings.wrap.toggle()
        window.model.say(
            window.model.editorSettings.wrap ? Texts.wrapped : Texts.notWrapped)
    },
    Command("view.lineNumbers", "Toggle line numbers", .editing) { $0.model.editorSettings.lineNumbers.toggle() },
    editing("view.count", "Count words and characters", "") { window in
        window.model.session.map { window.model.say($0.countSummary) }
    },
    Command("view.readableWidth", "Toggle the readable width", .editing) { $0.toggleReadableWidth() },
]

/// The motions, each with a variant with Shift that selects.
@MainActor
private let motionCommands: [Command] = EditingKeys.motions.flatMap { entry -> [Command] in
    guard case .move(let motion) = entry.action else { return [] }
    // Shift is part of a letter, so only the other keys have a variant that selects.
    let shifted = (entry.keys[.note] ?? "").split(separator: " ")
        .filter { KeyChord(String($0))?.isCharacter == false }.map { "Shift-\($0)" }.joined(separator: " ")
    return [
        command("caret", entry),
        editing(CommandName("select.\(entry.name)"), "Select: \(entry.title.lowercased())", shifted) {
            $0.perform(.select(motion))
        },
    ]
}

/// The command of an editing action: in the open text, and also in one-line fields if it has keys there.
@MainActor
private func command(_ topic: String, _ entry: EditingKeys) -> Command {
    let fieldKeys = entry.keys[.field]
    let inTables: KeyValuePairs<Command.Topic, String> =
        switch entry.action {
        case .newLine: [.tables: Texts.cellBelow]
        case .tab: [.tables: Texts.nextCell]
        case .outdent: [.tables: Texts.previousCell]
        default: [:]
        }
    return Command(
        CommandName("\(topic).\(entry.name)"), entry.title, .editing,
        keys: [.editor: entry.keys[.note] ?? "", .field: fieldKeys ?? ""], elsewhere: inTables,
        when: {
            if fieldKeys != nil, $0.hasField { return .available }
            return entry.action.changesText ? $0.canEdit : $0.canWrite
        },
        do: { window in
            if fieldKeys != nil, window.hasField {
                window.editField(entry.action)
            } else {
                window.perform(entry.action)
            }
        })
}

/// A command that changes the open text.
@MainActor
private func edit(
    _ name: CommandName, _ title: String, _ keys: String = "", _ action: @escaping @MainActor (EditorSession) -> Void
) -> Command {
    editing(name, title, keys, changes: true) { window in window.model.session.map(action) }
}

/// A command that needs an open text.
///
/// - Parameter changes: whether it changes the text.
@MainActor
private func editing(
    _ name: CommandName, _ title: String, _ keys: String, changes: Bool = false,
    _ action: @escaping @MainActor (NotebookInterface) -> Void
) -> Command {
    Command(
        name, title, .editing, keys: [.editor: keys],
        when: { changes ? $0.canEdit : $0.canWrite }, do: action)
}

extension EditingAction {
    fileprivate var changesText: Bool {
        switch self {
        case .move, .select, .selectAll: false
        case .delete, .newLine, .tab, .outdent, .undo, .redo: true
        }
    }
}

extension NotebookInterface {
    /// Performs an action in the open text.
    func perform(_ action: EditingAction) { model.session?.perform(action) }

    /// Says why a command had no effect, unless it had one.
    fileprivate func say(_ reason: String, unless hadEffect: Bool?) {
        if hadEffect == false { model.say(reason, kind: .refused) }
    }

    /// Switches between prose of a readable width and prose as wide as the pane.
    fileprivate func toggleReadableWidth() {
        if let width = model.editorSettings.readableWidth {
            lastReadableWidth = width
            model.editorSettings.readableWidth = nil
            model.say(Texts.asWideAsPane)
        } else {
            model.editorSettings.readableWidth = lastReadableWidth
            model.say(Texts.width(lastReadableWidth))
        }
    }

    /// Copies the selection, or the caret's line if nothing is selected.
    fileprivate func copySelection() {
        if let clipping = model.session?.copy() { keep(clipping) }
    }

    fileprivate func cutSelection() {
        if let clipping = model.session?.cut() { keep(clipping) }
    }

    /// Keeps cut or copied text for pasting, here and in other windows and programs.
    ///
    /// - Parameter name: what the text is, for the message; nil for what the user has just selected.
    func keep(_ clipping: Clipping, called name: String? = nil) {
        clipboard = clipping
        textCopied(clipping)
        host?.copy(clipping.text) { [weak model] in model?.say(Texts.copied(name, $0)) }
    }
}
