import Foundation
import Testing

@testable import NoteStore

/// Tests what is said of a reference that can be several notes.
struct ReferenceTests {
    @Test func `notes whose identities begin alike are told apart by more of them`() throws {
        let test = try TestNotebook()
        for end in ["0001", "0002", "1001"] {
            let id = try #require(NoteID("00000000-0000-4000-8000-00000000" + end))
            try test.notebook.notes.create(NewNote(text: "Note \(end)", id: id))
        }
        func sentence(_ reference: String) -> String {
            do {
                return try test.notebook.notes.resolve(reference: reference).title
            } catch {
                return error.sentence
            }
        }
        let named = sentence("00000000").matches(of: /([0-9-]{8,}) “(Note \d+)”/)
        #expect(named.count == 3)
        for note in named { #expect(sentence(String(note.1)) == note.2) }
    }
}
