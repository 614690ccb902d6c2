import ArgumentParser
import NoteStore

/// The program: without a subcommand, the notebook full screen.
struct TakeNote: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tn",
        abstract: "A Markdown notebook that lives in the terminal.",
        discussion: """
            Without a command, tn opens the notebook. `tn --new TEXT` or `echo TEXT | tn --new` adds a note and prints \
            its address.
            """,
        version: "0.1.0",
        subcommands: [Open.self, New.self, List.self, Show.self, Search.self])

    @OptionGroup var options: NotebookOptions

    func run() throws {
        try FullScreen.run(options)
    }
}

/// Which notebook a command works on.
struct NotebookOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The notebook's file.", discussion: "Also TAKENOTE_DATABASE.", valueName: "path"))
    var database: String?
}

struct Open: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Open the notebook at a note.")

    @OptionGroup var options: NotebookOptions
    @Argument(help: "A takenote:// URL, a UUID, a title, or the first 4 or more characters of a UUID.")
    var note: String

    func run() throws {
        try FullScreen.run(options, opening: note)
    }
}

extension NotebookOptions {
    /// The file: the option, else the environment, else the place of the XDG rules.
    var path: String { database ?? Notebook.defaultPath() }
}
