import Foundation
import NoteStore
import Processes
import Synchronization
import SystemPackage

/// The answer of a model.
public struct Answer: Equatable, Sendable {
    public var text = ""
    public var toolCalls: [ToolCall] = []
    /// Whether the pieces began with the model's reasoning, which `text` is without.
    public var hasReasonedAloud = false
    public var finish: FinishReason?
    /// The number of tokens in the prompt, as counted by the server, or `nil` if it did not report it.
    public var promptTokens: Int?
    /// An upper estimate of the tokens in the prompt.
    public var estimatedTokens = 0

    public init() {}

    /// Whether the answer was truncated at the model's limit.
    public var isCut: Bool { finish == .length }

    /// Whether the server has truncated the prompt.
    ///
    /// The estimate is at most three times too high.
    public var isPromptCut: Bool {
        guard let promptTokens, promptTokens > 0, estimatedTokens > 600 else { return false }
        return promptTokens * 4 < estimatedTokens
    }
}

/// A request to a provider, from the first byte sent to the last one received.
///
/// It blocks its thread, so the main thread must run it on another one. `CommandStop` ends it from any thread.
public struct ModelRun: Sendable {
    public var provider: Provider
    public var stop: CommandStop?
    public var environment: [String: String]
    /// Called with the reason before a pause of a second or more; the pause ends as soon as `stop` is requested.
    public var willPause: @Sendable (String) -> Void = { _ in }
    /// Learns from the tokens that the server counts, or `nil` if nothing is to be remembered.
    private let memory: TokenMemory?
    /// Pauses for a number of milliseconds; tests replace it.
    var pause: @Sendable (Int) -> Void
    /// The greatest length of an answer, in bytes; a longer one is cut, and the request ended.
    var answerLimit = AnswerBuilder.maximumLength

    public init(
        _ provider: Provider, environment: [String: String], stop: CommandStop? = nil, memory: TokenMemory? = nil
    ) {
        (self.provider, self.environment, self.stop, self.memory) = (provider, environment, stop, memory)
        pause = { usleep(useconds_t($0) * 1000) }
    }

    /// Sends the request and passes on the pieces of the answer as they arrive.
    ///
    /// - Throws: `ModelFailure`, possibly after some of the answer has arrived.
    public func answer(
        to request: ChatRequest, _ receive: @escaping @Sendable (AnswerEvent) -> Void = { _ in }
    ) throws(ModelFailure) -> Answer {
        let request = provider.prepared(request)
        switch provider.way {
        case .command: return try commandAnswer(request, receive)
        case .server(let address):
            let key = try ProviderKey.key(of: provider, environment: environment, stop: stop)
            let answer = try serverAnswer(address, key, request, receive)
            memory?.learn(from: answer)
            return answer
        }
    }

    // MARK: - A server

    /// Asks a server until it answers; leaves out, one after the other, what it does not know.
    private func serverAnswer(
        _ address: ServerAddress, _ key: String?, _ request: ChatRequest,
        _ receive: @escaping @Sendable (AnswerEvent) -> Void
    ) throws(ModelFailure) -> Answer {
        var (request, model) = (request, provider.model)
        var patience = RetryPatience()
        while true {
            let attempt = try attempt(address, key, request, model, receive)
            guard let failure = attempt.failure else { return attempt.answer }
            if attempt.hasBegun && !attempt.hasMiscalled || stop?.isRequested == true { throw failure }
            if attempt.hasMiscalled {
                // It has shown that it cannot call tools, and is asked to answer.
                request.tools = []
            } else if attempt.wantsNewLimit, !request.hasNewLimit {
                request.hasNewLimit = true
            } else if attempt.dislikesUsage, request.wantsUsage {
                request.wantsUsage = false
            } else if !request.tools.isEmpty, attempt.mayDislikeTools {
                request.tools = []
            } else if model.isEmpty, attempt.mayWantModel, let first = firstModel(address, key) {
                model = first
            } else if request.wantsUsage, attempt.mayDislikeUsage {
                request.wantsUsage = false
            } else if let milliseconds = patience.wait(
                after: attempt.status, attempt.retryAfter, isLoading: attempt.isLoading)
            {
                let reason = patience.reason(
                    for: milliseconds, address.label, attempt.retryAfter, isLoading: attempt.isLoading)
                if let reason { willPause(reason) }
                try sleep(milliseconds)
            } else {
                throw failure
            }
        }
    }

    private func sleep(_ milliseconds: Int) throws(ModelFailure) {
        var left = milliseconds
        while left > 0 {
            if stop?.isRequested == true { throw .stopped }
            let step = min(left, 50)
            pause(step)
            left -= step
        }
    }

    /// Sends a request once.
    private func attempt(
        _ address: ServerAddress, _ key: String?, _ request: ChatRequest, _ model: String,
        _ receive: @escaping @Sendable (AnswerEvent) -> Void
    ) throws(ModelFailure) -> Attempt {
        let state = Mutex(Attempt(builder: AnswerBuilder(limit: answerLimit, tools: request.tools)))
        let enough = CommandStop(within: stop)
        let call = CurlCall(
            address: address, path: "/chat/completions", body: request.body(model: model), key: key,
            patience: provider.patience)
        var ending = try call.run(environment: environment, stop: enough) { head, bytes in
            let (events, isFull) = state.withLock { state in
                let events = state.take(bytes, isAnswer: (200..<300).contains(head.status))
                return (events, state.isFull)
            }
            events.forEach(receive)
            if isFull { enough.stop() }
        }
        if stop?.isRequested != true, state.withLock({ $0.isFull }) {
            // The request was ended here, because the answer is longer than any that is kept.
            (ending.isStopped, ending.status) = (false, 0)
        }
        let (rest, attempt) = state.withLock { state in
            let rest = state.end(
                ending, label: address.label, model: model, key: key, patience: provider.patience,
                estimate: request.estimatedTokens)
            return (rest, state)
        }
        rest.forEach(receive)
        return attempt
    }

    /// Returns the first model in the server's list.
    private func firstModel(_ address: ServerAddress, _ key: String?) -> String? {
        let bytes = Mutex<[UInt8]>([])
        let call = CurlCall(address: address, path: "/models", body: nil, key: key, patience: 10)
        // If the server has no list, the request names no model.
        guard
            let ending = try? call.run(
                environment: environment, stop: stop,
                { _, piece in
                    bytes.withLock { if $0.count < 1_000_000 { $0 += piece } }
                }), ending.status == 0, ending.head?.status == 200,
            let value = JSONValue(parsing: String(decoding: bytes.withLock { $0 }, as: UTF8.self))
        else { return nil }
        return value["data"]?.list?.lazy.compactMap { $0["id"]?.text }.first { !$0.isEmpty }
    }

    // MARK: - A program

    private func commandAnswer(
        _ request: ChatRequest, _ receive: @escaping @Sendable (AnswerEvent) -> Void
    ) throws(ModelFailure) -> Answer {
        let builder = Mutex(AnswerBuilder(limit: answerLimit))
        let enough = CommandStop(within: stop)
        try runProgram(reading: request.plainText, until: enough) { words in
            let (events, isFull) = builder.withLock { builder in
                let events = builder.take(output: words)
                return (events, builder.isFull)
            }
            events.forEach(receive)
            if isFull { enough.stop() }
        }
        builder.withLock { $0.end() }.forEach(receive)
        var answer = Answer()
        (answer.text, answer.finish, answer.hasReasonedAloud) = builder.withLock {
            ($0.text, $0.finish, $0.hasReasonedAloud)
        }
        answer.estimatedTokens = request.estimatedTokens
        guard answer.text.contains(where: { !$0.isWhitespace }) else { throw .emptyAnswer(provider.label) }
        return answer
    }

    /// Runs the provider's program in an empty folder and passes on its output as it arrives.
    ///
    /// - Parameter enough: ends the program without an error, once it has written enough.
    func runProgram(
        reading input: String, until enough: CommandStop? = nil, _ receive: @escaping @Sendable (String) -> Void
    ) throws(ModelFailure) {
        guard case .command(let words) = provider.way, let program = words.first, let path = path(of: program) else {
            throw .noProgram(provider.label)
        }
        guard let folder = EmptyFolder() else { throw .noFolder }
        defer { folder.remove() }
        // The shell changes to the empty folder and then executes the program, which is not told where it was before.
        let script = "cd \"$1\" && shift && unset OLDPWD && exec \"$@\""
        var command = Command(path: "/bin/sh", words: ["sh", "-c", script, "sh", folder.path, path])
        command.words += words.dropFirst()
        command.input = .bytes(Array(input.utf8))
        command.endsWithParent = true
        command.environment = environment.filter {
            ["PATH", "HOME", "LANG"].contains($0.key) || provider.environment.contains($0.key)
        }
        let pieces = Mutex(UTF8Pieces())
        command.output = .passed { bytes in
            let words = pieces.withLock { $0.take(bytes) }
            if !words.isEmpty { receive(words) }
        }
        let result: CommandResult
        do {
            result = try command.run(silence: .seconds(provider.patience), stop: enough ?? stop)
        } catch {
            throw .noProgram(program)
        }
        if stop?.isRequested == true { throw .stopped }
        if enough?.isRequested == true { return }
        if result.isStopped { throw .silent(program, seconds: provider.patience) }
        guard case .exited(let status) = result.end else { throw .programFailed(program, status: -1) }
        // The shell's exit statuses for a program that it cannot execute.
        if status == 126 || status == 127 { throw .noProgram(program) }
        guard status == 0 else { throw .programFailed(program, status: status) }
    }

    private func path(of program: String) -> String? {
        if program.contains("/") {
            guard access(program, X_OK) == 0 else { return nil }
            return Notebook.absolute(program)
        }
        return Command.path(of: program, in: environment["PATH"] ?? "/usr/bin:/bin")
    }
}

/// An attempt at a request, with its result.
private struct Attempt: Sendable {
    var decoder = EventStreamDecoder()
    var builder: AnswerBuilder
    var hasBegun = false
    /// Whether the answer comes in events, whose end the last one marks.
    private var isStream = false
    var status: Int?
    var retryAfter: Int?
    var failure: ModelFailure?
    var answer = Answer()
    /// Whether the answer is the call of a tool that cannot be performed, of which nothing was shown.
    private(set) var hasMiscalled = false

    init(builder: AnswerBuilder) { self.builder = builder }

    /// Whether the answer is longer than any that is kept, or the response so long that it holds none.
    var isFull: Bool {
        builder.isFull || decoder.isCut || builder.understood == 0 && decoder.strayLines > Self.maximumStrayLines
    }
    /// The number of lines that are not events, as of a page of HTML, after which no answer is expected.
    private static let maximumStrayLines = 10_000
    var isLoading: Bool { builder.problem == .loading }
    var wantsNewLimit: Bool { builder.problem == .limitRenamed }

    mutating func take(_ bytes: [UInt8], isAnswer: Bool) -> [AnswerEvent] {
        if isFull { return [] }
        let payloads = decoder.decode(bytes)
        isStream = isStream || payloads.contains { if case .data = $0 { true } else { false } }
        var events: [AnswerEvent] = []
        for payload in payloads {
            let more = builder.take(payload)
            // What came before an error is a part of the answer, however the bytes were divided.
            if builder.problem != nil { break }
            events += more
        }
        // The body of a response with an error status is not an answer.
        guard isAnswer else { return [] }
        if !events.isEmpty { hasBegun = true }
        return events
    }

    /// Completes the answer with what the end of the response tells, and finds out whether it failed.
    ///
    /// - Returns: the last events.
    mutating func end(
        _ ending: CurlCall.Ending, label: String, model: String, key: String?, patience: Int, estimate: Int
    ) -> [AnswerEvent] {
        let payloads = decoder.finish()
        isStream = isStream || payloads.contains { if case .data = $0 { true } else { false } }
        let rest = payloads.flatMap { builder.take($0) } + builder.end()
        status = ending.head?.status
        retryAfter = ending.head?.retryAfter
        failure =
            CurlCall.failure(ending, label: label, patience: patience, hasBegun: hasBegun)
            ?? refusal(ending, label: label, model: model, key: key)
        hasMiscalled = failure == nil && builder.hasMiscalled
        answer.text = builder.text
        answer.hasReasonedAloud = builder.hasReasonedAloud
        answer.toolCalls = builder.toolCalls.filter { !$0.name.isEmpty }
        answer.finish = isFull ? .length : builder.finish
        answer.promptTokens = builder.promptTokens
        answer.estimatedTokens = estimate
        failure = failure ?? fault(label)
        return failure == nil || hasBegun ? rest : []
    }

    /// Returns the reason why what came without an error is not a whole answer, and must not be stored as one; nil if
    /// it is.
    private func fault(_ label: String) -> ModelFailure? {
        if answer.finish == .filtered { return .filtered(label) }
        if builder.hasDeclined { return .declined(label) }
        if !answer.text.contains(where: { !$0.isWhitespace }), answer.toolCalls.isEmpty {
            if builder.understood == 0, !builder.isDone { return .notAChat(label) }
            return answer.isCut && builder.hasReasoned ? .onlyReasoned(label) : .emptyAnswer(label)
        }
        // The connection was closed in order, but nothing tells that the answer is whole.
        if isStream, answer.finish == nil, !builder.isDone { return .hungUp(label, isInAnswer: true) }
        return builder.isBroken ? .broken(label) : nil
    }

    private func refusal(
        _ ending: CurlCall.Ending, label: String, model: String, key: String?
    ) -> ModelFailure? {
        guard let status, !ending.isMalformed else { return .notAChat(label) }
        if (300..<400).contains(status) { return .redirected(label, status: status) }
        if (200..<300).contains(status), builder.problem == nil { return nil }
        switch (builder.problem, status) {
        case (_, 401), (_, 403): return .keyRefused(label, status: status)
        case (_, 429): return .tooManyRequests(label, seconds: retryAfter)
        case (.contextExceeded?, _), (_, 413): return .contextExceeded(label)
        case (.noSuchModel?, _): return .noSuchModel(label, model: model)
        case (.loading?, _): return .stillLoading(label)
        case (_, 200..<300): return .serverProblem(label)
        default: return .refused(label, status: status, said: ServerWords(builder.said, hiding: key))
        }
    }

    /// Whether the server says that it does not count tokens in a stream, and whether that may be its reason.
    var dislikesUsage: Bool { builder.problem == .usageUnsupported }
    var mayDislikeUsage: Bool { [nil, .other].contains(builder.problem) && [400, 422].contains(status ?? 0) }

    /// Whether the request may succeed without tools; servers reject unknown parameters in many ways.
    var mayDislikeTools: Bool {
        builder.problem == .toolsUnsupported
            || [400, 404, 422, 501].contains(status ?? 0)
                && builder.problem != .contextExceeded && builder.problem != .noSuchModel
    }

    var mayWantModel: Bool { builder.problem == .noSuchModel || [400, 404, 422].contains(status ?? 0) }
}

/// A decoder of UTF-8 that arrives in pieces, which may end inside a character.
struct UTF8Pieces: Sendable {
    private var rest: [UInt8] = []

    mutating func take(_ bytes: some Sequence<UInt8>) -> String {
        rest += bytes
        var end = rest.count
        // A character has at most four bytes, so an incomplete one at the end has at most three.
        for back in 1...3 where back <= rest.count {
            let byte = rest[rest.count - back]
            if byte & 0xC0 == 0x80 { continue }
            let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
            if length > back { end = rest.count - back }
            break
        }
        defer { rest.removeFirst(end) }
        return String(decoding: rest[..<end], as: UTF8.self)
    }
}

/// An empty working directory for a program, where it finds no files to read.
private struct EmptyFolder {
    private let folder: FilePath

    var path: String { folder.string }

    init?() {
        guard let folder = try? PrivateFile.makeTemporaryFolder() else { return nil }  // the caller says so
        self.folder = folder
    }

    func remove() {
        // If the program's files cannot be removed, the system clears the folder for temporary files.
        try? PrivateFile.removeAll(folder)
    }
}
