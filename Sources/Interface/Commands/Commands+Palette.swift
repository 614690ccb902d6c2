import NoteStore
import ViewModel

/// What lists other things: the commands, the notes.
@MainActor
let paletteCommands: [Command] = [
    Command("app.palette", "Commands", .application, keys: [.everywhere: "Ctrl-P"]) { $0.showPalette() }
]

extension NotebookInterface {
    /// All commands, those used last first, each with its key here or the reason why it cannot act.
    func showPalette() {
        let context = self.context
        let recent = recentCommands.compactMap { registry[$0] }
        let others = registry.all.filter { command in !recentCommands.contains(command.name) }
        let items = (recent + others).filter { $0.name != "app.palette" }.map { command in
            let reason = command.availability(self).reason
            return PickerOverlay.Item(
                title: command.title, detail: reason ?? key(for: command.name, in: context)?.label ?? "",
                isDisabled: reason != nil
            ) { [weak self] in self?.performFromPalette(command.name) }
        }
        show(PickerOverlay(title: "Commands", from: items))
    }

    private func performFromPalette(_ name: CommandName) {
        recentCommands.removeAll { $0 == name }
        recentCommands.insert(name, at: 0)
        perform(name)
    }
}
