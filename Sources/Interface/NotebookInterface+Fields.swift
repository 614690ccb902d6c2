import TextEditing
import ViewModel

/// The fields of one line: those of the overlays, the search field and the find bar.
extension NotebookInterface {
    /// Whether the keys go to a field of one line: that of an overlay, the search field or the find bar.
    var hasField: Bool {
        if let overlay = overlays.last { return overlay.context.isTyping }
        return state.searchField != nil || paneContext == .find
    }

    /// Edits the focused field.
    func editField(_ action: EditingAction) {
        if let overlay = overlays.last { return overlay.edit(action, in: self) }
        switch paneContext {
        case .search:
            guard var field = state.searchField else { return }
            field.perform(action)
            let changed = field.text != state.searchField?.text
            state.searchField = field
            if changed { searchFieldChanged() }
        case .find:
            guard var field = state.findBar?.field else { return }
            field.perform(action)
            let changed = field.text != state.findBar?.field.text
            state.findBar?.field = field
            if changed { findFieldChanged() }
        default: break
        }
    }

    /// Searches for a changed pattern at once; a replacement waits for Enter.
    func findFieldChanged() {
        if state.findBar?.isReplacing == false { findChanged() }
    }

    func searchFieldChanged() {
        state.listTop = 0
        model.search(for: state.searchField?.text ?? "")
    }
}
