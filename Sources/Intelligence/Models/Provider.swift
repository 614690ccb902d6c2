import NoteStore

/// A provider of a model, as the user configured it.
public struct Provider: Equatable, Sendable {
    /// The way in which the model is reached.
    public enum Way: Equatable, Sendable {
        /// A server that speaks OpenAI's protocol; its base address ends before `/chat/completions`.
        case server(ServerAddress)
        /// A program that reads the prompt from standard input.
        case command([String])
    }

    /// The source of the provider's key.
    public enum KeySource: Equatable, Sendable {
        case none
        /// An environment variable.
        case variable(String)
        /// A shell command that prints the key.
        case command(String)
    }

    public var name: String
    public var way: Way
    /// The model's name; empty for the server's own choice.
    public var model = ""
    public var key = KeySource.none
    /// The size of the model's context in tokens, including its answer.
    public var context = Provider.usualContext
    /// The tokens that the model may use to reason before each answer, in addition to those of the answer itself.
    public var reasoning = 0
    /// The environment variables that a command gets besides PATH, HOME and LANG.
    public var environment: [String] = []
    /// The seconds of silence after which the request is given up.
    public var patience = Provider.usualPatience
    /// Whether the model is offered tools.
    public var hasTools = true
    /// Whether automatic requests may be sent to it although it is on another machine.
    public var isAutomatic = false

    public static let usualContext = 4096
    public static let usualPatience = 120

    public init(name: String, way: Way) {
        self.name = name
        self.way = way
    }

    /// Whether the texts stay on this machine, because the address is a loopback address or a Unix socket.
    ///
    /// This is false for a command, which may send its input anywhere.
    public var isLocal: Bool {
        if case .server(let address) = way { return address.isLocal }
        return false
    }

    /// Whether the model can call tools: a program only gets a text.
    var offersTools: Bool {
        if case .server = way { return hasTools }
        return false
    }

    /// A hash of everything that decides where the texts go and which model gets them: the address and the model, or the
    /// command's words.
    ///
    /// It is a hash, since a URL or a command may contain a password.
    var identity: String {
        let parts =
            switch way {
            case .server(let address): ["server", address.text, address.socket ?? "", model]
            case .command(let words): ["command"] + words
            }
        return TextHash.sha256(JSONValue.list(parts.map(JSONValue.text)).line)
    }

    /// The size of the context in tokens without the part for the reasoning.
    var contextWithoutReasoning: Int { context - reasoningRoom }

    /// The tokens for the reasoning, at most half of the context, so that the prompt and the answer have room too.
    private var reasoningRoom: Int { min(reasoning, context / 2) }

    /// Returns a request as the provider gets it: without tools if it has none, and with room for the reasoning.
    func prepared(_ request: ChatRequest) -> ChatRequest {
        var request = request
        if !hasTools { request.tools = [] }
        request.answerTokens += reasoningRoom
        return request
    }

    /// Returns a request exactly as it would be sent.
    public func shown(_ request: ChatRequest) -> String {
        switch way {
        case .server: prepared(request).body(model: model)
        case .command: request.plainText
        }
    }

    /// The name in questions and errors: the server's host and port, or the program.
    public var label: String {
        switch way {
        case .server(let address): address.label
        case .command(let words): words.first ?? name
        }
    }
}

/// The settings of `[ai]`.
public struct IntelligenceSettings: Equatable, Sendable {
    /// The name of the provider that answers; empty for none.
    public var chat = ""
    /// The name of the provider that embeds questions and passages; empty for words only.
    public var embed = ""
    /// The kind of summaries that are made automatically.
    public var summaries = AutomaticSummary.off
    /// The folders and `#tags` whose notes are never sent to a model.
    public var neverSend: [String] = []
    public var providers: [Provider] = []
    /// An error in the configuration, as a sentence.
    ///
    /// Until it is corrected nothing is sent.
    public var problem: String?

    public init() {}

    /// Returns the rule for the notes that a provider may see, or the reader's own rule if there is no provider.
    public func rule(for provider: Provider?) -> SendingRule {
        guard let provider else { return .reader }
        return SendingRule(provider.isLocal ? .thisMachine : .elsewhere, neverSend: neverSend)
    }

    /// Returns the provider of answers, or `nil` if none is configured.
    public func chatProvider() throws(ModelFailure) -> Provider? { try provider(named: chat, setting: "ai.chat") }

    /// Returns the provider of embedding vectors, or `nil` if none is configured.
    public func embedProvider() throws(ModelFailure) -> Provider? { try provider(named: embed, setting: "ai.embed") }

    private func provider(named name: String, setting: String) throws(ModelFailure) -> Provider? {
        if let problem { throw .configuration(problem) }
        if name.isEmpty { return nil }
        guard let provider = providers.first(where: { $0.name == name }) else {
            throw .noSuchProvider(name, setting: setting)
        }
        return provider
    }
}

/// The kind of summaries that are made automatically when the user leaves a note.
public enum AutomaticSummary: String, CaseIterable, Sendable {
    case off
    /// Summaries from the note's own sentences; nothing is sent.
    case extract
    /// Summaries by the provider of `ai.chat`, if it is on this machine or has `automatic`.
    case model
}
