import Foundation
import GRDB

extension Notebook.Containers {
    /// Finds the container at a path.
    ///
    /// A path is names joined by `/`, with `\/` for a `/` in a name; names are compared without case. Tags have no
    /// path.
    ///
    /// Throws `noSuchPath` with the first name that does not exist.
    public func resolve(path: String) throws(StoreError) -> NoteContainer {
        let names = Self.names(ofPath: path)
        return try notebook.read { db in
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

    /// Returns the names in a path: `"A/B\/C"` has `A` and `B/C`.
    ///
    /// Empty names are left out.
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

    /// Returns the path made of names, the inverse of `names(ofPath:)`.
    public static func path(ofNames names: [String]) -> String {
        names.map(escaped).joined(separator: "/")
    }

    private static func escaped(_ name: String) -> String {
        // Few names have such characters, and a deep tree has many names in each path.
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) else { return name }
        return name.replacing("\\", with: "\\\\").replacing("/", with: "\\/")
    }
}
