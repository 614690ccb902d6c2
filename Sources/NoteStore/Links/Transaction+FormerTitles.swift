import GRDB

/// Earlier titles, by which links still find a note that was renamed.
extension Transaction {
    /// How many former titles of one note are remembered: the newest.
    static let formerTitleLimit = 32

    /// UTF-8 bytes of a title's key above which it is not remembered; no link names such a title.
    static let formerTitleLength = 1_000

    /// Remembers a note's title, which another replaces.
    ///
    /// - Parameter title: what it is called from now on.
    func remember(_ head: NoteHead, before title: String) throws {
        let old = Folding.key(head.title)
        guard old != Folding.key(title), old != Folding.key("New Note"), old.utf8.count <= Self.formerTitleLength else {
            return
        }
        try run(
            "INSERT OR REPLACE INTO former_title (titleKey, note, date) VALUES (?, ?, ?)", [old, head.key, now])
        try run(
            """
            DELETE FROM former_title WHERE note = ?1 AND titleKey IN (SELECT titleKey FROM former_title WHERE note = ?1
                ORDER BY date DESC, titleKey LIMIT -1 OFFSET \(Self.formerTitleLimit))
            """, [head.key])
    }

    /// Remembers a title that followed the text, if it stood: if the note was left with it, or others link to it by it.
    ///
    /// What was saved while somebody typed the first line is no title that anybody knows.
    func rememberDerived(_ head: NoteHead, before title: String) throws {
        let stood: Bool? = try value(
            """
            SELECT titleStands OR EXISTS (SELECT 1 FROM note_link WHERE destination = note.id AND source <> note.id
                AND kind = 'title' AND targetKey = note.titleKey)
            FROM note WHERE id = ?
            """, [head.key])
        if stood == true { try remember(head, before: title) }
    }

    /// Says that a note was left, and that its title is its title.
    func letTitleStand(_ note: Int64) throws {
        try run("UPDATE note SET titleStands = 1 WHERE id = ? AND titleStands = 0", [note])
    }
}
