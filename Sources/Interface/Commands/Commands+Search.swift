import ViewModel

/// Finding notes.
@MainActor
let searchCommands: [Command] = [
    Command("search.start", "Search all notes", .search, keys: [.browsing: "/"]) { $0.startSearch() },
    Command("search.open", "Open the hit", .search, keys: [.search: "Enter"]) { $0.openHit() },
    Command("search.cancel", "Leave the search", .search, keys: [.search: "Esc"]) { $0.cancelSearch() },
]

extension NotebookInterface {
    func startSearch() {
        state.focus = .list
        state.searchField = LineField(model.noteSearchText)
    }

    func openHit() {
        state.searchField = nil
        guard !model.noteSearchText.isEmpty else { return }
        model.searchSubmitted()
        if model.noteUnderCursor != nil { state.focus = .editor }
    }

    func cancelSearch() {
        state.searchField = nil
        model.cancelSearch()
    }
}
