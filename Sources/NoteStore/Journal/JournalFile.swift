import Foundation
import GRDB
import SystemPackage
import TextEditing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The file format of session journals, and their locks.
enum JournalFile {
    /// The name of the notebook's file, the notes that were edited, and their edits.
    ///
    /// `base` is the text that a note's first edit here was made on, NULL for the moment until it is written down: then
    /// the notebook has it. The edits up to `saved` are in the notebook as `revision`.
    static let schema = """
        CREATE TABLE IF NOT EXISTS session (notebook TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS open_note
            (note TEXT PRIMARY KEY, revision INTEGER NOT NULL, saved INTEGER NOT NULL DEFAULT 0, base BLOB);
        CREATE TABLE IF NOT EXISTS edit (id INTEGER PRIMARY KEY AUTOINCREMENT, note TEXT NOT NULL, data BLOB NOT NULL);
        """

    /// One note of a journal whose owner is gone: the text that was on its screen.
    struct Recovered {
        let note: NoteID
        let revision: Int64
        let base: String
        let text: String
    }

    /// Opens a journal and locks it until it is closed; throws if somebody else has it.
    static func open(_ path: String) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            // Before WAL, so that the log needs no shared memory.
            try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
            // What the operating system has survives the program; saving is what survives a power cut.
            try db.execute(sql: "PRAGMA synchronous = OFF")
            try db.execute(sql: "BEGIN EXCLUSIVE; COMMIT")
        }
        return queue
    }

    /// Whether some program holds the journal.
    ///
    /// Costs an open and one question to the kernel.
    static func isOwned(_ path: String) -> Bool {
        if SessionJournal.own.withLock({ $0.contains(path) }) { return true }
        guard let file = try? FileDescriptor.open(FilePath(path), .readOnly) else {  // gone, or not ours to replay
            return true
        }
        defer { try? file.close() }  // nothing was written, so nothing can fail to be
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        // The bytes that SQLite locks (sqlite.org/src, os.h: PENDING_BYTE and the 511 after it).
        lock.l_start = 0x4000_0000
        lock.l_len = 512
        return fcntl(file.rawValue, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    static func remove(_ path: String) {
        for ending in ["-wal", "-shm", ""] { DiskFile.remove(path + ending) }
    }

    /// The file name of the notebook that the journal is of; `nil` in a journal of an older program, or one that was
    /// killed before it had written it down.
    static func notebook(_ db: Database) throws -> String? {
        guard try db.tableExists("session") else { return nil }
        return try String.fetchOne(db, sql: "SELECT notebook FROM session")
    }

    /// What the journal holds that is not saved: for each note the base with every edit made on it.
    ///
    /// A program that is killed between a save and noting it here has more in the notebook than the journal says. What
    /// an edit made of the text and the notebook has is saved: to merge it with itself would keep it twice.
    ///
    /// - Parameter stored: the text that the notebook has of a note.
    static func recovered(_ db: Database, stored: (NoteID) throws -> String?) throws -> [Recovered] {
        guard try db.tableExists("edit"), try db.tableExists("open_note") else { return [] }
        // A journal of an older program has no such column.
        let saved = try db.columns(in: "open_note").contains { $0.name == "saved" } ? "saved" : "0"
        let sql = """
            SELECT note, revision, base, \(saved) FROM open_note
            WHERE \(saved) < (SELECT max(id) FROM edit WHERE edit.note = open_note.note)
            """
        return try Row.fetchAll(db, sql: sql).compactMap { row in
            guard let note = NoteID(row[0] as String) else { return nil }
            let written = (row[2] as Data?).map { String(decoding: $0, as: UTF8.self) }
            let current = try stored(note)
            guard let start = written ?? current else { return nil }
            var buffer = TextBuffer(start)
            var base = buffer
            let edits = try Row.fetchCursor(
                db, sql: "SELECT data, id FROM edit WHERE note = ? ORDER BY id", arguments: [note.description])
            while let next = try edits.next(), let edit = decode(next[0], in: buffer) {
                edit.apply(to: &buffer)
                if next[1] <= row[3] as Int64 || holds(current, buffer) { base = buffer }
            }
            return Recovered(note: note, revision: row[1], base: base.string(), text: buffer.string())
        }
    }

    /// Whether a text is the buffer's; its length tells it from most.
    private static func holds(_ text: String?, _ buffer: TextBuffer) -> Bool {
        guard let text, text.utf8.count == buffer.utf8Count else { return false }
        return text.utf8.elementsEqual(buffer.string().utf8)
    }

    // MARK: - Edits as bytes

    /// For each replacement: its start and the bytes that it removes and inserts, as variable-length numbers (seven
    /// bits a byte, least first), then the text inserted.
    static func encode(_ edit: Edit) -> Data {
        var bytes: [UInt8] = []
        for replacement in edit.replacements {
            appendNumber(replacement.start.rawValue, to: &bytes)
            appendNumber(replacement.removed.utf8.count, to: &bytes)
            appendNumber(replacement.inserted.utf8.count, to: &bytes)
            bytes.append(contentsOf: replacement.inserted.utf8)
        }
        return Data(bytes)
    }

    private static func appendNumber(_ number: Int, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// The edit, `nil` if it does not fit the text.
    static func decode(_ data: Data, in buffer: TextBuffer) -> Edit? {
        var bytes = Array(data)[...]
        var replacements: [Edit.Replacement] = []
        var end = 0
        while !bytes.isEmpty {
            guard let start = number(&bytes), let removed = number(&bytes), let inserted = number(&bytes),
                start >= end, start + removed <= buffer.utf8Count, inserted <= bytes.count
            else { return nil }
            let range = ByteOffset(start)..<ByteOffset(start + removed)
            replacements.append(
                Edit.Replacement(
                    start: range.lowerBound, removed: buffer.string(in: range),
                    inserted: String(decoding: bytes.prefix(inserted), as: UTF8.self)))
            bytes = bytes.dropFirst(inserted)
            end = start + removed
        }
        return Edit(replacements)
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        var result = 0
        var shift = 0
        while let byte = bytes.popFirst(), shift < 56 {
            result |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return result }
            shift += 7
        }
        return nil
    }
}
