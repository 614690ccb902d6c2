import Foundation
import GRDB

/// The columns of a note that a transaction needs to change it.
struct NoteHead {
    let key: Int64
    let id: NoteID
    var title: String
    var defaultTitle: String
    var folder: Int64?
    var place: Place
    var starred: Bool
    var revision: Int64
    var origin: Int64?
    var originPath: String?
    var originPlace: Int

    static let selection = """
        SELECT id, uuid, title, defaultTitle, folder, place, starred, revision, origin, originPath, originPlace FROM note
        """

    init(_ row: Row) {
        key = row[0]
        id = NoteID(stored: row[1])
        title = row[2]
        defaultTitle = row[3]
        folder = row[4]
        place = Place(rawValue: row[5]) ?? .live
        starred = row[6]
        revision = row[7]
        origin = row[8]
        originPath = row[9]
        originPlace = row[10]
    }
}

extension Transaction {
    func head(_ id: NoteID) throws -> NoteHead {
        guard let row = try row("\(NoteHead.selection) WHERE uuid = ?", [id.description]) else {
            throw StoreError.noSuchNote(id)
        }
        return NoteHead(row)
    }

    /// Returns the note; throws if it is in Trash.
    func changeableHead(_ id: NoteID) throws -> NoteHead {
        let head = try head(id)
        if head.place == .trash { throw StoreError.inTrash(name: head.title) }
        return head
    }

    func noteRow(_ id: NoteID) throws -> NoteRow {
        guard let row = try NoteRow.fetch(db, "WHERE note.uuid = ?", [id.description]).first else {
            throw StoreError.noSuchNote(id)
        }
        return row
    }

    // MARK: - New notes

    func insert(_ new: NewNote, facts: TextFacts, words: IndexedWords) throws -> NoteRow {
        _ = try insertNote(new, facts: facts, words: words)
        return try noteRow(new.id)
    }

    /// Makes a note and returns its integer key.
    func insertNote(_ new: NewNote, facts: TextFacts, words: IndexedWords) throws -> Int64 {
        try insertNote(
            new, in: containerHead(new.folder), tags: new.tags.map(containerHead), facts: facts, words: words)
    }

    /// Makes a note in a folder and with tags that are already looked up.
    func insertNote(
        _ new: NewNote, in folder: ContainerHead, tags: [ContainerHead], facts: TextFacts,
        words: IndexedWords
    ) throws -> Int64 {
        guard folder.takesNewNotes else { throw StoreError.cannotHoldNotes(container: folder.name) }
        let wanted = new.title.map(Self.cleanTitle).flatMap { $0.isEmpty ? nil : $0 }
        let title = try freeTitle(wanted ?? facts.summary.derivedTitle, in: folder, except: nil)
        let created = new.created?.milliseconds ?? now
        let updated = new.updated?.milliseconds ?? created
        try run(
            """
            INSERT INTO note (uuid, title, titleKey, defaultTitle, createdDate, updatedDate, starred, folder, place,
                preview, wordCount, size, features, uniqueTitle, titleStamp)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
            """,
            [
                new.id.description, title, Folding.key(title),
                wanted == nil ? title : Self.ended(facts.summary.derivedTitle, by: title),
                created, updated, new.starred, folder.key, folder.notePlace.rawValue,
                facts.summary.preview, facts.summary.wordCount, facts.summary.size,
                facts.features.rawValue, folder.project != nil,
            ])
        let key = db.lastInsertedRowID
        newlyTitled.insert(key)
        try insertText(new.text, of: key)
        try index(key, words.retitled(title, unknownTo: termCache))
        for tag in tags { try addTag(tag, to: key) }
        try addLinks(facts, of: key)
        try resolveLinks(to: key, id: new.id)
        try takePrivacy(of: new.sources, for: new.id)
        change.notes?.insert(new.id)
        change.containers = true
        return key
    }

    func insertText(_ text: String, of key: Int64) throws {
        try text.withLentBytes { bytes in
            try run("INSERT INTO note_text (note, text, stamp) VALUES (?, CAST(? AS TEXT), 1)", [key, bytes])
        }
    }

    // MARK: - Titles

    /// Sets a title chosen by the user; with an empty one the title follows the text again.
    func setTitle(_ title: String, of id: NoteID) throws {
        let head = try changeableHead(id)
        let wanted = Self.cleanTitle(title)
        let folder = try head.folder.map { try containerHead(key: $0) }
        if wanted.isEmpty {
            let text = try Notebook.Notes.text(db, key: head.key) ?? ""
            let derived = TextFacts.derivedTitle(of: text)
            let free = try folder.map { try freeTitle(derived, in: $0, except: head.key) } ?? derived
            return try retitle(head, free, defaultTitle: free)
        }
        guard wanted != head.title else { return }
        if let folder, folder.project != nil, head.place == .live,
            let other = try noteTitled(wanted, in: folder.key, except: head.key)
        {
            throw StoreError.titleTaken(title: wanted, folder: folder.name, by: other)
        }
        try retitle(head, wanted, defaultTitle: Self.ended(head.defaultTitle, by: wanted))
    }

    /// Returns a default title that differs from a title set by the user; equal ones would mean that the title follows
    /// the text.
    static func ended(_ defaultTitle: String, by title: String) -> String { defaultTitle == title ? "" : defaultTitle }

    /// Changes the title, its words in the search index, and the links that contain it.
    func retitle(_ head: NoteHead, _ title: String, defaultTitle: String, touching: Bool = true) throws {
        // The index of a marked note is updated later, with its title at that time.
        let words = try isMarked(head.key) ? nil : indexedWords(of: head.key)
        try run(
            """
            UPDATE note SET title = ?, titleKey = ?, defaultTitle = ?, updatedDate = iif(?, ?, updatedDate),
                titleStamp = titleStamp + 1, titleStands = 1 WHERE id = ?
            """,
            [title, Folding.key(title), defaultTitle, touching, now, head.key])
        if title != head.title {
            if let words { try reindex(head.key, from: words, to: words.retitled(title, unknownTo: termCache)) }
            newlyTitled.insert(head.key)
            try remember(head, before: title)
        }
        change.notes?.insert(head.id)
    }

    /// Returns the title itself, or if it is taken, the title with the first free number from 2 on.
    ///
    /// A title can be taken only where titles are unique.
    func freeTitle(_ title: String, in folder: ContainerHead, except note: Int64?) throws -> String {
        guard folder.project != nil, folder.place == .live else { return title }
        var candidate = title
        var number = 2
        while try noteTitled(candidate, in: folder.key, except: note) != nil {
            candidate = "\(title) \(number)"
            number += 1
        }
        return candidate
    }

    private func noteTitled(_ title: String, in folder: Int64, except note: Int64?) throws -> NoteID? {
        let uuid: String? = try value(
            "SELECT uuid FROM note WHERE folder = ? AND titleKey = ? AND id IS NOT ? AND uniqueTitle = 1 LIMIT 1",
            [folder, Folding.key(title), note])
        return uuid.map(NoteID.init(stored:))
    }

    /// Returns the title trimmed and on one line.
    static func cleanTitle(_ title: String) -> String {
        // This is a shortcut, since most titles need no cleaning.
        let isClean = title.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        if isClean, title.utf8.first != 0x20, title.utf8.last != 0x20 { return title }
        // GRDB ends a string at U+0000.
        let lines = Folding.trimmed(title.replacing("\0", with: "")).split(whereSeparator: \.isNewline)
        return lines.map { Folding.trimmed(String($0)) }.joined(separator: " ")
    }
}
