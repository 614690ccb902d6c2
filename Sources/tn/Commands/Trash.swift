import ArgumentParser
import Foundation
import NoteStore

/// The command `tn trash`: moves notes to the Trash.
struct Trash: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash",
        abstract: "Move notes to the Trash.",
        discussion: """
            They stay there until the Trash is emptied; tn restore brings them back. Examples:

              tn trash "Old list"
              tn list --tag done --json | jq -r '.[].uuid' | xargs tn trash
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .references, completion: .notes)
    var notes: [String]

    func run() throws {
        let notebook = try options.open()
        try notebook.trash.add(try notebook.notes.resolve(notes))
    }
}
