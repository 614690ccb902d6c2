import ArgumentParser
import Foundation
import NoteStore
import Synchronization

/// The program: without a subcommand, the notebook full screen.
struct TakeNote: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tn",
        abstract: "A Markdown notebook that lives in the terminal.",
        discussion: """
            Without a command, tn opens the notebook. Examples:

              tn                                the notebook, full screen
              tn --new Call Ana at ten          write a note down
              ls -l | tn --new --title Files    take in what a program prints
              tn search piranesi                find it again
              tn show "Reading list"            print its Markdown

            REF names a note: a takenote:// URL, a UUID, an exact title, or the first 4 or more characters of a UUID. \
            PATH names a folder: names joined by /, and a / in a name is written \\/.
            """,
        version: "0.1.0",
        groupedSubcommands: [
            CommandGroup(
                name: "Writing", subcommands: [New.self, EditNote.self, Append.self, Today.self, Rename.self]),
            CommandGroup(
                name: "Reading",
                subcommands: [
                    Open.self, List.self, Show.self, Search.self, Backlinks.self, History.self, Render.self,
                ]),
            CommandGroup(
                name: "Arranging",
                subcommands: [
                    Move.self, Star.self, TagNote.self, Archive.self, Trash.self, Restore.self, EmptyTrash.self,
                    Folder.self, Project.self, Tags.self, Image.self,
                ]),
            CommandGroup(
                name: "Keeping",
                subcommands: [
                    Import.self, Export.self, Backup.self, RestoreBackup.self, Doctor.self, Snapshot.self, Status.self,
                    Config.self, Manual.self,
                ]),
        ])

    @OptionGroup var options: NotebookOptions

    func run() throws {
        try FullScreen.run(options)
    }
}

/// Which notebook a command works on.
struct NotebookOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The notebook's file; also TAKENOTE_DATABASE.", valueName: "path"), completion: .file())
    var database: String?

    /// The file: the option, else the environment, else the place of the XDG rules.
    ///
    /// Without symbolic links, so that drafts and locks are those of the file by whatever name it is reached.
    var path: String { Notebook.resolved(NotebookPath.chosen(database)) }

    /// The notebook for one command, with what programs that died had not saved.
    func open() throws -> Notebook {
        let notebook = try Notebook.forCommand(path)
        CommandNotebook.last.withLock { $0 = notebook }
        return notebook
    }

    func validate() throws {
        if database == "" { throw ValidationError("--database needs the name of a file.") }
    }
}

extension Notebook {
    /// The notebook for one command, with what programs that died had not saved.
    static func forCommand(_ path: String) throws -> Notebook {
        if path.isFolder { throw StoreError.notANotebook(path: path) }
        let notebook = try open(path, mode: .command)
        OutsideEdit.takeInLeftOvers(in: notebook)
        return notebook
    }
}

/// The notebook that the command has opened, for what is left to do when it has answered.
enum CommandNotebook {
    static let last = Mutex<Notebook?>(nil)

    /// Makes the day's backup if it is due, so that those who only use the shell have one too.
    ///
    /// After the answer, and not by `tn --new`, which nobody should wait for: the next other command makes up for it.
    static func makeDailyBackup() {
        guard let notebook = last.withLock({ $0 }) else { return }
        _ = try? notebook.backups.createDailyIfChanged()  // the next command tries again; doctor names the newest
    }
}

extension String {
    /// Whether there is a folder at this path.
    var isFolder: Bool {
        var facts = stat()
        return stat(self, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }
}

extension NotebookOptions {
    init(database: String?) {
        self.init()
        self.database = database
    }
}

extension ArgumentHelp {
    static let reference = ArgumentHelp(
        "A takenote:// URL, a UUID, a title, or the first 4 or more characters of a UUID.", valueName: "ref")
    static let references = ArgumentHelp(
        "Notes: takenote:// URLs, UUIDs, titles, or the first 4 or more characters of UUIDs.", valueName: "ref")
}
