import ArgumentParser
import Foundation
import NoteStore

/// Capture: the fastest way from a thought to a note.
struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Add a note and print its address.",
        discussion: """
            The text is taken from the arguments, else from standard input. Examples:

              tn --new Call Ana about the stand-up
              pbpaste | tn --new --folder Clippings --tag web
            """)

    @OptionGroup var options: NotebookOptions
    @Option(help: "The title; else it is taken from the text.")
    var title: String?
    @Option(help: ArgumentHelp("The folder to put it in.", valueName: "path"))
    var folder: String?
    @Option(
        name: .customLong("tag"), help: ArgumentHelp("A tag; made if it is missing. Repeatable.", valueName: "name"))
    var tags: [String] = []
    @Flag(help: "Star the note.")
    var star = false
    @Argument(help: "The text; its words are joined by spaces.")
    var text: [String] = []

    func run() throws {
        let text = text.isEmpty ? try StandardInput.text() : text.joined(separator: " ")
        guard title != nil || text.contains(where: { !$0.isWhitespace }) else {
            throw Failure("the note would be empty; give its text as arguments or on standard input", status: .usage)
        }
        let notebook = try Notebook.open(options.path, mode: .command)
        let row = try notebook.create(
            NewNote(
                text: text, title: title,
                folder: try folder.map { try notebook.container(path: $0).id } ?? .inbox,
                tags: try tags.map { try (notebook.tag(named: $0) ?? notebook.addTag($0)).id },
                starred: star))
        try notebook.close()
        print(row.getURL())
    }
}

/// Text that comes in through a pipe or a file.
enum StandardInput {
    /// All of standard input, byte for byte.
    ///
    /// - Throws: `Failure` when it is a terminal, cannot be read, or is not UTF-8.
    static func text() throws -> String {
        guard isatty(STDIN_FILENO) == 0 else {
            throw Failure("there is no text; give it as arguments or on standard input", status: .usage)
        }
        let data: Data
        do {
            data = try FileHandle.standardInput.readToEnd() ?? Data()
        } catch {
            throw Failure("standard input cannot be read: \(error.localizedDescription)", status: .inputOutput)
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw Failure(
                "standard input is not UTF-8 text; convert it first, for example with iconv", status: .badData)
        }
        return text
    }
}
