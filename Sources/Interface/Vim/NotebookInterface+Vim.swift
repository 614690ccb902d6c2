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
        case "se", "set": set(options: line.dropFirst(name.count).split(separator: " "))
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

    /// Changes options of vim's that have a counterpart here: `:set nu`, `:set nowrap`, `:set wrap!`.
    private func set(options: [Substring]) {
        guard !options.isEmpty else { return model.say(Texts.Vim.options, kind: .refused) }
        for option in options {
            let isToggled = option.hasSuffix("!") || option.hasPrefix("inv")
            let isOff = option.hasPrefix("no")
            let name = option.dropLast(option.hasSuffix("!") ? 1 : 0)
                .dropFirst(option.hasPrefix("inv") ? 3 : isOff ? 2 : 0)
            switch name {
            case "nu", "number":
                model.editorSettings.lineNumbers = isToggled ? !model.editorSettings.lineNumbers : !isOff
            case "wrap": model.editorSettings.wrap = isToggled ? !model.editorSettings.wrap : !isOff
            default: return model.say(Texts.Vim.noOption(String(option)), kind: .refused)
            }
        }
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
