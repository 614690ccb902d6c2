import Foundation
import NoteStore

/// Names of files and folders made from titles.
enum TreeNames {
    static let noteEnding = ".md"

    /// A name that no file system refuses and git does not take for its own.
    static func safe(_ title: String) -> String { harmless(Notebook.Sync.safeName(title)) }

    /// The same for the name of a file of any kind, which keeps its ending.
    static func file(_ name: String) -> String { harmless(Notebook.Sync.safeFileName(name)) }

    private static func harmless(_ name: String) -> String {
        // Some file systems ignore characters that have no shape, and write ".git" as "git~1".
        let seen = String(
            String.UnicodeScalarView(name.unicodeScalars.filter { $0.properties.generalCategory != .format })
        )
        .lowercased()
        let isRisky =
            seen.isEmpty || seen.utf8.first == UInt8(ascii: ".") || seen.hasPrefix("git~") || seen.hasPrefix("gitmod~")
            || seen.unicodeScalars.first == " "
        return isRisky ? "_" + name : name
    }

    /// The name for a title, with the identity's beginning where the plain one is taken.
    static func name(_ title: String, _ id: UUID, ending: String = "", isTaken: (String) -> Bool) -> String {
        let name = safe(title)
        let mark = id.uuidString.lowercased()
        for candidate in [name, "\(name) (\(mark.prefix(8)))", "\(name) (\(mark))"] where !isTaken(candidate + ending) {
            return candidate + ending
        }
        return "\(name) (\(mark) 2)\(ending)"
    }

    /// Whether a name can be one made from this title and identity.
    static func isName(_ name: some Collection<UInt8>, of title: String, _ id: UUID, ending: String = "") -> Bool {
        let safe = safe(title)
        let mark = id.uuidString.lowercased()
        return [safe, "\(safe) (\(mark.prefix(8)))", "\(safe) (\(mark))", "\(safe) (\(mark) 2)"].contains {
            (($0 + ending).utf8).elementsEqual(name)
        }
    }
}
