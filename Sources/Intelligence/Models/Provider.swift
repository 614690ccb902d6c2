import NoteStore

/// A way to a model, as the user configured it.
public struct Provider: Equatable, Sendable {
    /// Where the model is.
    public enum Way: Equatable, Sendable {
        /// A server that speaks OpenAI's protocol; its base address ends before `/chat/completions`.
        case server(ServerAddress)
        /// A program that reads the prompt from standard input.
        case command([String])
    }

    /// Where its key comes from.
    public enum KeySource: Equatable, Sendable {
        case none
        /// A variable of the environment.
        case variable(String)
        /// A command of the shell that prints it.
        case command(String)
    }

    public var name: String
    public var way: Way
    /// Empty for the server's own choice.
    public var model = ""
    public var key = KeySource.none
    /// How many tokens the model takes in, its answer included.
    public var context = Provider.usualContext
    /// The variables that a command may see besides PATH, HOME and LANG.
    public var environment: [String] = []
    /// Seconds of silence after which an answer is given up.
    public var patience = Provider.usualPatience
    /// Whether the model is offered tools.
    public var hasTools = true
    /// Whether requests that the user did not ask for one by one may go to it although it is on another machine.
    public var isAutomatic = false

    public static let usualContext = 4096
    public static let usualPatience = 120

    public init(name: String, way: Way) {
        self.name = name
        self.way = way
    }

    /// Whether what is sent stays on this machine: a loopback address or a Unix socket.
    ///
    /// A command may send what it gets anywhere.
    public var isLocal: Bool {
        if case .server(let address) = way { return address.isLocal }
        return false
    }

    /// What is named in questions and errors: the server's host and port, or the program.
    public var place: String {
        switch way {
        case .server(let address): address.place
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
    /// Which summaries are made without being asked for.
    public var summaries = AutomaticSummary.off
    /// Folders and `#tags` that no model sees.
    public var neverSend: [String] = []
    public var providers: [Provider] = []
    /// What is wrong in the configuration, as a sentence: until it is mended nothing is sent.
    public var problem: String?

    public init() {}

    /// The rule for what a provider may see; without one, for the reader.
    public func rule(for provider: Provider?) -> SendingRule {
        guard let provider else { return .reader }
        return SendingRule(provider.isLocal ? .thisMachine : .elsewhere, neverSend: neverSend)
    }

    /// The provider of answers; nil if there is none.
    public func chatProvider() throws(ModelFailure) -> Provider? { try provider(named: chat, setting: "ai.chat") }

    /// The provider of vectors; nil if there is none.
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

/// The summaries that are made when a note is left, without being asked for.
public enum AutomaticSummary: String, CaseIterable, Sendable {
    case off
    /// Of the note's own sentences; nothing is sent.
    case extract
    /// By the provider of `ai.chat`, if it is on this machine or has `automatic`.
    case model
}
