import ArgumentParser
import Foundation
import NoteStore

/// The command `tn list`: lists the notes of the notebook, or of a part of it.
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

            With --trash the last column is the note's folder in the Trash.
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
    @Flag(help: "Reverse the order.")
    var reverse = false
    @Option(help: ArgumentHelp("At most this many, 1 or more.", valueName: "n"))
    var limit: Int?
    @Flag(help: "As JSON.")
    var json = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError.limitTooSmall }
        let filters = [folder != nil, tag != nil, starred, archive, trash].filter { $0 }.count
        if filters > 1 {
            throw ValidationError.severalLists
        }
    }

    func run() throws {
        let notebook = try options.open()
        let query = ListQuery(
            container: try container(in: notebook), sortBy: sortBy, sortOrder: sortOrder, starredFirst: false)
        let count = try notebook.lists.count(query)
        let rows = try notebook.lists.rows(query, from: .start, limit: min(limit ?? count, count))
        try NoteOutput(notebook).write(rows, json: json, withFolders: trash)
        if trash { try printTrashedFolders(in: notebook) }
    }

    /// Reports folders and projects in the Trash, which the list of notes cannot show.
    private func printTrashedFolders(in notebook: Notebook) throws {
        let contents = try notebook.trash.contents()
        let count = contents.folders + contents.projects
        guard count > 0 else { return }
        StandardError.notice(Texts.foldersInTrash(count))
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
