import NoteStore
import Terminal
import ViewModel

/// Commands of the search field, and the one that saves a search.
@MainActor
let savedSearchCommands: [Command] = [
    Command(
        "search.complete", "Complete the tag, folder or filter", .search, keys: [.search: "Tab"],
        when: { .when($0.state.searchField != nil, else: Texts.needsSearchField($0.searchKey)) }
    ) { $0.completeSearch() },
    Command(
        "search.openStay", "Open the hit and stay in the list", .search, keys: [.search: "Alt-Enter"],
        when: { $0.needsSearch }
    ) { $0.openHitAndStay() },
    Command(
        "search.save", "Save the search in the sidebar", .search, keys: [.search: "Ctrl-S"],
        when: { $0.model.canSaveSearch }
    ) { $0.saveSearch() },
]

extension NotebookInterface {
    var needsSearch: Availability { .when(!model.noteSearchText.isEmpty, else: Texts.needsSearch(searchKey)) }

    /// The key that opens the search.
    fileprivate var searchKey: String? { keyLabel(for: "search.start", in: .list) }

    /// Completes the word left of the caret with its first candidate.
    fileprivate func completeSearch() {
        guard let field = state.searchField else { return }
        let completion = model.searchCompletion(String(field.head))
        guard let first = completion.candidates.first else { return }
        let head = completion.text(with: first)
        var completed = LineField(head + field.text[field.caret...])
        completed.moveCaret(to: completed.text.index(ofCharacterAt: head.utf8.count))
        state.searchField = completed
        searchFieldChanged()
    }

    /// Opens the hit; the list keeps the hits and the focus.
    fileprivate func openHitAndStay() {
        model.searchSubmitted()
        focus(.list)
    }

    /// Asks for the name under which the search is saved.
    func saveSearch() {
        show(
            LinePrompt(
                title: Texts.saveSearch, text: model.noteSearchText,
                problem: { [weak self] in self?.model.searchNameProblem($0) }
            ) { [weak self] name in
                let reason = self?.model.saveSearch(named: name)
                if reason == nil { self?.focus(.list) }
                return reason
            })
    }

    /// The saved search under the sidebar's cursor.
    var savedSearchUnderCursor: SavedSearch? {
        guard state.focus == .sidebar, state.headingUnderCursor == nil else { return nil }
        return model.selectedSavedSearch.flatMap(model.savedSearch)
    }

    func rename(_ search: SavedSearch) {
        let prompt = LinePrompt(title: Texts.name(of: Texts.search), text: search.name) { [weak self] in
            self?.model.searchNameProblem($0, except: search.id)
        } accept: { [weak self] in
            self?.model.rename(search, to: $0)
        }
        prompt.anchor = { [weak self] in self?.sidebar.rect(of: .search(search.id)) }
        show(prompt)
    }
}
