import ArgumentParser
import Foundation
import NoteStore

/// The command `tn archive`: moves notes to the Archive and back.
struct Archive: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Archive notes, or return them.",
        discussion: """
            Archived notes are in no other list. Examples:

              tn archive "Tax 2025"
              tn archive --undo "Tax 2025"
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .references, completion: .notes)
    var notes: [String]
    @Flag(help: "Return the notes to the folders they came from.")
    var undo = false

    func run() throws {
        let notebook = try options.open()
        let notes = try notebook.notes.resolve(notes)
        guard undo else { return try notebook.notes.archive(notes) }
        for row in try notebook.notes.unarchive(notes) {
            StandardError.notice(Texts.restoredElsewhere(row.title, row.folderName))
        }
    }
}
