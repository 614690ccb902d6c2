import ArgumentParser
import NoteStore

/// The name of a tag, with or without its `#`.
struct TagName: ContainerName {
    let rawValue: String

    static let kind = NoteContainer.Kind.tag
    static let valueName = "tag"
    static let deletion = "Delete a tag; its notes stay, and u in the notebook brings it back."
    static let renamingExample = "tn tags rename to-read unread"
    static let deletingExample = "tn tags delete unread"
    static var defaultCompletionKind: CompletionKind { .tags }

    func container(in notebook: Notebook) throws -> NoteContainer { try notebook.tags.existing(rawValue) }
}

/// The command `tn tags`: lists, renames and deletes tags.
struct Tags: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tags",
        abstract: "List, rename and delete tags.",
        discussion: """
            Examples:

              tn tags list
              tn tags rename to-read unread
              tn tags delete unread
            """,
        subcommands: [ListAll.self, RenameContainer<TagName>.self, DeleteContainer<TagName>.self],
        defaultSubcommand: ListAll.self)

    struct ListAll: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List tags with the number of their notes.",
            discussion: "Example:\n\n  tn tags list | sort -t\"$(printf '\\t')\" -k2 -nr")
        @OptionGroup var options: NotebookOptions

        func run() throws {
            var table = Table(.plain, .dim)
            for tag in try options.open().containers.all() where tag.isTag {
                table.add(tag.name, "\(tag.noteCount)")
            }
            try table.write()
        }
    }
}
