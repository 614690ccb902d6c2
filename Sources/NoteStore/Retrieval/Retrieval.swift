import GRDB

extension Notebook.Retrieval {
    static let privacyPrefix = "privacy/"
    /// The first key after all that begin with the prefix.
    static let privacyEnd = "privacy0"

    /// Returns the notes that a recipient may see.
    ///
    /// It is the only source of texts, titles and snippets for a model. Notes in Trash, Archive and Buffer are never
    /// among them.
    public func sendable(for rule: SendingRule, in scope: RetrievalScope = RetrievalScope()) -> SendableNotes {
        SendableNotes(notebook: notebook, rule: rule, scope: scope)
    }

    /// Returns the privacy level that a note has itself, whatever its folder and tags have.
    public func privacy(of id: NoteID) throws(StoreError) -> PrivacyLevel { try privacy(id.description) }
    /// Returns the privacy level that a container has itself, whatever contains it.
    public func privacy(of id: ContainerID) throws(StoreError) -> PrivacyLevel { try privacy(id.description) }

    /// Sets the privacy level of a note; `inherit` leaves it to its folder and tags.
    public func setPrivacy(_ level: PrivacyLevel, of id: NoteID) throws(StoreError) {
        try setPrivacy(level, id.description)
    }
    /// Sets the privacy level of a container, which counts for all notes in it; `inherit` leaves it to its parent.
    public func setPrivacy(_ level: PrivacyLevel, of id: ContainerID) throws(StoreError) {
        try setPrivacy(level, id.description)
        // A tag that exists only in texts would be removed with them, together with its level. Its symbol is set too, so
        // that the tag is marked for a synchronisation.
        guard level != .inherit else { return }
        try notebook.write {
            try $0.run(
                "UPDATE container SET inText = 0, symbol = symbol WHERE uuid = ? AND inText = 1", [id.description])
            try $0.run("DELETE FROM sync_gone WHERE id = ?", [id.description])
        }
    }

    private func privacy(_ id: String) throws(StoreError) -> PrivacyLevel {
        PrivacyLevel(stored: try notebook.settings.value(Self.privacyPrefix + id))
    }

    private func setPrivacy(_ level: PrivacyLevel, _ id: String) throws(StoreError) {
        try notebook.settings.set(Self.privacyPrefix + id, level == .inherit ? nil : level.rawValue)
    }
}

/// The notes that a recipient may see, and the search in them.
public struct SendableNotes: Sendable {
    public let notebook: Notebook
    public let rule: SendingRule
    let scope: RetrievalScope

    /// Returns a note with its text; nil if there is none, or if the recipient may not see it.
    public func note(_ id: NoteID) throws(StoreError) -> Note? {
        let found = try notebook.read { db -> Note? in
            let condition = try SendingCondition(rule, scope, db)
            guard let row = try NoteRow.fetch(db, "WHERE note.uuid = ? AND \(condition.sql)", [id.description]).first
            else { return nil }
            return Note(row: row, content: try Notebook.Notes.text(db, key: row.key) ?? "")
        }
        guard let found else { return nil }
        return try isAllowed(found, closed: closedTagKeys()) ? found : nil
    }

    /// Whether the recipient may see a note that is being written, with a `text` that the notebook may not have yet.
    public func mayRead(_ id: NoteID, text: String) throws(StoreError) -> Bool {
        let found = try notebook.read { db -> Note? in
            let condition = try SendingCondition(rule, scope, db)
            return try NoteRow.fetch(db, "WHERE note.uuid = ? AND \(condition.sql)", [id.description]).first
                .map { Note(row: $0, content: text) }
        }
        guard let found else { return false }
        return try isAllowed(found, closed: closedTagKeys())
    }

    /// Returns the IDs of all notes that the recipient may see; tags written in texts are not checked.
    public func ids() throws(StoreError) -> [NoteID] {
        try notebook.read { db in
            let condition = try SendingCondition(rule, scope, db)
            return try String.fetchAll(db, sql: "SELECT uuid FROM note WHERE \(condition.sql) ORDER BY id")
                .compactMap { NoteID($0) }
        }
    }

    /// Returns the number of these notes.
    public func count() throws(StoreError) -> Int {
        let closed = try closedTagKeys()
        return try notebook.read { db in
            let condition = try SendingCondition(rule, scope, db)
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM note WHERE \(condition.sql)") ?? 0
            if closed.isEmpty { return count }
            // Only a text with one of these signs can have a tag.
            let rows = try NoteRow.fetch(
                db,
                """
                WHERE \(condition.sql) AND EXISTS (SELECT 1 FROM note_text WHERE note_text.note = note.id
                    AND (instr(text, '#') > 0 OR instr(text, '---') > 0))
                """, [])
            return try count
                - rows.count { row in
                    let text = try Notebook.Notes.text(db, key: row.key) ?? ""
                    return !isAllowed(Note(row: row, content: text), closed: closed)
                }
        }
    }

    /// Returns the notes that have any of these words, the best first.
    ///
    /// - Returns: each note with its text and bm25's score, the higher the better.
    public func best(_ words: [TellingWord], limit: Int = 50) throws(StoreError) -> [(note: Note, score: Double)] {
        guard !words.isEmpty else { return [] }
        let match = words.flatMap(\.forms).map { "\"\($0)\"" }.joined(separator: " OR ")
        let found = try notebook.read { db in
            let condition = try SendingCondition(rule, scope, db)
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT search.rowid, -bm25(search, 4.0, 1.0) FROM search
                    CROSS JOIN note ON note.id = search.rowid AND \(condition.sql)
                    WHERE search MATCH ? ORDER BY 2 DESC LIMIT ?
                    """, arguments: [match, limit])
            let scores = rows.map { ($0[0] as Int64, $0[1] as Double) }
            return try zip(ListReader.rows(db, scores.map(\.0)), scores).map { row, score in
                (note: Note(row: row, content: try Notebook.Notes.text(db, key: row.key) ?? ""), score: score.1)
            }
        }
        let closed = try closedTagKeys()
        return found.filter { isAllowed($0.note, closed: closed) }
    }

    /// Returns the folded names of the tags whose notes this recipient never gets.
    private func closedTagKeys() throws(StoreError) -> [String] {
        guard rule.recipient != .reader else { return [] }
        return try notebook.read { try SendingCondition.closedTagKeys(rule, $0) }
    }

    /// Whether the text of a note contains neither a tag that is never sent nor one nested in such a tag.
    ///
    /// The table of tags may lack those of a front matter, or of a text that has just been changed.
    private func isAllowed(_ note: Note, closed: [String]) -> Bool {
        closed.isEmpty
            || note.writtenTags.allSatisfy { tag in
                let key = Folding.key(tag)
                return !closed.contains { key == $0 || key.hasPrefix($0 + "/") }
            }
    }
}

extension Notebook.Retrieval {
    /// Whether a name in `SendingRule.neverSend` matches any container.
    public func hasContainer(named name: String) throws(StoreError) -> Bool {
        try notebook.read { db in
            try !SendingCondition.closedContainers(SendingRule(.thisMachine, neverSend: [name]), db, open: nil).isEmpty
        }
    }
}
