import Foundation
import GRDB
import Markdown
import SystemPackage

/// One export, from its first note to its last; one thread uses it.
final class ExportRun {
    let notebook: Notebook
    let folder: ExportFolder
    let path: String
    let options: ExportOptions
    let rows: [NoteRow]
    var result = ExportResult()
    /// The file of each note, as a path from the export's folder.
    private(set) var files: [NoteID: [String]] = [:]
    /// The files of the images that were written; nil for images that are missing or could not be written.
    private var images: [UUID: [String]?] = [:]
    /// The same for files of other kinds, and the names that are in use.
    private var attachments: [UUID: [String]?] = [:]
    private var takenNames: Set<String> = []
    private var numbers: [String: Int] = [:]
    /// The name of each note in links that name files; empty for other formats.
    private(set) var vaultNames = VaultNames([:])
    /// The texts of notes to whose headings links lead.
    var headings: [NoteID: String] = [:]
    private let texts: PreparedTexts
    private lazy var rowsByID = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
    /// The first error during the rewriting of links, where nothing can be thrown.
    private var failure: (any Error)?

    init(
        notebook: Notebook, folder: ExportFolder, path: String, options: ExportOptions, rows: [NoteRow],
        containers: [NoteContainer]
    ) throws(StoreError) {
        texts = try PreparedTexts(notebook, keepsAllLines: options.keepsLines)
        self.notebook = notebook
        self.folder = folder
        self.path = path
        self.options = options
        self.rows = rows
        var folders = FolderNames(containers, areLinkable: options.format == .vault)
        // The names of attachments are counted apart from those of notes.
        var (taken, numbers) = (takenNames, self.numbers)
        if options.format == .site { taken.insert(Folding.key("/" + Self.index)) }
        for row in rows {
            let path = row.folder.map { folders.path(of: $0) } ?? []
            let title = options.format == .vault ? VaultNames.linkable(row.title) : row.title
            let name = SafeName.unique(SafeName(title).name, ending: options.ending, in: path, &taken, &numbers)
            files[row.id] = path + [name]
        }
        (takenNames, self.numbers) = (taken, numbers)
        if options.namesFiles { vaultNames = VaultNames(files) }
    }

    /// Returns a note's text prepared for a page.
    func prepared(_ text: String, of row: NoteRow) -> String { attempt { try texts.text(text, of: row) } ?? text }

    func row(_ id: NoteID) -> NoteRow? { rowsByID[id] }

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
        if options.format == .vault, !result.wasCancelled { try writeVaultSettings() }
        if options.format == .site, !result.wasCancelled { try writeSite() }
        let trashed = try notebook.read { try String.fetchSet($0, sql: "SELECT uuid FROM note WHERE place = 2") }
        do {
            try folder.finish(trashed: result.wasCancelled ? [] : Set(trashed.map { NoteID(stored: $0) }))
        } catch {
            try refuse(error, [ExportMark.name])
        }
    }

    /// Writes a note's file; returns whether it was written.
    private func write(_ note: Note, to file: [String]) throws(StoreError) -> Bool {
        let text =
            switch options.format {
            case .html: page(of: note, in: file)
            case .markdown: markdown(of: note, in: file)
            case .vault: vaultText(of: note, in: file)
            case .site: sitePage(of: note, in: file)
            }
        if let failure {
            self.failure = nil
            throw (failure as? StoreError) ?? .interrupted
        }
        let isText = options.format == .markdown || options.format == .vault
        let row = note.row
        let origin = ExportMark.Origin(
            text: note.content, title: row.title, starred: row.starred, tags: row.handTagNames)
        return try put(
            Array(text.utf8), file, note: note.id, origin: isText ? origin : nil,
            properties: ExportMark.Properties(of: row, formerTitles: isText ? formerTitles(of: row.key) : []))
    }

    private func formerTitles(of note: Int64) throws(StoreError) -> [ExportMark.FormerTitle] {
        try notebook.read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: "SELECT titleKey, date FROM former_title WHERE note = ? ORDER BY date, titleKey"),
                arguments: [note]
            ).compactMap { row in
                // Another program may have written anything into the notebook.
                guard let key = row[0] as String?, let date = row[1] as Int64? else { return nil }
                return ExportMark.FormerTitle(key: key, date: Date(milliseconds: date))
            }
        }
    }

    /// Writes a file, or reports it as one that could not be written; returns whether it was written.
    func put(
        _ bytes: [UInt8], _ file: [String], note: NoteID?, origin: ExportMark.Origin? = nil,
        properties: ExportMark.Properties? = nil
    ) throws(StoreError) -> Bool {
        do {
            try folder.write(bytes, to: file, note: note, origin: origin, properties: properties)
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

    /// Returns the text with links to exported notes and images leading to their files; every other byte stays, also in
    /// code.
    ///
    /// With front matter a link by title finds its note again by the dates of all notes with the title. Without it the
    /// link gets the name of its note's file where another file has the title.
    private func markdown(of note: Note, in file: [String]) -> String {
        var links = LinkEdits(Array(note.content.utf8))
        for destination in Markdown.destinations(in: note.content, withProperties: true) {
            switch destination.kind {
            case .link, .image:
                if let address = address(destination.target, in: file) { links.replace(destination.range, address) }
            case .wikilink, .embed:
                let title = String(destination.target.prefix { $0 != "#" })
                guard options.namesFiles, destination.property == nil, vaultNames.hasFile(named: title),
                    let name = attempt({ try vaultNames.name(for: destination, of: note, in: file, notebook) }) ?? nil
                else { continue }
                links.rename(destination, to: name)
            }
        }
        return options.frontMatter ? NoteProperties(of: note.row).added(to: links.text) : links.text
    }

    // MARK: - HTML

    private func page(of note: Note, in file: [String]) -> String {
        // The addresses are cached, since a note may link to another thousands of times.
        var titles: [String: String] = [:]
        var page = HTMLPage { [self] written in
            switch written {
            case .link(let address), .image(let address): return self.address(address, in: file)
            case .wikilink(let target):
                if let known = titles[target] { return known }
                let found = attempt { try notebook.links.target(of: target, from: note.id) } ?? nil
                // A link to no exported note would lead to a page that is not there.
                let address = found.flatMap { files[$0.note.id] }.map { Self.relative($0, from: file) } ?? ""
                titles[target] = address
                return address
            }
        }
        page.isDownload = isProgram
        return HTMLFrame(title: note.title, style: Self.pageStyle)
            .page(Markdown.html(prepared(note.content, of: note.row), for: page))
    }

    private static let pageStyle = """
        <style>body { max-width: 40em; margin: 2em auto; padding: 0 1em; font-family: sans-serif; line-height: 1.5 }</style>
        """

    // MARK: - Addresses

    /// Returns the relative address, from `file`, of the file for a notebook address; nil for any other address.
    func address(_ written: String, in file: [String]) -> String? {
        guard let target = TakeNoteURL(written) else { return nil }
        let found: [String]?
        switch target.kind {
        case .note: found = files[NoteID(target.uuid)]
        case .image: found = attempt { try image(target.uuid) } ?? nil
        case .file: found = attempt { try attachment(target.uuid) } ?? nil
        }
        return found.map { Self.relative($0, from: file) + target.rest }
    }

    /// Writes an image or a file, and returns its path from the export's folder; nil for any other address.
    ///
    /// - Parameter name: the name that an image's file gets if it has none yet and the name suits it.
    func imageFile(_ written: String, called name: String) -> [String]? {
        guard let target = TakeNoteURL(written), target.rest.isEmpty || target.kind == .file else { return nil }
        switch target.kind {
        case .note: return nil
        case .image: return attempt { try image(target.uuid, called: name) } ?? nil
        case .file: return attempt { try attachment(target.uuid) } ?? nil
        }
    }

    /// Whether an address is that of a file whose scripts a browser would run if it opened it.
    func isProgram(_ written: String) -> Bool {
        guard TakeNoteURL(written)?.kind == .file, let name = imageFile(written, called: "")?.last else { return false }
        return Self.endingsOfPrograms.contains(FilePath(name).extension?.lowercased() ?? "")
    }

    /// The endings of HTML, of SVG, and of XML, in which both can stand.
    private static let endingsOfPrograms: Set<String> = [
        "htm", "html", "shtml", "xht", "xhtml", "svg", "svgz", "xml", "xsl", "rdf", "rss", "atom",
    ]

    static func relative(_ target: [String], from file: [String]) -> String {
        let address = String(repeating: "../", count: file.count - 1) + target.joined(separator: "/")
        return LinkRewriter.address(of: address)
    }

    func attempt<Result>(_ body: () throws -> Result) -> Result? {
        do {
            return try body()
        } catch {
            failure = failure ?? error
            return nil
        }
    }

    private func image(_ uuid: UUID, called wanted: String = "") throws(StoreError) -> [String]? {
        if let known = images[uuid] { return known }
        var file: [String]?
        if let image = try notebook.images.load(uuid) {
            func isName(_ name: String) -> Bool {
                NoteImage.MimeType(ofFile: name) == image.mimeType && SafeName.ofFile(name) == name
            }
            let wanted = try isName(wanted) ? wanted : notebook.images.fileName(of: image) ?? ""
            let isName = isName(wanted)
            let stem = isName ? FilePath(wanted).stem ?? wanted : uuid.uuidString
            let ending = isName ? String(wanted.dropFirst(stem.count)) : ".\(image.mimeType.fileExtension)"
            let name = [
                options.imageFolder,
                isName
                    ? SafeName.unique(stem, ending: ending, in: [options.imageFolder], &takenNames, &numbers)
                    : stem + ending,
            ]
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
                parts.stem ?? file.name, ending: ending, in: [options.fileFolder], &takenNames, &numbers)
            if try put(Array(data), [options.fileFolder, name], note: nil) {
                written = [options.fileFolder, name]
                result.fileCount += 1
            }
        }
        attachments[uuid] = .some(written)
        return written
    }
}
