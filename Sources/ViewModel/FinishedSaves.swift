import NoteStore
import Synchronization

/// Outcomes of saves on their way from the saving queue to the main actor.
///
/// They can be taken by the posted call or, when the program is about to leave, by whoever waits for the queue.
final class FinishedSaves: Sendable {
    private let outcomes = Mutex<[(NoteID, Result<SaveOutcome, any Error>)]>([])

    func put(_ id: NoteID, _ outcome: Result<SaveOutcome, any Error>) {
        outcomes.withLock { $0.append((id, outcome)) }
    }

    func take() -> [(NoteID, Result<SaveOutcome, any Error>)] {
        outcomes.withLock { outcomes in
            defer { outcomes = [] }
            return outcomes
        }
    }
}
