import Foundation

/// What an export has written.
public struct ExportResult: Equatable, Sendable {
    public var noteCount = 0
    public var imageCount = 0
    /// The files written, relative to the folder of the export, in the order of the notes.
    public var paths: [String] = []
    public var problems: [ImportProblem] = []
    public var wasCancelled = false
}

/// How an export is to be done.
public struct ExportOptions: Sendable {
    /// Puts title, tags, dates and identity before each text; an import takes them off again.
    public var frontMatter: Bool
    /// Called after each note with the notes done and all of them; false stops the export.
    public var progress: @Sendable (_ done: Int, _ all: Int) -> Bool

    public init(
        frontMatter: Bool = false,
        progress: @escaping @Sendable (_ done: Int, _ all: Int) -> Bool = { _, _ in true }
    ) {
        self.frontMatter = frontMatter
        self.progress = progress
    }
}

extension Notebook {
    /// Writes notes as Markdown files into folders that mirror the notebook's, images beside them in `images`, links to
    /// exported notes and images as relative ones.
    ///
    /// Names are safe on any file system and stay inside `folder`. A file's modification date is the note's.
    ///
    /// - Parameter ids: `nil`: all that is live or archived.
    public func export(
        _ ids: [NoteID]? = nil, to folder: String, _ options: ExportOptions = ExportOptions()
    ) throws(StoreError) -> ExportResult {
        let rows: [NoteRow]
        if let ids {
            rows = try self.rows(ids)
        } else {
            rows = try read { try NoteRow.fetch($0, "WHERE note.place IN (0, 1) ORDER BY note.id") }
        }
        var run = try ExportRun(notebook: self, folder: folder, options: options, rows: rows)
        try run.write()
        return run.result
    }

    /// Writes the notes of a folder and of all below it.
    public func export(
        folder container: ContainerID, to folder: String, _ options: ExportOptions = ExportOptions()
    ) throws(StoreError) -> ExportResult {
        let ids = try read { db in
            try NoteRow.fetch(
                db,
                """
                WHERE note.folder IN (WITH RECURSIVE below(id) AS (SELECT id FROM container WHERE uuid = ? UNION
                    SELECT container.id FROM container JOIN below ON container.parent = below.id)
                    SELECT id FROM below) ORDER BY note.id
                """, [container.description]
            ).map(\.id)
        }
        return try export(ids, to: folder, options)
    }
}

private struct ExportRun {
    let notebook: Notebook
    let folder: String
    let options: ExportOptions
    let rows: [NoteRow]
    var result = ExportResult()
    /// The file of each note, relative to the folder.
    private var files: [NoteID: String] = [:]
    private var images: [UUID: String] = [:]

    init(notebook: Notebook, folder: String, options: ExportOptions, rows: [NoteRow]) throws(StoreError) {
        self.notebook = notebook
        self.folder = folder
        self.options = options
        self.rows = rows
        var folders = FolderNames(try notebook.containers())
        var taken: Set<String> = []
        for row in rows {
            let path = row.folder.map { folders.path(of: $0) } ?? []
            let name = SafeName.unique(SafeName(row.title).name, ending: ".md", in: path, &taken)
            files[row.id] = (path + [name]).joined(separator: "/")
        }
    }

    mutating func write() throws(StoreError) {
        for (index, row) in rows.enumerated() {
            guard let path = files[row.id], let note = try notebook.note(row.id) else { continue }
            do {
                try write(note, to: path)
                result.noteCount += 1
                result.paths.append(path)
            } catch let error as StoreError {
                result.problems.append(ImportProblem(path: path, reason: .store(error)))
            } catch {
                result.problems.append(ImportProblem(path: path, reason: .unreadable(errno: EIO)))
            }
            if !options.progress(index + 1, rows.count), index + 1 < rows.count {
                result.wasCancelled = true
                return
            }
        }
    }

    private mutating func write(_ note: Note, to path: String) throws {
        let depth = path.utf8.count(where: { $0 == UInt8(ascii: "/") })
        let text = try relinked(note.content, up: String(repeating: "../", count: depth))
        let file = URL(fileURLWithPath: folder).appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let whole = options.frontMatter ? Self.frontMatter(of: note.row) + text : text
        try Data(whole.utf8).write(to: file, options: .atomic)
        try FileManager.default.setAttributes([.modificationDate: note.row.updatedDate], ofItemAtPath: file.path)
    }

    // MARK: - Links

    /// Links to exported notes and to images lead to their files; every other byte stays.
    private mutating func relinked(_ text: String, up: String) throws -> String {
        guard text.utf8.contains(UInt8(ascii: ":")), text.range(of: "takenote://", options: .caseInsensitive) != nil
        else { return text }
        var result = ""
        var rest = text[...]
        while let scheme = rest.range(of: "takenote://", options: .caseInsensitive) {
            result += rest[..<scheme.lowerBound]
            let (url, target) = try file(of: rest[scheme.lowerBound...])
            result += target.map { up + Self.encoded($0) } ?? String(url)
            rest = rest[url.endIndex...]
        }
        return result + rest
    }

    /// The URL at the start, and the file that it means.
    private mutating func file(of text: Substring) throws -> (url: Substring, file: String?) {
        let url = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || ":/-".contains($0)) }
        let parts = url.split(separator: "/")
        guard parts.count == 3, let uuid = UUID(uuidString: String(parts[2])) else { return (url, nil) }
        switch parts[1].lowercased() {
        case "note": return (url, files[NoteID(uuid)])
        case "image": return (url, try image(uuid))
        default: return (url, nil)
        }
    }

    private mutating func image(_ uuid: UUID) throws -> String? {
        if let known = images[uuid] { return known }
        guard let image = try notebook.image(uuid) else { return nil }
        let path = "images/\(uuid.uuidString).\(image.mimeType.fileExtension)"
        let file = URL(fileURLWithPath: folder).appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try image.imageData.write(to: file, options: .atomic)
        images[uuid] = path
        result.imageCount += 1
        return path
    }

    private static func encoded(_ path: String) -> String {
        var allowed = CharacterSet.urlPathAllowed
        // They would end a Markdown destination.
        allowed.remove(charactersIn: "()<>")
        return path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
    }

    private static func frontMatter(of row: NoteRow) -> String {
        var lines = ["---", "title: \(quoted(row.title))"]
        if !row.tagNames.isEmpty { lines.append("tags: [\(row.tagNames.map(quoted).joined(separator: ", "))]") }
        if row.starred { lines.append("starred: true") }
        lines.append("created: \(row.createdDate.timestamp)")
        lines.append("updated: \(row.updatedDate.timestamp)")
        lines.append("\(ImportFile.identityKey): \(row.id)")
        return lines.joined(separator: "\n") + "\n---\n"
    }

    private static func quoted(_ text: String) -> String { "\"\(text)\"" }
}

/// The paths of containers as folders of files.
private struct FolderNames {
    private let containers: [ContainerID: NoteContainer]
    private var paths: [ContainerID: [String]] = [:]
    private var taken: Set<String> = []

    init(_ all: [NoteContainer]) {
        containers = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
    }

    mutating func path(of id: ContainerID) -> [String] {
        if let known = paths[id] { return known }
        guard let container = containers[id] else { return [] }
        let above = container.parent.map { path(of: $0) } ?? []
        let name = SafeName.unique(SafeName(container.name).name, ending: "", in: above, &taken)
        paths[id] = above + [name]
        return above + [name]
    }
}

/// A name for a file that every file system takes and that cannot leave its folder.
struct SafeName {
    let name: String

    /// Bytes: most file systems take 255; the ending and a number need room.
    private static let longest = 120

    /// What Windows keeps for itself, with any ending.
    private static let reserved: Set<String> = Set(
        ["con", "prn", "aux", "nul"] + (1...9).flatMap { ["com\($0)", "lpt\($0)"] })

    init(_ title: String) {
        var result = ""
        for character in title.precomposedStringWithCanonicalMapping {
            let isForbidden = "/\\:*?\"<>|".contains(character)
            // Those that turn the direction make one name look like another.
            let isControl = character.unicodeScalars.contains {
                $0.properties.generalCategory == .control || $0.properties.isBidiControl
            }
            let next = isForbidden || isControl ? "-" : String(character)
            if result.utf8.count + next.utf8.count > Self.longest { break }
            result += next
        }
        result = result.trimmingCharacters(in: CharacterSet(charactersIn: ". \t"))
        if result.isEmpty { result = "Untitled" }
        if Self.reserved.contains(result.lowercased().split(separator: ".").first.map(String.init) ?? "") {
            result = "_" + result
        }
        name = result
    }

    /// The name with the first free number, compared without case as some file systems do.
    static func unique(_ name: String, ending: String, in folder: [String], _ taken: inout Set<String>) -> String {
        var candidate = name + ending
        var number = 2
        while !taken.insert(Folding.key((folder + [candidate]).joined(separator: "/"))).inserted {
            candidate = "\(name) \(number)\(ending)"
            number += 1
        }
        return candidate
    }
}
