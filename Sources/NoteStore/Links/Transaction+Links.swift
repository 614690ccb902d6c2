import GRDB

extension Transaction {
    /// Replaces what is known of a note's links by what its text has now.
    func writeLinks(_ links: [TextFacts.LinkFact], of note: Int64) throws {
        try run("DELETE FROM note_link WHERE source = ?", [note])
        try addLinks(links, of: note)
    }

    /// Writes the links of a note that has none yet.
    func addLinks(_ links: [TextFacts.LinkFact], of note: Int64) throws {
        for (ordinal, link) in links.enumerated() {
            let destination = try destination(of: link, from: note)
            if destination == nil || destination == note { hasOpenLinks = true }
            try run(
                """
                INSERT INTO note_link (source, ordinal, kind, target, targetKey, destination, line, context)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    note, ordinal, link.kind.rawValue, link.target, Folding.key(link.target), destination, link.line,
                    link.context,
                ])
        }
    }

    /// Points the links that name this note by UUID or title, and lead nowhere yet, to it.
    func resolveLinks(to note: Int64, id: NoteID, title: String) throws {
        guard hasOpenLinks else { return }
        try run(
            "UPDATE note_link SET destination = ? WHERE kind = 'note' AND targetKey = ? AND destination IS NULL",
            [note, Folding.key(id.description)])
        try run(
            """
            UPDATE note_link SET destination = ? WHERE kind = 'title' AND targetKey = ?
                AND (destination IS NULL OR destination = source)
            """, [note, Folding.key(title)])
    }

    /// Finds other notes for links by title whose note is gone.
    func redirectLinks(titled title: String) throws {
        let links = try rows(
            "SELECT source, ordinal FROM note_link WHERE kind = 'title' AND targetKey = ? AND destination IS NULL",
            [Folding.key(title)])
        for link in links {
            guard let note = try Self.note(titled: title, from: link[0], db) else { continue }
            try run(
                "UPDATE note_link SET destination = ? WHERE source = ? AND ordinal = ?",
                [note, link[0] as Int64, link[1] as Int64])
        }
    }

    private func destination(of link: TextFacts.LinkFact, from source: Int64) throws -> Int64? {
        switch link.kind {
        case .image: nil
        case .note: try value("SELECT id FROM note WHERE uuid = ?", [link.target])
        case .title: try Self.note(titled: link.target, from: source, db)
        }
    }

    /// The note that `[[title]]` means: by its title, then by a former one; in the same folder first, then the newest;
    /// what is in Trash and the note itself last.
    static func note(titled title: String, from source: Int64?, _ db: Database) throws -> Int64? {
        let order = """
            ORDER BY id IS ?2, place = 2, folder IS NOT (SELECT folder FROM note WHERE id = ?2), updatedDate DESC, id DESC LIMIT 1
            """
        let key = Folding.key(title)
        let current = try db.cachedStatement(sql: "SELECT id FROM note WHERE titleKey = ?1 \(order)")
        if let note = try Int64.fetchOne(current, arguments: [key, source]) { return note }
        let former = try db.cachedStatement(
            sql: """
                SELECT id FROM note JOIN former_title ON former_title.note = note.id
                WHERE former_title.titleKey = ?1 \(order)
                """)
        return try Int64.fetchOne(former, arguments: [key, source])
    }
}
