import GRDB
import Markdown

/// Former titles, by which links still find a note that was renamed.
extension Transaction {
    /// The maximum number of former titles of a note that are remembered; they are the newest ones.
    static let formerTitleLimit = 32

    /// The length of a title's key, in UTF-8 bytes, above which it is not remembered, since no link contains such a
    /// title.
    static let formerTitleLength = 1_000

    /// Remembers a note's title before another one replaces it.
    ///
    /// - Parameter title: the new title.
    func remember(_ head: NoteHead, before title: String) throws {
        let old = Folding.key(head.title)
        guard old != Folding.key(title), old != Folding.key(Markdown.titleOfEmptyText),
            old.utf8.count <= Self.formerTitleLength
        else {
            return
        }
        try addFormerTitle(old, of: head.key)
    }

    /// Remembers a name that a note has elsewhere, so that links find the note by it.
    func remember(_ name: String, asFormerTitleOf note: Int64) throws {
        let key = Folding.key(name)
        guard !key.isEmpty, key.utf8.count <= Self.formerTitleLength else { return }
        try addFormerTitle(key, of: note)
    }

    /// Makes the path in a link a former title of the note that the link led to, whose folder was renamed or which was
    /// moved, so that the link still leads there.
    ///
    /// - Parameters:
    ///   - other: another note that was at the path; `nil` if there is none.
    ///   - folder: the folder of the note that contains the link.
    /// - Returns: false if the note is not at the path for another reason, remembers as many titles as it may, or comes
    ///   after the other note nevertheless.
    func remember(
        pathIn target: String, of note: Int64, besides other: Int64?, from folder: Int64?, _ finder: LinkFinder
    ) throws -> Bool {
        guard remembersPaths, let path = try finder.path(in: LinkReference(target), to: note, in: folder),
            path.utf8.count <= Self.formerTitleLength
        else { return false }
        if other != nil, try !mayTake(path, note) { return false }
        // One more would drop another, perhaps one by which a link finds the note.
        let others: Int64 =
            try value(
                "SELECT count(*) FROM former_title WHERE note = ? AND titleKey <> ?", [note, path]) ?? 0
        guard others < Self.formerTitleLimit else { return false }
        try addFormerTitle(path, of: note)
        return true
    }

    /// Whether a note is outside Trash and does not remember a path yet, so that it may come before others that do.
    private func mayTake(_ path: String, _ note: Int64) throws -> Bool {
        try value(
            """
            SELECT place <> 2 AND NOT EXISTS (SELECT 1 FROM former_title WHERE note = ?1 AND titleKey = ?2)
            FROM note WHERE id = ?1
            """, [note, path]) ?? false
    }

    private func addFormerTitle(_ key: String, of note: Int64) throws {
        try run("INSERT OR REPLACE INTO former_title (titleKey, note, date) VALUES (?, ?, ?)", [key, note, now])
        try run(
            """
            DELETE FROM former_title WHERE note = ?1 AND titleKey IN (SELECT titleKey FROM former_title WHERE note = ?1
                ORDER BY date DESC, titleKey LIMIT -1 OFFSET \(Self.formerTitleLimit))
            """, [note])
    }

    /// Remembers a derived title if it was final: the user left the note with it, or other notes link by it.
    ///
    /// Nobody can know a title that was saved while the user typed the first line.
    func rememberDerived(_ head: NoteHead, before title: String) throws {
        let stood: Bool? = try value(
            """
            SELECT titleStands OR EXISTS (SELECT 1 FROM note_link WHERE destination = note.id AND source <> note.id
                AND kind = 'title' AND targetKey = note.titleKey)
            FROM note WHERE id = ?
            """, [head.key])
        if stood == true { try remember(head, before: title) }
    }

    /// Records that the user has left a note, which makes its title final.
    func makeTitleFinal(_ note: Int64) throws {
        try run("UPDATE note SET titleStands = 1 WHERE id = ? AND titleStands = 0", [note])
    }
}
