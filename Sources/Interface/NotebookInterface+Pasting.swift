import Terminal
import TextEditing
import ViewModel

/// Pasting from the system's clipboard: its text comes from another program, and keys wait for it.
extension NotebookInterface {
    /// Pastes what the system's clipboard has; where it cannot be read, what was cut or copied here.
    func pasteFromSystem(_ name: ClipboardName) {
        guard let session = textOnScreen else { return }
        guard let host else { return pasteOwnClipping() }
        let sign = holdKeys()
        host.readClipboard(name) { [weak self, weak session] text in
            self?.pasteHeld(into: session, sign) { $0.pasteFound(text, name) }
        }
    }

    /// Adds the file that a pasted path names as a picture, and pastes that; what is none is pasted as text.
    func pasteImage(at path: String, as text: String) {
        guard let session = textOnScreen else { return }
        let sign = holdKeys()
        model.readImage(at: path) { [weak self, weak session] result in
            self?.pasteHeld(into: session, sign) { window in
                switch result {
                case .success(let image):
                    session?.paste(image.markdown)
                    window.model.sayAdded(image: image.name)
                case .failure(let refusal):
                    window.model.say(Texts.pastedAsText(refusal.reason), kind: .refused)
                    window.pasteAsText(text)
                }
            }
        }
    }

    func pasteAsText(_ text: String) {
        model.session?.pasteText(text)
        vim?.pasted(text)
    }

    // MARK: Waiting

    /// How long a paste may take before a sign says what is waited for: a pause that is noticed.
    private static let signDelay = Duration.milliseconds(400)

    /// Keeps input back from now on.
    ///
    /// - Returns: the sign that will be shown if it takes long.
    private func holdKeys() -> ScheduledWork {
        heldForPaste = []
        return model.schedule(after: Self.signDelay) { [weak self] in
            guard let self, heldForPaste != nil else { return }
            state.pasteSign = Texts.pasteAwaited
            needsFrame = true
        }
    }

    /// Ends the wait for a paste: pastes, and lets the keys go on that came meanwhile.
    private func pasteHeld(
        into session: EditorSession?, _ sign: ScheduledWork, _ paste: (NotebookInterface) -> Void
    ) {
        sign.cancel()
        // The program may be ending, and has taken the keys that waited.
        guard let held = heldForPaste else { return }
        heldForPaste = nil
        if state.pasteSign == Texts.pasteAwaited { state.pasteSign = nil }
        needsFrame = true
        // The keys were meant for the text that was on the screen with them, and go to no other.
        guard let session, session === textOnScreen else { return model.say(Texts.notPasted, kind: .refused) }
        paste(self)
        if !held.isEmpty { handle(held) }
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
