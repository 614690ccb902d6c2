import Foundation
import GRDB

extension Notebook.Trash {
    /// Moves notes to Trash; notes that are there already stay.
    public func add(_ ids: [NoteID]) throws(StoreError) {
        try notebook.act(.trash, notes: ids) { transaction in
            for id in ids {
                let head = try transaction.head(id)
                if head.place != .trash { try transaction.putAway(head, into: SystemKey.trash) }
            }
        }
    }

    /// Moves notes back from Trash.
    ///
    /// Returns those that could not go back to where they came from.
    @discardableResult
    public func restore(_ ids: [NoteID]) throws(StoreError) -> [NoteRow] {
        try notebook.act(.restore, notes: ids) { transaction in
            for head in try ids.map(transaction.head) where head.place != .trash {
                throw StoreError.notInTrash(name: head.title)
            }
            var elsewhere: [NoteRow] = []
            for id in ids {
                let head = try transaction.head(id)
                // A note that is named twice is back already.
                guard head.place == .trash else { continue }
                if try transaction.putBack(head) { elsewhere.append(try transaction.noteRow(id)) }
            }
            return elsewhere
        }
    }

    /// Returns the container in Trash that was at this path when it was moved there, whatever the case of the names;
    /// `nil` if there is none.
    ///
    /// If there are several, it is the one moved last.
    public func container(formerPath path: String) throws(StoreError) -> NoteContainer? {
        let keys = Notebook.Containers.names(ofPath: path).map(Folding.key)
        guard let name = keys.last else { return nil }
        return try notebook.read { db in
            let found = try Row.fetchAll(
                db,
                sql: """
                    SELECT id, originPath FROM container WHERE nameKey = ? AND parent = \(SystemKey.trash)
                    ORDER BY trashedDate DESC, id DESC
                    """, arguments: [name])
            let last = found.first { row in Transaction.decode(row[1]).map(Folding.key) == Array(keys.dropLast()) }
            return try last.flatMap { try NoteContainer.fetch(db, "WHERE c.id = ?", [$0[0] as Int64]).first }
        }
    }

    /// Moves folders and projects back from Trash.
    ///
    /// Returns those that could not go back to where they came from.
    @discardableResult
    public func restore(_ ids: [ContainerID]) throws(StoreError) -> [NoteContainer] {
        try notebook.act(.restoreFolder, containers: ids) { transaction in
            for head in try ids.map(transaction.containerHead) where head.place != .trash {
                throw StoreError.notInTrash(name: head.name)
            }
            var elsewhere: [NoteContainer] = []
            for id in ids {
                let head = try transaction.containerHead(id)
                // One that is named twice, or lies in one that was named before it, is back already.
                guard head.place == .trash else { continue }
                if try transaction.putBack(head) { elsewhere.append(try transaction.container(key: head.key)) }
            }
            return elsewhere
        }
    }
}

/// The objects that emptying Trash would delete for ever.
public struct TrashContents: Equatable, Sendable {
    public let notes: Int
    public let folders: Int
    public let projects: Int
    /// The rows that were counted, so that nothing else is deleted once the user has confirmed.
    let counted: Counted

    /// The rows in Trash at the time of counting.
    struct Counted: Sendable {
        /// The notes by their key, with their revision at that time.
        var notes: [Int64: Int64] = [:]
        var containers: Set<Int64> = []
    }

    public var isEmpty: Bool { notes + folders + projects == 0 }

    init(notes: Int, folders: Int, projects: Int, counted: Counted = Counted()) {
        (self.notes, self.folders, self.projects, self.counted) = (notes, folders, projects, counted)
    }

    public static func == (one: Self, other: Self) -> Bool {
        (one.notes, one.folders, one.projects) == (other.notes, other.folders, other.projects)
    }
}

extension Notebook.Trash {
    /// Returns the contents of Trash, including everything below trashed folders.
    public func contents() throws(StoreError) -> TrashContents {
        try notebook.read { db in
            var counted = TrashContents.Counted()
            let notes = try Row.fetchCursor(db, sql: "SELECT id, revision FROM note WHERE place = 2")
            while let row = try notes.next() { counted.notes[row[0]] = row[1] }
            var projects = 0
            let containers = try Row.fetchCursor(
                db, sql: "SELECT id, kind = 'project' FROM container WHERE place = 2 AND kind IN ('folder', 'project')")
            while let row = try containers.next() {
                counted.containers.insert(row[0])
                if row[1] { projects += 1 }
            }
            return TrashContents(
                notes: counted.notes.count, folders: counted.containers.count - projects, projects: projects,
                counted: counted)
        }
    }

    /// Deletes the contents of Trash for ever, after a backup, and the images that nothing refers to any more.
    ///
    /// - Parameter counted: the contents that the user confirmed; what was added or changed since stays. `nil` means
    ///   all.
    /// - Returns: what it deleted.
    @discardableResult
    public func empty(_ counted: TrashContents? = nil, backup: Bool = true) throws(StoreError) -> TrashContents {
        let contents = if let counted { counted } else { try contents() }
        if contents.isEmpty { return contents }
        // The backup contains all that is deleted, since a note that changes from now on stays.
        if backup { try notebook.backups.create(.beforeEmptyingTrash) }
        let spared = try notebook.journal.images()
        return try notebook.write { transaction in
            let removed = try transaction.emptyTrash(contents.counted)
            try transaction.cullImages(sparing: spared)
            transaction.change.notes = nil
            transaction.change.containers = true
            return removed
        }
    }

    /// Returns the present state of notes in Trash, for `deleteForever`.
    ///
    /// - Throws: `noSuchNote` or `notInTrash` for the first that is missing or not in Trash.
    public func contents(of ids: [NoteID]) throws(StoreError) -> TrashContents {
        try notebook.read { db in
            let transaction = Transaction(db, now: 0, notebook.termCache)
            var counted = TrashContents.Counted()
            for id in ids {
                let head = try transaction.head(id)
                guard head.place == .trash else { throw StoreError.notInTrash(name: head.title) }
                counted.notes[head.key] = head.revision
            }
            return TrashContents(notes: counted.notes.count, folders: 0, projects: 0, counted: counted)
        }
    }

    /// Returns the present state of folders and projects in Trash, with everything in them, for `deleteForever`.
    ///
    /// - Throws: `noSuchContainer` or `notInTrash` for the first that is missing or not in Trash.
    public func contents(of ids: [ContainerID]) throws(StoreError) -> TrashContents {
        try notebook.read { db in
            let transaction = Transaction(db, now: 0, notebook.termCache)
            var counted = TrashContents.Counted()
            var projects: Set<Int64> = []
            for id in ids {
                let head = try transaction.containerHead(id)
                guard head.place == .trash else { throw StoreError.notInTrash(name: head.name) }
                for container in try transaction.containers(below: head.key) {
                    counted.containers.insert(container.key)
                    if container.isProject { projects.insert(container.key) }
                    for row in try transaction.rows(
                        "SELECT id, revision FROM note WHERE folder = ?", [container.key])
                    {
                        counted.notes[row[0]] = row[1]
                    }
                }
            }
            return TrashContents(
                notes: counted.notes.count, folders: counted.containers.count - projects.count,
                projects: projects.count, counted: counted)
        }
    }

    /// Deletes notes in Trash for ever, after a backup.
    ///
    /// - Parameter counted: the notes that the user confirmed; one that was changed or restored since stays. `nil`
    ///   means their state before the backup.
    /// - Returns: what it deleted.
    @discardableResult
    public func deleteForever(
        _ ids: [NoteID], counted: TrashContents? = nil, backup: Bool = true
    ) throws(StoreError) -> TrashContents {
        let contents = if let counted { counted } else { try contents(of: ids) }
        return try delete(contents, backup: backup) { $0.notes?.formUnion(ids) }
    }

    /// Deletes folders and projects in Trash for ever, with everything in them, after a backup.
    ///
    /// - Parameter counted: the contents that the user confirmed; what was added, changed or restored since stays, with
    ///   its parent folders. `nil` means their state before the backup.
    /// - Returns: what it deleted.
    @discardableResult
    public func deleteForever(
        _ ids: [ContainerID], counted: TrashContents? = nil, backup: Bool = true
    ) throws(StoreError) -> TrashContents {
        let contents = if let counted { counted } else { try contents(of: ids) }
        return try delete(contents, backup: backup) { $0.notes = nil }
    }

    /// Deletes what was counted, after a backup; as the backup contains all of it, what changes from now on stays.
    private func delete(
        _ contents: TrashContents, backup: Bool, _ tell: (inout StoreChange) -> Void
    ) throws(StoreError) -> TrashContents {
        if contents.isEmpty { return contents }
        if backup { try notebook.backups.create(.beforeEmptyingTrash) }
        return try notebook.write { transaction in
            let removed = try transaction.emptyTrash(contents.counted)
            tell(&transaction.change)
            transaction.change.containers = true
            return removed
        }
    }
}

extension Transaction {
    func deleteForever(note key: Int64) throws {
        if let words = try indexedWords(of: key) { try unindex(key, words) }
        try run("DELETE FROM search_mark WHERE note = ?", [key])
        // This tells the trigger that the note is already out of the index.
        try run("UPDATE note SET titleStamp = -1 WHERE id = ?", [key])
        try run("DELETE FROM note WHERE id = ?", [key])
        mayHaveUnusedTags = true
    }

    /// Deletes what was counted and has not changed since; a folder that contains something else is kept.
    fileprivate func emptyTrash(_ counted: TrashContents.Counted) throws -> TrashContents {
        var notes = 0
        for row in try rows("SELECT id, revision FROM note WHERE place = 2") {
            guard let revision = counted.notes[row[0]], revision == row[1] else { continue }
            try deleteForever(note: row[0])
            notes += 1
        }
        var kinds: [Bool] = []
        for container in try containers(below: SystemKey.trash) where counted.containers.contains(container.key) {
            try run(
                """
                DELETE FROM container WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM container WHERE parent = ?1)
                    AND NOT EXISTS (SELECT 1 FROM note WHERE folder = ?1)
                """, [container.key])
            if db.changesCount > 0 { kinds.append(container.isProject) }
        }
        let projects = kinds.count { $0 }
        return TrashContents(notes: notes, folders: kinds.count - projects, projects: projects)
    }

    /// Returns a container and everything below it, the innermost first; for Trash, only its contents.
    ///
    /// In this order no deletion cascades to another row, since SQLite ends a cascade at a depth of a thousand.
    fileprivate func containers(below key: Int64) throws -> [(key: Int64, isProject: Bool)] {
        let found = try rows(
            """
            WITH RECURSIVE below(id, depth) AS (SELECT ?1, 0 UNION
                SELECT container.id, depth + 1 FROM container JOIN below ON container.parent = below.id
                -- In a notebook that others have written folders may lie in a circle: no way is longer than all.
                WHERE depth < (SELECT count(*) FROM container))
            SELECT container.id, container.kind = 'project' FROM below JOIN container ON container.id = below.id
                WHERE container.id > 6 ORDER BY depth DESC
            """, [key])
        return found.map { ($0[0], $0[1]) }
    }
}
