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
            Each line has the start of the UUID, the day of the last change, the title and a line of text, aligned on a \
            terminal and separated by tabs in a pipe. Examples:

              tn list --folder Work/Meetings --limit 10
              tn list --tag books --sort title
              tn list --json | jq -r '.[] | select(.words > 500) | .url'
              tn list --folder Work --tag urgent --starred
              tn list --trash

            With several options, only the notes that fit all of them are listed. With --trash the last column is the \
            note's folder in the Trash.
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
        if archive, trash { throw ValidationError.severalLists }
    }

    func run() throws {
        let notebook = try options.open(onlyReading: true)
        let query = ListQuery(
            container: try container(in: notebook), sortBy: sortBy, sortOrder: sortOrder, starredFirst: false)
        let count = try notebook.lists.count(query)
        let rest = try filters(in: notebook)
        let needed = rest.isEmpty ? min(limit ?? count, count) : count
        let rows = try notebook.lists.rows(query, from: .start, limit: needed)
            .filter { row in rest.allSatisfy { $0(row) } }.prefix(limit ?? count)
        try NoteOutput(notebook).write(Array(rows), json: json, withFolders: trash)
        if trash, rest.isEmpty { try printTrashedFolders(in: notebook) }
    }

    /// The conditions that the notes of the listed container must meet, where several options are given.
    private func filters(in notebook: Notebook) throws -> [(NoteRow) -> Bool] {
        var filters: [(NoteRow) -> Bool] = []
        if archive, folder != nil { filters.append { $0.place == .archive } }
        if trash, folder != nil { filters.append { $0.place == .trash } }
        if let tag, folder != nil || archive || trash {
            let id = try notebook.tags.existing(tag).id
            filters.append { $0.tags.contains(id) }
        }
        if starred, folder != nil || tag != nil || archive || trash { filters.append(\.starred) }
        return filters
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
        if archive { return .archive }
        if trash { return .trash }
        if let tag { return try notebook.tags.existing(tag).id }
        return starred ? .starred : .allNotes
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
