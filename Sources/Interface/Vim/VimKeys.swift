import ModalEditing
import Terminal
import TextEditing
import ViewModel

/// Vim keys in the editor, if the configuration turns them on.
///
/// The machine knows the grammar and stores no text. A key gives effects, which the open text and the window perform.
@MainActor
final class VimKeys {
    unowned let window: NotebookInterface
    private(set) var machine = VimMachine()
    /// The text of the last key press.
    private weak var session: EditorSession?
    /// The text of a note that was just created, until its mode has begun.
    private weak var newText: EditorSession?
    /// The selection after the last vim key; any other selection was made by something else.
    private var knownSelection: Selection?
    /// The keys that have not been handled yet.
    private var waiting: [VimKey] = []
    /// The text of the system's clipboard when it was last put; nil if it could not be read or was replaced here.
    private var systemClipboard: String?
    /// Whether the clipboard has been read for the next waiting key.
    private var hasReadClipboard = false
    /// The input that arrived during a long step, which is handled after it.
    private var held: [InputEvent] = []
    /// The long step in progress; nil if there is none.
    private var running: Running?
    /// Whether the status line shows that a step takes long.
    private var showsRunning = false
    private var sign: ScheduledWork?
    /// The completions of the command line that Tab goes through.
    private var completion: VimCompletion?

    /// The kind of a long step.
    private enum Running {
        /// A step on another thread.
        case step
        /// Many short steps, in batches.
        case portions
    }

    init(_ window: NotebookInterface) { self.window = window }

    /// Whether vim keys have the focus now.
    var hasKeys: Bool { window.overlays.isEmpty && window.context == .editor }

    /// Whether characters are inserted into the text, so that a run of them may be typed at once.
    var isTyping: Bool { machine.mode == .insert && !machine.hasMore && machine.pendingLabel.isEmpty }

    /// Whether a step has not ended yet, so that input has to wait.
    var isRunning: Bool { running != nil }

    /// Returns the text on the screen while vim keys have the focus; a newly shown text begins in Normal mode.
    private func take() -> EditorSession? {
        guard hasKeys, let next = window.textOnScreen else { return nil }
        let settings = window.model.editorSettings
        machine.configuration.tabWidth = settings.tabWidth
        machine.configuration.usesSpaces = settings.softTabs
        machine.configuration.movesByRows = settings.vimMovesByRows
        machine.configuration.cellWidth = window.model.cellWidth
        machine.configuration.omitsLineAfterEnd = true
        machine.configuration.jumpsBetweenTexts = true
        if next !== session {
            session?.endVim()
            abandon()
            machine.reset()
            session = next
            knownSelection = next.selection
            next.beginVim { [weak self, unowned next] edit, isTyped in
                if isTyped { self?.machine.followOwn(edit, in: next.buffer) } else { self?.machine.follow(edit) }
            }
            updateStatus()
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
            // Users often press Esc once more to be sure of Normal mode, so it must not go to the list, where letters
            // act on notes.
            if session.showsVimMatches { perform([.highlight(nil)], in: session) }
            return true
        }
        self.press(keys, in: session)
        if machine.mode == .insert, keys == [.character("[")] { window.offerLinks() }
        if machine.mode == .insert, keys == [.character("@")] { window.offerDays() }
        return true
    }

    /// Cancels the pending command for a key of the program; false if the key would change the text while a command line
    /// is open.
    private func leavesTo(_ press: KeyPress, in session: EditorSession) -> Bool {
        let isLine = machine.mode == .commandLine
        if isLine, window.keymap.command(for: press, in: .everywhere) == nil { return false }
        if isLine || !machine.pendingLabel.isEmpty { self.press([.escape], in: session) }
        return true
    }

    /// Types a run of text.
    func type(_ text: String) {
        guard let session = take() else { return }
        guard isTyping else { return press(text.map { .character($0) }, in: session) }
        perform(machine.type(text, in: view(of: session, lines: 0...0)), in: session)
        showCaret(in: session)
    }

    /// Begins Insert mode in the note on the screen, which was just created, since whoever asks for a new note is about
    /// to write it; while a box lies over it, once that is closed.
    func beginTyping() {
        newText = window.textOnScreen
        settle()
    }

    private func press(_ keys: [VimKey], in session: EditorSession) {
        waiting += keys
        proceed(in: session)
    }

    /// Handles the waiting keys, up to one that takes long.
    private func proceed(in session: EditorSession) {
        var lines = session.linesInSight
        var scrolls = false
        var count = 0
        while running == nil, machine.hasMore || !waiting.isEmpty {
            guard window.textOnScreen === session else {
                abandon()
                machine.reset()
                return updateStatus()
            }
            if !machine.hasMore, let key = waiting.first, awaitsClipboard(for: key, in: session) { return }
            let step: VimMachine.Step = machine.hasMore ? .resume : .press(waiting.removeFirst())
            let view = view(of: session, lines: lines)
            if machine.mayTakeLong(step, in: view.text) { return run(step, in: session) }
            if perform(machine.perform(step, in: view), in: session) { scrolls = true }
            // A command of the window may have created another note, in which the keys have begun anew.
            guard self.session === session else { return }
            if machine.hasMore {
                count += 1
                if count == Self.stepsAtOnce { return pause(in: session) }
            } else {
                showCaret(in: session, following: !scrolls)
                scrolls = false
                if !waiting.isEmpty { lines = session.linesInSight }
            }
        }
    }

    /// Reads the system's clipboard before a key that puts it into the text; false if that is not needed or was done.
    private func awaitsClipboard(for key: VimKey, in session: EditorSession) -> Bool {
        guard machine.putsClipboard(key), !hasReadClipboard else {
            hasReadClipboard = false
            return false
        }
        hasReadClipboard = true
        window.readClipboard(.copied) { [weak self, weak session] text in
            guard let self, let session else { return }
            systemClipboard = text
            proceed(in: session)
        }
        return true
    }

    /// Drops the command that waits for the system's clipboard.
    func giveUpClipboard() {
        guard hasReadClipboard, let session else { return }
        (hasReadClipboard, waiting) = (false, [])
        press([.escape], in: session)
    }

    /// The number of steps of a macro or of `:g` that are performed before other work gets its turn.
    private static let stepsAtOnce = 50

    // MARK: Long steps

    /// Performs a step on another thread.
    private func run(_ step: VimMachine.Step, in session: EditorSession) {
        running = .step
        announce()
        let view = view(of: session, lines: session.linesInSight)
        session.runVim(step, of: machine, in: view) { [weak self, weak session] machine, effects, isCurrent in
            guard let self, let session, running == .step else { return }
            running = nil
            guard window.textOnScreen === session else { return abandon() }
            // If another program changed the text in the meantime, the step is repeated on the current text.
            guard isCurrent else { return run(step, in: session) }
            self.machine = machine
            let scrolls = perform(effects, in: session)
            if !machine.hasMore { showCaret(in: session, following: !scrolls) }
            goOn(in: session)
        }
    }

    /// Lets other work have its turn before the next steps.
    private func pause(in session: EditorSession) {
        running = .portions
        announce()
        window.model.post { [weak self, weak session] in
            guard let self, let session, running == .portions else { return }
            running = nil
            goOn(in: session)
        }
    }

    /// Handles the waiting keys and input after a long step has ended.
    private func goOn(in session: EditorSession) {
        proceed(in: session)
        guard running == nil else { return }
        endSign()
        let events = held
        held = []
        window.handle(events)
    }

    /// Holds back an event while a step is in progress; false if none is, or if the event is not input.
    ///
    /// Ctrl-C stops the step and drops the waiting input; so does Esc, unless other keys were typed before it.
    func holds(_ event: InputEvent) -> Bool {
        guard isRunning else { return false }
        switch event {
        case .key(let press):
            guard press.phase != .release else { return true }
            let chord = press.fixedChord
            let isInterrupt = chord?.key == .character("c") && chord?.modifiers == .control
            if isInterrupt || held.isEmpty && waiting.isEmpty && chord?.key == .escape {
                stop()
            } else {
                held.append(event)
            }
        case .paste, .mouse: held.append(event)
        default: return false
        }
        return true
    }

    /// Stops the long step.
    private func stop() {
        guard let session else { return abandon() }
        abandon()
        session.stopVim()
        perform(machine.stop(in: view(of: session, lines: session.linesInSight)), in: session)
        showCaret(in: session)
    }

    /// Drops the long step, and all input that waits for its end.
    private func abandon() {
        if running == .step { session?.stopVim() }
        running = nil
        hasReadClipboard = false
        waiting = []
        held = []
        endSign()
    }

    /// Makes the status line show that a step takes long, once it has.
    private func announce() {
        guard sign == nil else { return }
        sign = window.model.schedule(after: .milliseconds(150)) { [weak self] in
            guard let self, isRunning else { return }
            showsRunning = true
            updateStatus()
        }
    }

    private func endSign() {
        sign?.cancel()
        sign = nil
        guard showsRunning else { return }
        showsRunning = false
        updateStatus()
    }

    private func view(of session: EditorSession, lines: ClosedRange<LineNumber>) -> VimView {
        session.vimView(lines: lines, clipboard: systemClipboard ?? window.clipboard?.text)
    }

    /// Shows the caret, the block and the mode after a key.
    private func showCaret(in session: EditorSession, following: Bool = true) {
        let caret = machine.mode.isVisual ? machine.caret : nil
        let block = machine.selectedBlock(in: session.buffer)
        session.showVimCaret(at: caret, block: block, following: following)
        knownSelection = session.selection
        updateStatus()
    }

    // MARK: Changes not made by vim keys

    /// Adopts a selection that commands, clicks and pastes changed, or a newly opened text.
    func settle() {
        guard !isRunning, let session = take() else { return }
        if newText === session {
            newText = nil
            if machine.isIdle { return press([.character("i")], in: session) }
        }
        guard session.selection != knownSelection else { return }
        perform(machine.settle(in: view(of: session, lines: session.linesInSight)), in: session)
        showCaret(in: session, following: false)
    }

    /// Cancels the pending command before the text loses the focus.
    func leave() {
        guard let session, session === window.textOnScreen else {
            abandon()
            machine.reset()
            return updateStatus()
        }
        if isRunning { stop() }
        for _ in 0..<Self.nestedModes where !machine.isIdle { press([.escape], in: session) }
    }

    /// How often Esc may have to be pressed: for a command line or pending command, for a selection, and for the mode
    /// that Ctrl-O left.
    private static let nestedModes = 4

    /// Pastes into the command line; false if none is being typed.
    func pasteIntoLine(_ text: String) -> Bool {
        guard machine.mode == .commandLine, let session = take() else { return false }
        press(text.prefix { !$0.isNewline }.map { .character($0) }, in: session)
        return true
    }

    /// Records a paste made while typing, so that the dot command repeats it.
    func pasted(_ text: String) {
        guard take() != nil else { return }
        machine.pasted(text)
        knownSelection = session?.selection
    }

    /// Turns off vim keys for the open text.
    func end() {
        abandon()
        session?.endVim()
        window.state.vim = nil
    }

    // MARK: Effects

    /// Performs effects; returns whether one of them scrolled the text away from the caret.
    @discardableResult
    private func perform(_ effects: [VimEffect], in session: EditorSession) -> Bool {
        session.perform(effects)
        var scrolls = false
        for effect in effects {
            switch effect {
            case .copy(let text): copy(text)
            case .command(let line): window.performVim(line)
            case .filter(let filter): window.run(filter, in: session)
            case .request(.completion): completeLine()
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

    /// Completes the title of a note after `:e`, or the name of a command; if called again, goes to the next
    /// completion.
    private func completeLine() {
        guard let line = machine.line?.text.dropFirst() else { return }
        var next = completion.flatMap { $0.isFor(line) ? $0 : nil } ?? VimCompletion(of: String(line), in: window)
        next.goOn()
        guard let completed = next.text else { return completion = nil }
        completion = next
        machine.completeLine(completed)
    }

    private func copy(_ text: String) {
        systemClipboard = nil
        window.keep(Clipping(text: text, isWholeLine: text.hasSuffix("\n")))
    }

    // MARK: Display

    /// Updates the mode, the pending keys and the recording in the status line.
    private func updateStatus() {
        let line = showsRunning ? nil : machine.line
        let status = VimStatus(
            mode: machine.mode, recording: machine.recordingName,
            pending: showsRunning ? Texts.Vim.running : machine.pendingLabel, line: line?.text, caret: line?.caret ?? 0)
        guard window.state.vim != status else { return }
        window.state.vim = status
        window.needsFrame = true
    }
}
