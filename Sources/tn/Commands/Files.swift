import ArgumentParser
import Foundation
import NoteStore

/// The command `tn files`: lists the files that notes refer to.
struct Files: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "files",
        abstract: "List the files that notes refer to: PDFs, films, archives.",
        discussion: """
            Each line has a file's name, its size, the number of its notes and its address. JPEG and PNG images are not \
            listed: the notebook shows them itself. Examples:

              tn files
              tn files --json
            """)

    @OptionGroup var options: NotebookOptions
    @Flag(help: "Print JSON.")
    var json = false

    /// The JSON of a file; its keys are a contract.
    private struct FileJSON: Encodable {
        var uuid, name, created, url: String
        var size, notes: Int
    }

    func run() throws {
        let files = try options.open(onlyReading: true).attachments.all()
        if json {
            return try NoteOutput.print(
                json: files.map {
                    FileJSON(
                        uuid: $0.id.uuidString, name: $0.name, created: $0.createdDate.timestamp, url: $0.url,
                        size: $0.size, notes: $0.noteCount)
                })
        }
        var table = Table(.plain, .dim, .dim, .dim)
        for file in files {
            table.add(file.name, Texts.size(file.size), Texts.count(file.noteCount, "note"), file.url)
        }
        try table.write()
    }
}
