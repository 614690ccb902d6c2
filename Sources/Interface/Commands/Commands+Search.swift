import ViewModel

/// Commands for searching notes.
@MainActor
let searchCommands: [Command] = [
    Command("search.start", "Search all notes", .search, keys: [.browsing: "/"]) { $0.startSearch() },
    Command("search.open", "Open the hit", .search, keys: [.search: "Enter"]) { $0.openHit() },
    Command("search.cancel", "Leave the search", .search, keys: [.search: "Esc"]) { $0.cancelSearch() },
]

extension NotebookInterface {
    fileprivate func startSearch() {
        focusSearchField()
    }

    fileprivate func openHit() {
        guard !model.noteSearchText.isEmpty else { return focus(.list) }
        model.searchSubmitted()
        focus(model.noteUnderCursor == nil ? .list : .editor)
    }

    func cancelSearch() {
        focus(.list)
        model.cancelSearch()
    }
}
