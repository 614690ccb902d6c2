import ArgumentParser
import NoteStore

/// The root command: without a subcommand, it opens the notebook full-screen.
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
        version: Version.text,
        groupedSubcommands: [
            CommandGroup(
                name: "Writing", subcommands: [New.self, EditNote.self, Append.self, Today.self, Rename.self]),
            CommandGroup(
                name: "Reading",
                subcommands: [
                    Open.self, Line.self, List.self, Show.self, Search.self, Backlinks.self, History.self,
                    Render.self,
                ]),
            CommandGroup(
                name: "Thinking",
                subcommands: [Ask.self, Summarize.self, Related.self, Format.self, Assist.self, AI.self]),
            CommandGroup(
                name: "Arranging",
                subcommands: [
                    Move.self, Star.self, TagNote.self, Archive.self, Trash.self, Restore.self, EmptyTrash.self,
                    Folder.self, Project.self, Tags.self, Image.self, File.self, Files.self,
                ]),
            CommandGroup(
                name: "Keeping",
                subcommands: [
                    SyncCommand.self, Mirror.self, Import.self, Export.self, Backup.self, RestoreBackup.self,
                    Doctor.self, Notebooks.self, Snapshot.self, Status.self, Config.self, Manual.self,
                ]),
        ])

    @OptionGroup var options: NotebookOptions

    @Flag(help: "Show the notebook for a screen reader, as the setting screen.reader does.")
    var reader = false

    func run() throws {
        try FullScreen.run(options, isReader: reader)
    }
}
