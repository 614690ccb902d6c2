import GRDB

/// The reasons for which a note has a tag: the bits of `note_tag.source`.
struct TagSource: OptionSet {
    let rawValue: Int64
    static let hand = TagSource(rawValue: 1)
    static let text = TagSource(rawValue: 2)
    /// The note has a tag nested in this one: with `#a/b` a note is in the list of `#a` too.
    static let below = TagSource(rawValue: 4)
    /// The tags that are shown as the note's.
    static let own: TagSource = [.hand, .text]
}

extension Transaction {
    /// Gives a note a tag by hand.
    func addTag(_ tag: ContainerHead, to note: Int64) throws {
        guard tag.kind == .tag else { throw StoreError.noSuchContainer(tag.id) }
        try give(tag.key, .hand, to: note)
        try run("UPDATE container SET inText = 0 WHERE id = ? AND inText = 1", [tag.key])
        try forgetSuccessor(of: tag.key)
        if tag.name.contains("/") { try addTagsAbove(note) }
        change.containers = true
    }

    /// Gives a note outside Trash a tag by hand, unless it has the tag, and the date of now.
    func addTag(_ tag: ContainerHead, toNote id: NoteID) throws {
        let head = try changeableHead(id)
        if try tags(of: head.key).contains(tag.key) { return }
        try addTag(tag, to: head.key)
        try touch(head.key)
        change.notes?.insert(id)
    }

    /// Removes a tag that was given by hand.
    func removeTag(_ tag: Int64, from note: Int64) throws {
        try take(.hand, tag, from: note)
        try addTagsAbove(note)
        change.containers = true
    }

    func touch(_ note: Int64) throws {
        try run("UPDATE note SET updatedDate = ? WHERE id = ?", [now, note])
    }

    /// Returns the integer keys of a note's tags.
    func tags(of note: Int64, _ source: TagSource = .own) throws -> Set<Int64> {
        let rows = try rows("SELECT tag FROM note_tag WHERE note = ? AND source & ?", [note, source.rawValue])
        return Set(rows.map { $0[0] as Int64 })
    }

    /// Gives a note these tags by hand, besides those of its text.
    ///
    /// - Throws: `tagInText` if a tag of the text is missing among them, because only an edit of the text can remove
    ///   it.
    func setTags(_ tags: [ContainerHead], of head: NoteHead) throws {
        let wanted = Set(tags.map(\.key))
        let present = try self.tags(of: head.key)
        guard wanted != present else { return }
        if let left = try self.tags(of: head.key, .text).subtracting(wanted).first {
            throw StoreError.tagInText(name: try containerHead(key: left).name, notes: 1)
        }
        for tag in tags where !present.contains(tag.key) { try addTag(tag, to: head.key) }
        for tag in present.subtracting(wanted) { try removeTag(tag, from: head.key) }
        try touch(head.key)
        change.notes?.insert(head.id)
    }

    // MARK: - Tags in texts

    /// Gives a note the tags that its text has, and removes those that it no longer has.
    func writeTags(_ names: [String], of note: Int64) throws {
        let present = try rows(
            "SELECT tag, nameKey FROM note_tag JOIN container ON id = tag WHERE note = ? AND source & 2", [note])
        if names.isEmpty, present.isEmpty { return }
        var wanted: [String: String] = [:]
        for name in names where wanted[Folding.key(name)] == nil { wanted[Folding.key(name)] = name }
        var isChanged = false
        for row in present where wanted.removeValue(forKey: row[1]) == nil {
            try take(.text, row[0], from: note)
            isChanged = true
        }
        for name in wanted.keys.sorted() {
            guard let tag = try textTag(named: wanted[name] ?? name) else { continue }
            try give(tag, .text, to: note)
            isChanged = true
        }
        guard isChanged else { return }
        try addTagsAbove(note)
        change.containers = true
    }

    /// Returns the tag of this name; a missing one is made, and is removed with the last text that has it.
    private func textTag(named name: String) throws -> Int64? {
        let key = Folding.key(name)
        if let known: Int64 = try value("SELECT id FROM container WHERE nameKey = ? AND kind = 'tag'", [key]) {
            return known
        }
        // Folding trims, and may leave nothing of a name of unusual characters.
        if key.isEmpty { return nil }
        // Every machine makes the tag on its own, when it gets the text.
        let id = ContainerID(ofTagInTexts: key)
        let isTaken: Int64? = try value("SELECT id FROM container WHERE uuid = ?", [id.description])
        let tag = isTaken == nil ? id : ContainerID(identity())
        var made: Int64?
        try withoutMark(of: tag) {
            made = try insertContainer(.tag, name: name, parent: nil, id: tag).key
            try run("UPDATE container SET inText = 1 WHERE id = ?", [made])
        }
        return made
    }

    /// Lets a tag that is given by hand be itself, though another tag has replaced one of its identity before.
    func forgetSuccessor(of tag: Int64) throws {
        try run("DELETE FROM sync_gone WHERE id = (SELECT uuid FROM container WHERE id = ?)", [tag])
    }

    /// Makes or deletes a tag that only texts have, which every machine does on its own: it leaves the tag's mark for a
    /// synchronisation as it was, and the tag that has replaced one of its identity stays known.
    private func withoutMark(of tag: ContainerID, _ change: () throws -> Void) throws {
        let gone = try row("SELECT successor FROM sync_gone WHERE id = ?", [tag.description])
        let mark = try row("SELECT seq, settled FROM sync_mark WHERE kind = 'tag' AND id = ?", [tag.description])
        try change()
        if let gone {
            try run(
                "INSERT OR IGNORE INTO sync_gone (id, successor) VALUES (?, ?)",
                [tag.description, gone[0] as String?])
        }
        try run("DELETE FROM sync_mark WHERE kind = 'tag' AND id = ?", [tag.description])
        guard let mark else { return }
        try run(
            "INSERT INTO sync_mark (seq, kind, id, settled) VALUES (?, 'tag', ?, ?)",
            [mark[0] as Int64, tag.description, mark[1] as Int64])
    }

    /// Puts a note into the lists of the tags in which its own are nested, and takes it out of the lists of other such
    /// tags.
    func addTagsAbove(_ note: Int64) throws {
        let present = try rows(
            "SELECT tag, name, nameKey, source FROM note_tag JOIN container ON id = tag WHERE note = ?", [note])
        var above: [String: String] = [:]
        for row in present where TagSource(rawValue: row[3]).intersection(.own) != [] {
            for name in TagPath.above(row[1]) { above[Folding.key(name)] = name }
        }
        for row in present where TagSource(rawValue: row[3]).contains(.below) {
            if above.removeValue(forKey: row[2]) == nil { try take(.below, row[0], from: note) }
        }
        for name in above.values.sorted() {
            if let tag = try textTag(named: name) { try give(tag, .below, to: note) }
        }
    }

    private func give(_ tag: Int64, _ source: TagSource, to note: Int64) throws {
        if source == .hand { try markChange(of: tag, by: note, isByHand: false) }
        try run(
            """
            INSERT INTO note_tag (note, tag, source) VALUES (?1, ?2, ?3)
            ON CONFLICT (note, tag) DO UPDATE SET source = source | ?3
            """, [note, tag, source.rawValue])
    }

    private func take(_ source: TagSource, _ tag: Int64, from note: Int64) throws {
        mayHaveUnusedTags = true
        if source == .hand { try markChange(of: tag, by: note, isByHand: true) }
        try run("DELETE FROM note_tag WHERE note = ? AND tag = ? AND source = ?", [note, tag, source.rawValue])
        try run(
            "UPDATE note_tag SET source = source & ~?3 WHERE note = ?1 AND tag = ?2 AND source & ?3",
            [note, tag, source.rawValue])
    }

    /// Marks a note for a synchronisation if it has a tag for another reason too, so that the tag stays when it is given
    /// or taken by hand: the triggers notice only that a note gets or loses a tag.
    ///
    /// - Parameter isByHand: Whether the note has the tag by hand so far.
    private func markChange(of tag: Int64, by note: Int64, isByHand: Bool) throws {
        try run(
            """
            UPDATE note SET conflictOf = conflictOf WHERE id =
                (SELECT note FROM note_tag WHERE note = ? AND tag = ? AND source & 1 = ? AND source <> 1)
            """, [note, tag, isByHand])
    }

    /// Puts the notes of renamed tags into the lists of the tags above these, and removes tags that existed only in
    /// texts and are in none any more.
    ///
    /// Call it at the end of every transaction; if there is nothing to do it costs nothing.
    func settleTags() throws {
        for note in renamedTags.sorted() { try addTagsAbove(note) }
        guard mayHaveUnusedTags else { return }
        let unused = try rows(
            """
            SELECT id, uuid FROM container WHERE kind = 'tag' AND inText = 1
                AND NOT EXISTS (SELECT 1 FROM note_tag WHERE tag = container.id)
            """)
        for row in unused {
            try withoutMark(of: ContainerID(stored: row[1])) {
                try run("DELETE FROM container WHERE id = ?", [row[0] as Int64])
            }
        }
    }

    // MARK: - Deleting and renaming

    /// Deletes a tag; if texts have it or a tag below it, it remains as a tag of these texts.
    func removeTag(_ tag: ContainerHead) throws {
        let notes = try rows("SELECT note FROM note_tag WHERE tag = ? AND source & 1", [tag.key])
        for row in notes { try take(.hand, tag.key, from: row[0]) }
        try leaveToTexts(tag.key)
        try run("DELETE FROM container WHERE id = ? AND inText = 0", [tag.key])
        if tag.name.contains("/") { for row in notes { try addTagsAbove(row[0]) } }
        change.notes = nil
        change.containers = true
    }

    /// Lets a tag that no note has by hand end with the last text that has it, or a tag below it.
    ///
    /// It is set as its symbol is, so that it is marked for a synchronisation, which takes it from the other machines.
    func leaveToTexts(_ tag: Int64) throws {
        try run(
            """
            UPDATE container SET inText = 1, symbol = symbol WHERE id = ?1 AND EXISTS (SELECT 1 FROM note_tag WHERE tag = ?1)
                AND NOT EXISTS (SELECT 1 FROM note_tag WHERE tag = ?1 AND source & 1)
            """, [tag])
    }

    /// Returns the number of notes that have a tag, or one below it, in their texts.
    func textCount(ofTag tag: ContainerHead) throws -> Int {
        try rows(Self.notesWithTextTag, [tag.key]).count
    }

    /// Returns the tag and those below it.
    func family(of tag: ContainerHead) throws -> [ContainerHead] {
        let prefix = Folding.key(tag.name) + "/"
        return try [tag]
            + rows(
                """
                \(ContainerHead.selection) WHERE kind = 'tag' AND substr(nameKey, 1, length(?1)) = ?1 ORDER BY nameKey
                """, [prefix]
            ).map(ContainerHead.init)
    }

    /// A query for the notes that have a tag, or one below it, in their texts.
    static let notesWithTextTag = """
        WITH family(id) AS (SELECT t.id FROM container AS t JOIN container AS top ON top.id = ?
            WHERE t.kind = 'tag' AND (t.id = top.id OR substr(t.nameKey, 1, length(top.nameKey) + 1) = top.nameKey || '/'))
        SELECT DISTINCT note.uuid FROM family JOIN note_tag ON tag = family.id JOIN note ON note.id = note_tag.note
        WHERE source & 2 ORDER BY note.id
        """

    /// A query for the texts of the notes that have a tag, or one below it, by hand, and may have front matter.
    private static let notesThatMayNameTag = """
        WITH family(id) AS (SELECT t.id FROM container AS t JOIN container AS top ON top.id = ?
            WHERE t.kind = 'tag' AND (t.id = top.id OR substr(t.nameKey, 1, length(top.nameKey) + 1) = top.nameKey || '/'))
        SELECT DISTINCT note.uuid, note.id FROM family JOIN note_tag ON tag = family.id JOIN note ON note.id = note_tag.note
        JOIN note_text ON note_text.note = note.id
        WHERE source & 1 AND instr(substr(text, 1, 4), '---') ORDER BY note.id
        """

    /// Returns the notes that have a tag, or one below it, by hand and in their front matter.
    static func notesNaming(_ tag: ContainerHead, _ db: Database) throws -> [NoteID] {
        try Row.fetchAll(db, sql: notesThatMayNameTag, arguments: [tag.key]).compactMap { row in
            let text = try Notebook.Notes.text(db, key: row[1]) ?? ""
            return NoteFrontMatter(of: text)?.hasTag(tag.name) == true ? NoteID(stored: row[0]) : nil
        }
    }
}

/// Names of tags, which are nested by `/`.
public enum TagPath {
    /// The maximum length of a tag in a text, in UTF-8 bytes; longer runs of letters are not meant as tags.
    static let maximumLength = 200

    /// The number of levels that have lists of their own: an import could have tags of thousands, each of which would
    /// store the names of all above it once more.
    private static let maximumDepth = 32

    /// Returns a name with the tag `old`, itself or one of those above it, renamed; any other name stays as it is.
    static func renamed(_ name: String, _ old: String, to new: String) -> String {
        let depth = old.split(separator: "/", omittingEmptySubsequences: false).count
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= depth, Folding.key(parts.prefix(depth).joined(separator: "/")) == Folding.key(old)
        else { return name }
        return ([new] + parts.dropFirst(depth).map(String.init)).joined(separator: "/")
    }

    /// Returns the names above a name, from the top down: `a` and `a/b` for `a/b/c`.
    public static func above(_ name: String) -> [String] {
        guard name.contains("/") else { return [] }
        var names: [String] = []
        for index in name.indices where name[index] == "/" {
            if names.count == maximumDepth { break }
            let above = String(name[..<index])
            if !Folding.trimmed(above).isEmpty, !above.hasSuffix("/") { names.append(above) }
        }
        return names
    }
}
