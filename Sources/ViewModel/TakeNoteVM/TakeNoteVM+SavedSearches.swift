import NoteStore

/// Searches that are saved under a name and shown in the sidebar.
extension TakeNoteVM {
    /// Whether there is a search to save.
    public var canSaveSearch: Availability {
        .when(!noteSearchText.isEmpty, else: Texts.searchFirst)
    }

    /// Saves the current search under a name.
    ///
    /// - Returns: the reason why the name was refused, or nil.
    @discardableResult
    public func saveSearch(named name: String) -> String? {
        refusal {
            let search = try notebook.savedSearches.create(name, query: noteSearchText)
            sidebar.setExpanded(.searches, true)
            try reloadContainers()
            self.search.choose(search.id)
            recount()
            say(Texts.searchSaved(search.name))
        }
    }

    /// The saved search with this ID, or nil.
    public func savedSearch(_ id: SavedSearchID) -> SavedSearch? { sidebar.savedSearch(id) }

    /// Shows the hits of a saved search in the list.
    public func select(_ search: SavedSearch) {
        guard selectedSavedSearch != search.id else { return }
        self.search(for: search.query)
        self.search.choose(search.id)
    }

    /// Returns the reason why a saved search cannot have a name, as far as it is known while typing; nil if it can.
    public func searchNameProblem(_ name: String, except: SavedSearchID? = nil) -> String? {
        let key = Folding.key(name)
        if key.isEmpty { return Texts.emptyName }
        let isTaken = savedSearches.contains { $0.id != except && Folding.key($0.name) == key }
        return isTaken ? Texts.searchExists : nil
    }

    /// Renames a saved search.
    ///
    /// - Returns: the reason why the name was refused, or nil.
    @discardableResult
    public func rename(_ search: SavedSearch, to name: String) -> String? {
        refusal {
            try notebook.savedSearches.rename(search.id, to: name)
            try reloadContainers()
        }
    }

    /// Deletes a saved search; its notes are unchanged, and undo restores it.
    public func delete(_ search: SavedSearch) {
        attempt(Texts.Attempt.deleteSearch) {
            if selectedSavedSearch == search.id { cancelSearch() }
            try notebook.savedSearches.delete(search.id)
            try reloadContainers()
            say(Texts.searchDeleted(search.name, undo: keyLabel("app.undo")))
        }
    }
}
