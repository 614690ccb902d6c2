import Foundation
import GRDB

/// A link of a note to another, or to an image.
public struct NoteLink: Equatable, Sendable {
    /// The raw value is stored.
    public enum Kind: String, Sendable {
        /// `takenote://note/<UUID>`.
        case note
        /// `[[Title]]`, `[[Title#Heading]]`, `[[Folder/Title]]`.
        case title
        /// `takenote://image/<UUID>`.
        case image
    }

    public let kind: Kind
    /// The target as written: a UUID, or all that is before the `|` in `[[…]]`.
    public let target: String
    public let source: NoteRow
    /// The note that the link leads to, or `nil` if there is none.
    public let destination: NoteRow?
    /// 0-based line of the source's text.
    public let line: Int
    /// The text of that line, at most 200 characters.
    public let context: String
}

/// The target of a link by title.
public struct LinkTarget: Equatable, Sendable {
    public let note: NoteRow
    /// The heading or block that is meant; `nil` for the whole note.
    public let anchor: LinkAnchor?
}

/// A note that names another without linking to it.
public struct UnlinkedMention: Equatable, Sendable {
    public let source: NoteRow
    /// The line around the mention, and the UTF-8 offsets of the title in it.
    public let snippet: String
    public let matches: [Range<Int>]
}

extension Notebook.Links {
    /// Returns the links of a note, in the order of its text.
    public func outgoing(of id: NoteID) throws(StoreError) -> [NoteLink] {
        try links("WHERE source = (SELECT id FROM note WHERE uuid = ?) ORDER BY ordinal", [id.description])
    }

    /// Returns the links from other notes to a note, without those from notes in Trash.
    ///
    /// They are sorted by the source's last change, newest first, then in the order of its text.
    ///
    /// - Parameter limit: the largest number of links; nil returns all.
    public func backlinks(of id: NoteID, limit: Int? = nil) throws(StoreError) -> [NoteLink] {
        try links(
            """
            JOIN note ON note.id = source
            WHERE destination = (SELECT id FROM note WHERE uuid = ?) AND source <> destination AND note.place <> 2
            ORDER BY note.updatedDate DESC, source, ordinal LIMIT ?
            """, [id.description, limit ?? -1])
    }

    /// Returns the links without a target, of notes outside Trash.
    public func broken() throws(StoreError) -> [NoteLink] {
        try links(
            """
            JOIN note ON note.id = source WHERE destination IS NULL AND note.place <> 2 AND (note_link.kind <> 'image'
                OR NOT EXISTS (SELECT 1 FROM note_image WHERE note_image.uuid = note_link.target))
            ORDER BY note.updatedDate DESC, source, ordinal
            """)
    }

    /// Returns live notes whose text contains the note's title as a phrase and no link to the note, the best match
    /// first.
    public func unlinkedMentions(of id: NoteID, limit: Int = 50) throws(StoreError) -> [UnlinkedMention] {
        guard let note = try notebook.notes.row(id) else { throw .noSuchNote(id) }
        let words = SearchText.prepared(note.title).split(separator: " ").map(String.init)
        guard !words.isEmpty else { return [] }
        let term = SearchQuery.Term(words: words, isPhrase: true)
        return try notebook.read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT note.id FROM search JOIN note ON note.id = search.rowid
                    WHERE search MATCH 'text : "\(words.joined(separator: " "))"' AND note.place = 0 AND note.id <> ?1
                        AND NOT EXISTS (SELECT 1 FROM note_link WHERE source = note.id AND destination = ?1)
                    ORDER BY rank LIMIT ?2
                    """)
            let keys = try Int64.fetchAll(statement, arguments: [note.key, limit])
            var snippets = SnippetReader(db, [term])
            return try ListReader.rows(db, keys).map { source in
                let snippet = snippets.snippet(of: source.key)
                return UnlinkedMention(
                    source: source, snippet: snippet?.text ?? source.preview, matches: snippet?.matches ?? [])
            }
        }
    }

    /// Returns the note that `[[title]]` in a note means, by `target(of:from:)`; `nil` if there is none.
    public func note(titled title: String, from source: NoteID? = nil) throws(StoreError) -> NoteRow? {
        try target(of: title, from: source)?.note
    }

    /// Returns the target of `[[reference]]` in a note, with the heading, block and folder as written; `nil` if no note
    /// matches.
    ///
    /// Titles are compared first, then aliases, then former titles; in each case the same folder comes first, then the
    /// newest. Notes in Trash come last. If a reference can be read in several ways, the longest title wins: `[[C#
    /// tips]]` is the note "C# tips" if there is one, else the heading "tips" of the note "C".
    public func target(of reference: String, from source: NoteID? = nil) throws(StoreError) -> LinkTarget? {
        try notebook.read { db in
            let from = try source.flatMap { id in
                try Row.fetchOne(
                    db.cachedStatement(sql: "SELECT id, folder FROM note WHERE uuid = ?"), arguments: [id.description])
            }
            let found = try LinkFinder(db).note(
                LinkReference(reference), from: from.map { $0[0] as Int64 }, in: from.flatMap { $0[1] as Int64? })
            guard let found, let row = try ListReader.rows(db, [found.note]).first else { return nil }
            return LinkTarget(note: row, anchor: found.anchor)
        }
    }

    /// Returns the note outside Trash that has exactly this title now, compared without case; `nil` if there is none.
    ///
    /// If several have it, a live note is preferred to one in Archive, and then the newest.
    public func note(havingTitle title: String) throws(StoreError) -> NoteRow? {
        try notebook.read { db in
            try NoteRow.fetch(
                db, "WHERE note.titleKey = ? AND note.place <> 2 ORDER BY note.place, note.createdDate DESC LIMIT 1",
                [Folding.key(title)]
            ).first
        }
    }

    /// Returns live notes whose titles have words that begin like these, newest first; for an empty text those last
    /// changed.
    ///
    /// Titles that begin with the first of these words come before the others, however old they are.
    ///
    /// It is used for completing `[[` and for going to a note. Cost: below a millisecond at 100,000 notes.
    public func notes(titleBeginning text: String, limit: Int = 20) throws(StoreError) -> [NoteRow] {
        let words = SearchText.prepared(text).split(separator: " ")
        guard !words.isEmpty else {
            return try notebook.lists.rows(ListQuery(container: .allNotes, starredFirst: false), limit: limit)
        }
        let match = words.map { "\"\($0)\" *" }.joined(separator: " AND ")
        return try notebook.read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT note.id FROM search_title CROSS JOIN note ON note.id = search_title.rowid AND note.place = 0
                    WHERE search_title MATCH ? ORDER BY search_title.rowid DESC LIMIT ?
                    """)
            var keys = try Int64.fetchAll(statement, arguments: ["^" + match, limit])
            if keys.count < limit {
                let known = Set(keys)
                let others = try Int64.fetchAll(statement, arguments: [match, limit]).filter { !known.contains($0) }
                keys += others.prefix(limit - keys.count)
            }
            return try ListReader.rows(db, keys)
        }
    }

    private func links(
        _ condition: String, _ arguments: StatementArguments = []
    ) throws(StoreError) -> [NoteLink] {
        try notebook.read { db in
            let sql = """
                SELECT note_link.kind, target, source, destination, line, context FROM note_link \(condition)
                """
            let links = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
            let keys = Set(links.flatMap { [$0[2] as Int64?, $0[3] as Int64?] }.compactMap(\.self))
            let notes = Dictionary(try ListReader.rows(db, Array(keys)).map { ($0.key, $0) }) { first, _ in first }
            return links.compactMap { link in
                guard let source = (link[2] as Int64?).flatMap({ notes[$0] }) else { return nil }
                return NoteLink(
                    kind: NoteLink.Kind(rawValue: link[0]) ?? .note, target: link[1], source: source,
                    destination: (link[3] as Int64?).flatMap { notes[$0] }, line: link[4], context: link[5])
            }
        }
    }
}
