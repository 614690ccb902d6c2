import Foundation
import GRDB

extension Notebook {
    /// Takes notes out of their folders until they are pasted.
    ///
    /// - Parameter owner: the session that cut them; when it is gone they go back where they came from.
    public func cut(_ ids: [NoteID], owner: String) throws(StoreError) {
        try act(.cut, notes: ids) { transaction in
            for id in ids {
                let head = try transaction.changeableHead(id)
                if head.place != .buffer { try transaction.putAway(head, into: SystemKey.buffer, owner: owner) }
            }
        }
    }

    /// The notes that a session has cut, in the order of the cutting.
    public func buffer(of owner: String) throws(StoreError) -> [NoteRow] {
        try read { db in
            try NoteRow.fetch(db, "WHERE note.owner = ? AND note.place = 3 ORDER BY note.movedDate, note.id", [owner])
        }
    }

    /// Puts the notes that a session has cut into a folder; into a tag means: back where they came from, with the tag.
    ///
    /// Returns the notes pasted.
    @discardableResult
    public func paste(into target: ContainerID, owner: String) throws(StoreError) -> [NoteRow] {
        let ids = try buffer(of: owner).map(\.id)
        return try act(.paste, notes: ids) { transaction in
            let target = try transaction.containerHead(target)
            guard target.kind == .tag || (target.holdsNotes && target.notePlace == .live) else {
                throw StoreError.cannotHoldNotes(container: target.name)
            }
            for id in ids { try transaction.paste(transaction.head(id), into: target) }
            return try ids.map(transaction.noteRow)
        }
    }

    /// Puts the notes of sessions that are gone back where they came from.
    ///
    /// Returns all that it moved, and of these the ones whose origin is gone.
    @discardableResult
    public func returnBuffer(
        exceptOwners alive: Set<String>
    ) throws(StoreError) -> (notes: [NoteRow], elsewhere: [NoteRow]) {
        let waiting = try read { db in
            try Row.fetchAll(db, sql: "SELECT uuid, owner FROM note WHERE folder = 6")
                .filter { !alive.contains($0[1] as String? ?? "") }.map { NoteID(stored: $0[0]) }
        }
        if waiting.isEmpty { return ([], []) }
        return try write { transaction in
            var elsewhere: [NoteRow] = []
            for id in waiting {
                let head = try transaction.head(id)
                // Another program may have been quicker.
                guard head.place == .buffer else { continue }
                if try transaction.putBack(head) { elsewhere.append(try transaction.noteRow(id)) }
            }
            return (try waiting.map(transaction.noteRow), elsewhere)
        }
    }

    // MARK: - Copies

    /// Makes copies with the same text, title, dates, tags and star in a folder.
    @discardableResult
    public func copy(_ ids: [NoteID], to folder: ContainerID) throws(StoreError) -> [NoteRow] {
        try write { transaction in
            try transaction.recorded(
                .copy, notes: [], containers: [], made: { ($0.map(\.id), []) },
                { try ids.map { try transaction.copy($0, to: folder) } })
        }
    }

    /// Makes a copy of each note beside it, all as one action; of a note in the Trash or the Archive in the Inbox.
    @discardableResult
    public func duplicate(_ ids: [NoteID]) throws(StoreError) -> [NoteRow] {
        try write { transaction in
            try transaction.recorded(
                .copy, notes: [], containers: [], made: { ($0.map(\.id), []) },
                {
                    try ids.map { id in
                        let row = try transaction.noteRow(id)
                        return try transaction.copy(id, to: row.place == .live ? row.folder ?? .inbox : .inbox)
                    }
                })
        }
    }

    /// Makes one note of several, their texts in the order given, and moves these to Trash.
    ///
    /// The new note stands in the first one's folder, has the oldest creation date, every tag, and the star if any had.
    ///
    /// - Parameter separator: what stands between two texts.
    @discardableResult
    public func merge(_ ids: [NoteID], separator: String = "\n\n") throws(StoreError) -> NoteRow {
        try write { transaction in
            try transaction.recorded(
                .merge, notes: ids, containers: [], made: { ([$0.id], []) },
                { try transaction.merge(ids, separator: separator) })
        }
    }
}

extension Transaction {
    fileprivate func paste(_ head: NoteHead, into target: ContainerHead) throws {
        if target.kind == .tag {
            _ = try putBack(head)
            try addTag(target, to: head.key)
            return try touch(head.key)
        }
        try move(head, to: target)
        try forgetOrigin(head.key)
    }

    func forgetOrigin(_ note: Int64) throws {
        try run(
            """
            UPDATE note SET origin = NULL, originPath = NULL, originPlace = 0, movedDate = NULL, owner = NULL
            WHERE id = ?
            """, [note])
    }

    /// Makes a note inside the transaction.
    func insert(_ new: NewNote) throws -> NoteRow {
        let facts = TextFacts(of: new.text, title: new.title)
        let title = new.title ?? facts.summary.derivedTitle
        return try insert(
            new, facts: facts, words: IndexedWords(title: title, text: new.text, unknownTo: termCache))
    }

    fileprivate func copy(_ id: NoteID, to folder: ContainerID) throws -> NoteRow {
        let row = try noteRow(id)
        return try insert(
            NewNote(
                text: try Notebook.text(db, key: row.key) ?? "", title: row.titleIsDerived ? nil : row.title,
                folder: folder, tags: row.tags, starred: row.starred, created: row.createdDate,
                updated: row.updatedDate))
    }

    fileprivate func merge(_ ids: [NoteID], separator: String) throws -> NoteRow {
        let heads = try ids.map(changeableHead)
        let rows = try ids.map(noteRow)
        guard let first = rows.first else { throw StoreError.noSuchReference("") }
        let texts = try heads.map { try Notebook.text(db, key: $0.key) ?? "" }
        let folder = try heads[0].folder.map { try containerHead(key: $0) }
        let isLive = folder?.notePlace == .live
        for head in heads { try putAway(head, into: SystemKey.trash) }
        return try insert(
            NewNote(
                text: texts.filter { !$0.isEmpty }.joined(separator: separator),
                title: first.titleIsDerived ? nil : first.title, folder: isLive ? folder?.id ?? .inbox : .inbox,
                tags: rows.flatMap(\.tags), starred: rows.contains(where: \.starred),
                created: rows.map(\.createdDate).min(), updated: Date(milliseconds: now)))
    }
}
