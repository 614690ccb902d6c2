import GRDB

/// How much a save brings in line with the text.
public enum SaveScope: Sendable {
    /// Everything that follows from it.
    case whole
    /// The text itself, its title, preview and counts.
    ///
    /// For saving while somebody types: a tenth of the work. Links and the search index wait, marked, for the next whole
    /// save, for whoever searches, or for the next start.
    case text
}

extension Notebook {
    /// Saves a note's text.
    ///
    /// - Parameters:
    ///   - baseRevision: the revision that the text was made from. If the note has another by now, the two changes are
    ///     merged three ways.
    ///   - base: the text of that revision, for merging; without it a changed note is kept twice.
    ///
    /// Throws `noSuchFile` when the notebook's file was taken away meanwhile.
    public func save(
        _ id: NoteID, text: String, baseRevision: Int64, base: String? = nil, scope: SaveScope = .whole
    ) throws(StoreError) -> SaveOutcome {
        let save = try prepare(id, text, scope)
        let outcome = try write { transaction in
            try transaction.save(save, id: id, baseRevision: baseRevision, base: base)
        }
        // SQLite writes on into a file that has lost its name, and what is written there is gone with the program.
        guard DiskFile.exists(path) else { throw .noSuchFile(path: path) }
        return outcome
    }

    private func prepare(_ id: NoteID, _ text: String, _ scope: SaveScope) throws(StoreError) -> PreparedSave {
        guard let row = try row(id) else { throw .noSuchNote(id) }
        let ownTitle = row.titleIsDerived ? nil : row.title
        if scope == .text { return PreparedSave(text: text, summary: TextSummary(of: text, title: ownTitle)) }
        let indexed = try read { db in try IndexedText(of: row.key, db) }
        let facts = TextFacts(of: text, title: ownTitle)
        let title = ownTitle ?? facts.summary.derivedTitle
        return PreparedSave(
            text: text, summary: facts.summary, facts: facts, old: indexed.map { PreparedWords($0.title, $0.text) },
            new: PreparedWords(title, text))
    }
}

/// What a save works out before it takes the write lock.
struct PreparedSave {
    let text: String
    let summary: TextSummary
    /// `nil`: links and index are left for later.
    var facts: TextFacts?
    /// What the index has, as far as that could be known before.
    var old: PreparedWords?
    var new: PreparedWords?
}

/// The index's words of a title and a text, with both.
struct PreparedWords {
    let title: String
    let text: String
    let words: IndexedWords

    init(_ title: String, _ text: String) {
        self.title = title
        self.text = text
        words = IndexedWords(title: title, text: text)
    }

    /// The words of another title with this text.
    func titled(_ other: String) -> IndexedWords { other == title ? words : words.retitled(other) }
}

/// The title and text by which the search index knows a note.
struct IndexedText {
    let title: String
    let text: String

    /// `nil` if the index has nothing of it.
    init?(of key: Int64, _ db: Database) throws {
        let source = try Self.source(of: key, db)
        guard let title = source.title else { return nil }
        self.title = title
        text = try Notebook.text(db, source.sql, [key]) ?? ""
    }

    /// A marked note's is in its mark, any other's is the note's own; `sql` selects the text.
    static func source(of key: Int64, _ db: Database) throws -> (title: String?, sql: String) {
        let mark = try db.cachedStatement(sql: "SELECT title FROM search_mark WHERE note = ?")
        if let row = try Row.fetchOne(mark, arguments: [key]) {
            return (row[0], "SELECT text FROM search_mark WHERE note = ?")
        }
        let note = try db.cachedStatement(sql: "SELECT title FROM note WHERE id = ?")
        return (try String.fetchOne(note, arguments: [key]), Notebook.textSelection)
    }
}
