import Foundation
import GRDB
import Markdown

/// Links by a former title, which stay with their note when another note takes that title.
extension Transaction {
    /// Rewrites a link that led to a note by the note's former title, so that it still does and shows the same text.
    ///
    /// Otherwise another note would take over the link: one that gets the title in this transaction, that has or had it
    /// too while the linked note loses it, or that returns with it from Trash. No link is rewritten if both notes are
    /// retitled in this transaction, if the linked note still has the title as an alias, or if the returning note was put
    /// into Trash after the linked note had lost the title, since the link was its own then. Nor is one in a note of an
    /// import that goes on, since the file that it names may still have to come.
    ///
    /// - Parameter keepingVersion: whether to keep the text so far as a version of the note.
    /// - Returns: false for a link that is not rewritten, because it follows the titles as all others do.
    func keepLink(
        _ target: String, of source: Int64, at known: Int64, from found: Int64, _ finder: LinkFinder,
        keepingVersion: Bool
    ) throws -> Bool {
        guard newlyTitled.contains(found) != newlyTitled.contains(known) || restored[found] != nil,
            !incoming.contains(source)
        else { return false }
        let titles = LinkReference(target).keys.titles
        guard try newlyTitled.contains(known) || titles.contains(titleKey(of: found)),
            try !titles.contains(titleKey(of: known)),
            let row = try row("SELECT uuid, title, place FROM note WHERE id = ?", [known]),
            Place(rawValue: row[2]) != .trash,
            try keys("SELECT aliasKey FROM note_alias WHERE note = ?", known).isDisjoint(with: titles)
        else { return false }
        let former = try keys("SELECT titleKey FROM former_title WHERE note = ?", known).intersection(titles)
        guard !former.isEmpty, let anchor = Self.anchor(of: target, after: former) else { return false }
        if let trashed = restored[found], try former.allSatisfy({ try lost($0, known) < trashed }) { return false }
        let name = (row[1] as String) + anchor
        let folder: Int64? = try value("SELECT folder FROM note WHERE id = ?", [source])
        let isLinkable = !name.contains { "[]|\n\r".contains($0) }
        let isNamed = try isLinkable && finder.note(LinkReference(name), from: source, in: folder)?.note == known
        return try rewriteLinks(to: target, of: source, keepingVersion: keepingVersion) { link, links in
            if isNamed {
                links.rename(link, to: name)
            } else if link.kind == .wikilink {
                links.replace(link.range, NoteID(stored: row[0]).link(showing: link.label, anchor: anchor))
            }
        }
    }

    /// Returns when a note lost a former title, in milliseconds since 1970.
    private func lost(_ titleKey: String, _ note: Int64) throws -> Int64 {
        try value("SELECT date FROM former_title WHERE titleKey = ? AND note = ?", [titleKey, note]) ?? .min
    }

    private func titleKey(of note: Int64) throws -> String {
        try value("SELECT titleKey FROM note WHERE id = ?", [note]) ?? ""
    }

    private func keys(_ sql: String, _ note: Int64) throws -> Set<String> {
        Set(try rows(sql, [note]).compactMap { $0[0] as String? })
    }

    /// Returns what follows a title in a link, such as `#Heading`; `nil` if the link does not begin with the title.
    private static func anchor(of target: String, after titles: Set<String>) -> String? {
        let marks = target.indices.filter { target[$0] == "#" || target[$0] == "^" }
        for end in [target.endIndex] + marks.reversed() {
            let readings = LinkReference(String(target[..<end])).readings.filter { $0.anchor == nil }
            if readings.contains(where: { titles.contains($0.titleKey) }) { return String(target[end...]) }
        }
        return nil
    }

    /// Rewrites the links of a note's text with this target; the note keeps its date.
    ///
    /// - Returns: whether the text has changed.
    private func rewriteLinks(
        to target: String, of source: Int64, keepingVersion: Bool,
        _ rewrite: (WrittenDestination, inout LinkEdits) throws -> Void
    ) throws -> Bool {
        guard let row = try row("SELECT uuid, updatedDate, place FROM note WHERE id = ?", [source]),
            Place(rawValue: row[2]) != .trash
        else { return false }
        let head = try head(NoteID(stored: row[0]))
        let text = try Notebook.Notes.text(db, key: source) ?? ""
        var links = LinkEdits(Array(text.utf8))
        for link in Markdown.destinations(in: text) where link.kind == .wikilink || link.kind == .embed {
            if link.target == target { try rewrite(link, &links) }
        }
        let new = links.text
        if new.hasSameBytes(as: text) { return false }
        if keepingVersion { try keepVersion(of: head, text: text, .outside) }
        try replaceText(new, of: self.head(head.id))
        try run("UPDATE note SET updatedDate = ? WHERE id = ?", [row[1] as Int64, source])
        return true
    }
}
