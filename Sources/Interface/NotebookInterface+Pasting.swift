import Terminal
import TextEditing
import ViewModel

/// Pasting from the system's clipboard: another program delivers its text, and input waits for it.
extension NotebookInterface {
    /// Pastes the text of the system's clipboard; if it cannot be read, the text last cut or copied here.
    func pasteFromSystem(_ name: ClipboardName) {
        guard textOnScreen != nil else { return }
        guard host != nil else { return pasteOwnClipping() }
        readClipboard(name) { [weak self] in self?.pasteFound($0, name) }
    }

    /// Reads the system's clipboard for the text on the screen; input waits for it.
    ///
    /// - Parameter use: receives the text, or nil if it cannot be read; not called if the user gives up.
    func readClipboard(_ name: ClipboardName, for use: @escaping @MainActor (String?) -> Void) {
        guard let session = textOnScreen, let host else { return use(nil) }
        let sign = holdKeys()
        pastes += 1
        let number = pastes
        host.readClipboard(name) { [weak self, weak session] text in
            // The user may have given up, and have begun another paste.
            guard let self, pastes == number else { return }
            pasteHeld(into: session, sign) { use(text) }
        }
    }

    /// Pastes a path as text, and replaces it by the picture once that has been read.
    ///
    /// No key waits for the file, which may be on a mount that hangs.
    func pastePicture(at paths: [String], as text: String) {
        guard let session = textOnScreen else { return }
        let number = session.pasteAwaited(text)
        vim?.pasted(text)
        model.readImage(at: paths) { [weak self, weak session] result in
            guard let self, let session else { return }
            switch result {
            case nil: session.replacePaste(number, with: nil)
            case .success(let image)?:
                if session.replacePaste(number, with: image.markdown) {
                    model.sayAdded(image: image.name)
                } else {
                    model.say(Texts.pathChanged, kind: .refused)
                }
            case .failure(let refusal)?:
                session.replacePaste(number, with: nil)
                model.say(Texts.pastedAsText(refusal.reason), kind: .refused)
            }
        }
    }

    /// Offers to import the file or folder whose path was pasted into the list; otherwise creates a note with the text.
    ///
    /// Keys wait for the check of the file, since they are meant for what it shows; but since a mount may hang, they
    /// wait no longer than until the pause becomes noticeable.
    func pasteIntoList(_ text: String, paths: [String]) {
        heldForPaste = []
        pastes += 1
        let number = pastes
        endListPaste = { [weak self] path in
            guard let self else { return }
            let held = heldForPaste ?? []
            (heldForPaste, endListPaste) = (nil, nil)
            needsFrame = true
            if let path { offerImport(of: path, pasted: text) } else { addNote(pasted: text) }
            if !held.isEmpty { handle(held) }
        }
        let answer: @MainActor @Sendable (String?) -> Void = { [weak self] path in
            guard let self, pastes == number else { return }
            endListPaste?(path)
        }
        _ = model.schedule(after: Self.signDelay) { answer(nil) }
        model.findImportable(at: paths, completion: answer)
    }

    func pasteAsText(_ text: String) {
        model.session?.pasteText(text)
        vim?.pasted(text)
    }

    // MARK: Waiting

    /// The time after which a waiting paste is shown by a sign: a noticeable pause.
    private static let signDelay = Duration.milliseconds(400)

    /// Starts to hold back input.
    ///
    /// - Returns: the timer for the sign that is shown if the paste takes long.
    private func holdKeys() -> ScheduledWork {
        heldForPaste = []
        return model.schedule(after: Self.signDelay) { [weak self] in
            guard let self, heldForPaste != nil else { return }
            state.pasteSign = Texts.pasteAwaited
            needsFrame = true
        }
    }

    /// Ends the wait for a paste: pastes, and then handles the input that arrived in the meantime.
    private func pasteHeld(
        into session: EditorSession?, _ sign: ScheduledWork, _ paste: () -> Void
    ) {
        sign.cancel()
        // The program may be ending, and may have dropped the held input.
        guard let held = heldForPaste else { return }
        heldForPaste = nil
        if state.pasteSign == Texts.pasteAwaited { state.pasteSign = nil }
        needsFrame = true
        // The held keys were meant for the text on the screen at that time, and are not used for another.
        guard let session, session === textOnScreen else { return model.say(Texts.notPasted, kind: .refused) }
        paste()
        if !held.isEmpty { handle(held) }
    }

    private func pasteFound(_ text: String?, _ name: ClipboardName) {
        // If nothing is selected on the desktop, the middle button inserts nothing, as in other programs.
        if text == nil, name == .selected { return model.say(Texts.nothingToPaste, kind: .refused) }
        // The window's own clipping is preferred, since it tells whether a whole line was copied.
        guard let text, text != clipboard?.text else { return pasteOwnClipping() }
        pasteIntoEditor(text)
    }

    private func pasteOwnClipping() {
        guard let clipboard else { return model.say(Texts.nothingToPaste, kind: .refused) }
        model.session?.paste(clipboard)
    }

    /// Gives up a paste that is shown to take long; the held keys are handled without it.
    private func giveUpPaste() {
        guard let held = heldForPaste else { return }
        pastes += 1
        heldForPaste = nil
        state.pasteSign = nil
        vim?.giveUpClipboard()
        model.say(Texts.pasteGivenUp, kind: .refused)
        needsFrame = true
        if !held.isEmpty { handle(held) }
    }

    /// Holds back an input event while the clipboard is being read; returns false if it is not.
    func holdForPaste(_ event: InputEvent) -> Bool {
        guard heldForPaste != nil else { return false }
        switch event {
        case .key(let press) where press.key == .escape && state.pasteSign == Texts.pasteAwaited:
            if press.phase != .release { giveUpPaste() }
        case .key, .paste, .mouse: heldForPaste?.append(event)
        default: return false
        }
        return true
    }

    /// Pastes the desktop's selection at the caret, as terminals do with the middle button.
    func pressMiddle(at position: Position) {
        guard overlays.isEmpty, textOnScreen != nil, !state.isPreviewing, layout.pane(at: position) == .editor else {
            return
        }
        focus(.editor)
        pasteFromSystem(.selected)
    }
}
