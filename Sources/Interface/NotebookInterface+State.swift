import Terminal
import ViewModel

/// What the program around the window sets and keeps.
extension NotebookInterface {
    /// Takes over the arrangement of the last run.
    public func restore(_ saved: SavedState) {
        if saved.paneWidths.count == 2 {
            state.widths = PaneWidths(sidebar: saved.paneWidths[0], list: saved.paneWidths[1])
        }
    }

    /// Adds the window's part to what is kept for the next run.
    public func keep(in saved: inout SavedState) {
        saved.paneWidths = [state.widths.sidebar, state.widths.list]
    }

    /// Gives the keys to the editor, as when the program is started with a note.
    public func focusEditor() {
        focus(.editor)
    }
}
