import ArgumentParser
import Foundation
import NoteStore

/// The command `tn show`: prints the text of a note.
struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print the Markdown of a note, byte for byte.",
        discussion: """
            On a terminal, control characters are made visible. Pictures are drawn on a terminal with 256 colours or \
            more; elsewhere their labels stand in their place. Examples:

              tn show "Reading list" > list.md
              tn show 3f2a | wc -w
              tn show --json 3f2a | jq -r .updated
              tn show --pictures "Trip to Delft"
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .reference, completion: .notes)
    var note: String
    @Flag(help: "Print JSON with the note's properties.")
    var json = false

    @Flag(help: "Draw the note for reading, with its pictures.")
    var pictures = false

    func validate() throws {
        if pictures, json { throw ValidationError.picturesOfJSON }
    }

    func run() throws {
        let notebook = try options.open(onlyReading: true)
        let row = try notebook.notes.resolve(reference: note)
        let text = try notebook.notes.text(row.id) ?? ""
        if json {
            try NoteOutput(notebook).write(row, content: text)
        } else if pictures {
            try DrawnMarkdown.write(text, columns: nil, pictures: PrintedPictures(of: notebook))
        } else {
            try StandardOutput.write(text: text)
        }
    }
}
