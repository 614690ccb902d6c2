import ArgumentParser
import Foundation
import Intelligence
import Interface
import NoteStore
import Processes
import Terminal

/// The options of every command that may send text to a model.
struct ConsentOptions: ParsableArguments {
    @Flag(help: "Send without asking, also to a model that is not on this machine.")
    var yes = false
    @Flag(help: "Print what would be sent to the model, and send nothing.")
    var showPrompt = false
}

/// The configured model, the notes that it may see, and the user's consent.
struct ModelAccess {
    let provider: Provider
    let notes: SendableNotes
    let stop = CommandStop()
    private let notebook: Notebook
    private let consent: ConsentOptions
    private let signals: EndSignals

    /// - Throws: `ModelFailure` if no model is configured, or the configuration is wrong.
    static func required(_ notebook: Notebook, _ consent: ConsentOptions) throws -> ModelAccess {
        guard let access = try ifConfigured(notebook, consent) else { throw ModelFailure.noProvider }
        return access
    }

    /// - Returns: nil if no model is configured.
    static func ifConfigured(
        _ notebook: Notebook, _ consent: ConsentOptions, _ scope: RetrievalScope = RetrievalScope()
    ) throws -> ModelAccess? {
        let settings = Self.settings()
        guard let provider = try settings.chatProvider() else { return nil }
        return ModelAccess(provider, settings, notebook, consent, scope)
    }

    /// Returns access to the model that makes vectors.
    ///
    /// - Throws: `ModelFailure` if none is configured, or the configuration is wrong.
    static func embedding(_ notebook: Notebook, _ consent: ConsentOptions) throws -> ModelAccess {
        let settings = Self.settings()
        guard let provider = try settings.embedProvider() else { throw ModelFailure.noEmbedding }
        return ModelAccess(provider, settings, notebook, consent, RetrievalScope())
    }

    /// Returns a search for passages among notes.
    ///
    /// It also searches by meaning if vectors are stored and the question may be sent to their provider.
    static func finder(
        _ notes: SendableNotes, _ consent: ConsentOptions, stop: CommandStop
    ) throws -> PassageFinder {
        let words = PassageFinder(notes)
        // `--show-prompt` sends nothing, so it needs no consent.
        guard !consent.showPrompt, let provider = try settings(tells: false).embedProvider() else { return words }
        let finder = PassageFinder(
            notes, embedding: provider, environment: Configuration.processEnvironment, stop: stop,
            willPause: StandardError.notice)
        guard finder.sendsQuestion else { return words }
        guard try consent.yes || ModelConsent.isGiven(to: provider, in: notes.notebook) else {
            StandardError.notice(AnswerTexts.wordsOnly(provider.name))
            return words
        }
        return finder
    }

    /// Prints the request that the provider of vectors would get for a question, if any; the model gets its request
    /// later.
    ///
    /// - Returns: whether a request would be sent.
    static func showEmbedding(of question: String, _ notes: SendableNotes) throws -> Bool {
        let finder = try PassageFinder(notes, embedding: settings(tells: false).embedProvider())
        guard let request = finder.request(for: question) else { return false }
        try StandardOutput.write(text: request + "\n")
        return true
    }

    /// - Parameter tells: whether the user is told that the file is unreadable, once in a command.
    private static func settings(tells: Bool = true) -> IntelligenceSettings {
        let reading = Configuration.readFromUser()
        // An unreadable file names no model, and the user should know why there is none.
        if tells, !reading.isReadable, let notice = reading.problems.notice { StandardError.notice(notice) }
        return reading.configuration.intelligence
    }

    private init(
        _ provider: Provider, _ settings: IntelligenceSettings, _ notebook: Notebook, _ consent: ConsentOptions,
        _ scope: RetrievalScope
    ) {
        self.provider = provider
        self.notebook = notebook
        self.consent = consent
        notes = notebook.retrieval.sendable(for: settings.rule(for: provider), in: scope)
        signals = EndSignals(stop)
    }

    var run: ModelRun {
        var run = ModelRun(provider, environment: Configuration.processEnvironment, stop: stop, memory: memory)
        run.willPause = StandardError.notice
        return run
    }

    /// The token ratio that the notebook remembers for the provider.
    var memory: TokenMemory { TokenMemory(provider, in: notebook) }

    /// Prints the requests exactly as they would be sent.
    func show(_ requests: [ChatRequest]) throws {
        for request in requests {
            let text = provider.shown(request)
            try StandardOutput.write(text: text.hasSuffix("\n") ? text : text + "\n")
        }
    }

    /// Asks whether something may leave this machine; a local model needs no consent.
    ///
    /// - Parameters:
    ///   - what: a description of the data that would be sent.
    ///   - requests: the requests, which the user may want to see.
    /// - Throws: `ModelFailure.notAllowed` if the answer is no, or if nobody can be asked.
    func require(_ what: String, _ requests: @autoclosure () -> [String]) throws {
        if consent.yes { return }
        if try ModelConsent.isGiven(to: provider, in: notebook) { return }
        let refusal = ModelFailure.notAllowed(provider: provider.name, label: provider.label)
        // The text may be in a pipe, but the question is seen on standard error.
        guard isatty(STDERR_FILENO) == 1, let terminal = AskingTerminal() else { throw refusal }
        let question = AnswerTexts.consent(sending: what, to: provider) + Texts.consentAnswers
        while true {
            StandardError.write(part: Sanitizer.visible(question) + " ")
            switch try terminal.readLine(stop)?.trimmingCharacters(in: .whitespacesAndNewlines).lowercased() {
            case "y", "yes": return
            case "a", "always": return try ModelConsent.remember(provider, in: notebook)
            case "s", "show": for text in requests() { StandardError.write(StreamedOutput.visible(text)) }
            default: throw refusal
            }
        }
    }

    /// Asks whether requests may leave this machine.
    func require(_ what: String, _ requests: [ChatRequest]) throws {
        try require(what, requests.map(provider.shown))
    }
}
