import Foundation
import GRDB

extension Notebook.Notes {
    /// Makes copies with the same text, title, dates, tags and star in a folder.
    @discardableResult
    public func copy(_ ids: [NoteID], to folder: ContainerID) throws(StoreError) -> [NoteRow] {
        try notebook.write { transaction in
            try transaction.recorded(
                .copy, notes: [], containers: [], made: { ($0.map(\.id), []) },
                { try ids.map { try transaction.copy($0, to: folder) } })
        }
    }

    /// Makes a copy of each note beside it, all as one action.
    ///
    /// The copy of a note that is not live goes to Inbox.
    @discardableResult
    public func duplicate(_ ids: [NoteID]) throws(StoreError) -> [NoteRow] {
        try notebook.write { transaction in
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

    /// Merges several notes into a new one, with their texts in the given order, and moves them to Trash.
    ///
    /// The new note is in the first one's folder, has the oldest creation date, every tag, and the star if any had it.
    ///
    /// - Parameter separator: the text between two texts.
    @discardableResult
    public func merge(_ ids: [NoteID], separator: String = "\n\n") throws(StoreError) -> NoteRow {
        try notebook.write { transaction in
            try transaction.recorded(
                .merge, notes: ids, containers: [], made: { ([$0.id], []) },
                { try transaction.merge(ids, separator: separator) })
        }
    }
}

extension Transaction {
    /// Makes a note inside the transaction.
    func insert(_ new: NewNote) throws -> NoteRow {
        let facts = TextFacts(of: new.text, title: new.title)
        let title = new.title ?? facts.summary.derivedTitle
        return try insert(
            new, facts: facts, words: IndexedWords(title: title, text: new.text, unknownTo: termCache))
    }

    func copy(_ id: NoteID, to folder: ContainerID) throws -> NoteRow {
        let row = try noteRow(id)
        return try insert(
            NewNote(
                text: try Notebook.Notes.text(db, key: row.key) ?? "", title: row.titleIsDerived ? nil : row.title,
                folder: folder, tags: row.handTags, starred: row.starred, created: row.createdDate,
                updated: row.updatedDate, sources: [id]))
    }

    fileprivate func merge(_ ids: [NoteID], separator: String) throws -> NoteRow {
        let heads = try ids.map(changeableHead)
        let rows = try ids.map(noteRow)
        guard let first = rows.first else { throw StoreError.noSuchReference("") }
        let texts = try heads.map { try Notebook.Notes.text(db, key: $0.key) ?? "" }
        let folder = try heads[0].folder.map { try containerHead(key: $0) }
        let isLive = folder?.notePlace == .live
        let target = isLive ? folder?.id ?? .inbox : .inbox
        // A text that leaves its folder by the merge must not become more open than it was there.
        let levels = try zip(ids, rows).filter { $0.1.folder != target }.map { try privacyOfFolders(above: $0.0) }
        for head in heads { try putAway(head, into: SystemKey.trash) }
        let new = try insert(
            NewNote(
                text: texts.filter { !$0.isEmpty }.joined(separator: separator),
                title: first.titleIsDerived ? nil : first.title, folder: target,
                tags: rows.flatMap(\.handTags), starred: rows.contains(where: \.starred),
                created: rows.map(\.createdDate).min(), updated: Date(milliseconds: now), sources: ids))
        try close(new.id, to: levels.max() ?? .inherit)
        return new
    }
}
