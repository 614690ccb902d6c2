import Foundation

/// The result of an export.
public struct ExportResult: Equatable, Sendable {
    public var noteCount = 0
    public var imageCount = 0
    /// The number of files of other kinds.
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
        /// HTML pages that are safe to open and link to each other.
        case html
        /// Markdown as in Obsidian: `[[links]]`, properties, attachments in a folder of their own.
        case vault
        /// Pages of a web site: with a list of all notes, the links to each note, and no script.
        case site
    }

    public var format: Format
    /// Puts title, tags, dates and identity before each text; an import removes them again.
    public var frontMatter: Bool
    /// Allows a folder that contains other files as well, which stay as they are.
    public var force: Bool
    /// Whether pages keep the line breaks of all texts, as they keep those of poems.
    public var keepsLines = false
    /// The title of a site.
    public var title = "Notes"
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

    /// The extension of the notes' files.
    var ending: String { format == .html || format == .site ? ".html" : ".md" }
    /// Whether links by title name the files of their notes, as far as a title alone would lead to another file.
    var namesFiles: Bool { format == .vault || format == .markdown && !frontMatter }
    /// The folders for the images and files to which notes refer.
    var imageFolder: String { format == .vault ? "attachments" : "images" }
    var fileFolder: String { format == .vault ? "attachments" : "files" }
}

extension Notebook.Transfer {
    /// Writes notes as Markdown files or HTML pages into folders that mirror the notebook's.
    ///
    /// Images are written to `images` beside them, other files to `files`, and links to exported notes and images
    /// become relative. The folder must be new, empty, one of an earlier export, or allowed by `force`. A file that no
    /// export wrote, or that has changed since, stays as it is and is reported in the result. Names are safe on any
    /// file system and stay inside `folder`. A file's modification date is the note's.
    ///
    /// - Parameter ids: the notes to export; `nil` for all live and archived notes.
    public func export(
        _ ids: [NoteID]? = nil, to folder: String, _ options: ExportOptions = ExportOptions()
    ) throws(StoreError) -> ExportResult {
        let rows: [NoteRow]
        if let ids {
            rows = try notebook.notes.rows(ids)
        } else {
            rows = try notebook.read { try NoteRow.fetch($0, "WHERE note.place IN (0, 1) ORDER BY note.id") }
        }
        let files = try ExportFolder(folder, force: options.force, isVault: options.namesFiles)
        let run = try ExportRun(
            notebook: notebook, folder: files, path: folder, options: options, rows: rows,
            containers: try notebook.containers.all())
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
