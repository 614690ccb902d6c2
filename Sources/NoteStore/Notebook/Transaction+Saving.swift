import Foundation
import GRDB
import TextEditing

extension Transaction {
    /// Saves a note's text; merges it with what another writer has saved since it was read.
    ///
    /// - Parameters:
    ///   - baseRevision: the revision that the text was made from.
    ///   - base: the text of that revision; without it, the texts cannot be merged.
    func save(_ save: PreparedSave, id: NoteID, baseRevision: Int64, base: TextBuffer?) throws -> SaveOutcome {
        var head = try head(id)
        if try refreshIfChangedOutside(head.key) { head = try self.head(id) }
        // Another tool may have changed the text after this program set its mark, which hides the tool's own mark.
        let isUnchanged = try base.map { try isText($0, head.key) } ?? true
        // A stored text that is the base need not be read again: in memory, the comparison costs a tenth.
        let isSaved = isUnchanged ? base?.hasSameBytes(as: save.text) : nil
        if try isSaved ?? isText(save.text, head.key) {
            if save.facts != nil, try isMarked(head.key) {
                try bringInLine(head.key, save, title: head.title)
                // Another note may show a link to this one whose target is known only now.
                change.notes?.insert(id)
            }
            return .saved(try noteRow(id))
        }
        if head.revision == baseRevision, isUnchanged {
            try setText(save, of: head)
            return .saved(try noteRow(id))
        }
        return try merge(save, into: head, base: base)
    }

    /// Merges a text with the one that another writer has saved; both are kept as versions, whatever the result.
    private func merge(_ save: PreparedSave, into head: NoteHead, base: TextBuffer?) throws -> SaveOutcome {
        let stored = try Notebook.Notes.text(db, key: head.key) ?? ""
        let merged = base.flatMap { TextMerge.merge(base: $0.string(), ours: save.text, theirs: stored) }
        try keepVersion(of: head, text: stored, .merged)
        try keepVersion(of: head, text: save.text, .merged)
        guard let merged else {
            let copy = try insertCopy(of: head, text: save.text)
            return .conflict(try noteRow(head.id), text: stored, copy: copy)
        }
        if merged == save.text {
            try setText(save, of: head)
        } else {
            try replaceText(merged, of: head)
        }
        return .merged(try noteRow(head.id), text: merged)
    }

    /// Makes a note "… (conflict)" beside the note, with the text that could not be merged.
    ///
    /// Returns the existing note if the journal was replayed before and could not be removed.
    private func insertCopy(of head: NoteHead, text: String) throws -> NoteRow {
        if let copy = try copy(named: "(conflict)", of: text) { return copy }
        let original = try noteRow(head.id)
        let folder = head.place == .live ? original.folder ?? .inbox : .inbox
        let title = "\(head.title) (conflict)"
        let new = NewNote(
            text: text, title: title, folder: folder, tags: original.handTags, sources: [head.id])
        return try insert(new)
    }

    /// Finds a note that is not in Trash, has exactly this text, and has `name` in its title.
    func copy(named name: String, of text: String) throws -> NoteRow? {
        let candidates = try rows(
            "SELECT id, uuid FROM note WHERE size = ? AND instr(title, ?) AND place <> 2", [text.utf8.count, name])
        let copy = try candidates.first { try isText(text, $0[0]) }
        return try copy.map { try noteRow(NoteID(stored: $0[1])) }
    }

    // MARK: - Text

    /// Stores a text that was computed inside the transaction.
    func replaceText(_ text: String, of head: NoteHead) throws {
        _ = try refreshIfChangedOutside(head.key)
        if try isText(text, head.key) { return }
        let facts = TextFacts(of: text, title: head.title == head.defaultTitle ? nil : head.title)
        let words = IndexedWords(title: head.title, text: text, unknownTo: termCache)
        try setText(PreparedSave(text: text, summary: facts.summary, facts: facts, new: words), of: head)
        try makeTitleFinal(head.key)
    }

    /// Stores a note's text, and either everything derived from it or a mark that this is still to be done.
    private func setText(_ save: PreparedSave, of head: NoteHead) throws {
        let title = try titleAfterSave(head, save.summary)
        if title != head.title {
            newlyTitled.insert(head.key)
            try rememberDerived(head, before: title)
        }
        if save.facts != nil {
            try bringInLine(head.key, save, title: title)
        } else {
            // The mark is stored as a blob, which distinguishes it from the marks that triggers make. Without the condition
            // the old text would be read with every save.
            try run(
                """
                INSERT INTO search_mark (note, title, text)
                SELECT id, title, CAST(text AS BLOB) FROM note JOIN note_text ON note = id
                WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM search_mark AS mark WHERE mark.note = ?1)
                """, [head.key])
        }
        try run(
            """
            UPDATE note SET title = ?1, titleKey = ?2, defaultTitle = ?3, updatedDate = ?4, preview = ?5,
                wordCount = ?6, size = ?7, revision = revision % 9223372036854775807 + 1, titleStamp = titleStamp + 1,
                titleStands = iif(title = ?1, titleStands, ?9)
            WHERE id = ?8
            """,
            [
                title, Folding.key(title), head.title == head.defaultTitle ? title : head.defaultTitle, now,
                save.summary.preview, save.summary.wordCount, save.summary.size, head.key, titlesStand,
            ])
        try save.text.withLentBytes { bytes in
            try run("UPDATE note_text SET text = CAST(? AS TEXT), stamp = stamp + 1 WHERE note = ?", [bytes, head.key])
        }
        save.releaseText()
        change.notes?.insert(head.id)
        change.containers = true
    }

    /// Updates the index and links for a saved text, if `save` contains its facts.
    ///
    /// - Parameter title: the note's title after the save.
    private func bringInLine(_ key: Int64, _ save: PreparedSave, title: String) throws {
        guard let facts = save.facts else { return }
        let new =
            save.takeNew()?.retitled(title, unknownTo: termCache)
            ?? IndexedWords(title: title, text: save.text, unknownTo: termCache)
        if let old = try indexedWords(of: key, save.takeOld()) {
            try reindex(key, from: old, to: new)
        } else {
            try index(key, new)
        }
        try run("DELETE FROM search_mark WHERE note = ?", [key])
        try run("UPDATE note SET features = ? WHERE id = ?", [facts.features.rawValue, key])
        try writeLinks(facts, of: key)
    }

    /// Returns the title after a save: derived again if it follows the text, otherwise unchanged.
    private func titleAfterSave(_ head: NoteHead, _ summary: TextSummary) throws -> String {
        guard head.title == head.defaultTitle else { return head.title }
        guard let folder = head.folder, head.place == .live else { return summary.derivedTitle }
        return try freeTitle(summary.derivedTitle, in: containerHead(key: folder), except: head.key)
    }

    // MARK: - Indexed words

    /// Whether a note is marked for indexing.
    func isMarked(_ key: Int64) throws -> Bool {
        try value("SELECT 1 FROM search_mark WHERE note = ?", [key]) ?? false
    }

    /// Returns the words that the index has for a note, or `nil` if there are none.
    ///
    /// - Parameter prepared: those words as looked up before the transaction.
    func indexedWords(of key: Int64, _ prepared: FormerWords? = nil) throws -> IndexedWords? {
        if let prepared, try FormerWords.digest(of: key, db) == prepared.digest { return prepared.words }
        return try FormerWords(of: key, db)?.words
    }

    /// Whether a note's stored text has exactly these bytes, compared in SQLite's own memory.
    private func isText(_ text: String, _ key: Int64) throws -> Bool {
        var text = text
        return try text.withUTF8 { wanted in
            try Notebook.Notes.withText(db, Notebook.Notes.textSelection, [key]) { found in
                guard let found else { return wanted.isEmpty }
                return found.hasSameBytes(as: wanted)
            }
        }
    }

    private func isText(_ text: TextBuffer, _ key: Int64) throws -> Bool {
        try Notebook.Notes.withText(db, Notebook.Notes.textSelection, [key]) { found in
            guard let found else { return text.isEmpty }
            return text.hasSameBytes(as: found)
        }
    }
}

extension TextBuffer {
    fileprivate func hasSameBytes(as text: String) -> Bool {
        var text = text
        return text.withUTF8 { hasSameBytes(as: $0) }
    }

    fileprivate func hasSameBytes(as bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count == utf8Count else { return false }
        var (offset, isSame) = (0, true)
        forEachPiece(in: range) { piece in
            isSame = UnsafeBufferPointer(rebasing: bytes[offset..<offset + piece.count]).hasSameBytes(as: piece)
            offset += piece.count
            return isSame
        }
        return isSame
    }
}
