import GRDB

/// The words of a note as the index holds them.
struct IndexedWords: Equatable {
    let title: String
    let text: String

    /// Cost: a pass over the text, about 10 ms a megabyte.
    init(title: String, text: String) {
        self.title = SearchText.prepared(title)
        self.text = SearchText.prepared(text)
    }
}

extension Transaction {
    /// Puts a new note into the search index.
    func index(_ note: Int64, _ words: IndexedWords) throws {
        try run("INSERT INTO search (rowid, title, text) VALUES (?, ?, ?)", [note, words.title, words.text])
        try run("INSERT INTO search_title (rowid, title) VALUES (?, ?)", [note, words.title])
        try addTerms(words)
    }

    /// Takes a note out; `words` must be what it was put in with.
    func unindex(_ note: Int64, _ words: IndexedWords) throws {
        try run(
            "INSERT INTO search (search, rowid, title, text) VALUES ('delete', ?, ?, ?)",
            [note, words.title, words.text])
        try run("INSERT INTO search_title (search_title, rowid, title) VALUES ('delete', ?, ?)", [note, words.title])
    }

    func reindex(_ note: Int64, from old: IndexedWords, to new: IndexedWords) throws {
        guard old != new else { return }
        try unindex(note, old)
        try index(note, new)
    }

    private func addTerms(_ words: IndexedWords) throws {
        let statement = try db.cachedStatement(sql: "INSERT OR IGNORE INTO search_term (term, stem) VALUES (?, ?)")
        for (term, stem) in SearchTerms.terms(of: [words.title, words.text]) {
            try statement.execute(arguments: [term, stem])
        }
    }
}
