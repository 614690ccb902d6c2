import NoteStore
import TextEditing

/// Coming to a note at the request of another program of the user: `tn open`, or a link on the desktop.
extension NotebookInterface {
    /// What became of such a request.
    public enum Arrival: Equatable, Sendable {
        case done
        /// A dialog is open: its keys must not be given another meaning.
        case dialog
        /// Keys were pressed a moment ago, and the next ones are meant for what is on the screen.
        case typing
        case noNote
    }

    /// How long no key must have been pressed: longer than the time between two keys of one thought.
    static let pauseBeforeArriving = Duration.milliseconds(500)

    /// Comes to the note of a `takenote://note/UUID` address, with the focus in its text.
    ///
    /// What was typed is saved first.
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
        // Leaves search field, find bar and vim's modes, which belong to what is on the screen now.
        endSequence()
        focus(.list)
        model.dismissNotice()
        model.loadNoteFromURL(address)
        guard let note = model.openNote, note.id == id else { return .noNote }
        focus(.editor)
        if model.notice == nil {
            model.say(Texts.cameTo(note.title, back: key(for: "history.back", in: .editor)?.label))
        }
        overlayChanged()
        return .done
    }

    /// Takes a text that was copied in another window; it is pasted here as if it had been copied here.
    public func take(_ clipping: Clipping) { clipboard = clipping }
}
