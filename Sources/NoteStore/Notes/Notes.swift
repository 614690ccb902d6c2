import GRDB

extension Notebook.Notes {
    /// Makes a note.
    ///
    /// Throws if the folder cannot hold notes.
    ///
    /// - Parameter position: the position of the text in a program's journal, stored in the same transaction; nil if no
    ///   journal has the text.
    @discardableResult
    public func create(_ new: NewNote, position: JournalPosition? = nil) throws(StoreError) -> NoteRow {
        try create(new) { row, transaction in
            if let position { try transaction.mark(position, of: row.id, after: .saved(row)) }
        }
    }

    /// Makes a note, and records something about it in the same transaction.
    func create(
        _ new: NewNote, recording record: (NoteRow, Transaction) throws -> Void
    ) throws(StoreError) -> NoteRow {
        let facts = TextFacts(of: new.text, title: new.title)
        let words = IndexedWords(
            title: new.title ?? facts.summary.derivedTitle, text: new.text, unknownTo: notebook.termCache)
        return try notebook.write { transaction in
            let row = try transaction.insert(new, facts: facts, words: words)
            try record(row, transaction)
            return row
        }
    }

    /// Makes a note as an action that can be undone.
    @discardableResult
    public func createUndoably(_ new: NewNote) throws(StoreError) -> NoteRow {
        try notebook.write { transaction in
            try transaction.recorded(
                .addNote, notes: [], containers: [], made: { ([$0.id], []) }, { try transaction.insert(new) })
        }
    }

    /// Makes several notes in one transaction: all or none.
    @discardableResult
    public func create(_ new: [NewNote]) throws(StoreError) -> [NoteRow] {
        let prepared = new.map { note in
            let facts = TextFacts(of: note.text, title: note.title)
            let title = note.title ?? facts.summary.derivedTitle
            return (note, facts, IndexedWords(title: title, text: note.text, unknownTo: notebook.termCache))
        }
        return try notebook.write { transaction in
            var rows: [NoteRow] = []
            let insert = {
                rows = try prepared.map { note, facts, words in
                    try transaction.insert(note, facts: facts, words: words)
                }
            }
            if new.count < Self.minimumForFastInsertion { try insert() } else { try transaction.insertingMany(insert) }
            return rows
        }
    }

    /// The number of new notes from which dropping and restoring the triggers saves time.
    private static let minimumForFastInsertion = 100

    /// Deletes an empty note for ever if it is still exactly as it was made, so that nothing is lost or needs an undo.
    ///
    /// - Parameter made: the note as `create` returned it.
    ///
    /// - Returns: whether it was deleted; a note that was edited, titled, tagged, starred or moved stays.
    public func discard(_ made: NoteRow) throws(StoreError) -> Bool {
        try notebook.write { transaction in
            guard made.isEmpty,
                try NoteRow.fetch(transaction.db, "WHERE note.uuid = ?", [made.id.description]) == [made]
            else { return false }
            try transaction.forgetMaking(of: made.id)
            // The schema allows deleting a note only from Trash.
            try transaction.putAway(transaction.head(made.id), into: SystemKey.trash)
            try transaction.deleteForever(note: made.key)
            transaction.change.notes?.insert(made.id)
            transaction.change.containers = true
            return true
        }
    }

    /// Sets a note's title; with an empty one the title follows the text again.
    ///
    /// Throws `titleTaken` in a project's folder where another note has the title.
    public func setTitle(_ id: NoteID, _ title: String) throws(StoreError) {
        try notebook.act(.rename, notes: [id]) { try $0.setTitle(title, of: id) }
    }

    /// Stars notes or takes their stars away.
    public func setStarred(_ ids: [NoteID], _ starred: Bool) throws(StoreError) {
        try notebook.act(starred ? .star : .unstar, notes: ids) { transaction in
            for id in ids {
                let head = try transaction.changeableHead(id)
                guard head.starred != starred else { continue }
                try transaction.run("UPDATE note SET starred = ? WHERE id = ?", [starred, head.key])
                transaction.change.notes?.insert(id)
                transaction.change.containers = true
            }
        }
    }

    /// Moves notes into a folder that can hold them.
    public func move(_ ids: [NoteID], to folder: ContainerID) throws(StoreError) {
        try notebook.act(.move, notes: ids) { transaction in
            let target = try transaction.containerHead(folder)
            guard target.holdsNotes, target.notePlace == .live else {
                throw StoreError.cannotHoldNotes(container: target.name)
            }
            for id in ids {
                let head = try transaction.changeableHead(id)
                guard head.folder != target.key else { continue }
                try transaction.move(head, to: target)
                try transaction.forgetOrigin(head.key)
            }
        }
    }

    /// Moves notes into the Archive, which remembers where they came from.
    public func archive(_ ids: [NoteID]) throws(StoreError) {
        try notebook.act(.archive, notes: ids) { transaction in
            for id in ids {
                let head = try transaction.changeableHead(id)
                if head.place != .archive { try transaction.putAway(head, into: SystemKey.archive) }
            }
        }
    }

    /// Moves notes back from Archive.
    ///
    /// Returns those that could not go back to where they came from.
    @discardableResult
    public func unarchive(_ ids: [NoteID]) throws(StoreError) -> [NoteRow] {
        try notebook.act(.unarchive, notes: ids) { transaction in
            var elsewhere: [NoteRow] = []
            for id in ids {
                let head = try transaction.changeableHead(id)
                guard head.place == .archive else { continue }
                if try transaction.putBack(head) { elsewhere.append(try transaction.noteRow(id)) }
            }
            return elsewhere
        }
    }

    // MARK: - Summaries

    /// Stores a summary of a note.
    ///
    /// - Parameters:
    ///   - text: the text that was summarised. The note's text may be another by now, which its hash shows.
    ///   - author: the author of the summary, for `summaryAuthor(of:)`.
    public func setSummary(_ summary: String, of id: NoteID, madeFrom text: String, author: String) throws(StoreError) {
        try notebook.write { transaction in
            let head = try transaction.head(id)
            try transaction.run(
                "UPDATE note SET aiSummary = ?, contentHash = ? WHERE id = ?",
                [summary, Note.contentHash(of: text), head.key])
            try transaction.run(
                "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", [Self.summaryKey(id), author])
            transaction.change.notes?.insert(id)
        }
    }

    /// Returns the author of a note's summary; nil if it is not known.
    public func summaryAuthor(of id: NoteID) throws(StoreError) -> String? {
        try notebook.settings.value(Self.summaryKey(id))
    }

    private static func summaryKey(_ id: NoteID) -> String { "summary/\(id)" }
}
