@testable import Interface

extension Window {
    /// Returns a window in which a note is written with vim's keys; the caret is at its start.
    static func withVim(_ text: String, columns: Int = 80, rows: Int = 24) throws -> Window {
        let window = try Window(columns: columns, rows: rows, notes: [text])
        window.interface.apply(Configuration.read("[editor]\nkeys = \"vim\"\n"))
        window.press("Enter", "Ctrl-Home")
        return window
    }

    /// The text of the note that is written.
    var noteText: String? { fixture.model.session?.text }
}
