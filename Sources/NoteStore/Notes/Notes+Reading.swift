import Foundation
import GRDB

extension Notebook.Notes {
    /// Returns a note without its text, or `nil` if there is none.
    public func row(_ id: NoteID) throws(StoreError) -> NoteRow? {
        try notebook.read { db in try NoteRow.fetch(db, "WHERE note.uuid = ?", [id.description]).first }
    }

    /// Returns several notes without their texts, in the given order; missing ones are left out.
    public func rows(_ ids: [NoteID]) throws(StoreError) -> [NoteRow] {
        try notebook.read { db in
            try ids.compactMap { try NoteRow.fetch(db, "WHERE note.uuid = ?", [$0.description]).first }
        }
    }

    /// Returns a note with its text, or `nil` if there is none.
    public func load(_ id: NoteID) throws(StoreError) -> Note? {
        try notebook.read { db in
            guard let row = try NoteRow.fetch(db, "WHERE note.uuid = ?", [id.description]).first else { return nil }
            return Note(row: row, content: try Self.text(db, key: row.key) ?? "")
        }
    }

    /// Returns a note's text, or `nil` if there is no such note.
    public func text(_ id: NoteID) throws(StoreError) -> String? {
        try notebook.read { db in
            try Self.text(
                db, "SELECT text FROM note JOIN note_text ON note_text.note = note.id WHERE uuid = ?",
                [
                    id.description
                ])
        }
    }

    static func text(_ db: Database, key: Int64) throws -> String? {
        try text(db, textSelection, [key])
    }

    /// A query for a note's text by the note's integer key.
    static let textSelection = "SELECT text FROM note_text WHERE note = ?"

    /// Returns the text in the first row's first column, byte for byte.
    ///
    /// It is read as bytes, because GRDB ends a string at U+0000, which a text may contain.
    static func text(_ db: Database, _ sql: String, _ arguments: StatementArguments) throws -> String? {
        try withText(db, sql, arguments) { bytes in bytes.map { String(decoding: $0, as: UTF8.self) } }
    }

    /// Passes the text in the first row's first column to `body` without a copy, or nil if there is none.
    static func withText<R>(
        _ db: Database, _ sql: String, _ arguments: StatementArguments,
        _ body: (UnsafeBufferPointer<UInt8>?) throws -> R
    ) throws -> R {
        let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
        guard let row = try rows.next(), !row.hasNull(atIndex: 0) else { return try body(nil) }
        return try row.withUnsafeData(atIndex: 0) { data in
            // An empty text has no data.
            guard let data else { return try body(UnsafeBufferPointer(start: nil, count: 0)) }
            return try data.withUnsafeBytes { try body($0.bindMemory(to: UInt8.self)) }
        }
    }

    /// Whether the notebook has ever held a note, including those deleted for ever.
    ///
    /// SQLite stores the highest row number that it has assigned, which is zero only before the first.
    public func haveEverExisted() throws(StoreError) -> Bool {
        try notebook.read { db in
            try Bool.fetchOne(db, sql: "SELECT seq > 0 FROM sqlite_sequence WHERE name = 'note'") ?? false
        }
    }
}
