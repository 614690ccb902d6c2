import Foundation
import GRDB
import Markdown

/// A link by title in a note's text, and the note that it leads to.
public struct SyncLink: Codable, Sendable {
    let note: NoteID
    /// The keys of both notes in the notebook's file.
    let source: Int64
    var destination: Int64
    let target: String
}

/// What is known of the links before a merge is sent: which ones may lead elsewhere afterwards, and what has to be known
/// to find those that are received with it.
///
/// The notebook stores it until the links are rewritten. Were the program killed in between, nothing else would tell
/// what each side of the merge did not know of the other.
public struct SyncLinks: Codable, Sendable {
    /// A note that took its title in this notebook, and the folded title that it has on the other side, or `nil` if it
    /// is not there or in its Trash.
    struct Titled: Codable {
        let note: NoteID
        let former: String?
    }

    /// The commit of the merge.
    public let commit: String
    let atRisk: [SyncLink]
    let titledHere: [Titled]
    let titledThere: [NoteID]
    /// The targets of all links in the texts that each side has changed.
    let writtenHere, writtenThere: [NoteID: Set<String>]
}

/// Links that lead to a note by its former title, which a note of another machine has now.
///
/// On one machine such a link is rewritten when another note takes the title. Here the link was written where nobody
/// knew that other note: the link stands on one side of a merge, and the note took its title on the other side. So the
/// machine that merges both sides rewrites the link. All other machines receive the link together with the note.
extension Notebook.Sync {
    /// Stores which links may lead to another note once an update is written.
    ///
    /// Call it before the merge is sent.
    ///
    /// - Parameters:
    ///   - commit: The commit of the merge.
    ///   - isSent: Whether the remote has a commit, so that an earlier merge was sent whose links are not dealt with yet.
    public func rememberLinks(
        of update: SyncUpdate, commit: String, isSent: (String) throws -> Bool
    ) throws {
        if update.titledHere.isEmpty, update.titledThere.isEmpty { return }
        guard let links = try notebook.read({ db in try Self.links(of: update, commit: commit, db) }) else { return }
        let earlier = try storedLinks().filter { try isSent($0.commit) }
        let json = String(decoding: try JSONEncoder().encode(earlier + [links]), as: UTF8.self)
        try notebook.write {
            try $0.run("INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", [Key.links, json])
        }
    }

    private func storedLinks() throws(StoreError) -> [SyncLinks] {
        guard let json = try notebook.settings.value(Key.links) else { return [] }
        // Only another tool can have written what cannot be read.
        return (try? JSONDecoder().decode([SyncLinks].self, from: Data(json.utf8))) ?? []
    }

    private static func links(of update: SyncUpdate, commit: String, _ db: Database) throws -> SyncLinks? {
        let former = try formerTitles(in: update, db)
        if former.isEmpty { return nil }
        let atRisk = try linksAtRisk(from: update, former, db)
        let mayReceive = try update.titledHere.contains { id, lost in
            let taken = try update.notes[id]?.new.map { Folding.key($0.title.string) } ?? titleKey(of: id, db)
            return [lost, taken].contains { title in title.map { former.contains($0) } ?? false }
        }
        if atRisk.isEmpty, !mayReceive { return nil }
        func targets(_ texts: [NoteID: ExactText]) -> [NoteID: Set<String>] {
            // Most texts have no bracket, and so no link by title: where two full notebooks join, all texts are new.
            texts.filter { $0.value.string.utf8.contains(UInt8(ascii: "[")) }
                .mapValues { Set(Markdown.destinations(in: $0.string).map(\.target)) }
        }
        return SyncLinks(
            commit: commit, atRisk: atRisk,
            titledHere: update.titledHere.map { SyncLinks.Titled(note: $0, former: $1) },
            titledThere: Array(update.titledThere), writtenHere: targets(update.editedHere),
            writtenThere: targets(update.editedThere))
    }

    /// Returns the links that may lead to another note once an update is written.
    ///
    /// Links that were written on the other side are left out, since their meaning there counts.
    private static func linksAtRisk(
        from update: SyncUpdate, _ former: Set<String>, _ db: Database
    ) throws -> [SyncLink] {
        var links: [SyncLink] = []
        for id in update.titledThere {
            guard let change = update.notes[id], let new = change.new else { continue }
            let (lost, taken) = (change.old.map { Folding.key($0.title.string) }, Folding.key(new.title.string))
            for title in Set([lost, taken].compactMap { $0 }) where former.contains(title) {
                links += try Self.links(naming: title, db).filter { link in
                    try !link.isIn(update.editedThere) && !waits(link, for: id, titled: title, db)
                }
            }
        }
        return links
    }

    /// Rewrites the links that merges would draw to other notes, once these are written.
    ///
    /// The texts are changed as if they were edited here, so the next synchronisation sends them.
    ///
    /// - Returns: whether a text has changed.
    public func keepLinks() throws(StoreError) -> Bool {
        let merges = try storedLinks()
        if merges.isEmpty { return false }
        let received = try notebook.read { db in try merges.map { try Self.linksWithoutKnowledge(in: $0, db) } }
        return try notebook.write { transaction in
            var rewritten: Set<Int64> = []
            for (merge, received) in zip(merges, received) {
                try transaction.keepLinks(of: merge, received: received, &rewritten)
            }
            try transaction.run("DELETE FROM setting WHERE key = ?", [Key.links])
            return !rewritten.isEmpty
        }
    }

    /// Returns the links that contain titles which notes took or lost here, without the links that were written here.
    private static func linksWithoutKnowledge(in merge: SyncLinks, _ db: Database) throws -> [SyncLink] {
        let former = try formerTitles(in: nil, db)
        var links: [SyncLink] = []
        for titled in merge.titledHere {
            let taken = try titleKey(of: titled.note, db)
            for title in Set([titled.former, taken].compactMap { $0 }) where former.contains(title) {
                links += try Self.links(naming: title, db).filter { !$0.isIn(merge.writtenHere) }
            }
        }
        return links
    }

    private static func titleKey(of id: NoteID, _ db: Database) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT titleKey FROM note WHERE uuid = ?"), arguments: [id.description])
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

    /// Returns the folded former titles in the notebook and in an update that is not written yet.
    ///
    /// Only links that contain one of them can have to be rewritten.
    private static func formerTitles(in update: SyncUpdate?, _ db: Database) throws -> Set<String> {
        var titles = Set(try String.fetchAll(db.cachedStatement(sql: "SELECT DISTINCT titleKey FROM former_title")))
        for change in (update?.notes ?? [:]).values { titles.formUnion(change.new?.former.keys.map(\.string) ?? []) }
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

    fileprivate func isIn(_ written: [NoteID: Set<String>]) -> Bool { written[note]?.contains(target) ?? false }
}

extension Transaction {
    private func key(of note: NoteID) throws -> Int64? {
        try value("SELECT id FROM note WHERE uuid = ?", [note.description])
    }

    /// - Parameter received: The links that contain titles of which the other side did not know.
    fileprivate func keepLinks(
        of merge: SyncLinks, received: [SyncLink], _ rewritten: inout Set<Int64>
    ) throws {
        var here: [Int64: String?] = [:]
        for titled in merge.titledHere {
            if let key = try key(of: titled.note) { here[key] = .some(titled.former) }
        }
        let there = Set(try merge.titledThere.compactMap { try key(of: $0) })
        for link in merge.atRisk {
            guard let found = try meaning(of: link), found != link.destination else { continue }
            // Where both notes were retitled on the other side, a link that was there has been dealt with.
            let isRetitled = there.contains(link.destination)
            let isTaken = there.contains(found) && (!isRetitled || link.isIn(merge.writtenHere))
            guard isTaken || isRetitled else { continue }
            try keep(link, from: found, titled: isTaken ? found : link.destination, &rewritten)
        }
        for var link in received {
            let found = link.destination
            guard let meant = try meaning(of: link, supposing: here), meant != found,
                link.isIn(merge.writtenThere) || there.contains(meant)
            else { continue }
            link.destination = meant
            try keep(link, from: found, titled: found, &rewritten)
        }
    }

    /// Returns the note that a link means, or that it would mean if some notes had other titles; see `LinkFinder`.
    private func meaning(of link: SyncLink, supposing supposed: [Int64: String?] = [:]) throws -> Int64? {
        let folder: Int64? = try value("SELECT folder FROM note WHERE id = ?", [link.source])
        return try LinkFinder(db, supposing: supposed)
            .note(LinkReference(link.target), from: link.source, in: folder)?.note
    }

    /// Rewrites a link so that it leads to its destination, of which a note that is retitled would take it away.
    private func keep(
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
