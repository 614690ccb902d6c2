import NoteStore
import Terminal
import Testing
import ViewModel

@testable import Interface

/// A hint names the key that works where the focus is, as the user has set it.
@MainActor
@Suite(.serialized)
struct HintTests {
    private func window(_ keys: String = "") throws -> Window {
        let window = try Window(notes: [])
        if !keys.isEmpty { window.interface.apply(Configuration.read(keys)) }
        window.draw()
        return window
    }

    @Test func `an empty folder names the key that writes a note where the focus is`() throws {
        let window = try window()
        defer { window.close() }
        #expect(window.lines.contains { $0.contains("Press n to write one.") })
        // There n is a new folder.
        window.press("Alt-1")
        #expect(window.lines.contains { $0.contains("Press ^N to write one.") })
    }

    @Test func `keys that were changed are named as they are now, and those taken away are not named`() throws {
        let window = try window("[keys.list]\nnote.new = \"w w\"\nnote.star = \"\"\n")
        defer { window.close() }
        #expect(!window.lines.contains { $0.contains("Press n ") })
        window.place.model.selectContainer(.starred)
        window.draw()
        #expect(window.lines.contains { $0.contains("No starred notes.") })
        #expect(!window.lines.contains { $0.contains("to star it") })
    }
}
