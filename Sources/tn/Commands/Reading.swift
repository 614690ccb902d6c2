import ArgumentParser
import Foundation
import NoteStore
import Terminal

/// The notes of the notebook, or of a part of it.
struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List notes, the last changed first.",
        usage: "tn list [<options>]",
        discussion: """
            A line is the start of the UUID, the day of the last change, the title and a line of text, aligned on a \
            terminal and separated by tabs in a pipe. Examples:

              tn list --folder Work/Meetings --limit 10
              tn list --tag books --sort title
              tn list --json | jq -r '.[] | select(.words > 500) | .url'
              tn list --trash

            With --trash the last column is the folder of the Trash that a note lies in.
            """)

    enum Sort: String, ExpressibleByArgument, CaseIterable {
        case created, updated, title
    }

    @OptionGroup var options: NotebookOptions
    @Option(help: ArgumentHelp("Only the notes of this folder.", valueName: "path"), completion: .folders)
    var folder: String?
    @Option(help: ArgumentHelp("Only the notes with this tag.", valueName: "name"), completion: .tags)
    var tag: String?
    @Flag(help: "Only starred notes.")
    var starred = false
    @Flag(help: "Only archived notes.")
    var archive = false
    @Flag(help: "Only the notes in the Trash and in its folders.")
    var trash = false
    @Option(help: "The order: created or updated (newest first), or title.")
    var sort = Sort.updated
    @Flag(help: "The other way round.")
    var reverse = false
    @Option(help: ArgumentHelp("At most this many, 1 or more.", valueName: "n"))
    var limit: Int?
    @Flag(help: "As JSON.")
    var json = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
        let places = [folder != nil, tag != nil, starred, archive, trash].filter { $0 }.count
        if places > 1 {
            throw ValidationError("give only one of --folder, --tag, --starred, --archive and --trash.")
        }
    }

    func run() throws {
        let notebook = try options.open()
        let query = ListQuery(
            container: try container(in: notebook), sortBy: sortBy, sortOrder: sortOrder, starredFirst: false)
        let count = try notebook.lists.count(query)
        let rows = try notebook.lists.rows(query, from: .start, limit: min(limit ?? count, count))
        try NoteOutput(notebook).write(rows, json: json, withFolders: trash)
        if trash { try tellOfFolders(in: notebook) }
    }

    /// Says what the list of notes cannot show of the Trash.
    private func tellOfFolders(in notebook: Notebook) throws {
        let contents = try notebook.trash.contents()
        let count = contents.folders + contents.projects
        guard count > 0 else { return }
        let folders = count == 1 ? "a folder is" : "\(count) folders are"
        StandardError.write("tn: \(folders) in the Trash too; tn folder list --trash shows what there is")
    }

    private func container(in notebook: Notebook) throws -> ContainerID {
        if let folder { return try notebook.containers.resolve(path: folder).id }
        if let tag { return try notebook.tags.existing(tag).id }
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

extension Notebook.Tags {
    /// - Throws: `Failure` if there is no such tag.
    func existing(_ name: String) throws -> NoteContainer {
        guard let tag = try find(named: name) else {
            throw Failure("there is no tag “\(name)”; tn tags list shows what there is", status: .noInput)
        }
        return tag
    }
}

/// The text of a note.
struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print the Markdown of a note, byte for byte.",
        discussion: """
            On a terminal, control characters are made visible. Examples:

              tn show "Reading list" > list.md
              tn show 3f2a | wc -w
              tn show --json 3f2a | jq -r .updated
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .reference, completion: .notes)
    var note: String
    @Flag(help: "As JSON, with the note's facts.")
    var json = false

    func run() throws {
        let notebook = try options.open()
        let row = try notebook.notes.resolve(reference: note)
        let text = try notebook.notes.text(row.id) ?? ""
        if json {
            try NoteOutput(notebook).write(row, content: text)
        } else {
            try StandardOutput.write(text: text)
        }
    }
}

/// Full-text search, ranked.
struct Search: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search titles and texts, the best hit first.",
        discussion: """
            Notes with all the words come; where there are none, notes with some. "A phrase", OR, -not, tag:, in:folder, \
            is:starred, has:link|image|task|done, created:>2026-01 and updated:7d are understood; has:task is an \
            open task, has:done a ticked one. Archived notes are left out unless in:archive asks for them. Ends with 1 \
            if nothing is found. Examples:

              tn search coffee filters
              tn search 'tag:books OR in:Reading -has:task updated:30d'
              tn search --limit 1 --json stand-up | jq -r '.[0].url'
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: "What to search for.")
    var query: [String]
    @Option(help: ArgumentHelp("At most this many, 1 or more.", valueName: "n"))
    var limit = 20
    @Flag(help: "As JSON.")
    var json = false

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit must be at least 1.") }
    }

    func run() throws {
        let notebook = try options.open()
        let text = query.joined(separator: " ")
        let hits = try notebook.search.hits(text, limit: limit)
        try NoteOutput(notebook).write(hits, json: json)
        for remark in try notebook.search.remarks(text) {
            FileHandle.standardError.write(Data("tn: \(Sanitizer.visible(remark.sentence))\n".utf8))
        }
        if hits.isEmpty { throw ExitCode(Failure.Status.nothingFound.rawValue) }
    }
}

/// Who links here.
struct Backlinks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backlinks",
        abstract: "List the links to a note: one line for each.",
        discussion: """
            A note that links twice is there twice, each time with the line of the link. Examples:

              tn backlinks "Reading list"
              tn backlinks 3f2a --json | jq -r '.[].title' | sort -u
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .reference, completion: .notes)
    var note: String
    @Flag(help: "As JSON; snippet is the line with the link.")
    var json = false

    func run() throws {
        let notebook = try options.open()
        let row = try notebook.notes.resolve(reference: note)
        try NoteOutput(notebook).write(try notebook.links.backlinks(of: row.id), json: json)
    }
}
