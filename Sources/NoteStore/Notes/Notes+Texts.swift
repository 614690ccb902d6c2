import GRDB

extension Notebook.Notes {
    /// A new text for a note, with the text that it replaces.
    public struct TextReplacement: Sendable {
        public let note: NoteID
        /// The text that the new one was made from.
        public let old: String
        public let new: String

        public init(note: NoteID, old: String, new: String) {
            self.note = note
            self.old = old
            self.new = new
        }
    }

    /// Replaces the texts of several notes as one action, which undo takes back as a whole.
    ///
    /// - Returns: the notes replaced; a note whose text is no longer the old one stays as it is.
    public func replaceTexts(_ replacements: [TextReplacement]) throws(StoreError) -> [NoteID] {
        try notebook.act(.replaceText, notes: replacements.map(\.note), withTexts: true) { transaction in
            try replacements.compactMap { replacement in
                let head = try transaction.changeableHead(replacement.note)
                guard let text = try Self.text(transaction.db, key: head.key), text.hasSameBytes(as: replacement.old),
                    !replacement.new.hasSameBytes(as: replacement.old)
                else { return nil }
                try transaction.replaceText(replacement.new, of: head)
                return replacement.note
            }
        }
    }

    /// Calls `body` with the text of each live note, the last changed first.
    ///
    /// - Parameters:
    ///   - container: the list to read; nil for all live notes.
    ///   - body: returns whether to go on.
    public func forEachText(
        in container: ContainerID?, _ body: (NoteRow, String) throws -> Bool
    ) throws(StoreError) {
        let query = ListQuery(container: container ?? .allNotes, starredFirst: false)
        var anchor = ListAnchor.start
        while true {
            let rows = try notebook.lists.rows(query, from: anchor, limit: Self.textsAtATime)
            for row in rows {
                guard let text = try text(row.id) else { continue }
                do {
                    guard try body(row, text) else { return }
                } catch {
                    throw StoreError(error, path: notebook.path)
                }
            }
            guard rows.count == Self.textsAtATime, let last = rows.last else { return }
            anchor = .after(last)
        }
    }

    /// The number of notes that are read at once; their rows are small compared with a text.
    private static let textsAtATime = 200
}
