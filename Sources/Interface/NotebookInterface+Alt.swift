import Terminal

extension NotebookInterface {
    /// Says once that a key with Alt has changed the text, if it may have been Esc and a letter of the list.
    ///
    /// Terminals without the keyboard protocol send the same bytes for both, and tmux joins them for as long as its
    /// `escape-time` lasts: a user who leaves the text with Esc and presses `d` at once has deleted a word.
    func tellOfAlt(_ press: KeyPress) {
        guard !state.hasToldOfAlt, context == .editor, host?.tellsEscapeFromAlt != true, press.modifiers == .alt,
            case .character(let letter) = press.key,
            keymap.command(for: KeyPress(.character(letter)), in: .list) != nil
        else { return }
        state.hasToldOfAlt = true
        let pressed = KeySequence(Array(press.chords.prefix(1))).label
        model.say(
            Texts.altChangedText(pressed, letter: String(letter), undo: keyLabel(for: "edit.undo", in: .editor)))
    }
}
