import NoteStore
import Observation

/// The copied notes, for pasting; cut notes are in the notebook's Buffer.
@MainActor
@Observable
final class CopiedNotes {
    private(set) var ids: [NoteID] = []

    func copy(_ notes: [NoteID]) { ids = notes }
    func clear() { ids = [] }
}
