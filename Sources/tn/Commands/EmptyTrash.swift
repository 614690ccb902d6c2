import ArgumentParser
import Foundation
import NoteStore

/// The command `tn empty-trash`: the only command that removes notes permanently.
struct EmptyTrash: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "empty-trash",
        abstract: "Delete everything in the Trash for ever.",
        discussion: """
            Asks first, and makes a backup. Example:

              tn empty-trash --yes
            """)

    @OptionGroup var options: NotebookOptions
    @Flag(help: "Do not ask.")
    var yes = false

    func run() throws {
        let notebook = try options.open()
        let contents = try notebook.trash.contents()
        guard !contents.isEmpty else { return try StandardOutput.write(line: Texts.trashIsEmpty) }
        guard try yes || Question.ask(Texts.removeForEver(contents)) else {
            return try StandardOutput.write(line: Texts.nothingRemoved)
        }
        try StandardOutput.write(line: Texts.removed(try notebook.trash.empty(contents)), after: Texts.done)
    }
}
