import NoteStore
import ViewModel

extension NotebookInterface {
    /// Offers days behind an `@` that was just typed in a task; a name that is typed in full becomes its day.
    ///
    /// Whatever else is typed goes to the text, and Esc leaves the `@` with it.
    func offerDays() {
        guard let session = model.session, session === textOnScreen, session.takesDay else { return }
        let today = Day(now())
        let picker = PickerOverlay(title: Texts.Tasks.day, prompt: "@") { typed in
            OfferedDays.offers(for: typed, from: today).map { offer in
                PickerOverlay.Item(title: offer.name, detail: offer.day.description) { session.complete(offer.day) }
            }
        }
        picker.closes = { $0.hasSuffix(" ") || Day($0) != nil || $0.count > Self.longestDayName }
        picker.whenAbandoned = { typed, isAccepted in
            let isEnded = typed.hasSuffix(" ")
            let word = isEnded ? String(typed.dropLast()) : typed
            if isEnded, let day = OfferedDays.day(named: word, from: today) {
                session.complete(day)
                session.type(" ")
            } else {
                for character in typed { session.type(String(character)) }
                // Enter where no day has the name is the Enter of the text.
                if isAccepted, !isEnded, Day(typed) == nil, typed.count <= Self.longestDayName { session.newLine() }
            }
        }
        show(picker)
    }

    /// The number of characters above which a typed text is no name of a day.
    private static let longestDayName = 12
}
