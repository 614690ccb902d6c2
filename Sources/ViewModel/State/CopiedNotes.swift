import NoteStore
import Observation

/// The notes that were copied, for pasting; those that were cut are in the notebook's Buffer.
@MainActor
@Observable
final class CopiedNotes {
    private(set) var ids: [NoteID] = []

    func copy(_ notes: [NoteID]) { ids = notes }
    func clear() { ids = [] }
}
