import NoteStore
import ViewModel

extension NotebookInterface {
    /// Opens a picker of days after an `@` was typed in a task; a day's name that is typed in full becomes its date.
    ///
    /// Any other typed text is inserted into the note. So is what was typed before Esc.
    func offerDays() {
        guard let session = model.session, session === textOnScreen, session.takesDay, model.canChangeText.isAvailable
        else { return }
        let today = Day(now())
        let picker = PickerOverlay(title: Texts.Tasks.day, prompt: "@") { typed in
            OfferedDays.offers(for: typed, from: today).map { offer in
                PickerOverlay.Item(title: offer.name, detail: offer.day.description) { session.complete(offer.day) }
            }
        }
        picker.caret = { [weak self] in self?.caretPosition }
        picker.closes = { $0.hasSuffix(" ") || Day($0) != nil || $0.count > Self.maximumDayNameLength }
        picker.whenAbandoned = { typed, isAccepted in
            let isEnded = typed.hasSuffix(" ")
            let word = isEnded ? String(typed.dropLast()) : typed
            if isEnded, let day = OfferedDays.day(named: word, from: today) {
                session.complete(day)
                session.type(" ")
            } else {
                session.typeKeys(of: typed)
                // If no day has the typed name, Enter begins a new line in the note.
                if isAccepted, !isEnded, Day(typed) == nil, typed.count <= Self.maximumDayNameLength {
                    session.newLine()
                }
            }
        }
        show(picker)
    }

    /// The largest number of characters in the name of a day; a longer text closes the picker.
    private static let maximumDayNameLength = 12
}
