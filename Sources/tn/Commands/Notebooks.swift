import ArgumentParser
import NoteStore

/// The command `tn notebooks`: lists and adds notebooks.
struct Notebooks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notebooks",
        abstract: "List and add notebooks.",
        discussion: """
            A notebook has a name, and tn -n NAME uses it instead of the default one; the setting notebook of the \
            configuration chooses another default. Each is a folder below $XDG_DATA_HOME/takenote/notebooks. Examples:

              tn notebooks add work
              tn -n work
              tn -n work --new Call Ana about the stand-up
              tn notebooks
            """,
        subcommands: [ListAll.self, Add.self],
        defaultSubcommand: ListAll.self)

    struct ListAll: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the notebooks with their files; a star marks the one in use.",
            discussion: "Example:\n\n  tn notebooks list | cut -f 2")

        @OptionGroup var options: NotebookOptions

        func run() throws {
            let current = NamedNotebooks.name(of: options.path)
            var table = Table(.plain, .bold, .dim)
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
            try StandardOutput.write(line: NamedNotebooks.add(name))
        }
    }
}
