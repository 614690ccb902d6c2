import Foundation
import NoteStore
import Processes

/// A question and its answer.
public struct Turn: Equatable, Sendable {
    public var question: String
    public var answer: String

    public init(question: String, answer: String) {
        self.question = question
        self.answer = answer
    }
}

/// An event while an answer is being received.
public enum AskEvent: Equatable, Sendable {
    /// A piece of the answer, with its citations already turned into links.
    case text(String)
    case reasoning(String)
    /// The model searches the notes for this query.
    case searching(String)
    /// Excerpts of these notes are sent in answer to a search.
    case found([NoteID])
}

/// A note that the model proposes to create.
public struct NoteProposal: Equatable, Sendable {
    public let title: String
    public let text: String

    /// The greatest length of a proposed note, in bytes.
    public static let maximumLength = 100_000

    /// The text, preceded by its title as a heading unless it already begins with it.
    public var markdown: String {
        title.isEmpty || text.hasPrefix("# ") || text.hasPrefix(title) ? text : "# \(title)\n\n\(text)"
    }
}

/// An answer to a question about the notes.
public struct NotebookAnswer: Equatable, Sendable {
    /// The answer's text, with citations as links.
    public var text = ""
    /// One chunk of each cited note.
    public var sources: [Chunk] = []
    /// The numbers by which the answer cites each note.
    public var numbers: [NoteID: [Int]] = [:]
    /// The titles of the notes whose excerpts the model had, the best first.
    var titles: [String] = []
    public var leftOut = 0
    public var doubted = 0
    public var isCut = false
    public var isPromptCut = false
    /// Whether the pieces began with the model's reasoning, which `text` is without.
    var hasReasonedAloud = false
    /// Whether the text holds the call of a tool, which small models and servers without their template write there.
    public var hasWrittenCall = false
}

/// A question to a model about the notes, sent with the search results as numbered excerpts.
public struct NotebookQuestion: Sendable {
    public let question: String
    public let passages: [Passage]
    public let notes: SendableNotes
    public let provider: Provider
    public var turns: [Turn] = []
    /// How many tokens the model counts for each that is estimated.
    private let ratio: TokenRatio
    /// Asks the user whether a note may be created, and waits for the answer.
    ///
    /// If it is `nil`, the model cannot propose notes.
    public var propose: (@Sendable (NoteProposal) -> Bool)?

    /// The most rounds of further searches by the model.
    static let maximumRounds = 4
    /// The least space for excerpts, in tokens, however small the context is.
    private static let minimumExcerptTokens = 400

    public init(_ question: String, passages: [Passage], notes: SendableNotes, provider: Provider) {
        (self.question, self.passages, self.notes, self.provider) = (question, passages, notes, provider)
        ratio = TokenMemory(provider, in: notes.notebook).ratio
    }

    private var answerTokens: Int { min(ChatRequest.usualAnswer, provider.contextWithoutReasoning / 4) }

    /// The greatest estimate of a prompt beside which the answer has room in the context.
    private var promptRoom: Int { ratio.estimate(fitting: provider.contextWithoutReasoning - answerTokens) }

    /// The first request, as it would be sent.
    public var request: ChatRequest { ask.request }

    /// The numbers of excerpts, of notes that they are from, and of earlier turns in the first request.
    public var amount: (excerpts: Int, notes: Int, turns: Int) {
        let ask = ask
        return (ask.excerpts.count, Set(ask.excerpts.map(\.note)).count, ask.turns)
    }

    /// The first request, its excerpts and the number of its earlier turns.
    private var ask: (request: ChatRequest, excerpts: [Chunk], turns: Int) {
        let tools = !provider.offersTools ? [] : (propose == nil ? [] : [ChatRequest.Tool.createNote]) + [.searchNotes]
        var messages = [ChatMessage(.system, Prompts.asking(withNotes: tools.contains(.createNote)))]
        let fixed = ChatRequest(messages + [ChatMessage(.user, question)], tools: tools).estimatedTokens
        var room = max(Self.minimumExcerptTokens, promptRoom - fixed - 100)
        let recent = recentTurns(&room)
        messages += recent
        var excerpts: [Chunk] = []
        for passage in passages {
            let cost = TokenCount.estimate(Prompts.excerpts([passage.chunk], from: 1)) + 4
            guard cost <= room else { continue }
            excerpts.append(passage.chunk)
            room -= cost
        }
        messages.append(ChatMessage(.user, Prompts.question(question, excerpts)))
        var request = ChatRequest(messages, tools: tools)
        request.answerTokens = answerTokens
        return (request, excerpts, recent.count / 2)
    }

    /// Returns the latest turns that fit into half of the remaining tokens.
    private func recentTurns(_ room: inout Int) -> [ChatMessage] {
        var kept: [ChatMessage] = []
        var half = room / 2
        for turn in turns.reversed() {
            let messages = [ChatMessage(.user, turn.question), ChatMessage(.assistant, turn.answer)]
            let cost = messages.reduce(0) { $0 + $1.estimatedTokens }
            guard cost <= half else { break }
            kept.insert(contentsOf: messages, at: 0)
            half -= cost
            room -= cost
        }
        return kept
    }

    // MARK: - Asking

    /// Asks the model and passes on the pieces of the answer as they arrive.
    public func answer(
        _ run: ModelRun, form: CitationReader.Form, _ receive: @escaping @Sendable (AskEvent) -> Void
    ) throws(ModelFailure) -> NotebookAnswer {
        var (request, excerpts, _) = ask
        let received = ReceivedAnswer(CitationReader(excerpts, form: form), receive)
        var rounds = 0
        while true {
            let answer = try run.answer(to: request) { received.take($0) }
            let hasWords = answer.text.contains { !$0.isWhitespace }
            received.endRound(of: answer, hasWords: hasWords)
            if answer.toolCalls.isEmpty { break }
            guard rounds < Self.maximumRounds else {
                // A model that only goes on searching has not answered.
                guard hasWords else { throw .emptyAnswer(provider.label) }
                break
            }
            rounds += 1
            try perform(answer, round: rounds, of: run, for: &request, received)
            // In the last round the model can only answer.
            if rounds == Self.maximumRounds { request.tools = [] }
        }
        var whole = received.end()
        whole.hasWrittenCall = provider.offersTools && ChatRequest.Tool.isCalled(in: whole.text)
        return whole
    }

    /// Performs the calls of an answer, and adds both to the request.
    private func perform(
        _ answer: Answer, round: Int, of run: ModelRun, for request: inout ChatRequest, _ received: ReceivedAnswer
    ) throws(ModelFailure) {
        var message = ChatMessage(.assistant, answer.text)
        message.toolCalls = answer.toolCalls.enumerated().map { index, call in
            ToolCall(
                id: call.id.isEmpty ? "call-\(round)-\(index)" : call.id, name: call.name, arguments: call.arguments)
        }
        request.messages.append(message)
        for call in message.toolCalls {
            if run.stop?.isRequested == true { throw .stopped }
            let room = promptRoom - request.estimatedTokens - 50
            var reply = ChatMessage(.tool, perform(call, room, received))
            reply.answersCall = call.id
            request.messages.append(reply)
        }
    }

    /// Performs a call of one of the two tools that the model has.
    ///
    /// - Parameter room: the estimated tokens for which the prompt has room.
    private func perform(_ call: ToolCall, _ room: Int, _ received: ReceivedAnswer) -> String {
        let arguments = JSONValue(parsing: call.arguments.isEmpty ? "{}" : call.arguments)
        switch ChatRequest.Tool(rawValue: call.name) {
        case .searchNotes?:
            let query = String((arguments?["query"]?.text ?? "").prefix(500))
            received.tell(.searching(AnswerBuilder.clean(query)))
            return search(query, room, received)
        case .createNote?:
            guard let propose else { return Prompts.Reply.noSuchTool }
            let proposal = NoteProposal(
                title: AnswerBuilder.clean(arguments?["title"]?.text ?? "").replacing("\n", with: " "),
                text: AnswerBuilder.clean(arguments?["text"]?.text ?? ""))
            guard !proposal.text.isEmpty else { return Prompts.Reply.emptyNote }
            guard proposal.text.utf8.count <= NoteProposal.maximumLength else { return Prompts.Reply.longNote }
            return Prompts.Reply.proposed(isAccepted: propose(proposal))
        case nil: return Prompts.Reply.noSuchTool
        }
    }

    /// Searches the notes for the model, and returns the excerpts that it does not have yet.
    private func search(_ query: String, _ room: Int, _ received: ReceivedAnswer) -> String {
        // A model that took a failure for no match would say that the notes do not have what they have.
        guard let found = try? PassageSearch(notes).passages(for: query, limit: 6) else {
            return Prompts.Reply.notSearched
        }
        // A note that consists of its title has no text, and differs from others like it by the title.
        func said(_ chunk: Chunk) -> String { chunk.text.isEmpty ? chunk.label : chunk.text }
        let known = Set(received.excerpts.map(said))
        let fresh = found.map(\.chunk).filter { !known.contains(said($0)) }
        guard !fresh.isEmpty else { return Prompts.Reply.nothingFound }
        let fitting = fitted(fresh, room)
        guard !fitting.isEmpty else { return Prompts.Reply.noRoom }
        received.tell(.found(fitting.map(\.note)))
        let first = received.add(fitting)
        return Prompts.Reply.found(fitting, from: first)
    }

    /// Returns as many chunks as fit into a quarter of the context, and into the room that is left in the prompt.
    private func fitted(_ chunks: [Chunk], _ room: Int) -> [Chunk] {
        var room = min(room, max(Self.minimumExcerptTokens, provider.contextWithoutReasoning / 4))
        return chunks.filter { chunk in
            let cost = TokenCount.estimate(Prompts.excerpts([chunk], from: 1)) + 4
            guard cost <= room else { return false }
            room -= cost
            return true
        }
    }
}
