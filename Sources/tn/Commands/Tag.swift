import ArgumentParser
import NoteStore

/// The command `tn tag`: adds, removes and lists the tags of notes.
struct TagNote: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag",
        abstract: "Add and remove tags of notes, or list them.",
        usage: "tn tag [<options>] <ref> ...",
        discussion: """
            A tag that does not exist is created. A #tag in the text is removed there, not by --remove. Without --add \
            and --remove, the tags of the notes are printed. Examples:

              tn tag Piranesi --add books --add read --remove to-read
              tn tag Piranesi
              tn search coffee --json | jq -r '.[].uuid' | xargs tn tag --add coffee
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .references, completion: .notes)
    var notes: [String]
    @Option(help: ArgumentHelp("A tag to add; repeatable.", valueName: "name"), completion: .tags)
    var add: [String] = []
    @Option(help: ArgumentHelp("A tag to remove; repeatable.", valueName: "name"), completion: .tags)
    var remove: [String] = []

    func run() throws {
        let notebook = try options.open()
        let ids = try notebook.notes.resolve(notes)
        if add.isEmpty, remove.isEmpty {
            var table = Table(.plain)
            for name in try ids.flatMap({ try notebook.notes.row($0)?.tagNames ?? [] }).once { table.add(name) }
            return try table.write()
        }
        let removed = try remove.map { try notebook.tags.existing($0) }
        // Checked first, so that a refusal leaves no new tag behind.
        for row in try ids.compactMap({ try notebook.notes.row($0) }) {
            if row.place == .trash { throw StoreError.inTrash(name: row.title) }
            guard let tag = removed.first(where: { row.textTags.contains($0.id) }) else { continue }
            throw StoreError.tagInText(name: tag.name, notes: 1)
        }
        try notebook.tags.change(ids, adding: notebook.tags.ids(named: add), removing: removed.map(\.id))
    }
}
