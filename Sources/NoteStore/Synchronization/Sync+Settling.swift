import GRDB

extension Notebook.Sync {
    /// Gives the note of a conflict a text made of both, and moves the note with the losing text to Trash.
    ///
    /// This is one action, which undo takes back as a whole. The replaced text is kept as a version.
    ///
    /// - Returns: false if the note's text is no longer the old one; nothing is changed then.
    public func settle(
        _ copy: NoteID, by replacement: Notebook.Notes.TextReplacement
    ) throws(StoreError) -> Bool {
        try notebook.act(.replaceText, notes: [replacement.note, copy], withTexts: true) { transaction in
            let head = try transaction.changeableHead(replacement.note)
            let text = try Notebook.Notes.text(transaction.db, key: head.key) ?? ""
            guard text.hasSameBytes(as: replacement.old) else { return false }
            if !replacement.new.hasSameBytes(as: text) {
                try transaction.keepVersion(of: head, text: text, .left)
                // Keeping it has changed the note's row.
                try transaction.replaceText(replacement.new, of: transaction.changeableHead(replacement.note))
            }
            let losing = try transaction.head(copy)
            if losing.place != .trash { try transaction.putAway(losing, into: SystemKey.trash) }
            return true
        }
    }
}
