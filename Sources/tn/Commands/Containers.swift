import ArgumentParser
import NoteStore

extension Notebook {
    /// The container of a path, which must be of this kind.
    func container(path: String, ofKind kind: NoteContainer.Kind, named what: String) throws -> NoteContainer {
        let found = try container(path: path)
        if found.isSystemFolder { throw StoreError.systemContainer(name: found.name) }
        guard found.kind == kind else {
            throw Failure(
                "“\(path)” is not a \(what) but a \(found.kind.rawValue); use tn \(found.kind.rawValue)",
                status: .badData)
        }
        return found
    }

    func folder(path: String) throws -> NoteContainer {
        try container(path: path, ofKind: .folder, named: "folder")
    }

    func project(named name: String) throws -> NoteContainer {
        try container(path: name, ofKind: .project, named: "project")
    }
}

/// Folders.
struct Folder: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List, add, rename, move and delete folders.",
        discussion: """
            Examples:

              tn folder list
              tn folder add Work/Meetings
              tn folder rename Work/Meetings Talks
              tn folder move Work/Talks --to /
              tn folder delete Talks
            """,
        subcommands: [ListAll.self, Add.self, Rename.self, Move.self, Delete.self],
        defaultSubcommand: ListAll.self)

    struct ListAll: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List folders and projects with the number of their notes.")
        @OptionGroup var options: NotebookOptions
        @Flag(help: "Those that are in the Trash.")
        var trash = false

        func run() throws {
            let containers = try options.open().containers()
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
        static let configuration = CommandConfiguration(abstract: "Make a folder.")
        @OptionGroup var options: NotebookOptions
        @Argument(help: "The new folder; the one that holds it must be there.", completion: .folders)
        var path: String

        func run() throws {
            let notebook = try options.open()
            var names = Notebook.names(ofPath: path)
            let name = names.popLast() ?? ""
            let parent = try names.isEmpty ? nil : notebook.container(path: Notebook.path(ofNames: names)).id
            try notebook.addFolder(name, in: parent)
        }
    }

    struct Rename: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Give a folder another name.")
        @OptionGroup var options: NotebookOptions
        @Argument(help: "The folder.", completion: .folders)
        var path: String
        @Argument(help: "Its new name.")
        var name: String

        func run() throws {
            let notebook = try options.open()
            try notebook.rename(try notebook.folder(path: path).id, to: name)
        }
    }

    struct Move: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Move a folder with all that is in it.")
        @OptionGroup var options: NotebookOptions
        @Argument(help: "The folder.", completion: .folders)
        var path: String
        @Option(help: ArgumentHelp("What shall hold it; / is the root.", valueName: "path"), completion: .folders)
        var to: String

        func run() throws {
            let notebook = try options.open()
            let folder = try notebook.folder(path: path)
            let parent = try Notebook.names(ofPath: to).isEmpty ? nil : notebook.container(path: to).id
            try notebook.move(folder.id, to: parent)
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Move a folder with all that is in it to the Trash.")
        @OptionGroup var options: NotebookOptions
        @Argument(help: "The folder.", completion: .folders)
        var path: String

        func run() throws {
            let notebook = try options.open()
            try notebook.delete([try notebook.folder(path: path).id])
        }
    }
}

/// Projects.
struct Project: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List, add, rename and delete projects.",
        discussion: """
            A project comes with the folders of its type. Examples:

              tn project add "Sea Poems" --type poetry --details "For the spring contest"
              tn project list
              tn project rename "Sea Poems" Tides
              tn project delete Tides
            """,
        subcommands: [ListAll.self, Add.self, Rename.self, Delete.self],
        defaultSubcommand: ListAll.self)

    struct ListAll: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List projects with their type, number of notes and details.")
        @OptionGroup var options: NotebookOptions

        func run() throws {
            var table = Table(.bold, .dim, .dim, .plain)
            for project in try options.open().containers() where project.isProject && !project.isInTrash {
                table.add(
                    Notebook.path(ofNames: [project.name]), project.projectType?.rawValue ?? "",
                    "\(project.noteCount)", project.details)
            }
            try table.write()
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Make a project with the folders of its type.")
        @OptionGroup var options: NotebookOptions
        @Argument(help: "Its name.")
        var name: String
        @Option(help: "What is written in it: poetry, prose or drama.")
        var type: NoteContainer.ProjectType
        @Option(help: "What it is about.")
        var details = ""

        func run() throws {
            try options.open().addProject(name, type: type, details: details)
        }
    }

    struct Rename: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Give a project another name.")
        @OptionGroup var options: NotebookOptions
        @Argument(help: "The project.", completion: .projects)
        var project: String
        @Argument(help: "Its new name.")
        var name: String

        func run() throws {
            let notebook = try options.open()
            try notebook.rename(try notebook.project(named: project).id, to: name)
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Move a project with all that is in it to the Trash.")
        @OptionGroup var options: NotebookOptions
        @Argument(help: "The project.", completion: .projects)
        var project: String

        func run() throws {
            let notebook = try options.open()
            try notebook.delete([try notebook.project(named: project).id])
        }
    }
}

extension NoteContainer.ProjectType: ExpressibleByArgument {}

/// All tags.
struct Tags: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List, rename and delete tags.",
        discussion: """
            Examples:

              tn tags list
              tn tags rename to-read unread
              tn tags delete unread
            """,
        subcommands: [ListAll.self, Rename.self, Delete.self],
        defaultSubcommand: ListAll.self)

    struct ListAll: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List tags with the number of their notes.")
        @OptionGroup var options: NotebookOptions

        func run() throws {
            var table = Table(.plain, .dim)
            for tag in try options.open().containers() where tag.isTag {
                table.add(tag.name, "\(tag.noteCount)")
            }
            try table.write()
        }
    }

    struct Rename: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Give a tag another name.")
        @OptionGroup var options: NotebookOptions
        @Argument(help: "The tag.", completion: .tags)
        var tag: String
        @Argument(help: "Its new name.")
        var name: String

        func run() throws {
            let notebook = try options.open()
            try notebook.rename(try notebook.existingTag(tag).id, to: name)
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete a tag; its notes stay.", discussion: "u in the notebook brings it back.")
        @OptionGroup var options: NotebookOptions
        @Argument(help: "The tag.", completion: .tags)
        var tag: String

        func run() throws {
            let notebook = try options.open()
            try notebook.delete([try notebook.existingTag(tag).id])
        }
    }
}
