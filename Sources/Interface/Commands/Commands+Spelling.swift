import ViewModel

/// The commands for misspelt words.
@MainActor
let spellingCommands: [Command] = [
    Command(
        "spelling.correct", "Correct the spelling of the word, or of the next one…", .editing, keys: [.editor: "F4"],
        when: { interface in
            guard interface.canWrite.isAvailable else { return interface.canWrite }
            return .when(interface.model.spelling.isOn, else: Texts.Spelling.off)
        }
    ) { $0.correctSpelling() }
]

extension NotebookInterface {
    /// Opens a picker of suggestions for the misspelt word at the caret, or for the next one.
    fileprivate func correctSpelling() {
        let spelling = model.spelling
        guard let session = model.session else { return }
        guard let (range, word, suggestions) = session.misspeltWord(by: spelling) else {
            return model.say(Texts.Spelling.nothingWrong)
        }
        // The word is not selected, so that a user who closes the picker can go on typing without replacing it.
        session.select(range.lowerBound..<range.lowerBound)
        var items = suggestions.map { suggestion in
            PickerOverlay.Item(title: suggestion) { [weak session] in
                // Another program may have changed the text in the meantime.
                guard let session, session.isText(word, at: range) else { return }
                session.replace(range, with: suggestion)
            }
        }
        items.append(
            PickerOverlay.Item(title: Texts.Spelling.learn(word), detail: Texts.Spelling.ownWords) {
                spelling.learn(word)
            })
        show(PickerOverlay(title: Texts.Spelling.title(word), from: items))
    }
}
