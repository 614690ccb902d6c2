import NoteStore
import TestSupport
import Testing
import ViewModel

/// Tests that notes which every machine may make on its own have the same identity everywhere.
@MainActor
@Suite(.serialized)
struct StableNoteTests {
    @Test func `the day's note is the same on two machines`() throws {
        let places = [try TemporaryNotebook(), try TemporaryNotebook()]
        defer { for place in places { place.close() } }
        let ids = try places.map { try DailySettings().note(in: $0.notebook, on: TemporaryNotebook.now).id }
        #expect(ids[0] == ids[1])
        // If that note is in the Trash, a new one is made.
        let notebook = places[0].notebook
        try notebook.trash.add([ids[0]])
        let next = try DailySettings().note(in: notebook, on: TemporaryNotebook.now)
        #expect(next.id != ids[0] && next.place == .live)
    }

    @Test func `the welcome note is the same on two machines`() throws {
        let places = [try TemporaryNotebook(), try TemporaryNotebook()]
        defer { for place in places { place.close() } }
        let ids = places.map { place in
            place.model.start()
            place.model.showWelcome()
            return place.model.openNote?.id
        }
        #expect(ids[0] != nil && ids[0] == ids[1])
    }
}
