import NoteStore
import Synchronization

/// Results of saves, passed from the saving thread to the main actor.
///
/// They are taken by the posted call or, when the program is about to end, by the caller that waits for the thread.
final class FinishedSaves: Sendable {
    struct Save: Sendable {
        let note: NoteID
        let outcome: Result<SavedText, any Error>
        let scope: SaveScope
        let duration: Duration
    }

    private let saves = Mutex<[Save]>([])

    func put(_ note: NoteID, _ outcome: Result<SavedText, any Error>, _ scope: SaveScope, duration: Duration) {
        saves.withLock { $0.append(Save(note: note, outcome: outcome, scope: scope, duration: duration)) }
    }

    func take() -> [Save] {
        saves.withLock { saves in
            defer { saves = [] }
            return saves
        }
    }
}
