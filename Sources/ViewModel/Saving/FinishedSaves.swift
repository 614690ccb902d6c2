import NoteStore
import Synchronization

/// Outcomes of saves on their way from the saving queue to the main actor.
///
/// They can be taken by the posted call or, when the program is about to leave, by whoever waits for the queue.
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
