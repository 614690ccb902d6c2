import ArgumentParser
import Intelligence
import Interface
import NoteStore

/// The command `tn related`: lists notes about the same subject.
struct Related: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "related",
        abstract: "List the notes similar to a note, the most similar first.",
        discussion: """
            Compares the note's most telling words, and shows those that both have; if tn ai index has made vectors, \
            it compares these too. Nothing is sent. Ends with 1 if no note is similar. Examples:

              tn related "Reading list"
              tn related 3f2a --json | jq -r '.[0].url'
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .reference, completion: .notes)
    var note: String
    @Option(help: ArgumentHelp("At most this many, 1 or more.", valueName: "n"))
    var limit = 10
    @Flag(help: "As JSON; snippet has the words.")
    var json = false

    func validate() throws {
        if limit < 1 { throw ValidationError.limitTooSmall }
    }

    func run() throws {
        let notebook = try options.open(onlyReading: true)
        let row = try notebook.notes.resolve(reference: note)
        notebook.search.indexUnfinished()
        guard let note = try notebook.notes.load(row.id) else { throw StoreError.noSuchNote(row.id) }
        let related = try RelatedNotes.find(
            for: note, among: notebook.retrieval.sendable(for: .reader), embedding: embedding(), limit: limit)
        try NoteOutput(notebook).write(related: related, json: json)
        if related.isEmpty { throw ExitCode(Failure.Status.nothingFound.rawValue) }
    }

    /// Returns the provider whose vectors are compared; if the configuration is wrong, says so, and words alone count.
    private func embedding() -> Provider? {
        do {
            return try Configuration.readFromUser().configuration.intelligence.embedProvider()
        } catch {
            StandardError.notice(AnswerTexts.wordsOnly(after: error))
            return nil
        }
    }
}
