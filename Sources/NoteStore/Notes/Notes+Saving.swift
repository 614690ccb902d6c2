import Crypto
import GRDB
import TextEditing

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

extension Notebook.Notes {
    /// Saves a note's text.
    ///
    /// - Parameters:
    ///   - baseRevision: the revision that the text was made from. If the note has another by now, the two changes are
    ///     merged three ways.
    ///   - base: the text of that revision, for merging; without it a changed note is kept twice.
    ///   - position: how far the program's journal has got with this text, kept in the same transaction.
    ///
    /// Throws `noSuchFile` or `replaced` when the notebook's file was taken away meanwhile.
    public func save(
        _ id: NoteID, text: TextBuffer, baseRevision: Int64, base: TextBuffer?, scope: SaveScope = .whole,
        position: JournalPosition? = nil
    ) throws(StoreError) -> SaveOutcome {
        try save(prepare(id, text.string(), scope), of: id, baseRevision: baseRevision, base: base, position)
    }

    /// Saves a note's text; the same with strings.
    public func save(
        _ id: NoteID, text: String, baseRevision: Int64, base: String? = nil, scope: SaveScope = .whole
    ) throws(StoreError) -> SaveOutcome {
        try save(prepare(id, text, scope), of: id, baseRevision: baseRevision, base: base.map { TextBuffer($0) }, nil)
    }

    private func save(
        _ save: PreparedSave, of id: NoteID, baseRevision: Int64, base: TextBuffer?, _ position: JournalPosition?
    ) throws(StoreError) -> SaveOutcome {
        try notebook.write { transaction in
            let outcome = try transaction.save(save, id: id, baseRevision: baseRevision, base: base)
            if let position { try transaction.mark(position, of: id, after: outcome) }
            return outcome
        }
    }

    private func prepare(_ id: NoteID, _ text: String, _ scope: SaveScope) throws(StoreError) -> PreparedSave {
        guard let row = try row(id) else { throw .noSuchNote(id) }
        let ownTitle = row.titleIsDerived ? nil : row.title
        if scope == .text { return PreparedSave(text: text, summary: TextSummary(of: text, title: ownTitle)) }
        let facts = TextFacts(of: text, title: ownTitle)
        return PreparedSave(
            text: text, summary: facts.summary, facts: facts,
            old: try notebook.read { db in try FormerWords(of: row.key, db) },
            new: IndexedWords(title: ownTitle ?? facts.summary.derivedTitle, text: text, unknownTo: notebook.termCache))
    }
}

/// What a save works out before it takes the write lock.
///
/// An object, so that its texts, each as long as the note, can be let go as soon as they are stored; used by one thread.
final class PreparedSave {
    private(set) var text: String
    let summary: TextSummary
    /// `nil`: links and index are left for later.
    let facts: TextFacts?
    /// What the index has, as far as that could be known before.
    private var old: FormerWords?
    private var new: IndexedWords?

    init(
        text: String, summary: TextSummary, facts: TextFacts? = nil, old: FormerWords? = nil, new: IndexedWords? = nil
    ) {
        self.text = text
        self.summary = summary
        self.facts = facts
        self.old = old
        self.new = new
    }

    func takeOld() -> FormerWords? {
        defer { old = nil }
        return old
    }

    func takeNew() -> IndexedWords? {
        defer { new = nil }
        return new
    }

    /// The text, which is stored now, is needed no longer.
    func letGoOfText() { text = "" }
}

/// The words by which the search index knows a note, and by what they can be told from others.
struct FormerWords {
    let words: IndexedWords
    /// Of the title and text that they were made of.
    let digest: [UInt8]

    /// `nil` if the index has nothing of it.
    ///
    /// Cost: two passes over the text, none of which copies it.
    init?(of key: Int64, _ db: Database) throws {
        let source = try Self.source(of: key, db)
        guard let title = source.title else { return nil }
        (words, digest) = try Notebook.Notes.withText(db, source.sql, [key]) { text in
            let text = text ?? UnsafeBufferPointer(start: nil, count: 0)
            return (IndexedWords(titleToRemove: title, text: text), Self.digest(title, text))
        }
    }

    static func digest(of key: Int64, _ db: Database) throws -> [UInt8]? {
        let source = try source(of: key, db)
        guard let title = source.title else { return nil }
        return try Notebook.Notes.withText(db, source.sql, [key]) { text in
            digest(title, text ?? UnsafeBufferPointer(start: nil, count: 0))
        }
    }

    private static func digest(_ title: String, _ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var hash = Insecure.MD5()
        var title = title
        title.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        // No title has a byte 0, so that nothing of the text can be taken for the title's.
        hash.update(data: [0])
        hash.update(bufferPointer: UnsafeRawBufferPointer(text))
        return Array(hash.finalize())
    }

    /// A marked note's title and text are in its mark, any other's are the note's own; `sql` selects the text.
    private static func source(of key: Int64, _ db: Database) throws -> (title: String?, sql: String) {
        let mark = try db.cachedStatement(sql: "SELECT title FROM search_mark WHERE note = ?")
        if let row = try Row.fetchOne(mark, arguments: [key]) {
            return (row[0], "SELECT text FROM search_mark WHERE note = ?")
        }
        let note = try db.cachedStatement(sql: "SELECT title FROM note WHERE id = ?")
        return (try String.fetchOne(note, arguments: [key]), Notebook.Notes.textSelection)
    }
}
