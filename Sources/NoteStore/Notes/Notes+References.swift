import Foundation
import GRDB
import TextPrimitives

extension Notebook.Notes {
    /// The maximum number of candidates of an ambiguous reference that are returned.
    static let candidateLimit = 20

    /// Finds the note that a reference means.
    ///
    /// A reference is a `takenote://` URL, a full UUID, an exact title (if no title is spelled so, one that differs in
    /// case), or the first 4 or more characters of a UUID, tried in that order. Throws `noSuchReference`, or
    /// `ambiguousReference` with the candidates.
    public func resolve(reference: String) throws(StoreError) -> NoteRow {
        let candidates = try notebook.read { try Self.candidates($0, reference) }
        guard let first = candidates.first else { throw .noSuchReference(reference) }
        if candidates.count > 1 { throw .ambiguousReference(reference, candidates) }
        return first
    }

    private static func candidates(_ db: Database, _ reference: String) throws -> [NoteRow] {
        let word = Folding.trimmed(reference)
        let limit = "LIMIT \(candidateLimit)"
        let identifier = uuid(in: word) ?? word
        if let id = NoteID(identifier) {
            let found = try NoteRow.fetch(db, "WHERE note.uuid = ?", [id.description])
            if !found.isEmpty || identifier != word { return found }
        }
        let order = "ORDER BY note.place = 2, note.updatedDate DESC"
        let titled = try NoteRow.fetch(db, "WHERE note.titleKey = ? \(order) \(limit)", [Folding.key(word)])
        // A note in Trash counts only if no other note has the title.
        let live = titled.filter { $0.place != .trash }
        let found = live.isEmpty ? titled : live
        let exact = found.filter { $0.title == word }
        if !found.isEmpty { return exact.isEmpty ? found : exact }
        guard word.utf8.count >= 4, word.utf8.allSatisfy(isUUIDCharacter) else { return [] }
        let start = word.uppercased()
        // "G" sorts after every character of a UUID.
        return try NoteRow.fetch(db, "WHERE note.uuid >= ? AND note.uuid < ? \(limit)", [start, start + "G"])
    }

    /// Returns the UUID in `takenote://note/UUID`, in any case, with or without text after it.
    public static func uuid(in url: String) -> String? {
        let scheme = "takenote://note/"
        guard url.lowercased().hasPrefix(scheme) else { return nil }
        return String(url.dropFirst(scheme.count).prefix { $0.isHexDigit || $0 == "-" })
    }

    private static func isUUIDCharacter(_ byte: UInt8) -> Bool { byte.isHexDigit || byte == UInt8(ascii: "-") }
}
