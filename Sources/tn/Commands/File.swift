import ArgumentParser
import Foundation
import Interface
import NoteStore

/// The command `tn file`: adds files to the notebook and prints them.
struct File: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "file",
        abstract: "Add a file of any kind to the notebook, or print one.",
        discussion: """
            Examples:

              tn file add paper.pdf --to Borges
              tn append Borges "$(tn file add paper.pdf)"
            """,
        subcommands: [Add.self, Show.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a file and print the Markdown that links to it.",
            discussion: """
                The same content is stored once. A JPEG or PNG becomes an image, as with tn image add. The setting \
                files.largest limits the size. What no note refers to is removed when the Trash is emptied; a file that \
                was just added stays for a day. Examples:

                  tn file add paper.pdf
                  tn file add paper.pdf --to Borges
                """)
        @OptionGroup var options: NotebookOptions
        @Argument(help: "The file.", completion: .file())
        var file: String
        @Option(
            help: ArgumentHelp("Also add it at the end of this note.", valueName: "ref"), completion: .notes)
        var to: String?

        func run() throws {
            let limit = Configuration.readFromUser().configuration.files.limit
            try InputText.requireRegularFile(file)
            let data = try NoteImage.data(ofFile: file, limit: limit)
            let notebook = try options.open()
            let note = try to.map { try notebook.notes.resolve(reference: $0) }
            let isImage = NoteImage.MimeType(recognizing: data) != nil
            let markdown =
                isImage
                ? try notebook.images.add(data, name: file).getMarkdown()
                : try notebook.attachments.add(data, name: file).markdown()
            if let note { try notebook.notes.append(lines: markdown, to: note, asParagraph: isImage) }
            try StandardOutput.write(line: markdown, after: Texts.fileIsStored)
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Write a file's content to standard output.",
            discussion: """
                On a terminal, control characters of a text are made visible, and no other file is shown. Example:

                  tn file show takenote://file/5A0C1C9E-3F0B-4B8E-9C39-0A4C6D0E7F11 > paper.pdf
                """)
        @OptionGroup var options: NotebookOptions
        @Argument(help: ArgumentHelp("Its address, its UUID or its name.", valueName: "file"), completion: .attachments)
        var file: String

        func run() throws {
            let notebook = try options.open()
            let address = file.lowercased().hasPrefix("takenote://file/") ? String(file.dropFirst(16)) : file
            let named = try notebook.attachments.all().filter {
                $0.id.uuidString == address.uppercased() || $0.name == file
            }
            guard let found = named.first, let data = try notebook.attachments.data(of: found.id) else {
                throw StoreError.noSuchAttachment(file)
            }
            if named.count > 1 { throw Failure.severalFiles(file, named) }
            guard StandardOutput.isTerminal else { return try StandardOutput.write(data) }
            // A terminal would obey the control characters in a file from anywhere.
            guard let text = String(validating: data, as: UTF8.self) else { throw Failure.notForTerminal(found.name) }
            try StandardOutput.write(text: text)
        }
    }
}
