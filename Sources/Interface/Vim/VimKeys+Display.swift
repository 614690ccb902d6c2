import ModalEditing
import Terminal

/// How vim's keys look in the window.
extension VimKeys {
    /// Returns an editor hint with vim's key; nil if vim uses the hint's key for something else, and for the palette,
    /// because the mode needs its room.
    static func hint(_ hint: StatusLine.Hint) -> StatusLine.Hint? {
        switch hint.command {
        case "find.start": StatusLine.Hint(command: hint.command, key: "/", title: hint.title, rank: hint.rank)
        case "pane.list": StatusLine.Hint(command: hint.command, key: ":q", title: hint.title, rank: hint.rank)
        case "note.preview", "app.palette": nil
        default: hint
        }
    }

    /// Returns the cursor in the mode's shape: a block on a character, a bar between two, an underline to overwrite.
    func shaped(_ cursor: Cursor) -> Cursor {
        guard hasKeys, let status = window.state.vim else { return cursor }
        var cursor = cursor
        switch machine.mode {
        case .insert: cursor.shape = .bar
        case .replace: cursor.shape = .underline
        case .normal, .visual, .visualLine, .visualBlock: cursor.shape = .block
        case .commandLine:
            let size = window.screenSize
            cursor = Cursor(Position(column: status.lineView(columns: size.columns).caret, row: size.rows - 1))
            cursor.shape = .bar
        }
        return cursor
    }
}
