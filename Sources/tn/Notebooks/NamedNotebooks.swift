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
        let name = try checked(newName: name)
        let path = Notebook.resolved(path(of: name))
        guard !PrivateFile.exists(FilePath(path)), Folding.key(name) != defaultName else {
            throw Failure.notebookExists(name)
        }
        try Notebook.open(path, mode: .command).close()
        return path
    }

    /// - Throws: `Failure` if the name is not allowed; blanks at its ends are not taken away silently.
    private static func checked(newName name: String) throws -> String {
        let name = name.precomposedStringWithCanonicalMapping
        if let problem = problem(of: name) { throw Failure.notebookName(name, problem) }
        return name
    }

    /// Gives a notebook another name, with all that is beside it; returns the path of its file.
    ///
    /// - Throws: `Failure` if the name is not allowed or taken, or a program has the notebook open.
    static func rename(_ name: String, to new: String) throws -> String {
        let new = try checked(newName: new)
        let folder = try folder(ofClosed: name)
        let isOther = Folding.key(name) != Folding.key(new)
        guard Folding.key(new) != defaultName, !isOther || !PrivateFile.exists(FilePath(path(of: new))) else {
            throw Failure.notebookExists(new)
        }
        let target = Self.folder.appending(new)
        try move(folder, to: target)
        return target.appending(fileName).string
    }

    /// Takes a notebook away: its folder, with its backups and what is not saved yet, is kept outside of the others.
    ///
    /// - Returns: where it is kept.
    static func remove(_ name: String, at date: Date) throws -> String {
        let folder = try folder(ofClosed: name)
        let kept = FilePath(Notebook.dataFolder()).appending("deleted")
        try PrivateFile.makeFolder(kept)
        let time = date.timestamp.replacing(":", with: "")
        let base = "\(folder.lastComponent?.string ?? name) \(time)"
        let number = (1...).first { !PrivateFile.exists(kept.appending($0 == 1 ? base : "\(base) \($0)")) } ?? 1
        let target = kept.appending(number == 1 ? base : "\(base) \(number)")
        try move(folder, to: target)
        return target.string
    }

    /// Whether there is a notebook of this name.
    static func exists(_ name: String) -> Bool { PrivateFile.exists(FilePath(path(of: name))) }

    /// How many notes a notebook holds, those in its Trash included.
    static func noteCount(of name: String) throws -> Int {
        _ = try folder(ofClosed: name)
        let notebook = try Notebook.open(path(of: name), mode: .command)
        let count = try [ContainerID.allNotes, .archive, .trash].reduce(0) { sum, container in
            try sum + notebook.lists.count(ListQuery(container: container))
        }
        try notebook.close()
        return count
    }

    /// The folder of a notebook that no program has open; the default one cannot be meant.
    private static func folder(ofClosed name: String) throws -> FilePath {
        guard Folding.key(name) != defaultName else { throw Failure.defaultNotebook }
        let path = path(of: name)
        guard problem(of: name) == nil, PrivateFile.exists(FilePath(path)) else { throw Failure.noNotebook(name) }
        if let owner = OpenNotebook.owner(of: path) { throw Failure.openElsewhere(path, owner) }
        return FilePath(path).removingLastComponent()
    }

    private static func move(_ folder: FilePath, to target: FilePath) throws {
        guard Foundation.rename(folder.string, target.string) == 0 else {
            throw Failure.cannotCreate(target.string, errno)
        }
        PrivateFile.syncFolder(folder.removingLastComponent())
        PrivateFile.syncFolder(target.removingLastComponent())
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
