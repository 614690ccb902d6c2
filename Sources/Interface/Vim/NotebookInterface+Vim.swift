import Foundation
import ModalEditing

/// The window's part in vim keys.
extension NotebookInterface {
    /// Turns vim keys on or off.
    func turnVimKeys(on isOn: Bool) {
        guard isOn != (vim != nil) else { return }
        vim?.end()
        leaveOneCaret()
        vim = isOn ? VimKeys(self) : nil
        vim?.settle()
        hintsByContext = [:]
    }

    /// Performs a command line after the colon: writing and quitting as in vim, otherwise a command by its name.
    func performVim(_ line: String) {
        let name = String(line.prefix { $0 != " " && $0 != "!" })
        switch name {
        case "w", "write", "up", "update", "wa", "wall":
            guard line.split(separator: " ").count < 2 else { return model.say(Texts.Vim.writesNoFile, kind: .refused) }
            perform("edit.save")
        case "q", "quit", "close": focus(.list)
        case "wq", "x", "xit", "exit":
            perform("edit.save")
            focus(.list)
        case "qa", "qall", "quita", "quitall": perform("app.quit")
        case "wqa", "wqall", "xa", "xall":
            perform("edit.save")
            perform("app.quit")
        case "e", "edit":
            let title = line.drop { $0 != " " && $0 != "!" }
            guard title.first != "!" else { return model.say(Texts.Vim.keepsNoOtherText, kind: .refused) }
            let words = title.trimmingCharacters(in: .whitespaces)
            if words == "#" { perform("note.before") } else { edit(titled: words) }
        case "e#", "edit#", "b#": perform("note.before")
        case "h", "help": perform("app.help")
        default:
            guard registry[CommandName(name)] != nil else {
                return model.say(Texts.Vim.noCommand(name), kind: .refused)
            }
            perform(CommandName(name))
        }
    }

    /// Opens the note with a title, or the only note whose title has these words; otherwise shows the picker of notes.
    private func edit(titled title: String) {
        guard !title.isEmpty, model.showNote(titled: title) else { return showGoTo(typed: title) }
        focus(.editor)
    }

    func perform(_ request: VimRequest) {
        switch request {
        case .paneLeft: focus(.list)
        case .paneRight: break
        case .nextPane: perform("pane.next")
        case .followLink: perform("link.follow")
        case .back: perform("history.back")
        case .forward: perform("history.forward")
        case .completion: break
        }
    }
}
