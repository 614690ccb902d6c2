import ArgumentParser
import Foundation
import NoteStore
import Terminal

/// The command `tn search`: ranked full-text search.
struct Search: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search titles and texts, the best hit first.",
        usage: "tn search [<options>] <query> ...",
        discussion: """
            Finds notes with all the words; if there are none, notes with some. "A phrase", begin*, OR, -not, title:, \
            tag:, in:folder, is:starred, has:link|backlink|broken|image|task|done, created:>2026-01 and updated:7d are \
            understood; has:task is an open task, has:done a ticked one, has:backlink a note that another one links \
            to, has:broken a link that leads nowhere. Archived notes are left out unless in:archive asks for them. \
            Ends with 1 if nothing is found. Examples:

              tn search coffee filters
              tn search 'tag:books OR in:Reading -has:task updated:30d'
              tn search -has:backlink -has:link
              tn search --limit 1 --json stand-up | jq -r '.[0].url'
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: "What to search for.")
    var query: [String]
    @Option(help: ArgumentHelp("At most this many, 1 or more.", valueName: "n"))
    var limit = 20
    @Flag(help: "As JSON.")
    var json = false

    func validate() throws {
        if limit < 1 { throw ValidationError.limitTooSmall }
    }

    func run() throws {
        let notebook = try options.open(onlyReading: true)
        let text = query.joined(separator: " ")
        let hits = try notebook.search.hits(text, limit: limit)
        try NoteOutput(notebook).write(hits, json: json)
        for remark in try notebook.search.remarks(text) {
            StandardError.notice(remark.sentence)
        }
        if hits.isEmpty { throw ExitCode(Failure.Status.nothingFound.rawValue) }
    }
}
