import ModalEditing
import TextEditing
import ViewModel

/// The commands that run the user's programs on texts.
@MainActor
let customCommands: [Command] = [
    Command(
        "selection.pipe", "Pipe the selection through a command…", .custom,
        keys: [.editor: "Alt-|", .browsing: "|", .preview: "|"],
        when: { .when($0.model.session != nil, else: Texts.noNoteOpen) }
    ) { $0.askForPipe() },
    Command(
        "command.stop", "Stop the running command", .custom,
        when: { .when($0.state.runningScript != nil, else: Texts.Custom.nothingRuns) }
    ) { $0.stopScript() },
    Command(
        "command.errors", "Show the errors of the last failed command", .custom,
        when: { .when($0.lastErrors != nil, else: Texts.Custom.nothingFailed) }
    ) { $0.showErrors() },
]

/// A running script.
struct RunningScript {
    let title: String
    let stop: @MainActor () -> Void
}

/// The ranges of a text where an answer can go, if the text has not changed in the meantime.
private struct AnswerTarget {
    let session: EditorSession
    let revision: Int
    /// The range of bytes that the command has read.
    let range: Range<ByteOffset>
    /// The position at which an answer is inserted.
    let end: ByteOffset
    /// Whether the range consists of whole lines, without the last line break; input and output are whole lines then.
    var isLines = false
}

extension NotebookInterface {
    func canRun(_ command: ShellCommand) -> Availability {
        command.writesNote
            ? when(canWrite, model.canChangeText) : .when(model.session != nil, else: Texts.noNoteOpen)
    }

    /// Runs a shell command; the first time, a question shows its line and asks for permission.
    func run(_ command: ShellCommand) {
        ask(of: command, Texts.Custom.willRun) { [weak self] in self?.start(command) }
    }

    /// Pipes lines through a shell command of vim (`!`); asks the first time, as for a user-defined command.
    func run(_ filter: VimFilter, in session: EditorSession) {
        var command = ShellCommand(title: filter.command, line: filter.command)
        command.input = filter.readsRange ? .selection : .none
        command.answer =
            switch filter.output {
            case .replaces: .replace
            case .follows: .insert
            case .isShown: .show
            }
        let target = AnswerTarget(
            session: session, revision: session.textRevision, range: filter.range, end: filter.range.upperBound,
            isLines: true)
        ask(of: command, Texts.Custom.willRunFilter) { [weak self, command] in
            self?.start(command, at: target)
        }
    }

    /// Calls `run` if the user allows the command's shell line now or has allowed it before.
    private func ask(of command: ShellCommand, _ text: String, run: @escaping @MainActor () -> Void) {
        guard let host else { return }
        guard !host.isAllowed(line: command.line) else { return run() }
        let question = Question(
            title: Texts.Custom.allow(command.title), text: text, quoted: command.line, accept: Texts.Custom.run,
            decline: Texts.Custom.doNotRun)
        show(
            ConfirmOverlay(question) { [weak self] in
                // If the permission cannot be stored, the question is only asked again next time.
                if let problem = host.allow(line: command.line) { self?.model.say(problem, kind: .refused) }
                run()
            })
    }

    /// Asks for a command line, and pipes through it the selection, which the answer replaces, or the note, to show it.
    fileprivate func askForPipe() {
        let isWriting = state.focus == .editor && !state.isPreviewing && textOnScreen != nil
        let isSelected = isWriting && textOnScreen?.selection.isEmpty == false
        let title = isSelected ? Texts.Custom.pipeSelection : Texts.Custom.pipeNote
        show(
            LinePrompt(title: title, text: lastPipe, hints: Texts.Hints.prompt) { [weak self] line in
                guard let self else { return nil }
                guard !line.allSatisfy(\.isWhitespace) else { return Texts.Custom.noCommandLine }
                lastPipe = line
                let answer = isSelected ? ShellCommand.Answer.replace : .show
                // The user has typed the command line, so no permission is needed.
                start(ShellCommand(title: line, line: line, answer: answer))
                return nil
            })
    }

    /// Runs a command whose line the user has allowed.
    ///
    /// - Parameter given: where its answer goes; nil for where the command says.
    private func start(_ command: ShellCommand, at given: AnswerTarget? = nil) {
        guard state.runningScript == nil else { return model.say(Texts.Custom.oneRuns, kind: .refused) }
        guard let host else { return }
        let target = given ?? model.session.map { self.target(of: command, in: $0) }
        var run = ShellRun(script: ShellTemplate.script(command.line), timeout: command.timeout)
        if let target, command.input != .none {
            let buffer = target.session.buffer
            run.input = buffer.bytes(in: target.range)
            if target.isLines {
                run.input += buffer.lineBreak(near: buffer.lineNumber(at: target.range.upperBound)).utf8
            }
        }
        if let note = model.openNote {
            run.environment = ["TN_TITLE": note.title, "TN_URL": note.getURL()]
            if command.names.contains("file") { run.fileText = model.session?.text }
        }
        model.say(Texts.Custom.running(command.title))
        let stop = host.run(run) { [weak self] outcome in
            guard let self else { return }
            state.runningScript = nil
            finish(command, outcome, at: target)
            overlayChanged()
        }
        if let stop { state.runningScript = RunningScript(title: command.title, stop: stop) }
    }

    /// Returns the ranges that a command reads and that its answer goes to.
    private func target(of command: ShellCommand, in session: EditorSession) -> AnswerTarget {
        let all = session.buffer.range
        let selected = session.selection.range
        let isSelection = command.input == .selection && !state.isPreviewing && !selected.isEmpty
        return AnswerTarget(
            session: session, revision: session.textRevision, range: isSelection ? selected : all,
            end: selected.upperBound)
    }

    fileprivate func stopScript() {
        guard let runningScript = state.runningScript else { return }
        runningScript.stop()
        model.say(Texts.stopping)
    }

    /// Shows the whole error output of the last failed command.
    fileprivate func showErrors() {
        if let lastErrors { show(AnswerOverlay(title: lastErrors.title, text: lastErrors.text)) }
    }

    // MARK: Answers

    private func finish(_ command: ShellCommand, _ outcome: ShellOutcome, at target: AnswerTarget?) {
        switch outcome {
        case .answer(let text): take(text, of: command, at: target)
        case .stopped: model.say(Texts.Custom.stopped(command.title), kind: .refused)
        case .failed(let reason, let details):
            let lines = details.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
            model.say(Texts.Custom.failed(command.title, reason, lines.last.map(String.init)), kind: .refused)
            lastErrors = lines.isEmpty ? nil : (Texts.Custom.errors(command.title), details)
            // A single line is already in the message.
            if lines.count > 1, isAtRest { showErrors() }
        }
    }

    /// Puts an answer where the command says, or on the clipboard if that would disturb the user.
    private func take(_ answer: String, of command: ShellCommand, at target: AnswerTarget?) {
        switch command.answer {
        case .none: model.say(Texts.Custom.done(command.title))
        case .show:
            guard !answer.isEmpty else { return model.say(Texts.Custom.saidNothing(command.title)) }
            guard isAtRest else { return keepAside(answer, of: command) }
            model.dismissNotice()
            show(AnswerOverlay(title: command.title, text: answer))
        case .note:
            guard !answer.isEmpty else { return model.say(Texts.Custom.saidNothing(command.title)) }
            // A dialog opened in the meantime keeps its keys, and the note on the screen stays.
            guard !context.isTyping || state.focus == .editor, isStill(target), isAtRest else {
                return keepAside(answer, of: command)
            }
            addNote(pasted: answer)
            // What is said of the new note, such as where it went, comes first.
            let running = Texts.Custom.running(command.title)
            guard model.notice.map({ $0.text == running }) ?? true else { return }
            model.say(Texts.Custom.done(command.title))
        case .replace, .insert:
            guard let target, isStill(target), overlays.isEmpty else { return keepAside(answer, of: command) }
            // A filter of vim may delete lines; a command that prints nothing hardly means to empty a note.
            guard !answer.isEmpty || target.isLines else { return model.say(Texts.Custom.saidNothing(command.title)) }
            if target.isLines {
                target.session.replaceLines(target.range, with: answer, keepsThem: command.answer == .insert)
                return model.say(Texts.Custom.done(command.title))
            }
            let isReplaced = command.answer == .replace
            let range = isReplaced ? target.range : target.end..<target.end
            let before = isReplaced ? target.session.buffer.string(in: range) : ""
            target.session.replace(range, with: isReplaced ? answer.ending(like: before) : answer.insertable)
            model.say(Texts.Custom.done(command.title))
        }
    }

    /// Whether an answer may change the screen without disturbing the user: no key is pending that was meant for the
    /// current screen, no overlay has the keys, and no unsaved text would be hidden.
    var isAtRest: Bool {
        heldForPaste == nil && host?.hasPendingInput != true && overlays.isEmpty && state.pendingKeys.isEmpty
            && model.unsavedTexts.isEmpty
    }

    /// Whether a text is still open and unchanged; without a text, whether still none is open.
    private func isStill(_ target: AnswerTarget?) -> Bool {
        guard let target else { return model.session == nil }
        return model.session === target.session && target.session.textRevision == target.revision
    }

    /// Puts an answer on the clipboard if it cannot go where it was meant to go.
    private func keepAside(_ answer: String, of command: ShellCommand) {
        clipboard = Clipping(text: answer)
        model.say(Texts.Custom.textHasChanged(command.title, paste: keyLabel(for: "edit.paste", in: .editor)))
    }
}

extension String {
    /// Returns the text without the line end that programs print last, unless the replaced text ended with one too.
    fileprivate func ending(like before: String) -> String {
        guard hasSuffix("\n"), !before.hasSuffix("\n") else { return self }
        return String(dropLast())
    }

    /// The text to insert at a caret: a single line has no line end, so that it does not break the line of the caret.
    fileprivate var insertable: String {
        last?.isNewline == true && !dropLast().contains(where: \.isNewline) ? String(dropLast()) : self
    }
}
