import ArgumentParser
import Foundation
import Interface
import NoteStore

/// The command `tn notebooks`: lists, adds, renames and deletes notebooks.
struct Notebooks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notebooks",
        abstract: "List, add, rename and delete notebooks.",
        discussion: """
            A notebook has a name, and tn -n NAME uses it instead of the default one; the setting notebook of the \
            configuration chooses another default. Each is a folder below $XDG_DATA_HOME/takenote/notebooks. Examples:

              tn notebooks add work
              tn -n work
              tn -n work --new Call Ana about the stand-up
              tn notebooks
            """,
        subcommands: [ListAll.self, Add.self, RenameOne.self, Delete.self],
        defaultSubcommand: ListAll.self)

    struct ListAll: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the notebooks with their files; a star marks the one in use.",
            discussion: "Example:\n\n  tn notebooks list | cut -f 2")

        @OptionGroup var options: NotebookOptions

        func run() throws {
            let current = NamedNotebooks.name(of: options.path)
            var table = Table(.plain, .bold, .dim, wraps: true)
            for name in NamedNotebooks.names() {
                table.add(name == current ? "*" : " ", name, NamedNotebooks.path(of: name))
            }
            try table.write()
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add an empty notebook, and print its file.",
            discussion: "Example:\n\n  tn notebooks add \"Book club\"")

        @Argument(help: "Its name: letters, digits, spaces and - _ .")
        var name: String

        func run() throws {
            try StandardOutput.write(name: NamedNotebooks.add(name))
        }
    }

    struct RenameOne: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename", abstract: "Give a notebook another name, and print its file.",
            discussion: "Quit its windows first. Example:\n\n  tn notebooks rename work office")

        @Argument(help: "A notebook.", completion: .notebooks)
        var name: String
        @Argument(help: "Its new name: letters, digits, spaces and - _ .")
        var new: String

        func run() throws {
            try StandardOutput.write(name: NamedNotebooks.rename(name, to: new))
            Notebooks.warn(ofSettingNaming: name)
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete a notebook; its folder is kept.",
            discussion: """
                Asks first. The notebook's folder, with its backups, is kept below $XDG_DATA_HOME/takenote/deleted, and \
                its path is printed. Quit its windows first. Example:

                  tn notebooks delete work --yes
                """)

        @Argument(help: "A notebook.", completion: .notebooks)
        var name: String
        @Flag(help: "Do not ask.")
        var yes = false

        func run() throws {
            guard try yes || Question.ask(Texts.deleteNotebook(name, notes: NamedNotebooks.noteCount(of: name))) else {
                return try StandardOutput.write(line: Texts.nothingRemoved)
            }
            try StandardOutput.write(name: Texts.notebookKept(NamedNotebooks.remove(name, at: Date())))
            Notebooks.warn(ofSettingNaming: name)
        }
    }

    /// Prints a notice if the configuration names a notebook that no longer exists under this name.
    private static func warn(ofSettingNaming name: String) {
        let setting = Configuration.readFromUser().configuration.notebook
        guard !setting.isEmpty, Folding.key(setting) == Folding.key(name), !NamedNotebooks.exists(name) else { return }
        StandardError.notice(Texts.settingNames(setting))
    }
}
