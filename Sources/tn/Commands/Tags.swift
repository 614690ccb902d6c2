import ArgumentParser
import NoteStore

/// The name of a tag, with or without its `#`.
struct TagName: ContainerName {
    let rawValue: String

    static let kind = NoteContainer.Kind.tag
    static let valueName = "tag"
    static let deletion = "Delete a tag; its notes stay, and u in the notebook brings it back."
    static let example = "to-read"
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
            A #tag in the text of a note is a tag of that note until the text loses it. #a/b is below #a, whose list \
            has its notes too. Examples:

              tn tags list
              tn tags rename to-read unread
              tn tags delete unread
            """,
        subcommands: [ListAll.self, RenameTag.self, DeleteContainer<TagName>.self],
        defaultSubcommand: ListAll.self)

    struct ListAll: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List tags with the number of their notes.",
            discussion: "Example:\n\n  tn tags list | sort -t\"$(printf '\\t')\" -k2 -nr")
        @OptionGroup var options: NotebookOptions

        func run() throws {
            var table = Table(.plain, .dim)
            for tag in try options.open(onlyReading: true).containers.all() where tag.isTag {
                table.add(tag.name, "\(tag.noteCount)")
            }
            try table.write()
        }
    }
}

/// The subcommand `rename`: renames a tag, in the texts that have it too.
struct RenameTag: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Rename a tag, with the tags below it.",
        discussion: """
            Where notes have the tag in their text, as #\(TagName.example), it asks whether to write the new name there, \
            since the tag would come back otherwise. u in the notebook undoes all of it. Examples:

              \(TagName.renamingExample)
              tn tags rename travel journeys --yes
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: ArgumentHelp("The tag.", valueName: TagName.valueName), completion: .tags)
    var tag: TagName
    @Argument(help: "Its new name.")
    var name: String
    @Flag(help: "Change the texts without asking.")
    var yes = false

    func run() throws {
        let notebook = try options.open()
        let tag = try tag.container(in: notebook)
        let name = name.hasPrefix("#") ? String(name.dropFirst()) : name
        let count = try notebook.tags.textCount(of: tag.id)
        if count > 0, !yes, try !Question.ask(Texts.rewriteTag(tag.name, name, notes: count)) {
            return try StandardOutput.write(line: Texts.nothingRenamed)
        }
        let renaming = try notebook.tags.renaming(tag.id, to: name, rewritingTexts: count > 0)
        let rewritten = renaming.rewritten
        if rewritten > 0 { try StandardOutput.write(name: Texts.renamedTag(name, notes: rewritten)) }
        for title in renaming.kept { StandardError.notice(Texts.tagLeft(tag.name, in: title)) }
    }
}
