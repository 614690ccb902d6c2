import GRDB
import Markdown

/// A link by title in a note's text, and the note that it leads to.
public struct SyncLink: Sendable {
    let note: NoteID
    /// The keys of both notes in the notebook's file.
    let source: Int64
    var destination: Int64
    let target: String
}

/// Links that lead to a note by its former title, which a note of another machine has now.
///
/// On one machine such a link is rewritten when another note takes the title. Here the link was written where nobody
/// knew that other note: the link stands on one side of a merge, and the note took its title on the other side. So the
/// machine that merges both sides rewrites the link. All other machines receive the link together with the note.
extension Notebook.Sync {
    /// Returns the links that may lead to another note once an update is written.
    ///
    /// Links that were written on the other side are left out, since their meaning there counts.
    public func linksAtRisk(from update: SyncUpdate) throws(StoreError) -> [SyncLink] {
        if update.titledThere.isEmpty { return [] }
        return try notebook.read { db in
            let former = try formerTitles(in: update, db)
            var links: [SyncLink] = []
            for id in update.titledThere {
                guard let change = update.notes[id], let new = change.new else { continue }
                let (lost, taken) = (change.old.map { Folding.key($0.title.string) }, Folding.key(new.title.string))
                for title in Set([lost, taken].compactMap { $0 }) where former.contains(title) {
                    links += try Self.links(naming: title, db).filter { link in
                        try !link.isIn(update.editedThere) && !Self.waits(link, for: id, titled: title, db)
                    }
                }
            }
            return links
        }
    }

    /// Rewrites the links that an update which is now written would draw to another note.
    ///
    /// The texts are changed as if they were edited here, so the next synchronisation sends them.
    ///
    /// - Parameter links: the result of `linksAtRisk(from:)` before the update was written.
    /// - Returns: whether a text has changed.
    public func keepLinks(_ links: [SyncLink], after update: SyncUpdate) throws(StoreError) -> Bool {
        if links.isEmpty && update.titledHere.isEmpty { return false }
        let received = try notebook.read { db in try linksWithoutKnowledge(in: update, db) }
        if links.isEmpty && received.isEmpty { return false }
        return try notebook.write { transaction in
            let here = try transaction.keys(of: update.titledHere)
            let there = try transaction.keys(of: update.titledThere)
            var rewritten: Set<Int64> = []
            for link in links {
                guard let found = try transaction.meaning(of: link), found != link.destination else { continue }
                // Where both notes were retitled on the other side, a link that was there has been dealt with.
                let isRetitled = there.contains(link.destination)
                let isTaken = there.contains(found) && (!isRetitled || link.isIn(update.editedHere))
                guard isTaken || isRetitled else { continue }
                try transaction.keep(link, from: found, titled: isTaken ? found : link.destination, &rewritten)
            }
            for var link in received {
                let found = link.destination
                guard let meant = try transaction.meaning(of: link, supposing: here), meant != found,
                    link.isIn(update.editedThere) || there.contains(meant)
                else { continue }
                link.destination = meant
                try transaction.keep(link, from: found, titled: found, &rewritten)
            }
            return !rewritten.isEmpty
        }
    }

    /// Returns the links that contain titles which notes took or lost here, without the links that were written here.
    private func linksWithoutKnowledge(in update: SyncUpdate, _ db: Database) throws -> [SyncLink] {
        let former = try formerTitles(in: update, db)
        var links: [SyncLink] = []
        for (id, lost) in update.titledHere {
            let statement = try db.cachedStatement(sql: "SELECT titleKey FROM note WHERE uuid = ?")
            let taken = try String.fetchOne(statement, arguments: [id.description])
            for title in Set([lost, taken].compactMap { $0 }) where former.contains(title) {
                links += try Self.links(naming: title, db).filter { !$0.isIn(update.editedHere) }
            }
        }
        return links
    }

    /// Returns whether a link leads elsewhere only while a note is in the Trash: the link's destination had lost the
    /// title before that note was put there.
    private static func waits(_ link: SyncLink, for id: NoteID, titled title: String, _ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: """
                WITH RECURSIVE up(id) AS (SELECT folder FROM note WHERE uuid = ?1
                    UNION SELECT container.parent FROM container JOIN up ON container.id = up.id)
                SELECT 1 FROM note, former_title WHERE note.uuid = ?1 AND note.place = 2
                    AND former_title.note = ?2 AND former_title.titleKey = ?3
                    AND former_title.date < coalesce(
                        (SELECT max(trashedDate) FROM container JOIN up ON container.id = up.id), note.movedDate)
                """)
        return try Bool.fetchOne(statement, arguments: [id.description, link.destination, title]) ?? false
    }

    /// Returns the folded former titles in the notebook and in an update.
    ///
    /// Only links that contain one of them can have to be rewritten.
    private func formerTitles(in update: SyncUpdate, _ db: Database) throws -> Set<String> {
        var titles = Set(try String.fetchAll(db.cachedStatement(sql: "SELECT DISTINCT titleKey FROM former_title")))
        for change in update.notes.values { titles.formUnion(change.new?.former.keys.map(\.string) ?? []) }
        return titles
    }

    private static func links(naming title: String, _ db: Database) throws -> [SyncLink] {
        try Transaction.links(naming: title, db).compactMap { row in
            (row[3] as Int64?).map {
                SyncLink(note: NoteID(stored: row[5]), source: row[0], destination: $0, target: row[2])
            }
        }
    }
}

extension SyncLink {
    /// Whether the note is among those whose texts one side changed, and the link stands in that text.
    fileprivate func isIn(_ texts: [NoteID: ExactText]) -> Bool {
        guard let text = texts[note]?.string else { return false }
        return Markdown.destinations(in: text).contains { $0.target == target }
    }
}

extension Transaction {
    private func key(of note: NoteID) throws -> Int64? {
        try value("SELECT id FROM note WHERE uuid = ?", [note.description])
    }

    fileprivate func keys(of notes: Set<NoteID>) throws -> Set<Int64> { Set(try notes.compactMap { try key(of: $0) }) }

    /// Returns the titles of notes by the notes' keys in the notebook's file.
    fileprivate func keys(of titles: [NoteID: String?]) throws -> [Int64: String?] {
        var found: [Int64: String?] = [:]
        for (id, title) in titles {
            if let key = try key(of: id) { found[key] = .some(title) }
        }
        return found
    }

    /// Returns the note that a link means, or that it would mean if some notes had other titles; see `LinkFinder`.
    fileprivate func meaning(of link: SyncLink, supposing supposed: [Int64: String?] = [:]) throws -> Int64? {
        let folder: Int64? = try value("SELECT folder FROM note WHERE id = ?", [link.source])
        return try LinkFinder(db, supposing: supposed)
            .note(LinkReference(link.target), from: link.source, in: folder)?.note
    }

    /// Rewrites a link so that it leads to its destination, of which a note that is retitled would take it away.
    fileprivate func keep(
        _ link: SyncLink, from found: Int64, titled: Int64, _ rewritten: inout Set<Int64>
    ) throws {
        newlyTitled = [titled]
        let isKept = try keepLink(
            link.target, of: link.source, at: link.destination, from: found, LinkFinder(db),
            keepingVersion: !rewritten.contains(link.source))
        newlyTitled.remove(titled)
        if isKept { rewritten.insert(link.source) }
    }
}
