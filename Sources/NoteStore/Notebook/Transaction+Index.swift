import GRDB

/// A change of the search index that a transaction makes at its end.
enum IndexChange {
    case insert(Int64, IndexedWords)
    case delete(Int64, IndexedWords)
    case done
}

extension Transaction {
    /// The number of bytes of words above which the changes are made at once, since a rebuild must not hold every text
    /// in memory.
    private static let pendingLimit = 8_000_000

    /// Adds a new note to the search index at the end of the transaction.
    ///
    /// Statements between two changes of the index would make FTS5 write out what it has gathered (it does at every
    /// savepoint), which is ten times slower.
    func index(_ note: Int64, _ words: IndexedWords) throws { try change(.insert(note, words), words) }

    /// Removes a note from the index; `words` must be those that it was added with.
    func unindex(_ note: Int64, _ words: IndexedWords) throws { try change(.delete(note, words), words) }

    func reindex(_ note: Int64, from old: IndexedWords, to new: IndexedWords) throws {
        guard old.title != new.title || old.text != new.text else { return }
        try unindex(note, old)
        try index(note, new)
    }

    private func change(_ change: IndexChange, _ words: IndexedWords) throws {
        guard writesIndex else { return }
        pendingIndex.append(change)
        pendingBytes += words.text.utf8.count
        if pendingBytes > Self.pendingLimit { try flushIndex() }
    }

    /// Makes the pending changes of the index, in their order.
    ///
    /// A damaged index does not stop a save: it is marked as damaged, and the next maintenance rebuilds it.
    func flushIndex() throws {
        defer {
            pendingIndex = []
            pendingBytes = 0
        }
        try addTerms()
        do {
            for index in pendingIndex.indices {
                try apply(pendingIndex[index])
                // This frees memory: the words of a long note are as long as the note.
                pendingIndex[index] = .done
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            try run("INSERT OR REPLACE INTO setting (key, value) VALUES ('indexIsDamaged', '1')")
        }
    }

    private func apply(_ change: IndexChange) throws {
        switch change {
        case .insert(let note, let words):
            try run("INSERT INTO search (rowid, title, text) VALUES (?, ?, ?)", [note, words.title, words.text])
            try run("INSERT INTO search_title (rowid, title) VALUES (?, ?)", [note, words.title])
        case .delete(let note, let words):
            try run(
                "INSERT INTO search (search, rowid, title, text) VALUES ('delete', ?, ?, ?)",
                [note, words.title, words.text])
            try run(
                "INSERT INTO search_title (search_title, rowid, title) VALUES ('delete', ?, ?)", [note, words.title])
        case .done: break
        }
    }

    /// Adds the words of the pending changes to the table of words.
    private func addTerms() throws {
        // Words have been removed since the lookup, among them perhaps some that the cache contained.
        let generation = try termGeneration()
        let cache = termCache.generation == generation ? termCache : nil
        var new: [String] = []
        for case .insert(_, let words) in pendingIndex {
            let words = generation > words.termGeneration ? words.withAllTerms : words
            words.forEachTerm(unknownTo: cache) { if newTerms.insert($0.hash) { new.append($0.word) } }
        }
        // The words are added in the table's order, so that each goes beside the one before, whose place the statement
        // keeps.
        new.sort { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
        let whole = new.count - new.count % Self.wordsAtOnce
        for start in stride(from: 0, to: whole, by: Self.wordsAtOnce) {
            // GRDB reads a sequence of one type through a key path, which is half of the cost of all arguments.
            let values: [(any DatabaseValueConvertible)?] = new[start..<start + Self.wordsAtOnce].map { $0 }
            try run(Self.insertionOfMany, StatementArguments(values))
        }
        for word in new[whole...] { try run(Self.insertion, [word]) }
    }

    /// The number of words that one statement adds.
    private static let wordsAtOnce = 50

    private static let insertion = TermTable.insertion(of: 1)
    private static let insertionOfMany = TermTable.insertion(of: wordsAtOnce)
}
