extension Schema {
    /// Version 2: searches saved under a name.
    ///
    /// It changes nothing of version 1, so all rows stay as they are.
    static let version2 = """
        -- A search is kept as it was typed; what it finds is looked for anew.
        CREATE TABLE saved_search (
            id INTEGER PRIMARY KEY,
            uuid TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (length(uuid) = 36),
            name TEXT NOT NULL CHECK (trim(name) <> ''),
            nameKey TEXT NOT NULL UNIQUE,
            query TEXT NOT NULL CHECK (trim(query) <> ''),
            createdDate INTEGER NOT NULL
        );
        """
}
