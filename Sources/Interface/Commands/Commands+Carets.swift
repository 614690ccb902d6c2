import TextEditing
import ViewModel

/// Commands that add carets: keys then type, delete and move at each of them, and Esc removes all but one.
@MainActor
let caretCommands: [Command] = [
    adding("carets.above", "Add a caret above", "Alt-Shift-Up Ctrl-Alt-Up") { $0.addCaret(below: false) },
    adding("carets.below", "Add a caret below", "Alt-Shift-Down Ctrl-Alt-Down") { $0.addCaret(below: true) },
    adding("carets.nextMatch", "Select the word, then its next match too", "Ctrl-D") { window in
        window.tell(window.model.session?.addCaretAtNextMatch())
    },
    adding("carets.allMatches", "Select all matches of the selection or word", "Alt-A") { window in
        window.tell(window.model.session?.putCaretsAtAllMatches())
    },
    adding("carets.lineEnds", "Put a caret at the end of each selected line", "Alt-E") { window in
        window.model.session?.putCaretsAtLineEnds()
    },
]

@MainActor
private func adding(
    _ name: CommandName, _ title: String, _ keys: String, _ action: @escaping @MainActor (NotebookInterface) -> Void
) -> Command {
    Command(
        name, title, .editing, keys: [.editor: keys],
        when: { $0.vim == nil ? $0.canWrite : .unavailable(Texts.oneCaretInVim) }, do: action)
}

extension NotebookInterface {
    /// Removes all carets but one; returns false if there is only one.
    @discardableResult
    func leaveOneCaret() -> Bool {
        guard state.focus == .editor, let session = model.session, session.hasSeveralCarets else { return false }
        session.leaveOneCaret()
        return true
    }

    fileprivate func addCaret(below: Bool) {
        if model.session?.addCaret(below: below) == false { model.say(Texts.noRowForCaret, kind: .refused) }
    }

    fileprivate func tell(_ added: TextEditor.AddedMatches?) {
        switch added {
        case .nothing: model.say(Texts.nothingToMatch, kind: .refused)
        case .added(0, isAll: true): model.say(Texts.noMoreMatches, kind: .refused)
        case .added(_, isAll: false): model.say(Texts.firstMatches(TextEditor.maximumCarets))
        case .word, .added, nil: break
        }
    }
}
