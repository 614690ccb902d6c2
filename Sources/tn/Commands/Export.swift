import ArgumentParser
import Foundation
import NoteStore
import SystemPackage

/// The command `tn export`: writes notes to files.
struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export notes as Markdown, a vault, a web site, a book, or the whole notebook as JSON.",
        usage: "tn export <dir> [<ref> ...] [<options>]",
        discussion: """
            Folders become folders, images lie beside the notes, and links lead to the exported files. Without \
            --front-matter each file has exactly the text of its note. The folder is new, empty, or that of an earlier \
            export, whose files are brought up to date; what somebody else wrote or changed there is left as it is. \
            HTML pages run nothing that a note contains; --site adds a list of all notes, and to each page what \
            links to it. With --manuscript a project or folder becomes one work in its order: a title page with the \
            number of words, folders as chapters, and their notes as scenes. The ending of its file says what it is: \
            .md, .html, .epub, or .pdf, which needs pandoc and typst or another engine. With --json the whole notebook \
            goes into one file (- is standard output), with earlier texts, images, Trash and Archive, but without what \
            can be undone; tn import takes it in again. Examples:

              tn export ~/notes --front-matter
              tn export site --folder Recipes --site
              tn export novel.epub --manuscript --folder Novel --author 'A. Writer'
              tn export ~/vault --obsidian
              tn export notes.json --json
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(
        help: ArgumentHelp(
            "The folder to write to, created if needed; with --json or --manuscript a file.", valueName: "dir"),
        completion: .directory)
    var target: String
    @Argument(help: "Only these notes.", completion: .notes)
    var ref: [String] = []
    @Option(
        help: ArgumentHelp("Only the notes in this folder and its subfolders.", valueName: "path"), completion: .folders
    )
    var folder: String?
    @Flag(help: "Begin each file with its title, tags and dates, which an import reads again.")
    var frontMatter = false
    @Flag(help: "As HTML pages.")
    var html = false
    @Flag(help: "As a vault for Obsidian: links by name, properties, attachments in a folder of their own.")
    var obsidian = false
    @Flag(help: "As a web site with a list of all notes.")
    var site = false
    @Flag(help: "As one work in its order: Markdown, HTML, EPUB or PDF by the ending of the file.")
    var manuscript = false
    @Flag(help: "Keep the line breaks of all texts in pages and manuscripts, as those of poetry projects are kept.")
    var keepLines = false
    @Option(help: ArgumentHelp("Who wrote the manuscript.", valueName: "name"))
    var author: String?
    @Flag(
        help: """
            Export into a folder that holds other files, which stay as they are; replace the file of a manuscript.
            """)
    var force = false
    @Flag(help: "Write the whole notebook to one JSON file, which tn import reads.")
    var json = false

    /// The extensions of files, which nobody gives to a folder.
    private static let endings: Set<String> = ["md", "markdown", "txt", "html", "htm", "epub", "pdf", "json", "zip"]

    func validate() throws {
        if target == "-", !json { throw ValidationError.onlyJSONIsPrinted }
        if !ref.isEmpty, folder != nil { throw ValidationError.notesOrFolder }
        if html || site, frontMatter { throw ValidationError.frontMatterOfHTML }
        let forms = [html, obsidian, site, manuscript].filter(\.self).count
        if json, forms > 0 || frontMatter || force || folder != nil || !ref.isEmpty { throw ValidationError.jsonAlone }
        if forms > 1 { throw ValidationError.severalForms }
        if keepLines, !html, !site, !manuscript { throw ValidationError.linesOfMarkdown }
        if author != nil, !manuscript { throw ValidationError.authorOfManuscript }
        if !json, !manuscript, Self.endings.contains(FilePath(target).extension?.lowercased() ?? ""),
            PathKind(target) != .folder
        {
            throw ValidationError.fileAsFolder(target)
        }
        if manuscript {
            if frontMatter { throw ValidationError.frontMatterOfHTML }
            if ref.isEmpty, folder == nil { throw ValidationError.manuscriptOfWhat }
            if !isManuscriptFile { throw ValidationError.manuscriptEnding }
        }
    }

    func run() throws {
        let notebook = try options.open(onlyReading: true)
        StartupInterrupt.say(Texts.nothingExported)
        // An error begins a line of its own.
        defer { Progress.clear() }
        if json { return try writeArchive(of: notebook) }
        if manuscript { return try writeManuscript(of: notebook) }
        let ids = try notes(in: notebook)
        let stop = StopSignal()
        let format = html ? ExportOptions.Format.html : site ? .site : obsidian ? .vault : .markdown
        var options = ExportOptions(format: format, frontMatter: frontMatter, force: force) {
            done, all in
            Progress.show(done, of: all)
            return !stop.isRaised
        }
        options.keepsLines = keepLines
        if let folder { options.title = try notebook.containers.resolve(path: folder).name }
        let result = try export(ids, of: notebook, options)
        Progress.clear()
        if result.wasCancelled { throw Failure.exportStopped(result.noteCount, of: ids.count, in: target) }
        try StandardOutput.write(
            line: Texts.exported(notes: result.noteCount, images: result.imageCount, files: result.fileCount))
        try report(result.problems)
    }

    private func export(
        _ ids: [NoteID], of notebook: Notebook, _ options: ExportOptions
    ) throws -> ExportResult {
        do {
            return try notebook.transfer.export(ids, to: target, options)
        } catch {
            switch error {
            case .cannotCreate(let path, _) where path != notebook.path:
                throw Failure.exportFolder(target)
            case .folderInUse(let path):
                throw Failure.folderInUse(path)
            default: throw error
            }
        }
    }

    private func notes(in notebook: Notebook) throws -> [NoteID] {
        if !ref.isEmpty { return try notebook.notes.resolve(ref) }
        if let folder { return try notebook.lists.ids(below: try notebook.containers.resolve(path: folder)) }
        return try notebook.lists.ids(in: .allNotes) + notebook.lists.ids(in: .archive)
    }

    private func writeArchive(of notebook: Notebook) throws {
        let isPrinted = target == ArchiveFile.output
        guard isPrinted || PathKind(target) == nil else {
            throw Failure.exists(target)
        }
        let archive = try notebook.transfer.archive()
        try ArchiveFile.write(archive, to: target)
        if !isPrinted { try StandardOutput.write(line: Texts.exported(notes: archive.notes.count)) }
    }
}
