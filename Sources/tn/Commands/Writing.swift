import ArgumentParser
import NoteStore

/// More text for a note.
struct Append: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "append",
        abstract: "Add text at the end of a note.",
        discussion: """
            The text begins a line of its own. It is taken from the arguments, else from standard input. Examples:

              tn append Groceries "- coffee filters"
              make 2>&1 | tail -5 | tn append "Build log"
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .reference, completion: .notes)
    var note: String
    @Argument(help: "The text; its words are joined by spaces.")
    var text: [String] = []

    func run() throws {
        let text = try text.isEmpty ? InputText.piped() : text.joined(separator: " ")
        guard !text.isEmpty else {
            throw Failure("there is nothing to append; give a text as arguments or on standard input", status: .usage)
        }
        let notebook = try options.open()
        try notebook.notes.append(text, to: try notebook.notes.resolve(reference: note))
    }
}

extension Notebook.Notes {
    /// Adds lines at the end of a note; the text before is kept, and a change made meanwhile is merged.
    func append(_ text: String, to row: NoteRow) throws {
        guard row.place != .trash else { throw StoreError.inTrash(name: row.title) }
        try notebook.versions.keep(of: row.id, reason: .outside)
        let old = try self.text(row.id) ?? ""
        let gap = old.isEmpty || old.utf8.last == UInt8(ascii: "\n") ? "" : "\n"
        _ = try save(row.id, text: old + gap + text, baseRevision: row.revision, base: old)
    }
}

/// A title by hand.
struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Give a note a title.",
        discussion: """
            The title then no longer follows the text; an empty one lets it follow again. Examples:

              tn rename 3f2a "Meeting with Ana"
              tn rename "Meeting with Ana" ""
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .reference, completion: .notes)
    var note: String
    @Argument(help: "The title.")
    var title: String

    func run() throws {
        let notebook = try options.open()
        try notebook.notes.setTitle(try notebook.notes.resolve(reference: note).id, title)
    }
}

/// The tags of one note.
struct TagNote: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag",
        abstract: "Add and remove tags of a note, or list them.",
        discussion: """
            A tag that is added is made if it is missing. Without --add and --remove, the note's tags are printed. \
            Examples:

              tn tag Piranesi --add books --add read --remove to-read
              tn tag Piranesi
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .reference, completion: .notes)
    var note: String
    @Option(help: ArgumentHelp("A tag to add. Repeatable.", valueName: "name"), completion: .tags)
    var add: [String] = []
    @Option(help: ArgumentHelp("A tag to take away. Repeatable.", valueName: "name"), completion: .tags)
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
        let removed = Set(try remove.map { try notebook.tags.existing($0).id })
        let added = try notebook.tags.ids(named: add).filter { !row.tags.contains($0) }
        var seen: Set<ContainerID> = []
        let tags = (row.tags + added).filter { !removed.contains($0) && seen.insert($0).inserted }
        if tags != row.tags { try notebook.tags.set(row.id, tags) }
    }
}
