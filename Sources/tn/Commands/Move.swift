import ArgumentParser
import Foundation
import NoteStore

/// The command `tn move`: moves notes to another folder.
struct Move: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move notes to a folder.",
        discussion: """
            Examples:

              tn move Piranesi --to Books/Read
              tn move 3f2a 81c0 --to Inbox
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .references, completion: .notes)
    var notes: [String]
    @Option(help: ArgumentHelp("The folder.", valueName: "path"), completion: .folders)
    var to: String

    func run() throws {
        let notebook = try options.open()
        let folder = try notebook.containers.resolve(path: to)
        try notebook.notes.move(try notebook.notes.resolve(notes), to: folder.id)
    }
}
