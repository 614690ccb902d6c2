import ArgumentParser
import Foundation
import Intelligence
import NoteStore
import Processes
import Rainbow

/// The command `tn ask`: a question to the notebook.
struct Ask: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask",
        abstract: "Answer a question from the notes, and name the notes it is from.",
        discussion: """
            Without a model it prints the passages that fit best. With ai.chat set in config.toml (tn config --default \
            shows how) the passages are sent to that model, and its answer is printed while it arrives. Each citation \
            links to its note; citations of anything that was not sent are left out, and a sentence that its source \
            hardly supports gets a question mark. Nothing is sent to a model on another machine before you agree, \
            once or with --yes. With ai.embed and tn ai index, passages are found by their meaning, too; then the \
            nearest ones are taken, however far they are. \
            Ends with 1 if nothing fits, 65 if config.toml is wrong, 69 if no model answers, 77 if nothing may be sent. \
            Examples:

              tn ask "what did Ana say about the budget?" | less
              tn ask --in Work --tag budget "who signs?" --json | jq -r .answer
              tn ask --show-prompt "what would be sent?"
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: "The question.")
    var question: [String]
    @Option(
        name: .customLong("in"), help: ArgumentHelp("Only notes in this folder and below it.", valueName: "path"),
        completion: .folders)
    var folder: String?
    @Option(help: ArgumentHelp("Only notes with this tag.", valueName: "name"), completion: .tags)
    var tag: String?
    @Flag(help: "As JSON: answer, and sources, the cited notes.")
    var json = false
    @OptionGroup var consent: ConsentOptions

    func run() throws {
        let notebook = try options.open()
        notebook.search.indexUnfinished()
        let scope = RetrievalScope(
            container: try folder.map { try notebook.containers.resolve(path: $0).id },
            tag: try tag.map { try notebook.tags.existing($0).id })
        let text = question.joined(separator: " ")
        guard let access = try ModelAccess.ifConfigured(notebook, consent, scope) else {
            let notes = notebook.retrieval.sendable(for: .reader, in: scope)
            if consent.showPrompt {
                guard try ModelAccess.showEmbedding(of: text, notes) else { throw ModelFailure.noProvider }
                return
            }
            let stop = CommandStop()
            let signals = EndSignals(stop)
            defer { withExtendedLifetime(signals) {} }
            return try answerByPassages(text, ModelAccess.finder(notes, consent, stop: stop))
        }
        let passages = try found(text, ModelAccess.finder(access.notes, consent, stop: access.stop))
        let asked = NotebookQuestion(text, passages: passages, notes: access.notes, provider: access.provider)
        // Passages that the provider of vectors would find are not known as long as nothing is sent.
        let mayFindMore = try consent.showPrompt && ModelAccess.showEmbedding(of: text, access.notes)
        guard !passages.isEmpty || mayFindMore else {
            if json, !consent.showPrompt { return try printJSON(of: passages) }
            throw Failure.noPassage
        }
        if consent.showPrompt { return try access.show([asked.request]) }
        try access.require(AnswerTexts.sending(asked), [asked.request])
        try json ? answerAsJSON(asked, access) : answerAsText(asked, access)
    }

    /// Returns the passages that fit; prints a notice if they were found by words only.
    private func found(_ text: String, _ finder: PassageFinder) throws -> [Passage] {
        let found = try finder.passages(for: text)
        if case .stopped? = found.problem { throw ModelFailure.stopped }
        if let problem = found.problem { StandardError.notice(AnswerTexts.wordsOnly(after: problem)) }
        return found.passages
    }

    // MARK: With a model

    private func answerAsText(_ asked: NotebookQuestion, _ access: ModelAccess) throws {
        let (output, thoughts) = (StreamedOutput(access.stop), ShownThoughts())
        let form = StandardOutput.isTerminal ? CitationReader.Form.number : .link
        let result: Result<NotebookAnswer, ModelFailure>
        do {
            result = .success(
                try asked.answer(access.run, form: form) { event in
                    switch event {
                    case .text(let text):
                        thoughts.end()
                        output.write(text)
                    case .reasoning(let text): thoughts.write(text)
                    case .searching(let query): thoughts.write("\n" + AnswerTexts.searching(query) + "\n")
                    case .found: break
                    }
                })
        } catch {
            result = .failure(error)
        }
        thoughts.end()
        try output.finish()
        let answer = try result.get()
        if !answer.sources.isEmpty {
            try StandardOutput.write(line: "\n" + Texts.sources)
            for chunk in answer.sources {
                // On a terminal the answer has numbers in place of links.
                let numbers = form == .number ? answer.numbers[chunk.note] ?? [] : []
                let sign = numbers.isEmpty ? "-" : numbers.map { "[\($0)]" }.joined(separator: " ")
                try StandardOutput.write(line: sign + " " + Self.link(chunk))
            }
        }
        for remark in AnswerTexts.remarks(on: answer) { StandardError.notice(remark) }
    }

    private func answerAsJSON(_ asked: NotebookQuestion, _ access: ModelAccess) throws {
        let answer = try asked.answer(access.run, form: .link) { _ in }
        try NoteOutput.print(json: AnswerJSON(answer: answer.text, sources: answer.sources.map { SourceJSON($0) }))
        for remark in AnswerTexts.remarks(on: answer) { StandardError.notice(remark) }
    }

    /// Returns the link to a note as Markdown, on one line.
    private static func link(_ chunk: Chunk) -> String {
        let title = chunk.label.visible.replacing("[", with: "\\[").replacing("]", with: "\\]")
        return "[\(title)](\(chunk.url))"
    }

    // MARK: Without a model

    /// The maximum length of a shown passage, in characters.
    private static let maximumPassageLength = 300

    private func answerByPassages(_ text: String, _ finder: PassageFinder) throws {
        let passages = try found(text, finder)
        if json { return try printJSON(of: passages) }
        guard !passages.isEmpty else { throw Failure.noPassage }
        for (index, passage) in passages.enumerated() {
            if index > 0 { try StandardOutput.write(line: "") }
            let title = passage.chunk.label.visible
            try StandardOutput.write(line: StandardOutput.wantsColor ? title.bold : title)
            let line = PassageText.line(of: passage.chunk, fitting: text, length: Self.maximumPassageLength)
            if !line.isEmpty { try StandardOutput.write(line: "  " + line.visible) }
            let url = "  " + passage.chunk.url
            try StandardOutput.write(line: StandardOutput.wantsColor ? url.dim : url)
        }
    }

    /// Prints passages in place of an answer, and ends with 1 if there are none.
    private func printJSON(of passages: [Passage]) throws {
        let sources = passages.map { SourceJSON($0.chunk, text: $0.chunk.text, score: $0.score) }
        try NoteOutput.print(json: AnswerJSON(answer: nil, sources: sources))
        if passages.isEmpty { throw ExitCode(Failure.Status.nothingFound.rawValue) }
    }
}

/// The JSON of an answer; its keys are a contract.
private struct AnswerJSON: Encodable {
    var answer: String?
    var sources: [SourceJSON]

    enum Key: String, CodingKey { case answer, sources }

    /// Encodes a missing answer as null rather than leaving out its key.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(answer, forKey: .answer)
        try container.encode(sources, forKey: .sources)
    }
}

private struct SourceJSON: Encodable {
    var url, title: String
    var headings: [String]
    var text: String?
    var score: Double?

    init(_ chunk: Chunk, text: String? = nil, score: Double? = nil) {
        (url, title, headings) = (chunk.url, chunk.title, chunk.headings)
        (self.text, self.score) = (text, score)
    }
}
