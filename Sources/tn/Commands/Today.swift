import ArgumentParser
import Foundation
import Interface
import NoteStore
import ViewModel

/// The day's note.
struct Today: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "today",
        abstract: "Open the day's note, made if it is missing.",
        discussion: """
            Its title is the date, 2026-03-01, and its place the Inbox, unless [daily] of the \
            configuration says otherwise. In a pipe its address is printed. Examples:

              tn today
              tn append "$(tn today | cat)" "- saw a heron"
            """)

    @OptionGroup var options: NotebookOptions

    func run() throws {
        let notebook = try options.open()
        let row = try DailyNote.find(in: notebook)
        try notebook.close()
        guard isatty(STDIN_FILENO) == 1, StandardOutput.isTerminal else {
            return try StandardOutput.write(line: row.getURL())
        }
        try FullScreen.run(options, opening: row.getURL())
    }
}

/// One note a day, found by its title.
enum DailyNote {
    /// The day's note; made in the Inbox if there is none outside of the Trash.
    static func find(in notebook: Notebook, on date: Date = Date()) throws -> NoteRow {
        let settings = Configuration.readFromUser().configuration.daily
        let title = settings.title(on: date)
        if let row = try notebook.note(titled: title), row.place != .trash { return row }
        let folder = settings.folder.isEmpty ? .inbox : try notebook.placeForNotes(path: settings.folder)
        return try notebook.create(NewNote(text: "# \(title)\n\n", folder: folder))
    }
}
