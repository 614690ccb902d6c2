import ArgumentParser
import Intelligence
import NoteStore

/// The command `tn summarize`: summarises a note in a sentence or two.
struct Summarize: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "summarize",
        abstract: "Print a note's summary.",
        discussion: """
            Without --model it is made of the note's own sentences, and nothing is sent. With --save it is kept with \
            the note; with --model --save, a kept summary of the present text is printed instead of asking again. \
            Examples:

              tn summarize "Meeting with Ana"
              tn summarize --model --save 3f2a
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .reference, completion: .notes)
    var note: String
    @Flag(help: "Ask the model that ai.chat names.")
    var model = false
    @Flag(help: "Keep the summary with the note.")
    var save = false
    @OptionGroup var consent: ConsentOptions

    func run() throws {
        let notebook = try options.open()
        let row = try notebook.notes.resolve(reference: note)
        guard let note = try notebook.notes.load(row.id) else { throw StoreError.noSuchNote(row.id) }
        guard !model else { return try summarizeByModel(note, notebook) }
        var summary = ExtractiveSummary.of(note.content, title: note.title)
        // A list of headings has no sentences.
        if summary.isEmpty { summary = note.row.preview.isEmpty ? note.title : note.row.preview }
        try finish(summary, note, notebook, author: "extract")
    }

    private func summarizeByModel(_ note: Note, _ notebook: Notebook) throws {
        let access = try ModelAccess.required(notebook, consent)
        guard try access.notes.note(note.id) != nil else { throw ModelFailure.privateNote(note.title) }
        let author = "model"
        if save, !note.row.aiSummary.isEmpty, !note.contentHasChanged(),
            try notebook.notes.summaryAuthor(of: note.id) == author
        {
            return try StandardOutput.write(line: note.row.aiSummary.visible)
        }
        let request = ModelSummary.request(for: note, provider: access.provider, ratio: access.memory.ratio)
        if consent.showPrompt { return try access.show([request]) }
        try access.require(Texts.textOfOneNote, [request])
        let answer = try access.run.answer(to: request)
        let summary = ModelSummary.summary(in: answer)
        guard !summary.isEmpty else { throw ModelFailure.emptyAnswer(access.provider.label) }
        guard answer.isCut || answer.isPromptCut else { return try finish(summary, note, notebook, author: author) }
        // If a part of a summary, or the summary of a part, were kept, it would be taken for the whole.
        try StandardOutput.write(line: summary.visible)
        if save {
            throw Failure(
                answer.isPromptCut ? AnswerTexts.summaryOfPart : AnswerTexts.summaryNotKept, status: .unavailable)
        }
        AnswerTexts.remarks(on: answer).forEach(StandardError.notice)
    }

    private func finish(_ summary: String, _ note: Note, _ notebook: Notebook, author: String) throws {
        if save { try notebook.notes.setSummary(summary, of: note.id, madeFrom: note.content, author: author) }
        try StandardOutput.write(line: summary.visible)
    }
}
