import ArgumentParser
import Foundation
import NoteStore

/// The notes of the notebook, or of a part of it.
struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List notes, the last changed first.")

    enum Sort: String, ExpressibleByArgument, CaseIterable {
        case created, updated, title
    }

    @OptionGroup var options: NotebookOptions
    @Option(help: ArgumentHelp("Only the notes of this folder.", valueName: "path"))
    var folder: String?
    @Option(help: ArgumentHelp("Only the notes with this tag.", valueName: "name"))
    var tag: String?
    @Flag(help: "Only starred notes.")
    var starred = false
    @Flag(help: "Only archived notes.")
    var archive = false
    @Flag(help: "Only the notes in the Trash.")
    var trash = false
    @Option(help: "The order: created, updated (newest first) or title.")
    var sort = Sort.updated
    @Flag(help: "The other way round.")
    var reverse = false
    @Option(help: ArgumentHelp("At most this many.", valueName: "n"))
    var limit: Int?
    @Flag(help: "As JSON.")
    var json = false

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
        let places = [folder != nil, tag != nil, starred, archive, trash].filter { $0 }.count
        if places > 1 {
            throw ValidationError("Give only one of --folder, --tag, --starred, --archive and --trash.")
        }
    }

    func run() throws {
        let notebook = try Notebook.open(options.path, mode: .command)
        let query = ListQuery(
            container: try container(in: notebook), sortBy: sortBy, sortOrder: sortOrder, starredFirst: false)
        let count = try notebook.count(query)
        let rows = try notebook.rows(query, from: .start, limit: min(limit ?? count, count))
        try NoteOutput(notebook).write(rows, json: json)
    }

    private func container(in notebook: Notebook) throws -> ContainerID {
        if let folder { return try notebook.container(path: folder).id }
        if let tag {
            guard let container = try notebook.tag(named: tag) else {
                throw Failure("there is no tag “\(tag)”; tn tags list shows what there is", status: .noInput)
            }
            return container.id
        }
        return starred ? .starred : archive ? .archive : trash ? .trash : .allNotes
    }

    private var sortBy: SortBy {
        switch sort {
        case .created: .created
        case .updated: .updated
        case .title: .title
        }
    }

    private var sortOrder: NoteStore.SortOrder {
        (sort == .title) != reverse ? .oldestFirst : .newestFirst
    }
}

/// The text of a note.
struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print the Markdown of a note, byte for byte.")

    @OptionGroup var options: NotebookOptions
    @Argument(help: "A takenote:// URL, a UUID, a title, or the first 4 or more characters of a UUID.")
    var note: String
    @Flag(help: "As JSON, with the note's facts.")
    var json = false

    func run() throws {
        let notebook = try Notebook.open(options.path, mode: .command)
        let row = try notebook.resolve(reference: note)
        let text = try notebook.text(row.id) ?? ""
        if json {
            try NoteOutput(notebook).write(row, content: text)
        } else {
            StandardOutput.write(text: text)
        }
    }
}

/// Full-text search, ranked.
struct Search: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Search titles and texts, the best hit first.")

    @OptionGroup var options: NotebookOptions
    @Argument(help: "What to search for.")
    var query: [String]
    @Option(help: ArgumentHelp("At most this many.", valueName: "n"))
    var limit = 20
    @Flag(help: "As JSON.")
    var json = false

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit must be at least 1.") }
    }

    func run() throws {
        let notebook = try Notebook.open(options.path, mode: .command)
        let hits = try notebook.search(query.joined(separator: " "), limit: limit, stage: .ranked)
        try NoteOutput(notebook).write(hits, json: json)
        if hits.isEmpty { throw ExitCode(Failure.Status.nothingFound.rawValue) }
    }
}
