import ArgumentParser
import Foundation
import NoteStore

/// The command `tn star`: stars and unstars notes.
struct Star: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "star",
        abstract: "Star or unstar notes.",
        discussion: """
            Examples:

              tn star Piranesi "Reading list"
              tn star --undo Piranesi
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .references, completion: .notes)
    var notes: [String]
    @Flag(help: "Remove the star.")
    var undo = false

    func run() throws {
        let notebook = try options.open()
        try notebook.notes.setStarred(try notebook.notes.resolve(notes), !undo)
    }
}
