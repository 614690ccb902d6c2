import NoteStore
import TextEditing

/// Opening a note at the request of another program: `tn open`, or a link on the desktop.
extension NotebookInterface {
    /// The outcome of such a request.
    public enum Arrival: Equatable, Sendable {
        case done
        /// A dialog is open, and a key meant for it must not act on the note.
        case dialog
        /// Keys were pressed a moment ago, so the next ones are meant for the current screen.
        case typing
        case noNote
    }

    /// The time without a key that must have passed: longer than the time between two keys typed in one go.
    static let pauseBeforeArriving = Duration.milliseconds(500)

    /// Opens the note of a `takenote://note/UUID` address, and focuses its text.
    ///
    /// Typed text is saved first.
    public func come(to address: String) -> Arrival {
        guard overlays.isEmpty else {
            model.say(Texts.noteAsksToBeOpened, kind: .refused)
            overlayChanged()
            return .dialog
        }
        guard let id = Notebook.Notes.uuid(in: address).flatMap(NoteID.init), model.exists(id) else { return .noNote }
        guard let host, host.inputAge >= Self.pauseBeforeArriving, !host.hasPendingInput, heldForPaste == nil else {
            return .typing
        }
        model.saveNow()
        // The search field, the find bar and vim's modes belong to the current screen, so they are left.
        endSequence()
        focus(.list)
        model.dismissNotice()
        model.loadNoteFromURL(address)
        guard let note = model.openNote, note.id == id else { return .noNote }
        focus(.editor)
        if model.notice == nil {
            model.say(Texts.cameTo(note.title, back: keyLabel(for: "history.back", in: .editor)))
        }
        overlayChanged()
        return .done
    }

    /// Takes over a text that was copied in another window, as if it had been copied here.
    public func take(_ clipping: Clipping) { clipboard = clipping }
}
