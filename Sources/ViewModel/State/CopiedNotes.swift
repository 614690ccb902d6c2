import NoteStore
import Observation

/// The copied notes, for pasting; cut notes are in the notebook's Buffer, and are counted.
@MainActor
@Observable
final class CopiedNotes {
    private(set) var ids: [NoteID] = []
    /// The number of notes that this program has cut and not pasted yet.
    private(set) var cutCount = 0

    func copy(_ notes: [NoteID]) { ids = notes }
    func clear() { ids = [] }
    func setCut(_ count: Int) { if count != cutCount { cutCount = count } }
}
