import ArgumentParser
import NoteStore

/// The name of a project.
struct ProjectName: ContainerName {
    let rawValue: String

    static let kind = NoteContainer.Kind.project
    static let valueName = "project"
    static let deletion = "Move a project with all that is in it to the Trash."
    static let renamingExample = "tn project rename \"Sea Poems\" Tides"
    static let deletingExample = "tn project delete Tides"
    static var defaultCompletionKind: CompletionKind { .projects }
}

extension NoteContainer.ProjectType: ExpressibleByArgument {}

/// The command `tn project`: lists, adds, renames and deletes projects.
struct Project: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "project",
        abstract: "List, add, rename and delete projects.",
        discussion: """
            A project comes with the folders of its type. Examples:

              tn project add "Sea Poems" --type poetry --details "For the spring contest"
              tn project list
              tn project rename "Sea Poems" Tides
              tn project delete Tides
            """,
        subcommands: [
            ListAll.self, Add.self, RenameContainer<ProjectName>.self, DeleteContainer<ProjectName>.self,
        ],
        defaultSubcommand: ListAll.self)

    struct ListAll: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List projects with their type, number of notes and details.",
            discussion: "Example:\n\n  tn project list | grep poetry")
        @OptionGroup var options: NotebookOptions

        func run() throws {
            var table = Table(.bold, .dim, .dim, .plain)
            let containers = try options.open(onlyReading: true).containers.all()
            for project in containers where project.isProject && !project.isInTrash {
                table.add(
                    Notebook.Containers.path(ofNames: [project.name]), project.projectType?.rawValue ?? "",
                    "\(project.noteCount)", project.details)
            }
            try table.write()
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Create a project with the folders of its type.",
            discussion: """
                Examples:

                  tn project add "Sea Poems" --type poetry
                  tn project add Lear --type drama --details "After Shakespeare"
                """)
        @OptionGroup var options: NotebookOptions
        @Argument(help: "Its name.")
        var name: String
        @Option(help: "The type: poetry, prose or drama.")
        var type: NoteContainer.ProjectType
        @Option(help: "A description.")
        var details = ""

        func run() throws {
            try options.open().projects.create(name, type: type, details: details)
        }
    }
}
