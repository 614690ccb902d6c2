import Foundation
import GRDB

/// The results of a repair or a recovery.
public struct RepairReport: Equatable, Sendable {
    public var maintenance = MaintenanceReport()
    /// The problems that were found before and are gone now.
    public var repaired: [NotebookProblem] = []
    /// The containers that got another name, since one beside them has the name that they had.
    public var renamed: [Renaming] = []
    /// The problems that remain.
    public var left: [NotebookProblem] = []

    /// A container's new name.
    public struct Renaming: Equatable, Sendable {
        public let container: ContainerID
        public let from: String
        public let to: String
    }
}

/// Called with the number of notes indexed and of all notes; returns whether to go on.
public typealias IndexProgress = @Sendable (_ done: Int, _ all: Int) -> Bool

extension Notebook.Care {
    /// Derives again all that depends on texts, names and the tree: keys, places, lists, counts, links and the search
    /// index.
    ///
    /// Cost: that of writing the whole index.
    ///
    /// - Parameter progress: called with the number of notes indexed and of all notes; if it returns false, the repair
    ///   throws `interrupted` and changes nothing.
    public func repair(
        progress: @escaping IndexProgress = { _, _ in true }
    ) throws(StoreError) -> RepairReport {
        var report = RepairReport()
        let before = try check()
        // An index can be rebuilt from its table without loss, and a wrong entry in it makes every save of its note
        // fail.
        if before.contains(where: { $0.kind == .damagedFile }) {
            try notebook.write { try $0.db.execute(sql: "REINDEX") }
        }
        report.maintenance = try notebook.write { transaction in
            var maintenance = MaintenanceReport()
            // The search index is rebuilt at the end; until then its content is unknown.
            transaction.writesIndex = false
            try Schema.dropForeignTriggers(transaction.db)
            try Schema.insertMissingTriggers(transaction.db)
            try Schema.restoreSystemContainers(transaction.db)
            try transaction.fillMissingValues()
            maintenance.folded = try transaction.foldDuplicates()
            try transaction.breakCircles()
            report.renamed = try transaction.repairNames()
            try transaction.repairTitleKeys()
            try transaction.freeMisplacedFolders()
            try transaction.rebuildTree()
            try transaction.makeNotesOfStrayTexts()
            try transaction.recoverOrphans(&maintenance, withMisplaced: true)
            try transaction.rebuildListings()
            try transaction.rebuildIndex(progress)
            transaction.change.notes = nil
            transaction.change.containers = true
            return maintenance
        }
        report.left = try check()
        report.repaired = before.filter { !report.left.contains($0) }
        return report
    }
}

extension Transaction {
    /// The values for columns that must not be NULL but are; other values are derived from texts and the tree.
    private static let missingValues = [
        (
            "note", "uuid",
            "upper(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) "
                + "|| '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))"
        ),
        ("note", "title", "''"), ("note", "titleKey", "''"), ("note", "defaultTitle", "''"),
        ("note", "createdDate", "0"), ("note", "updatedDate", "0"), ("note", "starred", "0"), ("note", "place", "0"),
        ("note", "sortOrder", "0"), ("note", "aiSummary", "''"), ("note", "contentHash", "''"),
        ("note", "preview", "''"),
        ("note", "wordCount", "0"), ("note", "size", "0"), ("note", "features", "0"), ("note", "revision", "1"),
        ("note", "uniqueTitle", "0"), ("note", "originPlace", "0"), ("note", "titleStamp", "0"),
        ("note_text", "text", "''"), ("note_text", "stamp", "1"),
        ("container", "createdDate", "0"), ("container", "colorRGBA", "\(NoteContainer.defaultColor)"),
        ("container", "symbol", "'folder'"), ("container", "sortOrder", "0"), ("container", "details", "''"),
        ("container", "place", "0"), ("container", "noteCount", "0"), ("container", "kind", "'folder'"),
        ("container", "name", "'Folder ' || id"), ("container", "nameKey", "'folder ' || id"),
    ]

    /// Fills required columns that another tool has set to NULL.
    fileprivate func fillMissingValues() throws {
        for (table, column, value) in Self.missingValues {
            try run("UPDATE OR IGNORE \(table) SET \(column) = \(value) WHERE \(column) IS NULL")
        }
    }

    /// Makes one folder of each cycle a root, with the others below it.
    fileprivate func breakCircles() throws {
        let unreached = """
            WITH RECURSIVE reached(id) AS (SELECT id FROM container WHERE parent IS NULL
                    OR parent NOT IN (SELECT id FROM container) UNION
                SELECT container.id FROM container JOIN reached ON container.parent = reached.id)
            SELECT id FROM container WHERE id > 6 AND id NOT IN (SELECT id FROM reached) ORDER BY id LIMIT 1
            """
        while let key: Int64 = try value(unreached) {
            let head = try containerHead(key: key)
            try setParent(head, nil, name: freeName(head.name, kind: head.kind, parent: nil, except: key))
        }
    }

    /// Gives each container the key of its name; one whose name another one beside it has gets a number.
    fileprivate func repairNames() throws -> [RepairReport.Renaming] {
        let wrong = try rows("SELECT id, name, nameKey FROM container WHERE id > 6")
            .filter { Folding.key($0[1]) != $0[2] }.map { $0[0] as Int64 }
        // Keys that no name has, so that names which were exchanged are free.
        for key in wrong { try run("UPDATE container SET nameKey = char(1) || id WHERE id = ?", [key]) }
        return try wrong.compactMap { key in
            let head = try containerHead(key: key)
            let name = try freeName(head.name, kind: head.kind, parent: head.parent, except: key)
            try run("UPDATE container SET name = ?, nameKey = ? WHERE id = ?", [name, Folding.key(name), key])
            return name == head.name ? nil : .init(container: head.id, from: head.name, to: name)
        }
    }

    /// Gives each note the key of its title; where titles are unique, `rebuildTree` gives numbers to those that clash.
    fileprivate func repairTitleKeys() throws {
        for row in try rows("SELECT id, title, titleKey FROM note") {
            let key = Folding.key(row[1])
            if key == row[2] { continue }
            try run("UPDATE note SET titleKey = ?, uniqueTitle = 0 WHERE id = ?", [key, row[0] as Int64])
        }
    }

    /// Makes roots of folders that lie where no folder may be.
    fileprivate func freeMisplacedFolders() throws {
        for row in try rows("SELECT c.id \(Notebook.Care.misplacedFolders)") {
            let head = try containerHead(key: row[0])
            try setParent(head, nil, name: freeName(head.name, kind: head.kind, parent: nil, except: head.key))
        }
    }

    /// Repairs places, projects and the rules for titles, from the root down.
    fileprivate func rebuildTree() throws {
        for row in try rows("SELECT id FROM container WHERE parent IS NULL OR parent = 4") {
            try refreshSubtree(row[0])
        }
        for row in try rows("SELECT id FROM container WHERE kind = 'project'") { try refreshProject(row[0]) }
        try run(
            """
            UPDATE note SET place = (SELECT CASE kind WHEN 'archive' THEN 1 WHEN 'trash' THEN 2 WHEN 'buffer' THEN 3
                ELSE place END FROM container WHERE id = note.folder) WHERE folder IN (1, 4, 5, 6)
            """)
        try run("UPDATE note SET origin = NULL, owner = NULL WHERE place = 0")
    }

    /// Makes notes without a folder of the texts whose notes are gone, so that they are recovered like others.
    fileprivate func makeNotesOfStrayTexts() throws {
        for row in try rows("SELECT note FROM note_text WHERE note NOT IN (SELECT id FROM note)") {
            let key: Int64 = row[0]
            let text = try Notebook.Notes.text(db, key: key) ?? ""
            try run("DELETE FROM note_text WHERE note = ?", [key])
            if text.isEmpty { continue }
            let note = try insert(NewNote(text: text))
            try run("UPDATE note SET folder = NULL WHERE uuid = ?", [note.id.description])
        }
    }

    /// Rebuilds every list.
    fileprivate func rebuildListings() throws {
        try run("DELETE FROM listing")
        try putIntoLists(after: .min)
        try run("UPDATE container SET noteCount = (SELECT count(*) FROM listing WHERE list = container.id)")
    }

    /// Empties the index and fills it from the texts; derives titles, previews and links again.
    ///
    /// - Throws: also `interrupted`, if `progress` returns false.
    func rebuildIndex(_ progress: IndexProgress = { _, _ in true }) throws {
        writesIndex = true
        pendingIndex = []
        try run("INSERT INTO search (search) VALUES ('delete-all')")
        try run("INSERT INTO search_title (search_title) VALUES ('delete-all')")
        try run("DELETE FROM search_term")
        termCache.removeAll()
        try run("DELETE FROM search_mark")
        try run("DELETE FROM setting WHERE key = 'indexIsDamaged'")
        try run(
            "INSERT INTO note_text (note, text, stamp) SELECT id, '', 1 FROM note WHERE id NOT IN (SELECT note FROM note_text)"
        )
        let notes = try rows("SELECT id FROM note ORDER BY id")
        for (index, row) in notes.enumerated() {
            guard progress(index, notes.count) else { throw StoreError.interrupted }
            try refresh(row[0])
        }
        try flushIndex()
        try run("INSERT INTO search (search) VALUES ('optimize')")
    }
}
