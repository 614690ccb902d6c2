import TextEditing
import ViewModel

/// The commands for misspelt words.
@MainActor
let spellingCommands: [Command] = [
    Command(
        "spelling.correct", "Correct the spelling of the word, or of the next one…", .editing, keys: [.editor: "F4"],
        when: { window in
            guard window.canEdit.isAvailable else { return window.canEdit }
            return .when(window.model.spelling.isOn, else: Texts.Spelling.off)
        }
    ) { $0.correctSpelling() }
]

extension NotebookInterface {
    /// Opens a picker of suggestions for the misspelt word at the caret, or for the next one.
    fileprivate func correctSpelling() {
        let spelling = model.spelling
        guard let session = model.session else { return }
        switch session.misspeltWord(by: spelling) {
        case .misspelt(let range, let word, let suggestions): offer(suggestions, for: word, at: range, in: session)
        case .nothing: model.say(Texts.Spelling.nothingWrong)
        case .unknown:
            model.say(Texts.Spelling.asking)
            let (revision, selection) = (session.textRevision, session.selection)
            spelling.whenAnswered { [weak self, weak session] in
                // The picker is for the text as it was at the command; it must not open when the user has gone on
                // typing.
                guard let self, let session, session === textOnScreen, session.textRevision == revision,
                    session.selection == selection, context == .editor, isAtRest
                else { return }
                correctSpelling()
            }
        }
    }

    private func offer(
        _ suggestions: [String], for word: String, at range: Range<ByteOffset>, in session: EditorSession
    ) {
        let spelling = model.spelling
        // The word is not selected, so that a user who closes the picker can go on typing without replacing it.
        session.select(range.lowerBound..<range.lowerBound)
        var items = suggestions.map { suggestion in
            PickerOverlay.Item(title: suggestion) { [weak session] in
                // Another program may have changed the text in the meantime.
                guard let session, session.isText(word, at: range) else { return }
                session.replace(range, with: suggestion)
            }
        }
        // If there are many suggestions, this row comes before the last ones, so that it is in sight.
        items.insert(
            PickerOverlay.Item(title: Texts.Spelling.learn(word), detail: Texts.Spelling.ownWords) {
                spelling.learn(word)
            }, at: min(items.count, PickerOverlay.rowsAtCaret - 1))
        let picker = PickerOverlay(title: Texts.Spelling.title(word), from: items)
        picker.caret = { [weak self] in self?.caretPosition }
        show(picker)
    }
}
