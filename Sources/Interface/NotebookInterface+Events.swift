import NoteStore
import Terminal
import TextEditing
import ViewModel

/// Handles input events, most of which become commands.
extension NotebookInterface {
    public func handle(_ events: [InputEvent]) {
        let hasStalled = model.takeStall()
        var rest = hasStalled ? events.flatMap(separated)[...] : events[...]
        if isTooSmall { rest = rest.filter(isTakenUnseen)[...] }
        if hasPaintedNotice, rest.contains(where: endsNotice) { dismissReadNotice() }
        while let event = rest.popFirst() {
            if vim?.holds(event) == true || holdForPaste(event) { continue }
            let failures = model.failures
            if let text = takeTypedRun(from: event, &rest) { type(text) } else { handle(event) }
            if model.failures != failures { holdTypedAhead(rest) }
        }
        vim?.settle()
    }

    /// Whether an event may act while nothing of the window is on the screen: a key would go to a note that nobody sees.
    ///
    /// A pasted text goes where it would have gone on a larger screen, since it is not a command and would be lost.
    private func isTakenUnseen(_ event: InputEvent) -> Bool {
        if case .paste = event { return true }
        guard isInput(event) else { return true }
        guard case .key(let press) = event else { return false }
        if press.key == .escape, press.modifiers.isEmpty { return true }
        let outcome = keymap.outcome(of: press, after: [], in: paneContext)
        return Self.harmlessUnseen.contains { outcome == .command($0) }
    }

    private static let harmlessUnseen: [CommandName] = ["app.quit", "app.redraw", "app.suspend"]

    /// Shows why an action failed in a box, if keys were typed ahead of its end: the box takes them until Esc.
    ///
    /// They were meant for the screen after it: the second `d` of `djd` would act on a note that nobody chose. Typing
    /// into a text or a field is not held up.
    private func holdTypedAhead(_ rest: ArraySlice<InputEvent>) {
        guard overlays.isEmpty, !context.isTyping,
            rest.contains(where: \.isKeyPress) || host?.hasPendingInput == true
        else { return }
        show(PickerOverlay(title: model.notice?.text ?? "", hints: Texts.Hints.closes) { _ in [] })
    }

    /// Takes Alt and a character apart into Esc and the character, unless the terminal tells the one from the other.
    ///
    /// Their bytes are the same when the program reads them at once, as after a wait: a note would not be left, and the
    /// keys that follow would be typed into it.
    private func separated(_ event: InputEvent) -> [InputEvent] {
        guard case .key(let press) = event, press.modifiers == .alt, case .character(let character) = press.key,
            host?.tellsEscapeFromAlt != true
        else { return [event] }
        return [.key(KeyPress(.escape)), .key(KeyPress(typed: character))]
    }

    /// Whether an event is an act of the user; a click on the notice itself removes it in its own way.
    private func endsNotice(_ event: InputEvent) -> Bool {
        switch event {
        case .paste: true
        case .mouse(let event): event.kind == .press && event.position.row != layout.status.row
        default: event.isKeyPress
        }
    }

    /// Removes the notice that was on the screen when the user did something else.
    ///
    /// The user has read it, and it hides the status.
    private func dismissReadNotice() {
        hasPaintedNotice = false
        if model.notice?.kind != .trouble { model.dismissNotice() }
    }

    /// Joins the text of key presses that arrived faster than they could be shown, nil if there is no such run.
    ///
    /// The text goes into the note or the search field as one insertion; otherwise each key would cause its own layout
    /// or its own search. A key typed over a selection, or one that may open a pair, a link or a day, is handled on its own.
    private func takeTypedRun(from first: InputEvent, _ rest: inout ArraySlice<InputEvent>) -> String? {
        guard overlays.isEmpty, state.pendingKeys.isEmpty, rest.count > 1 else { return nil }
        // The context is looked up only once, since thousands of keys may be waiting.
        let context = context
        guard context.isTyping,
            context != .editor || textOnScreen?.selection.isEmpty == true && vim?.isTyping != false,
            var text = plainText(of: first, in: context), let second = rest.first,
            let more = plainText(of: second, in: context)
        else { return nil }
        text += more
        rest.removeFirst()
        while let next = rest.first, let more = plainText(of: next, in: context) {
            text += more
            rest.removeFirst()
        }
        return text
    }

    /// The text of a key press that only inserts it; nil for any other event, and for a character that may do more.
    private func plainText(of event: InputEvent, in context: KeyContext) -> String? {
        guard case .key(let press) = event, press.phase != .release, let text = press.typedText,
            !text.contains(where: { context == .editor && Self.acting.contains($0) || $0.isNewline })
        else { return nil }
        return text
    }

    /// Characters that come in pairs, that wrap a selection, or that begin a link or a day.
    private static let acting: Set<Character> = Set("[](){}<>\"'`*_@")

    private func handle(_ event: InputEvent) {
        if isEscapePressedTwice(event) {
            for _ in 0..<2 { handle(.key(KeyPress(.escape))) }
            return
        }
        if let overlay = overlays.last, isInput(event) {
            handle(event, by: overlay)
            overlayChanged()
            return
        }
        switch event {
        case .key(let press): handle(press)
        case .paste(let text):
            endSequence()
            paste(text)
        case .pasteStatus(let status): show(status)
        case .mouse(let event): handle(event)
        case .resized:
            needsFrame = true
            // A terminal that was left and taken again has no pictures any more.
            invalidatePictures()
            host?.terminalMayBeAnother()
        case .colorScheme, .capabilitiesChanged:
            if let host { adapt(to: host.appearance) }
            adaptToWidths()
            // Whether the terminal draws pictures, and the size of its cells, may be known only now.
            invalidatePictures()
        case .focus(let isHere):
            mouse.stopScrolling()
            if isHere { host?.terminalMayBeAnother() }
        case .reply: break
        }
    }

    /// Redraws the panes that show pictures.
    private func invalidatePictures() {
        if note.preview.showsPictures { invalidate(.editor) }
        if beside.preview.showsPictures { invalidate(.beside) }
    }

    /// Passes an event to the topmost overlay; the panes behind it do not receive it.
    private func handle(_ event: InputEvent, by overlay: any Overlay) {
        switch event {
        case .key(let press): handle(press)
        case .paste(let text):
            endSequence()
            overlay.paste(text, in: self)
        case .mouse(let event):
            endSequence()
            switch event.kind {
            case .press where event.button == .left:
                let isStatus = event.position.row == layout.status.row
                if isStatus {
                    pressStatusLine(column: event.position.column)
                } else {
                    overlay.press(at: event.position, in: self)
                }
            case .wheel(columns: _, let rows): overlay.wheel(at: event.position, rows: rows, in: self)
            default: break
            }
        default: break
        }
    }

    /// Requests a frame, since overlays are drawn with every frame and the keys in the status line may have changed.
    func overlayChanged() {
        statusLook?.forget()
        needsFrame = true
    }

    /// Whether an Alt-Esc without a command is really two presses of Esc.
    ///
    /// Two presses that a slow line delivers together, or that a script sends at once, have the same bytes as Alt-Esc.
    private func isEscapePressedTwice(_ event: InputEvent) -> Bool {
        guard case .key(let press) = event, press.phase != .release, press.key == .escape, press.modifiers == .alt
        else { return false }
        return keymap.command(for: press, in: context) == nil
    }

    /// Measures all text again once the terminal has reported its character widths.
    ///
    /// Terminals disagree about the widths of some characters.
    private func adaptToWidths() {
        guard widthModel != .current else { return }
        widthModel = .current
        model.cellWidth = .ofTerminal
        invalidateWindow()
    }

    private func isInput(_ event: InputEvent) -> Bool {
        switch event {
        case .key, .paste, .mouse: true
        default: false
        }
    }

    // MARK: Keys

    /// The key context that applies now.
    var context: KeyContext { overlays.last?.context ?? paneContext }

    /// The key context of the focused pane, which applies when no overlay is open.
    var paneContext: KeyContext { pane(in: state.focus).context }

    private func handle(_ press: KeyPress) {
        guard press.phase != .release else { return }
        // Without an open note the list takes the key and those that follow it, though this key may open a note.
        if overlays.isEmpty, state.focus == .editor, model.session == nil, !model.showsFirstSteps { focus(.list) }
        let context = context
        // A button may have been released where the terminal did not see it.
        mouse.stopScrolling()
        let pending = state.pendingKeys
        if let vim, pending.isEmpty, vim.handle(press) { return }
        if pending.isEmpty, context.isTyping, let text = press.typedText { return type(text) }
        let outcome = keymap.outcome(of: press, after: pending, in: context)
        // A redraw repairs the screen and changes no state.
        if pending.isEmpty, outcome == .command("app.redraw") { return perform("app.redraw") }
        endSequence()
        showCursors()
        switch outcome {
        case .command(let name):
            let (session, revision) = (textOnScreen, textOnScreen?.textRevision)
            perform(name)
            if let session, session === textOnScreen, session.textRevision != revision { tellOfAlt(press) }
        case .prefix(let keys):
            state.pendingKeys = keys
            needsFrame = true
        case .nothing where !pending.isEmpty: refuse(press, after: pending)
        case .nothing where context == .preview: refuseToWrite(press)
        case .nothing: if let text = press.typedText { overlays.last?.typeWithoutCommand(text, in: self) }
        }
    }

    /// Scrolls back to the cursors that the wheel scrolled out of view.
    private func showCursors() {
        guard state.listScrolledFrom != nil || state.sidebarScrolledFrom != nil else { return }
        (state.listScrolledFrom, state.sidebarScrolledFrom) = (nil, nil)
        needsFrame = true
    }

    /// Drops the keys of an unfinished key sequence.
    func endSequence() {
        guard !state.pendingKeys.isEmpty else { return }
        state.pendingKeys = []
        needsFrame = true
    }

    /// Reports that a key sequence has no command, unless Esc ended it.
    private func refuse(_ press: KeyPress, after pending: [KeyChord]) {
        guard press.key != .escape, let last = press.chords.first else { return }
        let keys = KeySequence(pending + [last]).label(isSpoken: state.theme.glyphs.isWords)
        model.say(Texts.noCommand(on: keys), kind: .refused)
    }

    /// Reports that the note is only read, if a key would have changed its text in the editor.
    private func refuseToWrite(_ press: KeyPress) {
        let command = keymap.command(for: press, in: .editor).flatMap { registry[$0] }
        let availability = press.typedText == nil ? command?.availability(self) : canEdit
        if let reason = availability?.reason { model.say(reason, kind: .refused) }
    }

    private func type(_ text: String) {
        if let overlay = overlays.last { return overlay.type(text, in: self) }
        switch paneContext {
        case .search:
            state.searchField?.insert(text)
            searchFieldChanged()
        case .find:
            state.findBar?.field.insert(text)
            findFieldChanged()
        default:
            if let reason = model.canChangeText.reason { return model.say(reason, kind: .refused) }
            if let vim { vim.type(text) } else { textOnScreen?.type(text) }
            if text == "[" { offerLinks() }
            if text == "@" { offerDays() }
        }
    }

    /// Shows the progress of a paste that does not arrive at once.
    ///
    /// It is a sign that stays until the paste ends, or the reason why the paste was refused.
    private func show(_ status: PasteStatus) {
        switch status {
        case .stalled(let bytes):
            state.pasteSign = Texts.pasteStalled(bytes: bytes)
        case .abandoned:
            state.pasteSign = Texts.pasteAbandoned
        case .refused(_, let limit):
            state.pasteSign = nil
            model.say(Texts.pasteTooLong(limit: limit >> 20), kind: .refused)
        case .ended: state.pasteSign = nil
        }
        needsFrame = true
    }

    private func paste(_ text: String) {
        if context == .search || context == .find {
            type(text)
        } else if state.focus == .editor, textOnScreen != nil {
            if state.isPreviewing, model.canChangeText.isAvailable { togglePreview() }
            pasteIntoEditor(text)
        } else {
            let paths = model.canBeginTask.isAvailable ? PathCompletion.readings(ofPasted: text) : []
            if paths.isEmpty { addNote(pasted: text) } else { pasteIntoList(text, paths: paths) }
        }
    }

    /// Pastes a text; the path of an image becomes the image.
    func pasteIntoEditor(_ text: String) {
        if let reason = model.canChangeText.reason { return model.say(reason, kind: .refused) }
        if vim?.pasteIntoLine(text) == true { return }
        let paths = TakeNoteVM.imagePaths(pasted: text)
        if paths.isEmpty { pasteAsText(text) } else { pastePicture(at: paths, as: text) }
    }

    func addNote(pasted text: String) {
        guard model.addNote() != nil else { return }
        model.session?.paste(text)
        focus(.list)
    }

    /// Runs a command, or shows why it is unavailable now.
    func perform(_ name: CommandName) {
        guard let command = registry[name] else { return }
        if let reason = command.availability(self).reason {
            model.say(reason, kind: .refused)
        } else {
            let (session, revision) = (textOnScreen, textOnScreen?.textRevision)
            command.action(self)
            leaveHiddenText()
            leaveEndedSearch()
            if command.topic == .editing { goToText(of: session, changedSince: revision) }
        }
    }

    /// Performs an action in the topmost overlay.
    ///
    /// - Returns: whether there is an overlay.
    func performInOverlay(_ action: OverlayAction) -> Bool {
        guard let overlay = overlays.last else { return false }
        overlay.perform(action, in: self)
        return true
    }
}

extension InputEvent {
    fileprivate var isKeyPress: Bool {
        guard case .key(let press) = self else { return false }
        return press.phase != .release
    }
}

extension KeyPress {
    /// The text that the press types; nil for a key with Control or Alt, or one that types nothing.
    var typedText: String? {
        guard modifiers.isDisjoint(with: [.control, .alt, .super, .meta, .hyper]), let text, !text.isEmpty else {
            return nil
        }
        return text
    }
}
