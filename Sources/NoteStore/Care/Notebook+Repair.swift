import Foundation
import GRDB

/// What a repair or a recovery has done.
public struct RepairReport: Equatable, Sendable {
    public var maintenance = MaintenanceReport()
    /// What was found before and is no more.
    public var repaired: [NotebookProblem] = []
    /// What is still wrong.
    public var left: [NotebookProblem] = []
}

/// What was read out of a damaged file.
public struct SalvageReport: Equatable, Sendable {
    public var notes = 0
    /// Notes whose text could not be read, or only as an earlier version.
    public var damagedNotes = 0
    public var containers = 0
    public var images = 0
}

/// Told the notes that are indexed and all of them; answers whether to go on.
public typealias IndexProgress = @Sendable (_ done: Int, _ all: Int) -> Bool

extension Notebook {
    /// Works out anew all that follows from texts, names and the tree: keys, places, lists, counts, links and the
    /// search index.
    ///
    /// Cost: that of writing the whole index.
    ///
    /// - Parameter progress: called with the notes indexed and all of them; false ends it with `interrupted`, and
    ///   everything is as it was.
    public func repair(
        progress: @escaping IndexProgress = { _, _ in true }
    ) throws(StoreError) -> RepairReport {
        var report = RepairReport()
        let before = try check()
        report.maintenance = try write { transaction in
            var maintenance = MaintenanceReport()
            // It is filled anew at the end; until then nothing can be said of what it holds.
            transaction.writesIndex = false
            try Schema.insertMissingTriggers(transaction.db)
            try Schema.insertSystemContainers(transaction.db)
            maintenance.folded = try transaction.foldDuplicates()
            try transaction.rebuildTree()
            try transaction.recoverOrphans(&maintenance)
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

    /// Rebuilds the search index and everything derived from texts.
    public func rebuildIndex() throws(StoreError) {
        try write { transaction in
            try transaction.rebuildIndex()
            transaction.change.notes = nil
        }
    }

    /// Reads what a damaged file still holds into a new notebook, which must not exist yet.
    ///
    /// Row by row, so that a damaged page costs what is on it and no more; what has lost its folder is put into a
    /// recovery folder.
    public static func salvage(_ damaged: String, into path: String) throws(StoreError) -> SalvageReport {
        let notebook = try Notebook.open(path, mode: .command, options: Options(recoversSessions: false))
        do {
            var configuration = Configuration()
            configuration.readonly = true
            let source = try DatabaseQueue(path: damaged, configuration: configuration)
            var report = SalvageReport()
            // Without a transaction, whose end would fail on the damage too.
            try source.unsafeRead { old in
                try notebook.database.write { db in
                    var salvage = Salvage(from: old, to: db)
                    try salvage.run()
                    report = salvage.report
                }
            }
            _ = try notebook.repair()
            try notebook.close(checkpointing: true)
            return report
        } catch {
            throw StoreError(error, path: damaged)
        }
    }
}

extension Transaction {
    /// Puts names' keys, places, projects and titles' rules right, from the root down.
    fileprivate func rebuildTree() throws {
        for row in try rows("SELECT id, name, nameKey FROM container WHERE id > 6") {
            let key = Folding.key(row[1])
            if key != row[2] {
                try run("UPDATE OR IGNORE container SET nameKey = ? WHERE id = ?", [key, row[0] as Int64])
            }
        }
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

    /// Writes every list anew.
    fileprivate func rebuildListings() throws {
        try run("DELETE FROM listing")
        try putIntoLists(after: .min)
        try run("UPDATE container SET noteCount = (SELECT count(*) FROM listing WHERE list = container.id)")
    }

    /// Empties the index and fills it from the texts, with titles, previews and links.
    ///
    /// - Throws: also `interrupted`, when `progress` asks to stop.
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
