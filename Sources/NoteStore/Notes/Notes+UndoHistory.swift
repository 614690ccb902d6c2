import Foundation
import GRDB
import TextEditing

extension Notebook.Notes {
    /// Stores the editor's undo history of a note, valid for exactly this text.
    public func keepUndoHistory(_ data: Data, of id: NoteID, text: TextBuffer) throws(StoreError) {
        let hash = Note.contentHash(of: text)
        try notebook.write { transaction in
            try transaction.run(
                """
                INSERT OR REPLACE INTO note_history (note, hash, date, data)
                SELECT id, ?, ?, ? FROM note WHERE uuid = ?
                """, [hash, transaction.now, data, id.description])
        }
    }

    /// Returns the undo history stored for exactly this text, or `nil` if there is none.
    public func undoHistory(of id: NoteID, text: String) throws(StoreError) -> Data? {
        try notebook.read { db in
            let sql = "SELECT hash, data FROM note_history WHERE note = (SELECT id FROM note WHERE uuid = ?)"
            guard let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [id.description]),
                row[0] == Note.contentHash(of: text)
            else { return nil }
            return row[1]
        }
    }
}
