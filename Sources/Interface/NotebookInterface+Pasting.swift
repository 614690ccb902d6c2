import Terminal
import TextEditing
import ViewModel

/// Pasting from the system's clipboard: its text comes from another program, and keys wait for it.
extension NotebookInterface {
    /// Pastes what the system's clipboard has; where it cannot be read, what was cut or copied here.
    func pasteFromSystem(_ name: ClipboardName) {
        guard let session = textOnScreen else { return }
        guard let host else { return pasteOwnClipping() }
        heldForPaste = []
        host.readClipboard(name) { [weak self, weak session] text in
            // The program may be ending, and has taken the keys that waited.
            guard let self, let held = heldForPaste else { return }
            heldForPaste = nil
            needsFrame = true
            // The keys were meant for the text that was on the screen with them, and go to no other.
            guard let session, session === textOnScreen else {
                return model.say(Texts.notPasted, kind: .refused)
            }
            pasteFound(text, name)
            if !held.isEmpty { handle(held) }
        }
    }

    private func pasteFound(_ text: String?, _ name: ClipboardName) {
        // Nothing is selected on the desktop: the middle button inserts nothing, as in other programs.
        if text == nil, name == .selected { return model.say(Texts.nothingToPaste, kind: .refused) }
        // The system's clipboard does not tell whether a whole line was copied.
        guard let text, text != clipboard?.text else { return pasteOwnClipping() }
        pasteIntoEditor(text)
    }

    private func pasteOwnClipping() {
        guard let clipboard else { return model.say(Texts.nothingToPaste, kind: .refused) }
        model.session?.paste(clipboard)
    }

    /// Keeps input back while the clipboard is read; false if it is not.
    func holdForPaste(_ event: InputEvent) -> Bool {
        guard heldForPaste != nil else { return false }
        switch event {
        case .key, .paste, .mouse: heldForPaste?.append(event)
        default: return false
        }
        return true
    }

    /// Pastes what is selected on the desktop at the caret, as terminals do by the middle button.
    func pressMiddle(at position: Position) {
        guard overlays.isEmpty, textOnScreen != nil, !state.isPreviewing, layout.pane(at: position) == .editor else {
            return
        }
        focus(.editor)
        pasteFromSystem(.selected)
    }
}
