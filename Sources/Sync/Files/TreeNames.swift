import Foundation
import NoteStore

/// The names of files and folders, derived from titles.
enum TreeNames {
    static let noteEnding = ".md"

    /// Returns a name that every file system accepts and that git does not reserve.
    static func safe(_ title: String) -> String { harmless(Notebook.Sync.safeName(title)) }

    /// Returns a safe name for a file of any kind, with its extension unchanged.
    static func file(_ name: String) -> String { harmless(Notebook.Sync.safeFileName(name)) }

    /// Returns whether a title is a name that git does not reserve, and that looks like no other one.
    private static func isHarmless(_ title: String) -> Bool {
        harmless(title) == title && !title.isEmpty
            && title.unicodeScalars.allSatisfy {
                $0 != "/" && $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
            }
    }

    private static func harmless(_ name: String) -> String {
        // Some file systems ignore invisible characters and abbreviate ".git" to "git~1".
        let seen = String(
            String.UnicodeScalarView(name.unicodeScalars.filter { $0.properties.generalCategory != .format })
        )
        .lowercased()
        let isRisky =
            seen.isEmpty || seen.utf8.first == UInt8(ascii: ".") || seen.hasPrefix("git~") || seen.hasPrefix("gitmod~")
            || seen.unicodeScalars.first == " "
        return isRisky ? "_" + name : name
    }

    /// Returns the name for a title, followed by the beginning of the identity if the plain name is taken.
    static func name(_ title: String, _ id: UUID, ending: String = "", isTaken: (String) -> Bool) -> String {
        let name = safe(title)
        let mark = id.uuidString.lowercased()
        for candidate in [name, "\(name) (\(mark.prefix(8)))", "\(name) (\(mark))"] where !isTaken(candidate + ending) {
            return candidate + ending
        }
        return "\(name) (\(mark) 2)\(ending)"
    }

    /// Returns whether a name may have been derived from this title and identity, or is the title itself.
    ///
    /// Other programs give files longer names, and names with characters that some file systems do not accept. Such a
    /// file keeps its name, by which other files link to it.
    static func isName(_ name: some Collection<UInt8>, of title: String, _ id: UUID, ending: String = "") -> Bool {
        if (title + ending).utf8.elementsEqual(name), isHarmless(title) { return true }
        let safe = safe(title)
        let mark = id.uuidString.lowercased()
        return [safe, "\(safe) (\(mark.prefix(8)))", "\(safe) (\(mark))", "\(safe) (\(mark) 2)"].contains {
            (($0 + ending).utf8).elementsEqual(name)
        }
    }
}
