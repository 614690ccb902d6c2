import ArgumentParser
import Foundation
import Interface
import NoteStore

/// The command `tn image`: adds images to the notebook.
struct Image: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "image",
        abstract: "Add images to the notebook.",
        discussion: """
            Examples:

              tn image add labyrinth.png --to Borges
              tn append Borges "$(tn image add labyrinth.png)"
            """,
        subcommands: [Add.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a JPEG or PNG file and print the Markdown that shows it.",
            discussion: """
                Images that no note shows are removed when the Trash is emptied; one that was just added and is in no \
                note yet is kept for a day. Examples:

                  tn image add labyrinth.png
                  tn image add labyrinth.png --to Borges
                """)
        @OptionGroup var options: NotebookOptions
        @Argument(help: "The file.", completion: .file(extensions: ["jpg", "jpeg", "png"]))
        var file: String
        @Option(
            help: ArgumentHelp("Also add it at the end of this note.", valueName: "ref"), completion: .notes)
        var to: String?

        func run() throws {
            let limit = Configuration.readFromUser().configuration.files.limit
            let data = Data(try InputText.bytes(ofRegularFile: file, limit: limit))
            let notebook = try options.open()
            let note = try to.map { try notebook.notes.resolve(reference: $0) }
            let markdown = try notebook.images.add(data, name: file).getMarkdown()
            if let note { try notebook.notes.append(lines: markdown, to: note, asParagraph: true) }
            try StandardOutput.write(line: markdown, after: Texts.fileIsStored)
        }
    }
}
