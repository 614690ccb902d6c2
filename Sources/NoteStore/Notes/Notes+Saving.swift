import Crypto
import GRDB
import TextEditing

/// How much a save updates besides the text.
public enum SaveScope: Sendable {
    /// Everything that is derived from the text.
    case whole
    /// The text itself, its title, preview and counts.
    ///
    /// For saving while the user types: a tenth of the work. Links and the search index are marked, and updated by the
    /// next whole save, the next search, or the next start.
    case text
}

extension Notebook.Notes {
    /// Saves a note's text.
    ///
    /// - Parameters:
    ///   - baseRevision: the revision that the text was made from. If the note has another by now, the two changes are
    ///     merged three ways.
    ///   - base: the text of that revision, for merging; without it both texts of a changed note are kept.
    ///   - wordCount: the words of the text if they are known; a save of everything counts them itself.
    ///   - position: how far the program's journal has got with this text, stored in the same transaction.
    ///
    /// Throws `noSuchFile` or `replaced` if the notebook's file was removed or replaced meanwhile.
    public func save(
        _ id: NoteID, text: TextBuffer, baseRevision: Int64, base: TextBuffer?, wordCount: Int? = nil,
        scope: SaveScope = .whole, position: JournalPosition? = nil
    ) throws(StoreError) -> SaveOutcome {
        let save = try prepare(id, text.string(), scope, wordCount)
        return try self.save(save, of: id, baseRevision: baseRevision, base: base) { transaction, outcome in
            if let position { try transaction.mark(position, of: id, after: outcome) }
        }
    }

    /// Saves a note's text that is given as a string.
    public func save(
        _ id: NoteID, text: String, baseRevision: Int64, base: String? = nil, scope: SaveScope = .whole
    ) throws(StoreError) -> SaveOutcome {
        try save(id, text: text, baseRevision: baseRevision, base: base, scope: scope) { _, _ in }
    }

    /// Saves a note's text, and what `recording` writes in the same transaction.
    func save(
        _ id: NoteID, text: String, baseRevision: Int64, base: String?, scope: SaveScope = .whole,
        recording: (Transaction, SaveOutcome) throws -> Void
    ) throws(StoreError) -> SaveOutcome {
        try save(
            prepare(id, text, scope), of: id, baseRevision: baseRevision, base: base.map { TextBuffer($0) },
            recording: recording)
    }

    private func save(
        _ save: PreparedSave, of id: NoteID, baseRevision: Int64, base: TextBuffer?,
        recording: (Transaction, SaveOutcome) throws -> Void
    ) throws(StoreError) -> SaveOutcome {
        try notebook.write { transaction in
            let outcome = try transaction.save(save, id: id, baseRevision: baseRevision, base: base)
            try recording(transaction, outcome)
            return outcome
        }
    }

    private func prepare(
        _ id: NoteID, _ text: String, _ scope: SaveScope, _ wordCount: Int? = nil
    ) throws(StoreError) -> PreparedSave {
        guard let row = try row(id) else { throw .noSuchNote(id) }
        let ownTitle = row.titleIsDerived ? nil : row.title
        if scope == .text {
            return PreparedSave(text: text, summary: TextSummary(of: text, title: ownTitle, wordCount: wordCount))
        }
        let facts = TextFacts(of: text, title: ownTitle)
        return PreparedSave(
            text: text, summary: facts.summary, facts: facts,
            old: try notebook.read { db in try FormerWords(of: row.key, db) },
            new: IndexedWords(title: ownTitle ?? facts.summary.derivedTitle, text: text, unknownTo: notebook.termCache))
    }
}

/// The values that a save computes before it takes the write lock.
///
/// It is an object, so that its texts, each as long as the note, can be freed once they are stored; one thread uses it.
final class PreparedSave {
    private(set) var text: String
    let summary: TextSummary
    /// `nil` if links and index are left for later.
    let facts: TextFacts?
    /// The words that the index has, as far as known before the transaction.
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

    /// Frees the text, which is stored now.
    func releaseText() { text = "" }
}

/// The words that the search index has for a note, with a digest of their source.
struct FormerWords {
    let words: IndexedWords
    /// The digest of the title and text that the words were made from.
    let digest: [UInt8]

    /// `nil` if the index has no words for the note.
    ///
    /// Cost: two passes over the text, without copying it.
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
        // No title contains a byte 0, so no part of the text can be taken for the title.
        hash.update(data: [0])
        hash.update(bufferPointer: UnsafeRawBufferPointer(text))
        return Array(hash.finalize())
    }

    /// The title and text that the index knows; `sql` selects the text.
    ///
    /// Those of a marked note are in its mark; otherwise they are the note's own.
    private static func source(of key: Int64, _ db: Database) throws -> (title: String?, sql: String) {
        let mark = try db.cachedStatement(sql: "SELECT title FROM search_mark WHERE note = ?")
        if let row = try Row.fetchOne(mark, arguments: [key]) {
            return (row[0], "SELECT text FROM search_mark WHERE note = ?")
        }
        let note = try db.cachedStatement(sql: "SELECT title FROM note WHERE id = ?")
        return (try String.fetchOne(note, arguments: [key]), Notebook.Notes.textSelection)
    }
}
