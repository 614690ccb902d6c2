import Foundation
import GRDB

extension Notebook.SavedSearches {
    /// Returns the saved searches, sorted by name.
    public func all() throws(StoreError) -> [SavedSearch] {
        try notebook.read { db in
            try Row.fetchAll(db.cachedStatement(sql: "\(SavedSearch.selection) ORDER BY nameKey")).map(SavedSearch.init)
        }
    }

    /// Saves a search under a name.
    ///
    /// Throws `emptyName` if the name or the query is only white space, and `nameTaken`.
    @discardableResult
    public func create(_ name: String, query: String) throws(StoreError) -> SavedSearch {
        try notebook.write { transaction in
            let search = SavedSearch(
                id: SavedSearchID(transaction.identity()), name: try transaction.checkedSearchName(name, except: nil),
                query: Folding.trimmed(query), createdDate: Date(milliseconds: transaction.now))
            if search.query.isEmpty { throw StoreError.emptyName }
            try transaction.insert(search)
            try transaction.record(.addSearch, search: StateChange(before: nil, after: search))
            return search
        }
    }

    /// Gives a saved search another name.
    ///
    /// Throws `emptyName` and `nameTaken`; does nothing if there is no such search.
    public func rename(_ id: SavedSearchID, to name: String) throws(StoreError) {
        try notebook.write { transaction in
            guard let before = try transaction.savedSearch(id) else { return }
            var after = before
            after.name = try transaction.checkedSearchName(name, except: id)
            try transaction.update(after)
            try transaction.record(.renameSearch, search: StateChange(before: before, after: after))
        }
    }

    /// Deletes a saved search; undo brings it back.
    public func delete(_ id: SavedSearchID) throws(StoreError) {
        try notebook.write { transaction in
            guard let before = try transaction.savedSearch(id) else { return }
            try transaction.delete(before)
            try transaction.record(.deleteSearch, search: StateChange(before: before, after: nil))
        }
    }
}

extension SavedSearch {
    fileprivate static let selection = "SELECT uuid, name, query, createdDate FROM saved_search"

    fileprivate init(_ row: Row) {
        // The schema accepts only text of a UUID's length.
        id = SavedSearchID(UUID(uuidString: row[0]) ?? UUID.random())
        name = row[1]
        query = row[2]
        createdDate = Date(milliseconds: row[3])
    }
}

extension Transaction {
    fileprivate func savedSearch(_ id: SavedSearchID) throws -> SavedSearch? {
        try row("\(SavedSearch.selection) WHERE uuid = ?", [id.description]).map(SavedSearch.init)
    }

    fileprivate func checkedSearchName(_ name: String, except id: SavedSearchID?) throws -> String {
        let name = Folding.trimmed(name)
        if name.isEmpty { throw StoreError.emptyName }
        let taken: String? = try value(
            "SELECT uuid FROM saved_search WHERE nameKey = ? AND uuid IS NOT ?", [Folding.key(name), id?.description])
        if let taken { throw StoreError.nameTaken(name: name, parent: "", by: ContainerID(stored: taken)) }
        return name
    }

    fileprivate func insert(_ search: SavedSearch) throws {
        try run(
            "INSERT OR IGNORE INTO saved_search (uuid, name, nameKey, query, createdDate) VALUES (?, ?, ?, ?, ?)",
            [
                search.id.description, search.name, Folding.key(search.name), search.query,
                search.createdDate.milliseconds,
            ])
        change.containers = true
    }

    fileprivate func update(_ search: SavedSearch) throws {
        // If another search has taken the name meanwhile, this search keeps its present one.
        try run(
            "UPDATE OR IGNORE saved_search SET name = ?, nameKey = ?, query = ? WHERE uuid = ?",
            [search.name, Folding.key(search.name), search.query, search.id.description])
        change.containers = true
    }

    fileprivate func delete(_ search: SavedSearch) throws {
        try run("DELETE FROM saved_search WHERE uuid = ?", [search.id.description])
        change.containers = true
    }

    /// Sets a saved search to the state after an action, for undo and redo.
    func apply(_ change: StateChange<SavedSearch>) throws {
        switch (change.before, change.after) {
        case (_?, let after?): try update(after)
        case (nil, let after?): try insert(after)
        case (let before?, nil): try delete(before)
        case (nil, nil): break
        }
    }
}
