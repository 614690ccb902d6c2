import Testing

@testable import Interface

/// Tests the mode in which a note begins.
@MainActor
struct VimNewNoteTests {
    @Test func `a new note is written at once, and one that is opened is in Normal mode`() throws {
        let window = try Window.withVim("One")
        defer { window.close() }
        window.press("Ctrl-N", "\"jot\"")
        #expect(window.interface.state.vim?.mode == .insert && window.noteText == "jot")
        window.press("Esc", "Alt-2", "\"n\"", "\"own\"")
        #expect(window.interface.state.vim?.mode == .insert && window.noteText == "own")
        window.press("Esc", "\":note.new\"", "Enter", "\"third\"")
        #expect(window.interface.state.vim?.mode == .insert && window.noteText == "third")
        window.press("Esc", "\":e One\"", "Enter")
        #expect(window.interface.state.vim?.mode == .normal && window.noteText == "One")
    }
}
