import Foundation
import GRDB
import SystemPackage
import TextEditing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Journals of version 0.1, which were SQLite files; this program still replays them.
///
/// `open_note` has the notes that were edited, `edit` their edits. `base` is the text that a note's first edit was made
/// on, NULL until it was written down; the edits up to `saved` are in the notebook as `revision`.
enum LegacyJournal {
    static let ending = ".sqlite"

    /// Opens a journal and locks it until it is closed; throws if another program holds it.
    static func open(_ path: String) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            // Set before WAL, so that the log needs no shared memory.
            try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
            // Data that the operating system has survives the program; only a save must survive a power cut.
            try db.execute(sql: "PRAGMA synchronous = OFF")
            try db.execute(sql: "BEGIN EXCLUSIVE; COMMIT")
        }
        return queue
    }

    /// Whether some program holds the journal.
    ///
    /// Costs an open and one call to the kernel.
    static func isOwned(_ path: String) -> Bool {
        guard let file = try? FileDescriptor.open(FilePath(path), .readOnly) else {  // gone, or not ours to replay
            return true
        }
        defer { try? file.close() }  // nothing was written
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        // The bytes that SQLite locks: PENDING_BYTE and the 511 after it (sqlite.org/src, os.h).
        lock.l_start = 0x4000_0000
        lock.l_len = 512
        return fcntl(file.rawValue, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    static func remove(_ path: String) {
        for ending in ["-wal", "-shm", ""] { DiskFile.remove(path + ending) }
    }

    /// Returns the file name of the journal's notebook, or `nil` if it was not recorded.
    ///
    /// An older program did not record it, nor one that was killed before it could.
    static func notebook(_ db: Database) throws -> String? {
        guard try db.tableExists("session") else { return nil }
        return try String.fetchOne(db, sql: "SELECT notebook FROM session")
    }

    /// Returns the unsaved texts in the journal: for each note the base with every edit made on it.
    ///
    /// If a program was killed after a save and before recording it here, the notebook has more than the journal says.
    /// If an edit results in the notebook's text, it counts as saved: merging the text with itself would keep it twice.
    ///
    /// - Parameter stored: returns the notebook's text of a note.
    static func recovered(_ db: Database, stored: (NoteID) throws -> String?) throws -> [RecoveredText] {
        guard try db.tableExists("edit"), try db.tableExists("open_note") else { return [] }
        // A journal of an older program does not have this column.
        let saved = try db.columns(in: "open_note").contains { $0.name == "saved" } ? "saved" : "0"
        let sql = """
            SELECT note, revision, base, \(saved) FROM open_note
            WHERE \(saved) < (SELECT max(id) FROM edit WHERE edit.note = open_note.note)
            """
        return try Row.fetchAll(db, sql: sql).compactMap { row in
            guard let note = String.fromDatabaseValue(row[0]).flatMap({ NoteID($0) }) else { return nil }
            let saved = Int64.fromDatabaseValue(row[3]) ?? 0
            let written = Data.fromDatabaseValue(row[2]).map { String(decoding: $0, as: UTF8.self) }
            let current = try stored(note)
            guard let start = written ?? current else { return nil }
            var result = RecoveredText(note: note)
            var buffer = TextBuffer(start)
            var base = buffer
            var isWhole = true
            let edits = try Row.fetchCursor(
                db, sql: "SELECT data, id FROM edit WHERE note = ? ORDER BY id", arguments: [note.description])
            while let next = try edits.next() {
                let data = Data.fromDatabaseValue(next[0]) ?? Data()
                guard isWhole, let edit = JournalFormat.decode(data, in: buffer) else {
                    isWhole = false
                    result.addPieces(of: data)
                    continue
                }
                edit.apply(to: &buffer)
                if Int64.fromDatabaseValue(next[1]) ?? 0 <= saved || holds(current, buffer) { base = buffer }
            }
            result.base = base.string()
            result.baseRevision = Int64.fromDatabaseValue(row[1]) ?? 0
            result.text = buffer.string()
            return result
        }
    }

    /// Whether a text equals the buffer's; most differ in length already.
    private static func holds(_ text: String?, _ buffer: TextBuffer) -> Bool {
        guard let text, text.utf8.count == buffer.utf8Count else { return false }
        return text.utf8.elementsEqual(buffer.string().utf8)
    }
}
