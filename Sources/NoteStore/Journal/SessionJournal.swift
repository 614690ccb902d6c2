import Foundation
import GRDB
import Synchronization
import SystemPackage
import TextEditing

/// The journal of one program: what it has typed and not yet saved, in a file of its own beside the notebook.
///
/// No other program writes to the file, so no other program can delay a key. The file is locked for as long as the
/// program lives: a journal that is not locked has lost its owner, and whoever finds it replays it
/// (`Notebook.replayJournals`).
///
/// An edit is in the operating system's hands when `record` returns, so it survives the program's death, though not
/// always a power cut: that is what saving is for.
public final class SessionJournal: Sendable {
    /// Names the session; notes in Buffer carry it as their owner.
    public let id: String
    let path: String
    fileprivate let database: DatabaseQueue

    /// The journals that this process holds: to ask for a lock of one's own would release it.
    static let own = Mutex<Set<String>>([])

    init(folder: String) throws {
        id = UUID().uuidString
        path = "\(folder)/\(id).sqlite"
        try DiskFile.makeFolders(FilePath(folder))
        try DiskFile.make(path)
        SessionJournal.own.withLock { [path] in _ = $0.insert(path) }
        database = try JournalFile.open(path)
        try database.writeWithoutTransaction { db in
            try db.execute(sql: JournalFile.schema)
        }
    }

    /// Records an edit of a note.
    ///
    /// - Parameter base: the revision and text that the note's first unsaved edit was made on; asked for only then.
    /// - Returns: a number that grows with each edit, for `trim`.
    @discardableResult
    public func record(
        _ edit: Edit, of note: NoteID, base: () -> (revision: Int64, text: String)
    ) throws(StoreError) -> Int64 {
        do {
            return try database.writeWithoutTransaction { db in
                let known = try db.cachedStatement(sql: "SELECT 1 FROM open_note WHERE note = ?")
                if try Int.fetchOne(known, arguments: [note.description]) == nil {
                    let (revision, text) = base()
                    try setBase(db, note, revision: revision, text: text)
                }
                return try insert(db, edit, of: note)
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Forgets the edits of a note up to a number, which are saved now.
    ///
    /// - Parameters:
    ///   - revision: the note's after that save.
    ///   - text: the note's after that save, the base of the edits that are left.
    public func trim(_ note: NoteID, through number: Int64, revision: Int64, text: String) throws(StoreError) {
        try transaction { db in
            try db.cachedStatement(sql: "DELETE FROM edit WHERE note = ? AND id <= ?")
                .execute(arguments: [note.description, number])
            let left = try db.cachedStatement(sql: "SELECT 1 FROM edit WHERE note = ? LIMIT 1")
            if try Int.fetchOne(left, arguments: [note.description]) == nil {
                try forget(db, note)
            } else {
                try setBase(db, note, revision: revision, text: text)
            }
        }
    }

    /// Puts a note on a new base, as after a merge, with what was typed since as one edit of that base.
    ///
    /// - Returns: the number of that edit, `nil` if there is none.
    @discardableResult
    public func rebase(
        _ note: NoteID, revision: Int64, text: String, pending: Edit?
    ) throws(StoreError) -> Int64? {
        try transaction { db in
            try forget(db, note)
            guard let pending, !pending.isEmpty else { return nil }
            try setBase(db, note, revision: revision, text: text)
            return try insert(db, pending, of: note)
        }
    }

    /// Forgets all edits of a note.
    public func discard(_ note: NoteID) throws(StoreError) {
        try transaction { try forget($0, note) }
    }

    /// Whether it holds edits that are not saved.
    public func hasEdits() throws(StoreError) -> Bool {
        do {
            return try database.read { try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM edit)") ?? false }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Ends the session and removes the file, or leaves it for replay if it holds edits.
    public func close() throws(StoreError) {
        let keep = try hasEdits()
        do {
            try database.close()
        } catch {
            throw StoreError(error, path: path)
        }
        SessionJournal.own.withLock { [path] in _ = $0.remove(path) }
        if !keep { JournalFile.remove(path) }
    }

    // MARK: - Rows

    private func transaction<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
        do {
            return try database.write(body)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private func setBase(_ db: Database, _ note: NoteID, revision: Int64, text: String) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO open_note (note, revision, base) VALUES (?, ?, ?)")
            .execute(arguments: [note.description, revision, Data(text.utf8)])
    }

    private func insert(_ db: Database, _ edit: Edit, of note: NoteID) throws -> Int64 {
        try db.cachedStatement(sql: "INSERT INTO edit (note, data) VALUES (?, ?)")
            .execute(arguments: [note.description, JournalFile.encode(edit)])
        return db.lastInsertedRowID
    }

    private func forget(_ db: Database, _ note: NoteID) throws {
        try db.cachedStatement(sql: "DELETE FROM edit WHERE note = ?").execute(arguments: [note.description])
        try db.cachedStatement(sql: "DELETE FROM open_note WHERE note = ?").execute(arguments: [note.description])
    }
}

extension SessionJournal {
    /// Lets go of the file as a killed program does, for tests.
    func abandon() throws { try database.close() }
}
