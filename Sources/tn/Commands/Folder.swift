import ArgumentParser
import NoteStore

/// A path to a folder: names joined by `/`.
struct FolderPath: ContainerName {
    let rawValue: String

    static let kind = NoteContainer.Kind.folder
    static let valueName = "path"
    static let deletion = "Move a folder with all that is in it to the Trash."
    static let renamingExample = "tn folder rename Work/Meetings Talks"
    static let deletingExample = "tn folder delete Work/Talks"
    static var defaultCompletionKind: CompletionKind { .folders }
}

/// The command `tn folder`: lists, adds, renames, moves and deletes folders.
struct Folder: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "folder",
        abstract: "List, add, rename, move and delete folders.",
        discussion: """
            Examples:

              tn folder list
              tn folder add Recipes
              tn folder rename Work/Meetings Talks
              tn folder move Work/Talks --to /
              tn folder delete Talks
            """,
        subcommands: [
            ListAll.self, Add.self, RenameContainer<FolderPath>.self, Move.self, DeleteContainer<FolderPath>.self,
        ],
        defaultSubcommand: ListAll.self)

    struct ListAll: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List folders and projects with the number of their notes.",
            discussion: """
                Examples:

                  tn folder list
                  tn folder list --trash
                """)
        @OptionGroup var options: NotebookOptions
        @Flag(help: "List those in the Trash.")
        var trash = false

        func run() throws {
            let containers = try options.open(onlyReading: true).containers.all()
            let path = NoteOutput.paths(containers)
            var table = Table(.plain, .dim)
            for container in containers where container.isFolder || container.isProject || container.isInbox {
                guard container.isInTrash == trash else { continue }
                table.add(path(container.id), "\(container.noteCount)")
            }
            try table.write()
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Create a folder.",
            discussion: """
                Examples:

                  tn folder add Work
                  tn folder add Recipes
                """)
        @OptionGroup var options: NotebookOptions
        @Argument(help: "The path of the new folder; its parent must exist.", completion: .folders)
        var path: String

        func run() throws {
            let notebook = try options.open()
            var names = Notebook.Containers.names(ofPath: path)
            let name = names.popLast() ?? ""
            let parent =
                try names.isEmpty ? nil : notebook.containers.resolve(path: Notebook.Containers.path(ofNames: names)).id
            try notebook.folders.create(name, in: parent)
        }
    }

    struct Move: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "move", abstract: "Move a folder with its contents.",
            discussion: """
                Examples:

                  tn folder move Talks --to Work
                  tn folder move Work/Talks --to /
                """)
        @OptionGroup var options: NotebookOptions
        @Argument(help: ArgumentHelp("The folder.", valueName: "path"))
        var folder: FolderPath
        @Option(help: ArgumentHelp("The new parent; / is the root.", valueName: "path"), completion: .folders)
        var to: String

        func run() throws {
            let notebook = try options.open()
            let folder = try folder.container(in: notebook)
            let parent =
                try Notebook.Containers.names(ofPath: to).isEmpty ? nil : notebook.containers.resolve(path: to).id
            try notebook.folders.move(folder.id, to: parent)
        }
    }
}
