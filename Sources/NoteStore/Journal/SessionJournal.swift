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

    /// A note of the journal: the revision that its saved edits lead to, the bytes of all that are there, and whether
    /// what they were made on is there too.
    private struct Log {
        var revision: Int64
        var bytes = 0
        var hasBase = false
    }

    private let logged = Mutex<[NoteID: Log]>([:])

    /// The journals that this process holds: to ask for a lock of one's own would release it.
    static let own = Mutex<Set<String>>([])

    /// - Parameter notebook: the name of the notebook's file, beside the folder.
    init(folder: String, notebook: String) throws {
        id = UUID().uuidString
        path = "\(folder)/\(id).sqlite"
        try DiskFile.makeFolders(FilePath(folder))
        try DiskFile.make(path)
        SessionJournal.own.withLock { [path] in _ = $0.insert(path) }
        database = try JournalFile.open(path)
        try database.writeWithoutTransaction { db in
            try db.execute(sql: JournalFile.schema)
            try db.execute(sql: "INSERT INTO session VALUES (?)", arguments: [notebook])
        }
    }

    /// Records an edit of a note.
    ///
    /// The base of a note's first edit is written down after the edit itself: of a long note it takes as long as
    /// thousands of edits, and the notebook has it too.
    ///
    /// - Parameters:
    ///   - revision: the note's revision in the notebook, which `base` is the text of.
    ///   - base: what the note's first unsaved edit was made on; asked for only then.
    /// - Returns: a number that grows with each edit, for `trim`.
    @discardableResult
    public func record(
        _ edit: Edit, of note: NoteID, revision: Int64, base: () -> String
    ) throws(StoreError) -> Int64 {
        let isKnown = logged.withLock { $0[note]?.revision == revision }
        do {
            if !isKnown {
                try database.write { try begin($0, note, revision: revision) }
                logged.withLock { $0[note] = Log(revision: revision) }
            }
            let (number, bytes) = try database.writeWithoutTransaction { try insert($0, edit, of: note) }
            logged.withLock { $0[note]?.bytes += bytes }
            if !isKnown {
                try database.writeWithoutTransaction { db in
                    try setBase(db, note, base())
                    // The statement would keep a copy of the text.
                    db.releaseMemory()
                }
                logged.withLock { $0[note]?.hasBase = true }
            }
            return number
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Notes that the edits of a note up to a number are saved now.
    ///
    /// The base and the edits stay, so that not every save of a long note costs another copy of it, until the edits
    /// outgrow the base.
    ///
    /// - Parameters:
    ///   - revision: the note's after that save.
    ///   - text: the note's after that save.
    public func trim(
        _ note: NoteID, through number: Int64, revision: Int64, text: () -> String
    ) throws(StoreError) {
        let log = logged.withLock { logged in
            logged[note]?.revision = revision
            return logged[note]
        }
        guard let log else { return }
        let isOutgrown = log.bytes > Self.outgrown || !log.hasBase
        try transaction { db in
            try db.cachedStatement(sql: "UPDATE open_note SET revision = ?, saved = ? WHERE note = ?")
                .execute(arguments: [revision, number, note.description])
            guard isOutgrown else { return }
            try db.cachedStatement(sql: "DELETE FROM edit WHERE note = ? AND id <= ?")
                .execute(arguments: [note.description, number])
            try setBase(db, note, text())
        }
        if isOutgrown { logged.withLock { $0[note] = Log(revision: revision, hasBase: true) } }
    }

    /// Bytes of edits that are worth a new copy of the text.
    private static let outgrown = 4_000_000

    /// Puts a note on a new base, as after a merge, with what was typed since as one edit of that base.
    ///
    /// - Returns: the number of that edit, `nil` if there is none.
    @discardableResult
    public func rebase(
        _ note: NoteID, revision: Int64, text: String, pending: Edit?
    ) throws(StoreError) -> Int64? {
        try discard(note)
        guard let pending, !pending.isEmpty else { return nil }
        return try record(pending, of: note, revision: revision) { text }
    }

    /// Forgets all edits of a note.
    public func discard(_ note: NoteID) throws(StoreError) {
        logged.withLock { $0[note] = nil }
        try transaction { try forget($0, note) }
    }

    /// Whether it holds edits that are not saved.
    public func hasEdits() throws(StoreError) -> Bool {
        do {
            return try database.writeWithoutTransaction { db in
                try Bool.fetchOne(
                    db,
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM open_note
                            WHERE saved < (SELECT max(id) FROM edit WHERE edit.note = open_note.note))
                        """) ?? false
            }
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

    private func begin(_ db: Database, _ note: NoteID, revision: Int64) throws {
        try forget(db, note)
        try db.cachedStatement(sql: "INSERT INTO open_note (note, revision) VALUES (?, ?)")
            .execute(arguments: [note.description, revision])
    }

    private func setBase(_ db: Database, _ note: NoteID, _ text: String) throws {
        let statement = try db.cachedStatement(sql: "UPDATE open_note SET base = ? WHERE note = ?")
        try text.withLentBytes { try statement.execute(arguments: [$0, note.description]) }
    }

    private func insert(_ db: Database, _ edit: Edit, of note: NoteID) throws -> (number: Int64, bytes: Int) {
        let data = JournalFile.encode(edit)
        try db.cachedStatement(sql: "INSERT INTO edit (note, data) VALUES (?, ?)")
            .execute(arguments: [note.description, data])
        return (db.lastInsertedRowID, data.count)
    }

    private func forget(_ db: Database, _ note: NoteID) throws {
        try db.cachedStatement(sql: "DELETE FROM edit WHERE note = ?").execute(arguments: [note.description])
        try db.cachedStatement(sql: "DELETE FROM open_note WHERE note = ?").execute(arguments: [note.description])
    }
}

extension SessionJournal {
    /// Lets go of the file as a killed program does, for tests.
    func abandon() throws { try database.close() }

    /// Changes the file in another way than the program does, for tests.
    func execute(_ sql: String) throws { try database.write { try $0.execute(sql: sql) } }

    /// Bytes of edits in the file, for tests.
    func loggedBytes() throws -> Int {
        try database.read { try Int.fetchOne($0, sql: "SELECT ifnull(sum(length(data)), 0) FROM edit") ?? 0 }
    }
}
