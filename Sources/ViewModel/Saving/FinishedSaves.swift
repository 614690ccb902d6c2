import NoteStore
import Synchronization

/// Results of saves, passed from the saving thread to the main actor.
///
/// They are taken by the posted call or, when the program is about to end, by the caller that waits for the thread.
final class FinishedSaves: Sendable {
    struct Save: Sendable {
        let note: NoteID
        /// The base on which the text was saved or tried to be, or `nil` if nothing was tried.
        let base: EditJournal.Base?
        let outcome: Result<SavedText, any Error>
        let scope: SaveScope
        let duration: Duration
    }

    private let saves = Mutex<[Save]>([])

    func put(_ save: Save) { saves.withLock { $0.append(save) } }

    func take() -> [Save] {
        saves.withLock { saves in
            defer { saves = [] }
            return saves
        }
    }
}
