import GRDB

extension Transaction {
    /// Replaces the stored links, aliases and tags of a note by those in its text.
    func writeLinks(_ facts: TextFacts, of note: Int64) throws {
        try run("DELETE FROM note_link WHERE source = ?", [note])
        try run("DELETE FROM link_name WHERE source = ?", [note])
        try addLinks(facts.links, of: note, LinkFinder(db))
        let known = Set(try rows("SELECT aliasKey FROM note_alias WHERE note = ?", [note]).map { $0[0] as String })
        let wanted = Self.aliasKeys(facts)
        for key in known.subtracting(wanted) {
            try run("DELETE FROM note_alias WHERE note = ? AND aliasKey = ?", [note, key])
        }
        for key in wanted.subtracting(known) { try addAlias(key, of: note) }
        try writeTags(facts.tags, of: note)
        try writeFileLinks(facts.files, of: note)
    }

    /// Stores the links, aliases and tags in the text of a note that has none of them yet.
    func addLinks(_ facts: TextFacts, of note: Int64) throws {
        if heldLinks == nil {
            try addLinks(facts.links, of: note, LinkFinder(db))
        } else if !facts.links.isEmpty {
            heldLinks?.append((note, facts.links))
        }
        for key in Self.aliasKeys(facts) { try addAlias(key, of: note) }
        if !facts.tags.isEmpty { try writeTags(facts.tags, of: note) }
        if !facts.files.isEmpty { try writeFileLinks(facts.files, of: note) }
    }

    /// Stores the links that were held back.
    func addHeldLinks() throws {
        guard let held = heldLinks else { return }
        heldLinks = nil
        let finder = LinkFinder(db)
        for (note, links) in held { try addLinks(links, of: note, finder) }
    }

    private static func aliasKeys(_ facts: TextFacts) -> Set<String> {
        Set(facts.aliases.map(Folding.key)).subtracting([""])
    }

    private func addAlias(_ key: String, of note: Int64) throws {
        try run("INSERT OR IGNORE INTO note_alias (aliasKey, note) VALUES (?, ?)", [key, note])
    }

    /// Stores the links of a note, each with the note that it leads to now.
    private func addLinks(_ links: [TextFacts.LinkFact], of note: Int64, _ finder: LinkFinder) throws {
        if links.isEmpty { return }
        let folder: Int64? = try value("SELECT folder FROM note WHERE id = ?", [note])
        for (ordinal, link) in links.enumerated() {
            let key = Folding.key(link.target)
            let destination: Int64?
            switch link.kind {
            case .image: destination = nil
            case .note: destination = try value("SELECT id FROM note WHERE uuid = ?", [link.target])
            case .title:
                let reference = LinkReference(link.target)
                destination = try finder.note(reference, from: note, in: folder)?.note
                try addNames(reference, besides: key, of: note, ordinal)
            }
            if link.kind == .note, destination == nil { hasOpenLinks = true }
            try run(
                """
                INSERT INTO note_link (source, ordinal, kind, target, targetKey, destination, line, context)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [note, ordinal, link.kind.rawValue, link.target, key, destination, link.line, link.context])
        }
    }

    /// Stores the other titles that a link may mean, and the folders named in it.
    private func addNames(_ reference: LinkReference, besides key: String, of note: Int64, _ ordinal: Int) throws {
        if reference.isPlain { return }
        let keys = reference.keys
        let names = keys.titles.subtracting([key, ""]).map { ($0, false) } + keys.folders.map { ($0, true) }
        for (name, isFolder) in names {
            try run(
                "INSERT OR IGNORE INTO link_name (nameKey, isFolder, source, ordinal) VALUES (?, ?, ?, ?)",
                [name, isFolder, note, ordinal])
        }
    }

    /// Sets the destination of links to this note's UUID that have none yet.
    func resolveLinks(to note: Int64, id: NoteID) throws {
        guard hasOpenLinks else { return }
        try run(
            "UPDATE note_link SET destination = ? WHERE kind = 'note' AND targetKey = ? AND destination IS NULL",
            [note, Folding.key(id.description)])
    }

    /// Resolves links by title again where titles, aliases or folders have changed, as marked by triggers.
    ///
    /// Call it at the end of every transaction. If there is nothing to do it costs one look-up, otherwise one for each
    /// link that contains a changed name.
    func settleLinks() throws {
        guard try value("SELECT EXISTS (SELECT 1 FROM link_mark)") ?? false else { return }
        let marks = try rows("SELECT nameKey, source FROM link_mark")
        try run("DELETE FROM link_mark")
        let finder = LinkFinder(db)
        for mark in marks {
            let source: Int64 = mark[1]
            try settle(source == 0 ? Self.links(naming: mark[0], db) : links(from: source), finder)
        }
        // A link that was rewritten to stay with its note may have changed the title of the note that contains it.
        try settleLinks()
    }

    private static let linkSelection = """
        SELECT l.source, l.ordinal, l.target, l.destination, note.folder, note.uuid
        FROM note_link AS l JOIN note ON note.id = l.source
        """

    /// Returns the links by title that contain this title: the source's key, the ordinal, the target, the destination's
    /// key, and the source's folder and UUID.
    static func links(naming key: String, _ db: Database) throws -> [Row] {
        let statement = try db.cachedStatement(
            sql: """
                \(linkSelection) WHERE l.kind = 'title' AND l.targetKey = ?1
                UNION ALL \(linkSelection) JOIN link_name AS n ON n.source = l.source AND n.ordinal = l.ordinal
                    WHERE n.nameKey = ?1 AND n.isFolder = 0
                """)
        return try Row.fetchAll(statement, arguments: [key])
    }

    private func links(from source: Int64) throws -> [Row] {
        try rows("\(Self.linkSelection) WHERE l.kind = 'title' AND l.source = ?", [source])
    }

    /// Resolves links by title again; a link that would go to another note is first kept at its own, where that is right.
    private func settle(_ links: [Row], _ finder: LinkFinder) throws {
        var rewritten: Set<Int64> = []
        for link in links {
            let source: Int64 = link[0]
            let known: Int64? = link[3]
            let answer = try finder.note(LinkReference(link[2]), from: source, in: link[4] as Int64?)
            let found = answer?.note
            if found == known { continue }
            // A note that was at the path earlier does not take the link back from the one that leaves it now.
            if let known, answer?.isByFormerPath ?? true,
                try remember(pathIn: link[2], of: known, besides: found, from: link[4], finder)
            {
                continue
            }
            let isFirst = !rewritten.contains(source)
            if let found, let known,
                try keepLink(link[2], of: source, at: known, from: found, finder, keepingVersion: isFirst)
            {
                rewritten.insert(source)
                continue
            }
            // All links of a rewritten text have been resolved anew.
            if !isFirst { continue }
            try run(
                "UPDATE note_link SET destination = ? WHERE source = ? AND ordinal = ?",
                [found, source, link[1] as Int])
        }
    }

    /// Returns the note that a reference typed in a note means; see `LinkFinder`.
    static func note(titled reference: String, from source: Int64?, _ db: Database) throws -> Int64? {
        let statement = try db.cachedStatement(sql: "SELECT folder FROM note WHERE id = ?")
        let folder = try source.flatMap { try Int64.fetchOne(statement, arguments: [$0]) }
        return try LinkFinder(db).note(LinkReference(reference), from: source, in: folder)?.note
    }
}

extension Transaction {
    /// Reads the links of all notes that may have some again, as a newer version of the program recognises them.
    ///
    /// It costs reading these texts, once after a migration of the schema.
    func reindexLinks() throws {
        guard try value("SELECT 1 FROM setting WHERE key = 'linksAreOld'") ?? false else { return }
        let notes = try rows(
            """
            SELECT note FROM note_text WHERE instr(text, '[[') OR instr(lower(text), 'takenote://')
                OR substr(text, 1, 3) = '---'
            """)
        for row in notes {
            let key: Int64 = row[0]
            // A marked note gets its links when its index is updated.
            if try isMarked(key) { continue }
            let text = try Notebook.Notes.text(db, key: key) ?? ""
            try writeLinks(TextFacts(of: text, title: nil), of: key)
        }
        try run("DELETE FROM setting WHERE key = 'linksAreOld'")
        change.notes = nil
    }
}
