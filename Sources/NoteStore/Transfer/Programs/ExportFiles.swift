import Foundation
import SystemPackage

/// The files of another program's export, in a folder or in an archive.
struct ExportFiles: Sendable {
    let path: FilePath
    /// The paths from the export's root, names joined by `/`, in order.
    let names: [String]
    let problems: [ImportProblem]
    private let archive: ArchiveFiles?
    /// The files by folded name without folders, in order.
    private let byName: [String: [String]]
    private let known: Set<String>

    /// - Parameter problems: those of other parts of the export.
    init(_ archive: ArchiveFiles, problems: [ImportProblem] = []) {
        self.init(archive.path, archive.names, problems + archive.problems, archive)
    }

    /// Lists a folder, without following links.
    ///
    /// - Parameter isDeep: whether to list the folders in it, too; one that cannot be read is a problem.
    init(folder: FilePath, isDeep: Bool = true) throws {
        var names: [String] = []
        var problems: [ImportProblem] = []
        var waiting: [[String]] = [[]]
        while let parts = waiting.popLast() {
            let here = parts.reduce(folder) { $0.appending($1) }
            let found: [FilePath.Component]
            do {
                found = try FolderListing.names(of: here)
            } catch {
                if parts.isEmpty { throw error }
                problems.append(ImportProblem(path: here.string, reason: .init(error)))
                continue
            }
            for name in found where !name.string.hasPrefix(".") {
                let kind = (try? FileStatus(here.appending(name), followsLinks: false))?.kind  // removed meanwhile
                if kind == .folder, isDeep { waiting.append(parts + [name.string]) }
                if kind == .file { names.append((parts + [name.string]).joined(separator: "/")) }
            }
        }
        self.init(folder, names.sorted(), problems, nil)
    }

    private init(_ path: FilePath, _ names: [String], _ problems: [ImportProblem], _ archive: ArchiveFiles?) {
        // In a zip, macOS adds a second file for each one, and hidden files are not notes.
        self.names = names.filter {
            !$0.hasPrefix("__MACOSX/") && !$0.split(separator: "/").contains { $0.hasPrefix(".") }
        }
        (self.path, self.problems, self.archive) = (path, problems, archive)
        known = Set(self.names)
        byName = Dictionary(grouping: self.names) { Folding.key(Self.last($0)) }
    }

    static func last(_ name: String) -> String { name.split(separator: "/").last.map(String.init) ?? name }
    static func folders(_ name: String) -> [String] { name.split(separator: "/").dropLast().map(String.init) }
    static func fileExtension(_ name: String) -> String { FilePath(last(name)).lowercasedExtension }

    func location(_ name: String) -> FilePath { name.split(separator: "/").reduce(path) { $0.appending(String($1)) } }

    func has(_ name: String) -> Bool { known.contains(name) }

    /// Returns the name of the file at a path made by `location`; `nil` if there is none.
    func name(at path: FilePath) -> String? {
        let (path, root) = (path.lexicallyNormalized(), self.path.lexicallyNormalized())
        guard path.starts(with: root), path.components.count > root.components.count else { return nil }
        let name = path.components.dropFirst(root.components.count).map(\.string).joined(separator: "/")
        return known.contains(name) ? name : nil
    }

    /// Returns the file whose name an address in a text in a folder ends with.
    func medium(named address: String, from folder: FilePath) -> FilePath? {
        byName[Folding.key(Self.last(address))].flatMap { folder.nearest(of: $0.map(location), named: address) }
    }

    func read(_ name: String, limit: Int = ImportFile.limit) throws(ImportFailure) -> RegularFile.Content {
        let content: RegularFile.Content
        if let archive {
            content = try archive.read(name, limit: limit)
        } else {
            do {
                content = try RegularFile.read(location(name), limit: limit)
            } catch {
                throw ImportFailure(.init(error))
            }
        }
        if content.isTooLarge { throw ImportFailure(.tooLarge(bytes: content.size, limit: limit)) }
        return content
    }

    func size(_ name: String) -> Int {
        if let archive { return archive.entries[name]?.size ?? 0 }
        return (try? FileStatus(location(name), followsLinks: true))?.size ?? 0  // reading reports it
    }

    func text(_ name: String) throws(ImportFailure) -> (text: String, modified: Date) {
        try ImportFile.text(of: try read(name))
    }

    /// Returns the text of a web page, in the encoding that it declares.
    func page(_ name: String) throws(ImportFailure) -> (text: String, modified: Date) {
        try ImportFile.page(of: try read(name))
    }
}
