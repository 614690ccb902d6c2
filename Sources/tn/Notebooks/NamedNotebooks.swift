import Foundation
import NoteStore
import SystemPackage

/// The notebooks of a user, by name: the default one, and those in folders of their names beside it.
///
/// Each has its own folder, so that its journals, backups and attachments are separate too.
enum NamedNotebooks {
    /// The name of the notebook that commands use when none is named.
    static let defaultName = "default"
    private static let fileName = "notes.sqlite"
    /// The maximum length of a name, which must fit in a line of the sidebar and in every file system.
    private static let maximumNameLength = 40

    static var folder: FilePath { FilePath(Notebook.dataFolder()).appending("notebooks") }

    /// The names of all notebooks: the default one, then the others in alphabetical order.
    static func names() -> [String] {
        // Without the folder there is only the default notebook.
        let found = (try? PrivateFile.names(in: folder)) ?? []
        let names = found.map(\.string).filter { problem(of: $0) == nil && PrivateFile.exists(file(of: $0)) }
        return [defaultName] + names.sorted { Folding.key($0) < Folding.key($1) }
    }

    /// Returns the path of the file of a named notebook, which may not exist yet.
    static func path(of name: String) -> String {
        guard Folding.key(name) != defaultName else { return Notebook.dataFolder() + "/" + fileName }
        // Some file systems compare names with case; the names of notebooks are compared without case.
        let known = names().first { Folding.key($0) == Folding.key(name) }
        return file(of: known ?? name).string
    }

    private static func file(of name: String) -> FilePath {
        // An invalid name, which a configuration may contain, must not lead to another folder.
        let component = problem(of: name) == nil ? name : "-" + name.replacing("/", with: "-")
        return folder.appending(component).appending(fileName)
    }

    /// Returns the name of the notebook with this file; nil for a file elsewhere.
    static func name(of path: String) -> String? {
        let file = FilePath(path)
        if path == Notebook.resolved(Notebook.dataFolder() + "/" + fileName) { return defaultName }
        let parent = file.parent
        guard file.lastComponent?.string == fileName,
            parent.parent.string == Notebook.resolved(folder.string)
        else { return nil }
        return parent.lastComponent?.string
    }

    /// Creates an empty notebook; returns the path of its file.
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

    /// - Throws: `Failure` if the name is not allowed; blanks at its ends are not removed silently.
    private static func checked(newName name: String) throws -> String {
        let name = name.precomposedStringWithCanonicalMapping
        if let problem = problem(of: name) { throw Failure.notebookName(name, problem) }
        return name
    }

    /// Renames a notebook together with everything in its folder; returns the path of its file.
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

    /// Removes a notebook from the list: its folder, with its backups and unsaved texts, is kept outside of the others.
    ///
    /// - Returns: the path where it is kept.
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

    /// Returns the number of notes in a notebook, those in its Trash included.
    static func noteCount(of name: String) throws -> Int {
        _ = try folder(ofClosed: name)
        let notebook = try Notebook.open(path(of: name), mode: .command)
        let count = try [ContainerID.allNotes, .archive, .trash].reduce(0) { sum, container in
            try sum + notebook.lists.count(ListQuery(container: container))
        }
        try notebook.close()
        return count
    }

    /// Returns the folder of a notebook that no program has open; throws for the default one.
    private static func folder(ofClosed name: String) throws -> FilePath {
        guard Folding.key(name) != defaultName else { throw Failure.defaultNotebook }
        let path = path(of: name)
        guard problem(of: name) == nil, PrivateFile.exists(FilePath(path)) else { throw Failure.noNotebook(name) }
        if let owner = OpenNotebook.owner(of: path) { throw Failure.openElsewhere(path, owner) }
        return FilePath(path).parent
    }

    private static func move(_ folder: FilePath, to target: FilePath) throws {
        do throws(Errno) {
            try PrivateFile.rename(folder, to: target)
        } catch {
            throw Failure.cannotCreate(target.string, error.rawValue)
        }
        PrivateFile.syncFolder(folder.parent)
        PrivateFile.syncFolder(target.parent)
    }

    /// - Throws: `Failure` if this is the path of a named notebook that does not exist, since a mistyped name must not
    ///   create one.
    static func check(_ path: String) throws {
        guard let name = name(of: path), name != defaultName, !PrivateFile.exists(FilePath(path)) else { return }
        // Options with such a name are refused before, so it is from the configuration.
        if let problem = problem(of: name) { throw Failure.notebookSetting(problem) }
        throw Failure.noNotebook(name)
    }

    /// Returns the reason why a name is not allowed; nil if it is allowed.
    static func problem(of name: String) -> String? {
        guard let first = name.unicodeScalars.first, let last = name.unicodeScalars.last else {
            return Texts.NotebookName.empty
        }
        if name.count > maximumNameLength || name.utf8.count > 200 {
            return Texts.NotebookName.tooLong(maximumNameLength)
        }
        let letters = CharacterSet.alphanumerics
        guard letters.contains(first), last != " ", last != ".",
            name.unicodeScalars.allSatisfy({ letters.contains($0) || " -_.".unicodeScalars.contains($0) })
        else { return Texts.NotebookName.characters }
        return nil
    }
}
