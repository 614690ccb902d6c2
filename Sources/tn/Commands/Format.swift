import ArgumentParser
import Intelligence
import NoteStore

/// The command `tn format`: lets a model format a note as Markdown.
struct Format: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "format",
        abstract: "Let the model format a note as clean Markdown, and print it.",
        discussion: """
            The model must keep the words, and tn reports how many it changed. An answer that is empty, cut off or \
            another text is refused. With --write the note is changed, and its former text is kept as a version. \
            Examples:

              tn format "Meeting with Ana" | diff <(tn show "Meeting with Ana") -
              tn format --write 3f2a
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .reference, completion: .notes)
    var note: String
    @Flag(help: "Change the note instead of printing.")
    var write = false
    @OptionGroup var consent: ConsentOptions

    func run() throws {
        let notebook = try options.open()
        let row = try notebook.notes.resolve(reference: note)
        let access = try ModelAccess.required(notebook, consent)
        guard let note = try access.notes.note(row.id) else { throw ModelFailure.privateNote(row.title) }
        let formatting = Formatting(note.content, provider: access.provider, ratio: access.memory.ratio)
        guard !formatting.sections.isEmpty else { throw Failure.nothingToFormat }
        if consent.showPrompt { return try access.show(formatting.requests) }
        try access.require(Texts.textOfOneNote, formatting.requests)
        let result = try formatting.run(access.run)
        if write {
            if result.text != note.content {
                // It may have been thrown away while the model worked.
                guard let row = try notebook.notes.row(note.id) else { throw StoreError.noSuchNote(note.id) }
                guard row.place != .trash else { throw StoreError.inTrash(name: row.title) }
                try notebook.versions.keep(of: note.id, reason: .outside)
                let outcome = try notebook.notes.save(
                    note.id, text: result.text, baseRevision: note.row.revision, base: note.content)
                if let copy = outcome.copy { StandardError.notice(Texts.keptAs(copy)) }
            }
        } else {
            try StandardOutput.write(text: result.text)
        }
        if result.changedWords > 0 { StandardError.notice(AnswerTexts.changed(result.changedWords)) }
    }
}
