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
            guard let self else { return }
            let held = heldForPaste ?? []
            heldForPaste = nil
            if let session, session === textOnScreen { pasteFound(text) }
            if !held.isEmpty { handle(held) }
            needsFrame = true
        }
    }

    private func pasteFound(_ text: String?) {
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
