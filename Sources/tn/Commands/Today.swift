import ArgumentParser
import Foundation
import Interface
import NoteStore
import Terminal
import ViewModel

/// The command `tn today`: opens the day's note.
struct Today: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "today",
        abstract: "Open today's note, and create it if needed.",
        discussion: """
            Its title is the date, 2026-03-01, and its place the Inbox, unless [daily] of the \
            configuration says otherwise. In a pipe, and on a terminal without a cursor, its address is printed. \
            Examples:

              tn today
              tn append "$(tn today | cat)" "- saw a heron"
            """)

    @OptionGroup var options: NotebookOptions

    func run() throws {
        let opensWindow = isatty(STDIN_FILENO) == 1 && StandardOutput.isTerminal && !StandardOutput.isDumb
        // Opening the window restarts the program, so nothing may have been read or created before.
        if opensWindow { CrashGuard.install() }
        let notebook = try options.open()
        let row = try Configuration.readFromUser().configuration.daily.note(in: notebook, on: Date())
        try notebook.close()
        guard opensWindow else {
            return try StandardOutput.write(line: row.getURL(), after: Texts.noteIsStored)
        }
        try FullScreen.run(options, opening: row.getURL())
    }
}
