import ViewModel

/// Commands that find and replace in the note.
@MainActor
let findCommands: [Command] = [
    Command(
        "find.start", "Find and replace in the note", .find, keys: [.editor: "Ctrl-F", .preview: "Ctrl-F /"],
        when: needsWriting
    ) {
        $0.startFind()
    },
    Command(
        "find.next", "Next match", .find, keys: [.editor: "F3", .preview: "F3 n", .find: "F3 Down"],
        when: needsWriting
    ) {
        $0.findNext()
    },
    Command(
        "find.previous", "Previous match", .find,
        keys: [.editor: "Shift-F3", .preview: "Shift-F3 N", .find: "Shift-F3 Shift-Enter Up"],
        when: needsWriting
    ) { $0.findPrevious() },
    Command(
        "find.enter", "Next match; in the replacement, replace this one", .find, keys: [.find: "Enter"],
        when: needsFind
    ) {
        $0.findOrReplace()
    },
    Command(
        "find.field", "Switch between find and replace", .find, keys: [.find: "Tab Shift-Tab Ctrl-F"],
        when: needsReplacement
    ) {
        $0.state.findBar?.isReplacing.toggle()
    },
    Command(
        "find.replaceAll", "Replace all matches", .find,
        keys: [.find: "Alt-A Ctrl-Enter", .prompt: "Alt-A Ctrl-Enter", .dialog: "Alt-A Ctrl-Enter"],
        when: needsReplacement
    ) {
        if !$0.performInOverlay(.replaceAll) { $0.replaceAll() }
    },
    matching("find.case", "Match case", "Alt-C", .matchCase, \.isCaseSensitive),
    matching("find.word", "Match whole words", "Alt-W", .matchWords, \.isWholeWord),
    matching("find.expression", "Match a regular expression", "Alt-R", .matchExpression, \.isRegularExpression),
    Command("find.close", "Leave the find bar", .find, keys: [.find: "Esc"], when: needsFind) { $0.closeFind() },
]

/// A command that toggles a matching option, in the find bar or in the overlay that has this option.
@MainActor
private func matching(
    _ name: CommandName, _ title: String, _ key: String, _ action: OverlayAction,
    _ option: WritableKeyPath<FindBar, Bool>
) -> Command {
    Command(name, title, .find, keys: [.find: key, .prompt: key, .dialog: key], when: needsFind) { window in
        guard !window.performInOverlay(action) else { return }
        window.toggle(option)
    }
}

@MainActor
private func needsWriting(_ window: NotebookInterface) -> Availability {
    window.canWrite
}

@MainActor
private func needsFind(_ window: NotebookInterface) -> Availability {
    .when(window.state.findBar != nil || !window.overlays.isEmpty, else: Texts.needsFindBar)
}

@MainActor
private func needsReplacement(_ window: NotebookInterface) -> Availability {
    if window.overlays.isEmpty, window.state.isPreviewing { return .unavailable(Texts.needsWriting) }
    return needsFind(window)
}

extension NotebookInterface {
    /// Opens the find bar with the selected text, or with the last pattern.
    fileprivate func startFind() {
        var bar = lastFind
        bar.isReplacing = false
        if !state.isPreviewing, let selected = model.session?.selectedText, !selected.isEmpty,
            !selected.contains("\n")
        {
            bar.pattern = LineField(selected)
            bar.isRegularExpression = false
        }
        bar.pattern.selectAll()
        state.findBar = bar
        findChanged()
    }

    /// Toggles an option of the bar, and searches with it.
    func toggle(_ option: WritableKeyPath<FindBar, Bool>) {
        state.findBar?[keyPath: option].toggle()
        findChanged()
    }

    /// Searches with the bar's current pattern and options.
    func findChanged() {
        guard let bar = state.findBar else { return }
        lastFind = bar
        guard state.isPreviewing else { return model.session?.find(bar.query) ?? () }
        note.changePreview { $0.find(bar.query) }
    }

    fileprivate func findNext() {
        if state.isPreviewing { return findInPreview(after: 1) }
        if state.findBar != nil { model.session?.findNext() } else { findAgain { $0.findNext() } }
    }

    /// Goes to the next match; with the focus in the replacement field, replaces the current match first.
    fileprivate func findOrReplace() {
        guard let bar = state.findBar, bar.isReplacing, !state.isPreviewing else { return findNext() }
        guard let session = model.session, canReplace(with: bar, in: session) else { return }
        session.replaceMatch(with: bar.replacement.text) { [weak self] outcome in self?.say(outcome) }
    }

    fileprivate func findPrevious() {
        if state.isPreviewing { return findInPreview(after: -1) }
        if state.findBar != nil { model.session?.findPrevious() } else { findAgain { $0.findPrevious() } }
    }

    private func findInPreview(after step: Int) {
        let isFirst = note.preview.search == nil
        if isFirst, lastFind.pattern.text.isEmpty { return startFind() }
        note.changePreview { preview in
            if isFirst { preview.find(lastFind.query) }
            if !isFirst || step < 0 { preview.findMatch(after: step) }
        }
        if state.findBar == nil { model.say(note.preview.search?.summary ?? "") }
    }

    /// Repeats the last search without the bar.
    private func findAgain(_ step: (EditorSession) -> Void) {
        guard let session = model.session, session.isShowingHits || !lastFind.pattern.text.isEmpty else {
            return startFind()
        }
        if !session.isShowingHits { session.resumeFind(lastFind.query) }
        step(session)
        model.say(session.findSummary)
    }

    func replaceAll() {
        guard let bar = state.findBar, let session = model.session, canReplace(with: bar, in: session) else { return }
        session.replaceAllMatches(with: bar.replacement.text) { [weak self] outcome in self?.say(outcome) }
    }

    /// Returns whether the text can be changed and the replacement is valid; if not, shows why.
    private func canReplace(with bar: FindBar, in session: EditorSession) -> Bool {
        let problem = session.problem(ofTemplate: bar.replacement.text).map(Texts.notReplaced)
        guard let reason = model.canChangeText.reason ?? problem else { return true }
        model.say(reason, kind: .refused)
        return false
    }

    private func say(_ outcome: ReplaceOutcome) {
        switch outcome {
        case .replaced(let count): model.say(Texts.replaced(count))
        case .failed(let error): model.say(Texts.notReplaced(Sentence.of(error)), kind: .refused)
        case .changedMeanwhile: model.say(Texts.notReplaced(Texts.changedMeanwhile), kind: .refused)
        }
    }

    /// Closes the bar; the match stays selected, and without a match the selection is as before the search.
    func closeFind() {
        state.findBar = nil
        if state.isPreviewing {
            return note.changePreview { $0.endFind() }
        }
        model.session?.endFind(puttingBack: false)
    }
}
