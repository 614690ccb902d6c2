import ArgumentParser
import NoteStore

/// The command `tn tag`: adds, removes and lists the tags of a note.
struct TagNote: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag",
        abstract: "Add and remove tags of a note, or list them.",
        usage: "tn tag [<options>] <ref>",
        discussion: """
            A tag that does not exist is created. --remove takes a #tag that stands in the text out of the text. \
            Without --add and --remove, the note's tags are printed. Examples:

              tn tag Piranesi --add books --add read --remove to-read
              tn tag Piranesi
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .reference, completion: .notes)
    var note: String
    @Option(help: ArgumentHelp("A tag to add; repeatable.", valueName: "name"), completion: .tags)
    var add: [String] = []
    @Option(help: ArgumentHelp("A tag to remove; repeatable.", valueName: "name"), completion: .tags)
    var remove: [String] = []

    func run() throws {
        let notebook = try options.open()
        let row = try notebook.notes.resolve(reference: note)
        if add.isEmpty, remove.isEmpty {
            var table = Table(.plain)
            row.tagNames.forEach { table.add($0) }
            return try table.write()
        }
        guard row.place != .trash else { throw StoreError.inTrash(name: row.title) }
        let removed = try remove.map { try notebook.tags.existing($0) }
        // Checked first, so that a refusal leaves no new tag behind.
        if let tag = removed.first(where: { row.textTags.contains($0.id) }) {
            throw StoreError.tagInText(name: tag.name, notes: 1)
        }
        try notebook.tags.change(row.id, adding: notebook.tags.ids(named: add), removing: removed.map(\.id))
    }
}
