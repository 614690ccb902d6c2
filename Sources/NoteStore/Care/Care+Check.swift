import GRDB

/// A broken rule of the notebook, found by `Notebook.Care.check()`.
public struct NotebookProblem: Equatable, Sendable, Codable {
    /// The subject of a rule.
    public enum Kind: String, Sendable, Codable {
        case damagedFile, schema, danglingReference, tree, containerName, place, title, listing, count, derived, link,
            index
    }

    public let kind: Kind
    /// The broken rule, and where it is broken: identities and numbers, never texts.
    public let detail: String

    public init(kind: Kind, detail: String) {
        self.kind = kind
        self.detail = detail
    }
}

extension Notebook.Care {
    /// Checks every rule of the notebook: the file's integrity, its references, and derived values against their
    /// sources.
    ///
    /// Cost: reads the whole file.
    public func check() throws(StoreError) -> [NotebookProblem] {
        try notebook.read { db in
            var problems: [NotebookProblem] = []
            for line in try String.fetchAll(db, sql: "PRAGMA integrity_check") where line != "ok" {
                problems.append(NotebookProblem(kind: .damagedFile, detail: line))
            }
            for row in try Row.fetchAll(db, sql: "PRAGMA foreign_key_check") {
                let detail = "\(row[0] as String? ?? "") \(row[1] as Int64? ?? 0)"
                problems.append(NotebookProblem(kind: .danglingReference, detail: detail))
            }
            for rule in Self.rules {
                for row in try Row.fetchAll(db, sql: rule.sql + " LIMIT 20") {
                    let what = row.databaseValues.map(\.description).joined(separator: " ")
                    let detail = Texts.BrokenRule.rows(what, breaking: rule.name)
                    problems.append(NotebookProblem(kind: rule.kind, detail: detail))
                }
            }
            return problems + (try Self.checkTriggers(db)) + (try Self.checkDerived(db))
        }
    }

    private struct Rule {
        let kind: NotebookProblem.Kind
        let name: String
        /// Selects the rows that break the rule.
        let sql: String
    }

    /// The containers `c` below one that cannot hold folders.
    static let misplacedFolders = """
        FROM container AS c JOIN container AS p ON p.id = c.parent
        WHERE p.kind NOT IN ('folder', 'project', 'trash')
            OR p.role IN ('all', 'draft', 'ready', 'setAside', 'published')
        """

    /// The notes in a container that cannot hold notes.
    static let misplacedNotes = """
        FROM note JOIN container AS f ON f.id = note.folder
        WHERE f.kind NOT IN ('inbox', 'folder', 'archive', 'trash', 'buffer')
            OR f.role IN ('work', 'all', 'publications')
        """

    private static let rules: [Rule] = [
        Rule(
            kind: .tree, name: Texts.BrokenRule.systemContainerMissing,
            sql: """
                WITH wanted(id, kind) AS (VALUES (1, 'inbox'), (2, 'starred'), (3, 'allNotes'), (4, 'trash'),
                    (5, 'archive'), (6, 'buffer'))
                SELECT wanted.kind FROM wanted LEFT JOIN container ON container.id = wanted.id
                    AND container.kind = wanted.kind AND parent IS NULL WHERE container.id IS NULL
                """),
        Rule(
            kind: .tree, name: Texts.BrokenRule.systemContainerTwice,
            sql: "SELECT uuid FROM container WHERE id > 6 AND kind NOT IN ('folder', 'project', 'tag')"),
        Rule(
            kind: .tree, name: Texts.BrokenRule.unreachableContainer,
            sql: """
                WITH RECURSIVE reached(id) AS (SELECT id FROM container WHERE parent IS NULL UNION
                    SELECT container.id FROM container JOIN reached ON container.parent = reached.id)
                SELECT uuid FROM container WHERE id NOT IN (SELECT id FROM reached)
                """),
        Rule(
            kind: .tree, name: Texts.BrokenRule.parentHoldsNoFolders,
            sql: "SELECT c.uuid \(misplacedFolders)"),
        Rule(
            kind: .place, name: Texts.BrokenRule.placeOfContainer,
            sql: """
                SELECT c.uuid FROM container AS c LEFT JOIN container AS p ON p.id = c.parent
                WHERE c.place <> CASE WHEN c.parent = 4 THEN 2 ELSE ifnull(p.place, 0) END
                """),
        Rule(
            kind: .tree, name: Texts.BrokenRule.projectOfContainer,
            sql: """
                SELECT c.uuid FROM container AS c LEFT JOIN container AS p ON p.id = c.parent
                WHERE c.project IS NOT CASE WHEN c.kind = 'project' THEN c.id ELSE p.project END
                """),
        Rule(
            kind: .tree, name: Texts.BrokenRule.notGathered,
            sql: """
                SELECT c.uuid FROM container AS c WHERE c.gatheredBy IS NOT CASE
                    WHEN c.role IN ('draft', 'ready', 'setAside', 'published') THEN (SELECT a.id FROM container AS a
                        WHERE a.project = c.project AND a.role = 'all' AND a.place = 0 ORDER BY a.id LIMIT 1) END
                """),
        Rule(
            kind: .place, name: Texts.BrokenRule.folderHoldsNoNotes,
            sql: "SELECT note.uuid \(misplacedNotes)"),
        Rule(
            kind: .place, name: Texts.BrokenRule.noteWithoutFolder, sql: "SELECT uuid FROM note WHERE folder IS NULL"),
        Rule(
            kind: .place, name: Texts.BrokenRule.placeOfNote,
            sql: """
                SELECT note.uuid FROM note JOIN container AS f ON f.id = note.folder WHERE note.place <>
                    CASE f.kind WHEN 'archive' THEN 1 WHEN 'trash' THEN 2 WHEN 'buffer' THEN 3 ELSE f.place END
                """),
        Rule(
            kind: .place, name: Texts.BrokenRule.liveNoteWithOrigin,
            sql: "SELECT uuid FROM note WHERE place = 0 AND (origin IS NOT NULL OR owner IS NOT NULL)"),
        Rule(
            kind: .title, name: Texts.BrokenRule.titlesNotUnique,
            sql: """
                SELECT n.uuid FROM note AS n JOIN container AS f ON f.id = n.folder
                WHERE n.uniqueTitle <> (f.project IS NOT NULL AND f.place = 0 AND f.kind = 'folder')
                """),
        Rule(
            kind: .listing, name: Texts.BrokenRule.missingInList,
            sql: "\(wantedListings) SELECT list, note FROM wanted EXCEPT SELECT list, note FROM listing"),
        Rule(
            kind: .listing, name: Texts.BrokenRule.foreignInList,
            sql: "\(wantedListings) SELECT list, note FROM listing EXCEPT SELECT list, note FROM wanted"),
        Rule(
            kind: .listing, name: Texts.BrokenRule.misplacedInList,
            sql: """
                SELECT l.list, l.note FROM listing AS l JOIN note AS n ON n.id = l.note
                WHERE (l.starred, l.createdDate, l.updatedDate, l.titleSort)
                    IS NOT (n.starred, n.createdDate, n.updatedDate, substr(n.titleKey, 1, 64))
                """),
        Rule(
            kind: .count, name: Texts.BrokenRule.wrongCount,
            sql: """
                SELECT uuid, noteCount FROM container
                WHERE noteCount <> (SELECT count(*) FROM listing WHERE list = container.id)
                """),
        Rule(
            kind: .derived, name: Texts.BrokenRule.tagInNoText,
            sql: """
                SELECT uuid FROM container WHERE inText = 1 AND (kind <> 'tag'
                    OR NOT EXISTS (SELECT 1 FROM note_tag WHERE tag = container.id AND source & 6))
                """),
        Rule(
            kind: .derived, name: Texts.BrokenRule.noteWithoutText,
            sql: "SELECT uuid FROM note WHERE id NOT IN (SELECT note FROM note_text)"),
        Rule(
            kind: .link, name: Texts.BrokenRule.linkLeadsElsewhere,
            sql: """
                SELECT source, ordinal FROM note_link WHERE kind = 'note'
                    AND destination IS NOT (SELECT id FROM note WHERE uuid = target)
                """),
        Rule(
            kind: .link, name: Texts.BrokenRule.linkLeadsNowhere,
            sql: """
                SELECT source, ordinal FROM note_link WHERE kind = 'title' AND destination IS NULL
                    AND EXISTS (SELECT 1 FROM note WHERE titleKey = targetKey)
                """),
        // A program that saves while the user types leaves marks of type blob, which it handles itself.
        Rule(
            kind: .index, name: Texts.BrokenRule.markedForIndex,
            sql: "SELECT note FROM search_mark WHERE typeof(text) <> 'blob'"),
    ]

    /// Reports triggers and views that another tool may have dropped, added or changed.
    private static func checkTriggers(_ db: Database) throws -> [NotebookProblem] {
        let missing = try Schema.missingTriggers(db).map { Texts.BrokenRule.missing($0.type, $0.name) }
        let foreign = try Schema.foreignTriggers(db).map { Texts.BrokenRule.foreign($0.type, $0.name) }
        return (missing + foreign).map { NotebookProblem(kind: .schema, detail: $0) }
    }

    private static let wantedListings = """
        WITH wanted(note, list) AS (SELECT DISTINCT id, list FROM (\(Transaction.memberships(where: "true"))))
        """

    /// Checks the values derived from texts, titles and names.
    private static func checkDerived(_ db: Database) throws -> [NotebookProblem] {
        var problems: [NotebookProblem] = []
        func report(_ kind: NotebookProblem.Kind, _ detail: String) {
            problems.append(NotebookProblem(kind: kind, detail: detail))
        }
        for container in try Row.fetchAll(db, sql: "SELECT uuid, name, nameKey FROM container") {
            if Folding.key(container[1]) != container[2] {
                report(.containerName, Texts.BrokenRule.wrongKey(of: container[0]))
            }
        }
        let notes = try Row.fetchCursor(
            db, sql: "SELECT id, uuid, title, titleKey, defaultTitle, wordCount, size, preview FROM note")
        while let row = try notes.next() {
            let uuid: String = row[1]
            let title: String = row[2]
            if Folding.key(title) != row[3] { report(.title, Texts.BrokenRule.wrongKey(of: uuid)) }
            let text = try Notebook.Notes.text(db, key: row[0]) ?? ""
            let isDerived = title == row[4]
            let summary = TextSummary(of: text, title: isDerived ? nil : title)
            // A clash in a project may have appended a number.
            if isDerived, !title.hasPrefix(summary.derivedTitle) {
                report(.title, Texts.BrokenRule.wrongTitle(of: uuid))
            }
            if try !hasTags(of: text, row[0], db) { report(.derived, Texts.BrokenRule.wrongTags(of: uuid)) }
            if summary.size != row[6] || !isWordCount(row[5], of: text, summary) {
                report(.derived, Texts.BrokenRule.wrongSize(of: uuid))
            }
        }
        return problems + (try checkIndex(db))
    }

    /// Whether a stored count of words is that of a text, or the one of version 0.1, which counted ticks of tasks too.
    private static func isWordCount(_ count: Int?, of text: String, _ summary: TextSummary) -> Bool {
        if summary.wordCount == count { return true }
        let ticks = text.split(whereSeparator: \.isWhitespace).count { $0 == "[x]" || $0 == "[X]" }
        return ticks > 0 && summary.wordCount + ticks == count
    }

    /// Whether a note has the tags of its text, unless these are still to be read.
    private static func hasTags(of text: String, _ key: Int64, _ db: Database) throws -> Bool {
        let waits = """
            SELECT EXISTS (SELECT 1 FROM search_mark WHERE note = ?)
                OR EXISTS (SELECT 1 FROM setting WHERE key = 'tagsAreOld')
            """
        if try Bool.fetchOne(db.cachedStatement(sql: waits), arguments: [key]) ?? false { return true }
        let stored = try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT name, nameKey, source FROM note_tag JOIN container ON id = tag WHERE note = ?"),
            arguments: [key])
        func keys(_ source: TagSource) -> Set<String> {
            Set(stored.filter { TagSource(rawValue: $0[2]).intersection(source) != [] }.map { $0[1] })
        }
        let own = stored.filter { TagSource(rawValue: $0[2]).intersection(.own) != [] }
        let above = Set(own.flatMap { TagPath.above($0[0]) }.map(Folding.key))
        return keys(.text) == Set(TextFacts.tags(in: text).map(Folding.key)).subtracting([""]) && keys(.below) == above
    }

    private static func checkIndex(_ db: Database) throws -> [NotebookProblem] {
        let indexed = try Int.fetchOne(db, sql: "SELECT count(*) FROM search_docsize") ?? 0
        let notes = try Int.fetchOne(db, sql: "SELECT count(*) FROM note") ?? 0
        if indexed == notes { return [] }
        return [NotebookProblem(kind: .index, detail: Texts.BrokenRule.indexed(indexed, of: notes))]
    }
}
