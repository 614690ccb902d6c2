import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The files that an import would take, found without changing anything.
public struct ImportPlan: Equatable, Sendable {
    /// One text that becomes one note.
    public struct File: Equatable, Sendable {
        /// The file's path, as it is shown and identified; if the file has several texts, with the note's name.
        public let path: String
        /// The sub-folders between the given path and the file.
        public let folders: [String]
        /// The file itself.
        let location: FilePath
        /// The given folder, from which links in the text may start.
        let root: FilePath
        /// The name of the given folder; nil for a file that was given by itself, and in an export of this program.
        private(set) var rootName: String?
        /// The index of the text, if the file has several.
        var index = 0
        /// The entry that an export recorded for this file.
        var exported: ExportMark.Entry?
        /// Whether the number at the end of its name only tells it from another exported file beside it.
        private(set) var isNumbered = false

        /// Returns the file with the knowledge whether it is as an export wrote it.
        func found(isUnchanged: Bool) -> File {
            var file = self
            file.exported?.isUnchanged = isUnchanged
            return file
        }

        /// Returns the folders below `target` into which the note goes.
        ///
        /// A given folder becomes a folder of its name, unless the user has named the folder to import into.
        func folders(below target: ContainerID?) -> [String] {
            (target == nil ? [rootName].compactMap(\.self) : []) + folders
        }

        /// The file name without its extension: the title, if the file gives no other.
        public var name: String { location.stem ?? location.lastComponent?.string ?? "" }

        init(
            _ location: FilePath, folders: [String] = [], root: FilePath? = nil, rootName: String? = nil,
            exported: ExportMark.Entry? = nil, isNumbered: Bool = false
        ) {
            path = location.string
            self.folders = folders
            self.location = location
            self.root = root ?? location.parent
            self.rootName = rootName
            self.exported = exported
            self.isNumbered = isNumbered
        }

        /// Makes a text inside an archive or another file, with the path that it would have if that were a folder.
        init(named name: String, at location: FilePath, in root: FilePath, folders: [String]) {
            path = root.string + "/" + name
            self.folders = folders
            self.location = location
            self.root = root
        }

        /// Makes one of several texts in a file.
        init(text index: Int, of location: FilePath, named path: String, folders: [String]) {
            self.path = path
            self.folders = folders
            self.location = location
            self.index = index
            root = location.parent
        }
    }

    public private(set) var files: [File] = []
    public private(set) var problems: [ImportProblem] = []
    /// All other files in the folders, by their folded names, in the order in which they were found.
    private(set) var media: [String: [FilePath]] = [:]

    /// All other files in the folders, in the order in which they were found, without those that an export has written.
    private(set) var others: [FilePath] = []

    /// The documents of other programs among them.
    private(set) var documents: [File] = []

    /// The web pages of the folder that is being searched.
    private var pages: [File] = []

    /// The extensions of files that become notes.
    public static let textExtensions: Set = ["md", "markdown", "txt"]
    /// The extensions of web pages, which become notes if they are given, or if their folder contains no text files.
    static let pageExtensions: Set = ["html", "htm"]
    /// The extensions of documents that Obsidian lists as it does notes: whiteboards, tables of notes and drawings.
    static let documentExtensions: Set = ["canvas", "base", "excalidraw"]

    /// Makes a plan of files that were found in another way.
    init(files: [File], problems: [ImportProblem] = []) {
        self.files = files
        self.problems = problems
    }

    /// Finds files: those given, and those in the given folders and their sub-folders, in the order of their names.
    ///
    /// It skips hidden files. It also skips, and reports, links that lead out of the given folder: a link may lead to a
    /// whole disk, or to a file that is not a note. Links to folders inside it are skipped, since these folders are
    /// searched themselves.
    public init(paths: [String]) {
        var marks: [FilePath: ExportMark] = [:]
        for path in paths {
            let location = FilePath(path)
            do {
                let status = try FileStatus(location, followsLinks: true)
                if status.kind == .folder {
                    addTree(location, in: Self.mark(above: location, &marks))
                } else if Self.textExtensions.contains(location.lowercasedExtension) {
                    files.append(Self.file(location, in: Self.mark(above: location, &marks)))
                } else if Self.pageExtensions.contains(location.lowercasedExtension) {
                    files.append(File(location))
                } else {
                    problems.append(ImportProblem(path: path, reason: .unknownKind))
                }
            } catch {
                let reason = error == .noSuchFileOrDirectory ? .notFound : ImportProblem.Reason(error)
                problems.append(ImportProblem(path: path, reason: reason))
            }
        }
    }

    /// Takes those of the other files that become notes in another way.
    mutating func takeOthers(where isTaken: (FilePath) -> Bool) -> [FilePath] {
        let taken = others.filter(isTaken)
        let known = Set(taken)
        others.removeAll(where: known.contains)
        return taken
    }

    /// The mark of an export, and the path from the mark's folder to a folder in it.
    private typealias Mark = (entries: ExportMark, path: [String])

    /// Returns the mark of the export in which a given file or folder is.
    ///
    /// - Parameter known: the marks read so far by their folders, since thousands of files may be given.
    private static func mark(above path: FilePath, _ known: inout [FilePath: ExportMark]) -> Mark? {
        var folder = path.absolute.parent
        var names: [String] = []
        while true {
            if let mark = known[folder] ?? ExportMark(in: folder) {
                known[folder] = mark
                return (mark, names.reversed())
            }
            guard let last = folder.lastComponent else { return nil }
            names.append(last.string)
            folder.removeLastComponent()
        }
    }

    /// Makes a file that was given by itself.
    private static func file(_ location: FilePath, in mark: Mark?) -> File {
        guard let mark, let name = location.lastComponent?.string else { return File(location) }
        let exported = mark.entries.importing((mark.path + [name]).joined(separator: "/"), isOfPart: true)
        return File(location, exported: exported, isNumbered: exported != nil && isNumbered(name, in: mark))
    }

    /// A folder that is still to be searched.
    private struct Folder {
        let path: FilePath
        let names: [String]
        let rootName: String?
        /// The mark of the export whose files are here and below.
        var mark: Mark?
        /// Whether the mark is that of a folder above the given one.
        var isPart = false
    }

    /// Adds the files in a folder and its sub-folders.
    ///
    /// A folder's own files and folders come in the order of their names, so its contents are searched before the
    /// folders that are waiting.
    private mutating func addTree(_ root: FilePath, in outer: Mark?) {
        // An export of this program contains the notebook's own folders.
        let mark = root.appending(ExportMark.name)
        let isExport = (try? FileStatus(mark, followsLinks: false)) != nil  // no mark: no export
        let rootName = isExport ? nil : root.absolute.lastComponent?.string
        let name = root.absolute.lastComponent?.string
        let around = outer.flatMap { mark in name.map { (mark.entries, mark.path + [$0]) } }
        var waiting: [Step] = [.folder(Folder(path: root, names: [], rootName: rootName, mark: around, isPart: true))]
        // A folder that is mounted inside itself appears again under another name.
        var seen: Set<FileStatus.Identity> = []
        let count = files.count
        pages = []
        defer { if files.count == count { files += pages } }
        while let step = waiting.popLast() {
            switch step {
            case .file(let file): files.append(file)
            case .folder(let folder): waiting += steps(in: folder, root, &seen).reversed()
            }
        }
    }

    private enum Step {
        case file(File)
        case folder(Folder)
    }

    private mutating func steps(
        in folder: Folder, _ root: FilePath, _ seen: inout Set<FileStatus.Identity>
    ) -> [Step] {
        var folder = folder
        do {
            guard seen.insert(try FileStatus(folder.path, followsLinks: true).identity).inserted else { return [] }
            let names = try FolderListing.names(of: folder.path)
            if names.contains(where: { $0.string == ExportMark.name }), let mark = ExportMark(in: folder.path) {
                (folder.mark, folder.isPart) = ((mark, []), false)
            }
            return names.compactMap { step($0, in: folder, root) }
        } catch {
            problems.append(ImportProblem(path: folder.path.string, reason: .init(error)))
            return []
        }
    }

    private mutating func step(_ name: FilePath.Component, in folder: Folder, _ root: FilePath) -> Step? {
        let text = name.string
        if text.hasPrefix(".") { return nil }
        let path = folder.path.appending(name)
        let fileExtension = path.lowercasedExtension
        let exported = folder.mark.flatMap { mark in
            mark.entries.importing((mark.path + [text]).joined(separator: "/"), isOfPart: folder.isPart)
        }
        // An export records which of its files are not notes, whatever they are called.
        let isAttached = exported.map { $0.note == nil } ?? false
        if Self.textExtensions.contains(fileExtension), !isAttached {
            // A folder may have such a name too.
            let kind = (try? FileStatus(path, followsLinks: true))?.kind  // reading reports it
            if kind != .folder {
                if kind == .file, isLink(path), path.leavesFolder(of: root) {
                    problems.append(ImportProblem(path: path.string, reason: .linkOutside))
                    return nil
                }
                return .file(
                    File(
                        path, folders: folder.names, root: root, rootName: folder.rootName, exported: exported,
                        isNumbered: exported != nil && folder.mark.map { Self.isNumbered(text, in: $0) } ?? false))
            }
        }
        let kind = kind(of: path)
        if kind == .folder {
            let mark = folder.mark.map { ($0.entries, $0.path + [text]) }
            let (names, isPart) = (folder.names + [text], folder.isPart)
            return .folder(Folder(path: path, names: names, rootName: folder.rootName, mark: mark, isPart: isPart))
        }
        if kind == .file, Self.pageExtensions.contains(fileExtension), !isAttached {
            pages.append(File(path, folders: folder.names, root: root, rootName: folder.rootName))
        }
        if kind == .file, Self.documentExtensions.contains(fileExtension), exported == nil {
            documents.append(File(path, folders: folder.names, root: root, rootName: folder.rootName))
        }
        recordOther(path, of: kind, isExported: exported != nil, root)
        return nil
    }

    /// Records a file that is neither a note nor a folder.
    private mutating func recordOther(_ path: FilePath, of kind: FileStatus.Kind?, isExported: Bool, _ root: FilePath) {
        let name = path.lastComponent?.string ?? ""
        switch kind {
        case .link:
            if !path.leavesFolder(of: root) {
                addMedium(path, named: name)
            } else if leavesFolder(path, of: root) {
                problems.append(ImportProblem(path: path.string, reason: .linkToFolder))
            } else {
                others.append(path)
            }
        case .file:
            addMedium(path, named: name)
            if !isExported { others.append(path) }
        case .other: others.append(path)
        case .folder, nil: break
        }
    }

    /// Returns the kind of what lies at a path, or `nil` if it was removed meanwhile or cannot be looked at.
    private mutating func kind(of path: FilePath) -> FileStatus.Kind? {
        do {
            return try FileStatus(path, followsLinks: false).kind
        } catch .noSuchFileOrDirectory {
            return nil
        } catch {
            // The path may be longer than the system allows, and there may be notes below it.
            problems.append(ImportProblem(path: path.string, reason: .init(error)))
            return nil
        }
    }

    /// Whether a name is another exported file's name beside it with a number.
    private static func isNumbered(_ name: String, in mark: Mark) -> Bool {
        guard let gap = FilePath(name).stem?.lastIndex(of: " "),
            Int(FilePath(name).stem?[gap...].dropFirst() ?? "") != nil
        else { return false }
        let ending = FilePath(name).extension.map { "." + $0 } ?? ""
        return mark.entries.hasNote(at: (mark.path + [String(name[..<gap]) + ending]).joined(separator: "/"))
    }

    private mutating func addMedium(_ path: FilePath, named name: String) {
        media[Folding.key(name), default: []].append(path)
    }

    /// Whether the path itself is a link; folders are never entered through one.
    private func isLink(_ path: FilePath) -> Bool {
        (try? FileStatus(path, followsLinks: false))?.kind == .link  // removed meanwhile
    }

    /// Whether a link leads to a folder that is not in `root`.
    private func leavesFolder(_ link: FilePath, of root: FilePath) -> Bool {
        (try? FileStatus(link, followsLinks: true))?.kind == .folder && link.leavesFolder(of: root)  // a broken link
    }

    /// Whether the path is a text, or a folder with a text, a web page or an export of Evernote among the first names
    /// found in it.
    ///
    /// - Parameter limit: the maximum number of names that are examined.
    public static func hasFiles(_ path: String, among limit: Int = 2000) -> Bool {
        let path = FilePath(path)
        guard let status = try? FileStatus(path, followsLinks: true) else { return false }  // the path does not exist
        if status.kind != .folder { return textExtensions.contains(path.lowercasedExtension) }
        let found = textExtensions.union(pageExtensions).union(["enex"])
        var folders = [path]
        var left = limit
        while let folder = folders.popLast() {
            let names = (try? FolderListing.names(of: folder)) ?? []  // an unreadable folder has nothing to import
            for name in names where !name.string.hasPrefix(".") {
                left -= 1
                if left < 0 { return false }
                let path = folder.appending(name)
                if found.contains(path.lowercasedExtension) { return true }
                if (try? FileStatus(path, followsLinks: false))?.kind == .folder { folders.append(path) }  // removed
            }
        }
        return false
    }
}

extension FilePath {
    /// The extension of the last name in lower case, without its dot.
    var lowercasedExtension: String { self.extension?.lowercased() ?? "" }

    /// Whether a path in a folder leads out of that folder through a link.
    func leavesFolder(of folder: FilePath) -> Bool {
        guard let target = resolved, let folder = folder.resolved else { return false }
        return !target.starts(with: folder)
    }

    /// The path with all links resolved; nil if it does not exist.
    var resolved: FilePath? {
        guard let path = withPlatformString({ realpath($0, nil) }) else { return nil }
        defer { free(path) }
        return FilePath(platformString: path)
    }
}
