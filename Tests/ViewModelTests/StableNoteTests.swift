import NoteStore
import TestSupport
import Testing
import ViewModel

/// Tests that notes which every machine may make on its own have the same identity everywhere.
@MainActor
@Suite(.serialized)
struct StableNoteTests {
    @Test func `the day's note is the same on two machines`() throws {
        let fixtures = [try TemporaryNotebook(), try TemporaryNotebook()]
        defer { for fixture in fixtures { fixture.close() } }
        let ids = try fixtures.map { try DailySettings().note(in: $0.notebook, on: TemporaryNotebook.now).id }
        #expect(ids[0] == ids[1])
        // If that note is in the Trash, a new one is made.
        let notebook = fixtures[0].notebook
        try notebook.trash.add([ids[0]])
        let next = try DailySettings().note(in: notebook, on: TemporaryNotebook.now)
        #expect(next.id != ids[0] && next.place == .live)
    }

    @Test func `the welcome note is the same on two machines`() throws {
        let fixtures = [try TemporaryNotebook(), try TemporaryNotebook()]
        defer { for fixture in fixtures { fixture.close() } }
        let ids = fixtures.map { fixture in
            fixture.model.start()
            fixture.model.showWelcome()
            return fixture.model.openNote?.id
        }
        #expect(ids[0] != nil && ids[0] == ids[1])
    }
}
