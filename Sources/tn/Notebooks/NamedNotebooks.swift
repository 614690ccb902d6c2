import Foundation
import NoteStore
import SystemPackage

/// The notebooks of a user, by name: the default one, and those in folders of their names beside it.
///
/// Each has a folder of its own, so that its journals, backups and attachments are its own too.
enum NamedNotebooks {
    /// The name of the notebook that commands use when none is named.
    static let defaultName = "default"
    private static let fileName = "notes.sqlite"
    /// A name fits in a line of the sidebar, and in every file system.
    private static let longestName = 40

    static var folder: FilePath { FilePath(Notebook.dataFolder()).appending("notebooks") }

    /// The names of all notebooks: the default one, then the others in alphabetical order.
    static func names() -> [String] {
        // Without the folder there is only the default notebook.
        let found = (try? PrivateFile.names(in: folder)) ?? []
        let names = found.map(\.string).filter { problem(of: $0) == nil && PrivateFile.exists(file(of: $0)) }
        return [defaultName] + names.sorted { Folding.key($0) < Folding.key($1) }
    }

    /// The file of the notebook of a name; there may be none yet.
    static func path(of name: String) -> String {
        guard Folding.key(name) != defaultName else { return Notebook.dataFolder() + "/" + fileName }
        // The names of folders are compared with case by some file systems, and those of notebooks never are.
        let known = names().first { Folding.key($0) == Folding.key(name) }
        return file(of: known ?? name).string
    }

    private static func file(of name: String) -> FilePath {
        // A wrong name, which a configuration may contain, leads nowhere else.
        let component = problem(of: name) == nil ? name : "-" + name.replacing("/", with: "-")
        return folder.appending(component).appending(fileName)
    }

    /// The name of the notebook with this file; nil for a file elsewhere.
    static func name(of path: String) -> String? {
        let file = FilePath(path)
        if path == Notebook.resolved(Notebook.dataFolder() + "/" + fileName) { return defaultName }
        let parent = file.removingLastComponent()
        guard file.lastComponent?.string == fileName,
            parent.removingLastComponent().string == Notebook.resolved(folder.string)
        else { return nil }
        return parent.lastComponent?.string
    }

    /// Makes an empty notebook; returns the path of its file.
    ///
    /// - Throws: `Failure` if the name is not allowed, or taken.
    @discardableResult
    static func add(_ name: String) throws -> String {
        let name = name.trimmingCharacters(in: .whitespaces).precomposedStringWithCanonicalMapping
        if let problem = problem(of: name) { throw Failure.notebookName(name, problem) }
        let path = Notebook.resolved(path(of: name))
        guard !PrivateFile.exists(FilePath(path)), Folding.key(name) != defaultName else {
            throw Failure.notebookExists(name)
        }
        try Notebook.open(path, mode: .command).close()
        return path
    }

    /// - Throws: `Failure` if this is the path of a named notebook that nobody has made: a mistyped name makes none.
    static func check(_ path: String) throws {
        guard let name = name(of: path), name != defaultName, !PrivateFile.exists(FilePath(path)) else { return }
        throw Failure.noNotebook(name)
    }

    /// Why a name is not allowed; nil if it is.
    static func problem(of name: String) -> String? {
        guard let first = name.unicodeScalars.first, let last = name.unicodeScalars.last else {
            return Texts.NotebookName.empty
        }
        if name.count > longestName || name.utf8.count > 200 { return Texts.NotebookName.tooLong(longestName) }
        let letters = CharacterSet.alphanumerics
        guard letters.contains(first), last != " ", last != ".",
            name.unicodeScalars.allSatisfy({ letters.contains($0) || " -_.".unicodeScalars.contains($0) })
        else { return Texts.NotebookName.characters }
        return nil
    }
}
