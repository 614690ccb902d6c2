import Foundation
import NoteStore
import ViewModel

/// Commands that list commands or notes, and those that go back and forward.
@MainActor
let paletteCommands: [Command] = [
    Command("app.palette", "Commands", .application, keys: [.everywhere: "Ctrl-P", .browsing: ":", .preview: ":"]) {
        $0.showPalette()
    },
    Command("note.goTo", "Go to a note", .application, keys: [.everywhere: "Ctrl-O"]) { $0.showGoTo() },
    Command("history.back", "Back", .panes, keys: [.everywhere: "F7"]) { $0.model.goBack() },
    Command("history.forward", "Forward", .panes, keys: [.everywhere: "F8"]) { $0.model.goForward() },
]

extension PickerOverlay {
    /// Creates a picker over fixed items, ranked as the palette ranks commands: `ranks` has the rank of each item.
    convenience init(title: String, from all: [Item], ranks: [PaletteRank]) {
        self.init(title: title, from: all) { typed in
            let words = PaletteRank.words(of: typed)
            return { index in ranks[index].score(of: words, isDisabled: all[index].isDisabled) }
        }
    }
}

extension NotebookInterface {
    /// Opens the palette: all commands, the recent ones first, each with its key here or why it is unavailable.
    fileprivate func showPalette() {
        let context = paneContext
        let isWriting = state.focus == .editor && canWrite.isAvailable
        let recent = recentCommands.compactMap { registry[$0] }
        let others = registry.all.filter { command in !recentCommands.contains(command.name) }
            .partitioned { !$0.isMotion }
        let commands = (recent + others).filter { $0.name != "app.palette" && !$0.isOfOverlays }
        // While one writes, commands that change the text are at hand; elsewhere, those with a key in the pane itself.
        let withKeys = keymap.commands(in: context)
        let ranks = commands.map { command in
            PaletteRank(
                title: command.title, name: command.name.description, synonyms: commandSynonyms[command.name] ?? "",
                isMotion: command.isMotion,
                isAtHand: isWriting ? command.topic == .editing : withKeys.contains(command.name))
        }
        let items = commands.map { command in
            let reason = command.availability(self).reason
            return PickerOverlay.Item(
                title: state.theme.glyphs.plain(command.title),
                detail: reason ?? keyLabel(for: command.name, in: context) ?? "",
                isDisabled: reason != nil
            ) { [weak self] in self?.performFromPalette(command.name) }
        }
        show(PickerOverlay(title: Texts.commands, from: items, ranks: ranks))
    }

    private func performFromPalette(_ name: CommandName) {
        recentCommands.removeAll { $0 == name }
        recentCommands.insert(name, at: 0)
        perform(name)
    }

    /// Opens a picker of notes by title, the newest first, with fuzzy matching; its last item creates a note.
    ///
    /// - Parameter typed: the initial text of its field.
    func showGoTo(typed: String = "") {
        let recent = model.recentNotes()
        let folded = recent.map(\.title.foldedCharacters)
        let picker = PickerOverlay(title: Texts.goToNote) { [weak self] typed in
            guard let self else { return [] }
            let pattern = typed.filter { !$0.isWhitespace }.foldedCharacters
            guard !pattern.isEmpty else { return recent.map(goToItem) }
            let fitting = recent.indices.compactMap { index in
                FuzzyMatch(pattern, in: folded[index]).map { (index, $0.score) }
            }
            let ranked = fitting.sorted { $0.1 == $1.1 ? $0.0 < $1.0 : $0.1 > $1.1 }.map { recent[$0.0] }
            let known = Set(ranked.map(\.id))
            let others = model.notes(titled: typed).filter { !known.contains($0.id) }
            let title = typed.trimmingCharacters(in: .whitespaces)
            let new = PickerOverlay.Item(title: newNoteTitle(title), detail: Texts.create) { [weak self] in
                self?.model.addNote(titled: title)
                self?.focusNewNote()
            }
            return (ranked + others).map(goToItem) + [new]
        }
        show(picker)
        if !typed.isEmpty { picker.type(typed, in: self) }
    }

    /// Returns `New note “Plans”`, with the quotes in characters that the screen can show.
    func newNoteTitle(_ title: String) -> String {
        // The title is the user's own, and is shown unchanged.
        Texts.newNote.map(state.theme.glyphs.plain).joined(separator: title)
    }

    private func goToItem(_ note: NoteRow) -> PickerOverlay.Item {
        let age = Age(state.dates).text(of: note.updatedDate, at: now())
        let glyphs = state.theme.glyphs
        // A screen reader would speak the age in every row.
        let facts = glyphs.isWords ? [note.folderName] : [note.folderName, age]
        return PickerOverlay.Item(title: note.title, detail: glyphs.joined(facts)) { [weak self] in
            self?.model.show(note)
            self?.focus(.editor)
        }
    }
}
