import Foundation
import Markdown
import SystemPackage

/// The result of an export.
public struct ExportResult: Equatable, Sendable {
    public var noteCount = 0
    public var imageCount = 0
    /// Files of other kinds.
    public var fileCount = 0
    /// The files written, relative to the folder of the export, in the order of the notes.
    public var paths: [String] = []
    public var problems: [ImportProblem] = []
    public var wasCancelled = false
}

/// The options of an export.
public struct ExportOptions: Sendable {
    public enum Format: Sendable {
        case markdown
        /// Pages that are safe to open and link to each other.
        case html
    }

    public var format: Format
    /// Puts title, tags, dates and identity before each text; an import removes them again.
    public var frontMatter: Bool
    /// Allows a folder that holds other things as well; these stay as they are.
    public var force: Bool
    /// Called after each note with the number of notes done and of all notes; false stops the export.
    public var progress: @Sendable (_ done: Int, _ all: Int) -> Bool

    public init(
        format: Format = .markdown, frontMatter: Bool = false, force: Bool = false,
        progress: @escaping @Sendable (_ done: Int, _ all: Int) -> Bool = { _, _ in true }
    ) {
        self.format = format
        self.frontMatter = frontMatter
        self.force = force
        self.progress = progress
    }
}

extension Notebook.Transfer {
    /// Writes notes as Markdown files or HTML pages into folders that mirror the notebook's.
    ///
    /// Images go into `images` beside them, other files into `files`, and links to exported notes and images become relative. The folder is new,
    /// empty, one of an earlier export, or allowed by `force`. A file that no export wrote, or that has changed since,
    /// stays as it is and is named in the result. Names are safe on any file system and stay inside `folder`. A file's
    /// modification date is the note's.
    ///
    /// - Parameter ids: `nil` means all live and archived notes.
    public func export(
        _ ids: [NoteID]? = nil, to folder: String, _ options: ExportOptions = ExportOptions()
    ) throws(StoreError) -> ExportResult {
        let rows: [NoteRow]
        if let ids {
            rows = try notebook.notes.rows(ids)
        } else {
            rows = try notebook.read { try NoteRow.fetch($0, "WHERE note.place IN (0, 1) ORDER BY note.id") }
        }
        let run = ExportRun(
            notebook: notebook, folder: try ExportFolder(folder, force: options.force), path: folder, options: options,
            rows: rows, containers: try notebook.containers.all())
        try run.write()
        return run.result
    }

    /// Writes the notes of a folder and of everything below it.
    public func export(
        folder container: ContainerID, to folder: String, _ options: ExportOptions = ExportOptions()
    ) throws(StoreError) -> ExportResult {
        let ids = try notebook.read { db in
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

/// One export, from its first note to its last; one thread uses it.
private final class ExportRun {
    let notebook: Notebook
    let folder: ExportFolder
    let path: String
    let options: ExportOptions
    let rows: [NoteRow]
    var result = ExportResult()
    /// The file of each note, as names from the export's folder.
    private var files: [NoteID: [String]] = [:]
    /// The files of the images written; nil for those that the notebook lacks or that could not be written.
    private var images: [UUID: [String]?] = [:]
    /// The same for files of other kinds, and the names that these have taken.
    private var attachments: [UUID: [String]?] = [:]
    private var takenNames: Set<String> = []
    private var numbers: [String: Int] = [:]
    /// The first error while links were rewritten, where nothing can be thrown.
    private var failure: (any Error)?

    init(
        notebook: Notebook, folder: ExportFolder, path: String, options: ExportOptions, rows: [NoteRow],
        containers: [NoteContainer]
    ) {
        self.notebook = notebook
        self.folder = folder
        self.path = path
        self.options = options
        self.rows = rows
        var folders = FolderNames(containers)
        var taken: Set<String> = []
        var numbers: [String: Int] = [:]
        let ending = options.format == .html ? ".html" : ".md"
        for row in rows {
            let path = row.folder.map { folders.path(of: $0) } ?? []
            let name = SafeName.unique(SafeName(row.title).name, ending: ending, in: path, &taken, &numbers)
            files[row.id] = path + [name]
        }
    }

    func write() throws(StoreError) {
        for (index, row) in rows.enumerated() {
            guard let file = files[row.id], let note = try notebook.notes.load(row.id) else { continue }
            if try write(note, to: file) {
                result.noteCount += 1
                result.paths.append(file.joined(separator: "/"))
            }
            if !options.progress(index + 1, rows.count), index + 1 < rows.count {
                result.wasCancelled = true
                break
            }
        }
        do {
            try folder.finish()
        } catch {
            try refuse(error, [ExportMark.name])
        }
    }

    /// Writes a note's file; returns whether it was written.
    private func write(_ note: Note, to file: [String]) throws(StoreError) -> Bool {
        let text = options.format == .html ? page(of: note, in: file) : markdown(of: note, in: file)
        if let failure {
            self.failure = nil
            throw (failure as? StoreError) ?? .interrupted
        }
        return try put(Array(text.utf8), file, note: note.id, modified: note.row.updatedDate)
    }

    /// Writes a file, or reports it as one that could not be written; returns whether it was written.
    private func put(
        _ bytes: [UInt8], _ file: [String], note: NoteID?, modified: Date? = nil
    ) throws(StoreError) -> Bool {
        do {
            try folder.write(bytes, to: file, note: note, modified: modified)
            return true
        } catch {
            try refuse(error, file)
            return false
        }
    }

    private func refuse(_ refusal: ExportFolder.Refusal, _ file: [String]) throws(StoreError) {
        if let error = ExportFolder.fatalError(refusal, at: path) { throw error }
        let name = path + "/" + file.joined(separator: "/")
        switch refusal {
        case .notOurs: result.problems.append(ImportProblem(path: name, reason: .notOurs))
        case .system(let error):
            result.problems.append(
                ImportProblem(path: name, reason: .unwritable(errno: error.rawValue)))
        }
    }

    // MARK: - Markdown

    /// The text with links to exported notes and images leading to their files; every other byte stays, also in code.
    private func markdown(of note: Note, in file: [String]) -> String {
        let text = LinkRewriter.rewritten(note.content) { destination in
            guard destination.kind == .link || destination.kind == .image else { return nil }
            return address(destination.target, in: file)
        }
        return options.frontMatter ? Self.frontMatter(of: note.row) + text : text
    }

    private static func frontMatter(of row: NoteRow) -> String {
        let quoted = YAMLText.quoted
        var lines = ["---", "title: \(quoted(row.title))"]
        // The others stand in the text, and an import finds them there.
        let tags = row.handTagNames.map(quoted)
        if !tags.isEmpty { lines.append("tags: [\(tags.joined(separator: ", "))]") }
        if row.starred { lines.append("starred: true") }
        lines.append("created: \(row.createdDate.timestamp)")
        lines.append("updated: \(row.updatedDate.timestamp)")
        lines.append("\(ImportFile.identityKey): \(row.id)")
        return lines.joined(separator: "\n") + "\n---\n"
    }

    // MARK: - HTML

    private func page(of note: Note, in file: [String]) -> String {
        // The addresses are cached, since a note may link to another thousands of times.
        var titles: [String: String?] = [:]
        let page = HTMLPage { [self] written in
            switch written {
            case .link(let address), .image(let address): return self.address(address, in: file)
            case .wikilink(let target):
                if let known = titles[target] { return known }
                let found = attempt { try notebook.transfer.note(linked: target, from: note.id) } ?? nil
                let address = found.flatMap { files[$0] }.map { Self.relative($0, from: file) }
                titles[target] = .some(address)
                return address
            }
        }
        return Self.document(note.title, Markdown.html(note.content, for: page))
    }

    private static func document(_ title: String, _ body: String) -> String {
        let title = title.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        return """
            <!DOCTYPE html>
            <html>
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="script-src 'none'; object-src 'none'">
            <meta name="viewport" content="width=device-width">
            <title>\(title)</title>
            <style>body { max-width: 40em; margin: 2em auto; padding: 0 1em; font-family: sans-serif; line-height: 1.5 }</style>
            </head>
            <body>
            \(body)</body>
            </html>

            """
    }

    // MARK: - Addresses

    /// The relative address, from `file`, of the file that a notebook address means; nil for any other address.
    private func address(_ written: String, in file: [String]) -> String? {
        guard let target = TakeNoteURL(written) else { return nil }
        let found: [String]?
        switch target.kind {
        case .note: found = files[NoteID(target.uuid)]
        case .image: found = attempt { try image(target.uuid) } ?? nil
        case .file: found = attempt { try attachment(target.uuid) } ?? nil
        }
        return found.map { Self.relative($0, from: file) + target.rest }
    }

    private static func relative(_ target: [String], from file: [String]) -> String {
        let address = String(repeating: "../", count: file.count - 1) + target.joined(separator: "/")
        return LinkRewriter.address(of: address)
    }

    private func attempt<Result>(_ body: () throws -> Result) -> Result? {
        do {
            return try body()
        } catch {
            failure = failure ?? error
            return nil
        }
    }

    private func image(_ uuid: UUID) throws(StoreError) -> [String]? {
        if let known = images[uuid] { return known }
        var file: [String]?
        if let image = try notebook.images.load(uuid) {
            let name = ["images", "\(uuid.uuidString).\(image.mimeType.fileExtension)"]
            if try put(Array(image.imageData), name, note: nil) {
                file = name
                result.imageCount += 1
            }
        }
        images[uuid] = .some(file)
        return file
    }

    private func attachment(_ uuid: UUID) throws(StoreError) -> [String]? {
        if let known = attachments[uuid] { return known }
        var written: [String]?
        if let file = try notebook.attachments.load(uuid), let data = try notebook.attachments.data(of: uuid) {
            let parts = FilePath(file.name)
            let ending = parts.extension.map { "." + $0 } ?? ""
            let name = SafeName.unique(
                parts.stem ?? file.name, ending: ending, in: ["files"], &takenNames,
                &numbers)
            if try put(Array(data), ["files", name], note: nil) {
                written = ["files", name]
                result.fileCount += 1
            }
        }
        attachments[uuid] = .some(written)
        return written
    }
}

extension Notebook.Transfer {
    /// The note that `[[target]]` in a note means, with or without a heading or block after the title.
    fileprivate func note(linked target: String, from source: NoteID) throws(StoreError) -> NoteID? {
        if let note = try notebook.links.note(titled: target, from: source) { return note.id }
        guard let end = target.firstIndex(where: { $0 == "#" || $0 == "^" }), end > target.startIndex else {
            return nil
        }
        return try notebook.links.note(titled: String(target[..<end]), from: source)?.id
    }
}
