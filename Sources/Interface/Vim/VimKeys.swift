import ModalEditing
import Terminal
import TextEditing
import ViewModel

/// Vim's keys in the editor, if the configuration turns them on.
///
/// The machine knows the grammar and stores no text: a key gives effects, which the open text and the window perform.
@MainActor
final class VimKeys {
    unowned let window: NotebookInterface
    private(set) var machine = VimMachine()
    /// The text of the last key press.
    private weak var session: EditorSession?
    /// The selection that these keys left; any other was made by something else.
    private var knownSelection: Selection?

    init(_ window: NotebookInterface) { self.window = window }

    /// Whether vim gets the keys now.
    var hasKeys: Bool { window.overlays.isEmpty && window.context == .editor }

    /// Whether characters are inserted into the text, so that a run of them may be typed at once.
    var isTyping: Bool { machine.mode == .insert && !machine.hasMore && machine.pendingLabel.isEmpty }

    /// Returns the text on the screen while vim gets the keys; a newly shown text begins in Normal mode.
    private func take() -> EditorSession? {
        guard hasKeys, let next = window.textOnScreen else { return nil }
        let settings = window.model.editorSettings
        machine.configuration.tabWidth = settings.tabWidth
        machine.configuration.usesSpaces = settings.softTabs
        machine.configuration.cellWidth = window.model.cellWidth
        if next !== session {
            session?.endVim()
            machine.reset()
            session = next
            knownSelection = next.selection
            next.beginVim { [weak self, unowned next] edit, isTyped in
                if isTyped { self?.machine.followOwn(edit, in: next.buffer) } else { self?.machine.follow(edit) }
            }
            tell()
        }
        return next
    }

    // MARK: Keys

    /// Handles a key in the editor; false if the key belongs to a command.
    func handle(_ press: KeyPress) -> Bool {
        guard let session = take() else { return false }
        let keys = press.vimKeys(in: machine, tellsAlt: window.host?.tellsEscapeFromAlt ?? false)
        guard let keys else { return !leavesTo(press, in: session) }
        if keys == [.escape], machine.isIdle {
            // Hands press Esc once more to be sure of Normal mode: it never leads to the list, where letters act on notes.
            if session.showsVimMatches { perform([.highlight(nil)], in: session) }
            return true
        }
        for key in keys { self.press(key, in: session) }
        if machine.mode == .insert, keys == [.character("[")] { window.offerLinks() }
        return true
    }

    /// Cancels the pending command for a key of the program; false if the key would change the text while a command line
    /// is open.
    private func leavesTo(_ press: KeyPress, in session: EditorSession) -> Bool {
        let isLine = machine.mode == .commandLine
        if isLine, window.keymap.command(for: press, in: .everywhere) == nil { return false }
        if isLine || !machine.pendingLabel.isEmpty { self.press(.escape, in: session) }
        return true
    }

    /// Types a run of text.
    func type(_ text: String) {
        guard let session = take() else { return }
        guard isTyping else {
            for character in text { press(.character(character), in: session) }
            return
        }
        perform(machine.type(text, in: view(of: session, lines: 0...0)), in: session)
        rest(in: session)
    }

    private func press(_ key: VimKey, in session: EditorSession) {
        let lines = session.linesInSight
        var scrolls = perform(machine.press(key, in: view(of: session, lines: lines)), in: session)
        while machine.hasMore {
            guard window.textOnScreen === session else { return machine.reset() }
            if perform(machine.resume(view(of: session, lines: lines)), in: session) { scrolls = true }
        }
        rest(in: session, following: !scrolls)
    }

    private func view(of session: EditorSession, lines: ClosedRange<LineNumber>) -> VimView {
        session.vimView(lines: lines, clipboard: window.clipboard?.text)
    }

    /// Shows caret, block and mode after a key.
    private func rest(in session: EditorSession, following: Bool = true) {
        let caret = machine.mode.isVisual ? machine.caret : nil
        let block = machine.selectedBlock(in: session.buffer)
        session.showVimCaret(at: caret, block: block, following: following)
        knownSelection = session.selection
        tell()
    }

    // MARK: What is not vim's

    /// Adopts a selection that commands, clicks and pastes changed, or a newly opened text.
    func settle() {
        guard let session = take(), session.selection != knownSelection else { return }
        perform(machine.settle(in: view(of: session, lines: session.linesInSight)), in: session)
        rest(in: session, following: false)
    }

    /// Cancels the pending command in the text that is left.
    func leave() {
        guard let session, session === window.textOnScreen else { return machine.reset() }
        for _ in 0..<Self.nestedModes where !machine.isIdle { press(.escape, in: session) }
    }

    /// How often Esc may have to be pressed at most: for a line or a command, a selection, and what Ctrl-O left.
    private static let nestedModes = 4

    /// Pastes into the line that is being typed; false where there is none.
    func pasteIntoLine(_ text: String) -> Bool {
        guard machine.mode == .commandLine, let session = take() else { return false }
        for character in text.prefix(while: { !$0.isNewline }) { press(.character(character), in: session) }
        return true
    }

    /// Has dot paste again what was pasted while typing.
    func pasted(_ text: String) {
        guard take() != nil else { return }
        machine.pasted(text)
        knownSelection = session?.selection
    }

    /// Gives the text its own keys back.
    func end() {
        session?.endVim()
        window.state.vim = nil
    }

    // MARK: Effects

    /// Does effects; whether one of them scrolled the text away from the caret.
    @discardableResult
    private func perform(_ effects: [VimEffect], in session: EditorSession) -> Bool {
        session.perform(effects)
        var scrolls = false
        for effect in effects {
            switch effect {
            case .copy(let text): copy(text)
            case .command(let line): window.performVim(line)
            case .request(let request): window.perform(request)
            case .message(let text): window.model.say(text)
            case .refused(let reason?): window.model.say(reason, kind: .refused)
            case .undo where !session.hasRetraced: window.model.say(Texts.Vim.nothingToUndo, kind: .refused)
            case .redo where !session.hasRetraced: window.model.say(Texts.Vim.nothingToRedo, kind: .refused)
            case .scroll, .reveal: scrolls = true
            default: break
            }
        }
        return scrolls
    }

    private func copy(_ text: String) {
        window.clipboard = Clipping(text: text, isWholeLine: text.hasSuffix("\n"))
        window.host?.copy(text) { [weak model = window.model] in model?.say($0) }
    }

    // MARK: What is seen

    /// Has the status line tell mode, pending keys and recording.
    private func tell() {
        let line = machine.line
        let status = VimStatus(
            mode: machine.mode, recording: machine.recordingName, pending: machine.pendingLabel, line: line?.text,
            caret: line?.caret ?? 0)
        guard window.state.vim != status else { return }
        window.state.vim = status
        window.needsFrame = true
    }

    /// Returns an editor hint with vim's key; nil if vim uses the hint's key otherwise, and for the palette, whose space
    /// the mode needs.
    static func hint(_ hint: StatusLine.Hint) -> StatusLine.Hint? {
        switch hint.command {
        case "find.start": StatusLine.Hint(command: hint.command, key: "/", title: hint.title, rank: hint.rank)
        case "pane.list": StatusLine.Hint(command: hint.command, key: ":q", title: hint.title, rank: hint.rank)
        case "note.preview", "app.palette": nil
        default: hint
        }
    }

    /// The cursor in the shape of the mode: a block on a character, a bar between two, an underline when overwriting.
    func shaped(_ cursor: Cursor) -> Cursor {
        guard hasKeys, let status = window.state.vim else { return cursor }
        var cursor = cursor
        switch machine.mode {
        case .insert: cursor.shape = .bar
        case .replace: cursor.shape = .underline
        case .normal, .visual, .visualLine, .visualBlock: cursor.shape = .block
        case .commandLine:
            let size = window.screenSize
            cursor = Cursor(Position(column: status.lineView(columns: size.columns).caret, row: size.rows - 1))
            cursor.shape = .bar
        }
        return cursor
    }
}
