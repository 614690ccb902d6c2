import ArgumentParser
import Foundation
import NoteStore

/// The command `tn backlinks`: lists the links to a note.
struct Backlinks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backlinks",
        abstract: "List the links to a note: one line for each.",
        discussion: """
            A note that links twice is listed twice, each time with the line of the link. With --unlinked, it \
            lists the notes that have the title in their text and no link to the note. Examples:

              tn backlinks "Reading list"
              tn backlinks 3f2a --json | jq -r '.[].title' | sort -u
              tn backlinks Borges --unlinked
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .reference, completion: .notes)
    var note: String
    @Flag(help: "The notes that mention the title without a link, the best match first.")
    var unlinked = false
    @Flag(help: "As JSON; snippet is the line with the link.")
    var json = false

    func run() throws {
        let notebook = try options.open(onlyReading: true)
        let row = try notebook.notes.resolve(reference: note)
        // Links being typed in the full-screen window right now are not indexed yet; index them here so that they count
        // too.
        notebook.search.indexUnfinished()
        let output = NoteOutput(notebook)
        if unlinked { return try output.write(try notebook.links.unlinkedMentions(of: row.id), json: json) }
        try output.write(try notebook.links.backlinks(of: row.id), json: json)
    }
}
