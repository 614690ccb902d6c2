import SystemPackage

/// The notes of an import by the names of their files, to resolve links between files.
struct ImportedNotes {
    struct Made {
        let id: NoteID
        let key: Int64
        /// The folded path from the root, without extension.
        fileprivate let path: String
        fileprivate var folder: Substring { path[..<(path.lastIndex(of: "/") ?? path.startIndex)] }
    }

    /// The notes that are not in the tables below yet, since hardly any import without links asks for one.
    private var waiting: [(id: NoteID, key: Int64, file: ImportPlan.File)] = []
    private var byPath: [String: Made] = [:]
    /// The notes by folded path, without case and in composed form; of equal paths the first.
    private var byFoldedPath: [String: Made] = [:]
    private var byName: [String: [Made]] = [:]

    mutating func add(_ id: NoteID, _ key: Int64, of file: ImportPlan.File) { waiting.append((id, key, file)) }

    private mutating func listWaiting() {
        if waiting.isEmpty { return }
        for (id, key, file) in waiting { list(id, key, of: file) }
        waiting = []
    }

    private mutating func list(_ id: NoteID, _ key: Int64, of file: ImportPlan.File) {
        let location = file.location.absolute
        let made = Made(
            id: id, key: key, path: Folding.key(location.parent.appending(file.name).string))
        byPath[location.key] = made
        let folded = Folding.key(location.string)
        if byFoldedPath[folded] == nil { byFoldedPath[folded] = made }
        byName[Folding.key(file.name), default: []].append(made)
    }

    mutating func note(of file: ImportPlan.File) -> Made? {
        listWaiting()
        return byPath[file.location.absolute.key]
    }

    /// Returns the note of the file at an address.
    ///
    /// An address is a path relative to the text's own folder or to the imported folder, with or without extension.
    ///
    /// - Parameter isWhole: whether the address has the extension.
    mutating func note(at address: String, in file: ImportPlan.File, isWhole: Bool = false) -> Made? {
        listWaiting()
        // A text may have thousands of links to missing files; checking the name rules out most of them.
        guard let last = FilePath(address).lastComponent,
            [last.stem, last.string].contains(where: { byName[Folding.key($0)] != nil })
        else { return nil }
        for folder in [file.location.parent, file.root] {
            let path = folder.absolute.pushing(FilePath(address).withoutRoot).lexicallyNormalized()
            for suffix in isWhole ? [""] : ["", ".md"] {
                let candidate = FilePath(path.string + suffix)
                if let made = byPath[candidate.key] ?? byFoldedPath[Folding.key(candidate.string)] { return made }
            }
        }
        return nil
    }

    /// Returns the note whose file `[[target]]` names, with the folders before the name, if any.
    ///
    /// It also returns the name and what follows it: `#heading` or `^block`. If several notes match, it is the one at the
    /// whole path from the imported folder, if folders are named, or else the one in the same folder, or else the one below that with the shortest path, or else the one with the shortest path.
    mutating func note(
        named target: String, in file: ImportPlan.File
    ) -> (made: Made, name: String, anchor: String)? {
        if let made = note(wholly: target, in: file) { return (made, target, "") }
        // Names of files and folders may contain these marks, too, so the longest name comes first.
        let marks = target.indices.filter { target[$0] == "#" || target[$0] == "^" }.prefix(Self.markLimit)
        for end in marks.reversed() where end > target.startIndex {
            let name = String(target[..<end])
            if let made = note(wholly: name, in: file) { return (made, name, String(target[end...])) }
        }
        return nil
    }

    /// The maximum number of `#` and `^` at which a name is assumed to end.
    private static let markLimit = 8

    /// Returns the note whose file a name or path means, if nothing follows it.
    mutating func note(wholly target: String, in file: ImportPlan.File) -> Made? {
        listWaiting()
        // Most links do not name a file, and splitting a path costs far more than splitting a text.
        let last = target.split(separator: "/").last.map(String.init) ?? target
        let stem = last.lastIndex(of: ".").map { String(last[..<$0]) } ?? last
        let found = byName[Folding.key(last)]
        guard found != nil || byName[Folding.key(stem)] != nil else { return nil }
        // A name alone needs no path if one note has it.
        if let found, found.count == 1, last.utf8.count == target.utf8.count { return found[0] }
        let (path, isRooted) = (FilePath(target).withoutRoot, target.hasPrefix("/"))
        // A file may be called `agents.md.md`.
        let whole = note(withoutExtension: path, isRooted, in: file)
        guard whole == nil, ImportPlan.textExtensions.contains(path.lowercasedExtension) else { return whole }
        var bare = path
        bare.extension = nil
        return note(withoutExtension: bare, isRooted, in: file)
    }

    /// Returns the note of the file at a path to which its extension has to be added.
    ///
    /// - Parameter isRooted: whether the path starts from the imported folder, if there is such a file.
    private func note(withoutExtension path: FilePath, _ isRooted: Bool, in file: ImportPlan.File) -> Made? {
        var path = path
        guard let name = path.lastComponent?.string, let found = byName[Folding.key(name)] else { return nil }
        if path.components.first?.kind != .regular {
            // `./` and `../` start from the text's folder.
            let whole = file.location.parent.absolute.pushing(path).lexicallyNormalized()
            let key = Folding.key(whole.string)
            if let exact = found.first(where: { $0.path == key }) { return exact }
            path = FilePath(root: nil, path.components.drop { $0.kind != .regular })
        }
        if isRooted || path.components.count > 1 {
            // The whole path from the imported folder comes before the end of another one.
            let key = Folding.key(file.root.absolute.pushing(path).lexicallyNormalized().string)
            if let exact = found.first(where: { $0.path == key }) { return exact }
        }
        let suffix = "/" + Folding.key(path.string)
        let fitting = path.components.count > 1 ? found.filter { $0.path.hasSuffix(suffix) } : found
        if fitting.count < 2 { return fitting.first }
        let folder = Folding.key(file.location.absolute.parent.string)
        if let beside = fitting.first(where: { $0.folder == folder }) { return beside }
        let below = fitting.filter { $0.path.hasPrefix(folder + "/") }
        return (below.isEmpty ? fitting : below).min { $0.path.utf8.count < $1.path.utf8.count }
    }
}

extension FilePath {
    /// The path without its root, relative to some folder.
    var withoutRoot: FilePath { FilePath(root: nil, components) }
}
