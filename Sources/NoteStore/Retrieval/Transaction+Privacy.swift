import GRDB

extension Transaction {
    /// Gives a note the strictest of its own privacy level and those of the notes from which its text comes.
    func takePrivacy(of sources: [NoteID], for id: NoteID) throws {
        if sources.isEmpty { return }
        try close(id, to: sources.map { try privacy(of: $0.description) }.max() ?? .inherit)
    }

    /// Gives a note or a container a privacy level unless its own is stricter.
    func close(_ id: NoteID, to level: PrivacyLevel) throws { try close(id.description, to: level) }
    func close(_ id: ContainerID, to level: PrivacyLevel) throws { try close(id.description, to: level) }

    private func close(_ id: String, to level: PrivacyLevel) throws {
        guard try level > privacy(of: id) else { return }
        try run(
            "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)",
            [Notebook.Retrieval.privacyPrefix + id, level.rawValue])
    }

    /// Returns the strictest level of the folders above a note.
    func privacyOfFolders(above id: NoteID) throws -> PrivacyLevel {
        let levels = try rows(
            """
            WITH RECURSIVE above(id) AS (SELECT folder FROM note WHERE uuid = ?1
                UNION SELECT container.parent FROM container JOIN above ON container.id = above.id)
            SELECT value FROM above JOIN container ON container.id = above.id
                JOIN setting ON setting.key = ?2 || container.uuid
            """, [id.description, Notebook.Retrieval.privacyPrefix])
        return levels.map { PrivacyLevel(stored: $0[0]) }.max() ?? .inherit
    }

    private func privacy(of id: String) throws -> PrivacyLevel {
        let key = Notebook.Retrieval.privacyPrefix + id
        return try PrivacyLevel(stored: value("SELECT value FROM setting WHERE key = ?", [key]))
    }
}
