import Foundation
import GRDB

/// How much an emptying of Trash would remove for ever.
public struct TrashContents: Equatable, Sendable {
    public let notes: Int
    public let folders: Int
    public let projects: Int

    public var isEmpty: Bool { notes + folders + projects == 0 }
}

extension Notebook {
    /// What is in Trash, everything below trashed folders included.
    public func trashContents() throws(StoreError) -> TrashContents {
        try read { db in
            func count(_ sql: String) throws -> Int { try Int.fetchOne(db, sql: sql) ?? 0 }
            return TrashContents(
                notes: try count("SELECT count(*) FROM note WHERE place = 2"),
                folders: try count("SELECT count(*) FROM container WHERE place = 2 AND kind = 'folder'"),
                projects: try count("SELECT count(*) FROM container WHERE place = 2 AND kind = 'project'"))
        }
    }

    /// Removes everything in Trash for ever, after a backup, and the images that nothing refers to any more.
    ///
    /// Returns what it removed.
    @discardableResult
    public func emptyTrash(backup: Bool = true) throws(StoreError) -> TrashContents {
        let contents = try trashContents()
        if contents.isEmpty { return contents }
        if backup { try makeBackup(.beforeEmptyingTrash) }
        let spared = try imagesInJournals()
        try write { transaction in
            let notes = try transaction.rows("SELECT id FROM note WHERE place = 2")
            for row in notes { try transaction.deleteForever(note: row[0]) }
            try transaction.deleteTree(below: SystemKey.trash)
            try transaction.cullImages(sparing: spared)
            transaction.change.notes = nil
            transaction.change.containers = true
        }
        return contents
    }

    /// Removes notes that are in Trash for ever, after a backup.
    public func deleteForever(_ ids: [NoteID], backup: Bool = true) throws(StoreError) {
        if backup, !ids.isEmpty { try makeBackup(.beforeEmptyingTrash) }
        try write { transaction in
            for id in ids {
                let head = try transaction.head(id)
                guard head.place == .trash else { throw StoreError.notInTrash(name: head.title) }
                try transaction.deleteForever(note: head.key)
                transaction.change.notes?.insert(id)
            }
            transaction.change.containers = true
        }
    }

    /// Removes folders and projects that are in Trash for ever, with all that is in them, after a backup.
    public func deleteForever(_ ids: [ContainerID], backup: Bool = true) throws(StoreError) {
        if backup, !ids.isEmpty { try makeBackup(.beforeEmptyingTrash) }
        try write { transaction in
            for id in ids {
                let head = try transaction.containerHead(id)
                guard head.place == .trash else { throw StoreError.notInTrash(name: head.name) }
                try transaction.deleteForever(container: head.key)
            }
            transaction.change.notes = nil
            transaction.change.containers = true
        }
    }
}

extension Transaction {
    func deleteForever(note key: Int64) throws {
        if let words = try indexedWords(of: key) { try unindex(key, words) }
        try run("DELETE FROM search_mark WHERE note = ?", [key])
        // Tells the trigger that the index has forgotten it already.
        try run("UPDATE note SET titleStamp = -1 WHERE id = ?", [key])
        try run("DELETE FROM note WHERE id = ?", [key])
    }

    func deleteForever(container key: Int64) throws {
        let notes = try rows(
            """
            WITH RECURSIVE below(id) AS (SELECT ? UNION
                SELECT container.id FROM container JOIN below ON container.parent = below.id)
            SELECT note.id FROM note JOIN below ON note.folder = below.id
            """, [key])
        for row in notes { try deleteForever(note: row[0]) }
        try deleteTree(below: key)
        try run("DELETE FROM container WHERE id = ?", [key])
    }

    /// Removes all folders below one, which have no notes any more, the innermost first.
    ///
    /// SQLite follows a cascade no deeper than 1,000 (SQLITE_MAX_TRIGGER_DEPTH), and folders nest without limit.
    func deleteTree(below key: Int64) throws {
        // A recursive query without an order works through a queue: what lies deeper comes later.
        let below = try rows(
            """
            WITH RECURSIVE below(id) AS (SELECT ?1 UNION
                SELECT container.id FROM container JOIN below ON container.parent = below.id)
            SELECT id FROM below
            """, [key])
        for row in below.reversed() where row[0] != key {
            try run("DELETE FROM container WHERE id = ?", [row[0] as Int64])
        }
    }
}
