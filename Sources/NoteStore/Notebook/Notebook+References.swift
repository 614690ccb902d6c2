import Foundation
import GRDB

/// What a reference on the command line leads to.
public enum ReferenceTarget: Equatable, Sendable { case note(NoteRow) }

extension Notebook {
    /// How many candidates an ambiguous reference names.
    static let candidateLimit = 20

    /// The note that REF means: a `takenote://` URL, a full UUID, an exact title (if none is written so, compared
    /// without case), or the first 4 or more characters of a UUID, in that order.
    ///
    /// Throws `noSuchReference`, or `ambiguousReference` with the candidates.
    public func resolve(reference: String) throws(StoreError) -> NoteRow {
        let candidates = try read { try Self.candidates($0, reference) }
        guard let first = candidates.first else { throw .noSuchReference(reference) }
        if candidates.count > 1 { throw .ambiguousReference(reference, candidates) }
        return first
    }

    private static func candidates(_ db: Database, _ reference: String) throws -> [NoteRow] {
        let word = Folding.trimmed(reference)
        let limit = "LIMIT \(candidateLimit)"
        let identifier = noteUUID(in: word) ?? word
        if let id = NoteID(identifier) {
            let found = try NoteRow.fetch(db, "WHERE note.uuid = ?", [id.description])
            if !found.isEmpty || identifier != word { return found }
        }
        let order = "ORDER BY note.place = 2, note.updatedDate DESC"
        let titled = try NoteRow.fetch(db, "WHERE note.titleKey = ? \(order) \(limit)", [Folding.key(word)])
        // A note in Trash only counts if no other has the title.
        let live = titled.filter { $0.place != .trash }
        let found = live.isEmpty ? titled : live
        let exact = found.filter { $0.title == word }
        if !found.isEmpty { return exact.isEmpty ? found : exact }
        guard word.utf8.count >= 4, word.utf8.allSatisfy(isUUIDCharacter) else { return [] }
        let start = word.uppercased()
        // "G" follows every character that a UUID has.
        return try NoteRow.fetch(db, "WHERE note.uuid >= ? AND note.uuid < ? \(limit)", [start, start + "G"])
    }

    /// The UUID of `takenote://note/UUID`, in any case, with or without what follows it.
    public static func noteUUID(in url: String) -> String? {
        let scheme = "takenote://note/"
        guard url.lowercased().hasPrefix(scheme) else { return nil }
        return String(url.dropFirst(scheme.count).prefix { $0.isHexDigit || $0 == "-" })
    }

    private static func isUUIDCharacter(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || byte == 0x2D || (0x61...0x66).contains(byte | 0x20)
    }

    /// The container that PATH means: names joined by `/`, a `/` in a name written `\/`; names are compared without
    /// case.
    ///
    /// Tags are not reached by a path.
    ///
    /// Throws `noSuchPath` with the first name that is not there.
    public func container(path: String) throws(StoreError) -> NoteContainer {
        let names = Self.names(ofPath: path)
        return try read { db in
            var found: NoteContainer?
            for name in names {
                found = try NoteContainer.fetch(
                    db, "WHERE c.nameKey = ? AND +c.parent IS ? AND c.kind <> 'tag' ORDER BY c.id LIMIT 1",
                    [Folding.key(name), found?.key]
                ).first
                if found == nil { throw StoreError.noSuchPath(path, missing: name) }
            }
            guard let found else { throw StoreError.noSuchPath(path, missing: "") }
            return found
        }
    }

    /// What lies in Trash and was at this path when it was put there, the latest if there are several; `nil` if there
    /// is none.
    public func trashedContainer(formerPath path: String) throws(StoreError) -> NoteContainer? {
        let names = Self.names(ofPath: path)
        guard let name = names.last else { return nil }
        return try read { db in
            try NoteContainer.fetch(
                db,
                """
                WHERE c.nameKey = ? AND c.parent = \(SystemKey.trash) AND lower(c.originPath) = lower(?)
                ORDER BY c.trashedDate DESC LIMIT 1
                """, [Folding.key(name), Transaction.encode(names.dropLast())]
            ).first
        }
    }

    /// The tag of this name (with or without `#`), `nil` if there is none.
    public func tag(named name: String) throws(StoreError) -> NoteContainer? {
        let name = name.hasPrefix("#") ? String(name.dropFirst()) : name
        return try read { db in
            try NoteContainer.fetch(db, "WHERE c.nameKey = ? AND c.kind = 'tag'", [Folding.key(name)]).first
        }
    }

    /// The names of a path: `"A/B\/C"` has `A` and `B/C`.
    ///
    /// Empty ones are left out.
    public static func names(ofPath path: String) -> [String] {
        var names = [""]
        var escaped = false
        for character in path {
            if escaped {
                if character != "/" && character != "\\" { names[names.count - 1].append("\\") }
                names[names.count - 1].append(character)
                escaped = false
            } else if character == "\\" {
                escaped = true
            } else if character == "/" {
                names.append("")
            } else {
                names[names.count - 1].append(character)
            }
        }
        if escaped { names[names.count - 1].append("\\") }
        return names.map(Folding.trimmed).filter { !$0.isEmpty }
    }

    /// The path of names: the inverse of `names(ofPath:)`.
    public static func path(ofNames names: [String]) -> String {
        names.map { $0.replacing("\\", with: "\\\\").replacing("/", with: "\\/") }.joined(separator: "/")
    }
}
