import Terminal
import ViewModel

/// The window state that the program restores, stores and sets.
extension NotebookInterface {
    /// Restores the pane widths of the last run.
    public func restore(_ saved: SavedState) {
        if saved.paneWidths.count == 2 {
            state.widths = PaneWidths(sidebar: saved.paneWidths[0], list: saved.paneWidths[1])
        }
        state.hidesSidebar = saved.hidesSidebar ?? false
        state.isListCompact = saved.isListCompact ?? false
    }

    /// Adds the window's pane widths to the state kept for the next run.
    public func keep(in saved: inout SavedState) {
        saved.paneWidths = [state.widths.sidebar, state.widths.list]
        saved.hidesSidebar = state.hidesSidebar
        saved.isListCompact = state.isListCompact
    }

    /// Focuses the editor, as when the program is started with a note.
    public func focusEditor() {
        focus(.editor)
    }
}
