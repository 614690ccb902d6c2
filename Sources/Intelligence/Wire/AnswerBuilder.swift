/// A piece of an answer as it arrives.
public enum AnswerEvent: Equatable, Sendable {
    case text(String)
    /// The model's reasoning before its answer, which is shown dimmed and never stored.
    case reasoning(String)
}

/// The reason why a model stopped.
public enum FinishReason: Equatable, Sendable {
    case stop, length, toolCalls, filtered, other
}

/// A call of one of the offered tools, as the model wrote it.
public struct ToolCall: Equatable, Sendable {
    public var id: String
    public var name: String
    /// The arguments as JSON, as received; empty if there are none.
    public var arguments: String
}

/// The kind of a server's error, without its message.
public enum ServerProblem: Equatable, Sendable {
    case contextExceeded, noSuchModel, loading, toolsUnsupported, usageUnsupported, limitRenamed, other
}

/// Builds an answer from the payloads of a chat response.
///
/// It is a value that turns payloads into pieces of the answer. Control characters are removed here, before anything is
/// stored or drawn, since a model's text is untrusted.
public struct AnswerBuilder: Sendable {
    public private(set) var text = ""
    public private(set) var toolCalls: [ToolCall] = []
    public private(set) var finish: FinishReason?
    public private(set) var problem: ServerProblem?
    /// The server's own words about the error, as they came; only `ServerWords` makes them safe to show.
    private(set) var said: String?
    /// Whether the model said that it refuses to answer; its words for that are dropped.
    private(set) var hasDeclined = false
    /// The number of tokens in the prompt, as counted by the server.
    public private(set) var promptTokens: Int?
    /// Whether the end of the answer was received: `[DONE]`, or the usage alone, which some servers send last.
    public private(set) var isDone = false
    /// Whether the answer, a call of a tool, or the reasoning or the blanks before the answer has reached the greatest
    /// length, or there are too many calls; the rest is dropped.
    private(set) var isFull = false
    /// The numbers of payloads that were understood and that were not.
    private(set) var understood = 0
    private(set) var strange = 0
    /// Whether a piece before the end of the answer was broken JSON, so that some of the text is missing.
    private(set) var isBroken = false
    /// Whether the answer is the call of a tool that cannot be performed.
    private(set) var hasMiscalled = false
    /// Whether the model's reasoning came as part of the answer; at its end, `text` has the answer alone.
    private(set) var hasReasonedAloud = false
    private var thoughts = ThoughtFilter()
    private var writtenCall: WrittenCall
    /// The length of the reasoning, in bytes.
    private var thoughtSize = 0
    /// Whether the model has reasoned before its answer.
    var hasReasoned: Bool { thoughtSize > 0 }
    /// The number that the server gave to each call.
    private var toolNumbers: [Int?] = []

    /// The greatest length of an answer that is kept, in bytes.
    public static let maximumLength = 4_000_000
    private static let maximumTools = 32
    /// The length of blanks before the answer, in bytes, after which none is expected any more.
    private static let maximumBlanks = 2000

    /// The greatest length of this answer, and of the reasoning before it, in bytes.
    private let limit: Int

    /// - Parameters:
    ///   - limit: the greatest length of the answer, in bytes.
    ///   - tools: the tools that the model was offered, of which it may write a call as its answer.
    public init(limit: Int = AnswerBuilder.maximumLength, tools: [ChatRequest.Tool] = []) {
        self.limit = limit
        writtenCall = WrittenCall(tools)
    }

    /// Takes the next event of the response.
    ///
    /// - Returns: what it adds to the answer, in order; nothing for an event that only ends it or says nothing.
    public mutating func take(_ event: EventStreamDecoder.Event) -> [AnswerEvent] {
        switch event {
        case .data(let text), .plain(let text):
            let payload = text.drop(while: \.isWhitespace)
            if payload.isEmpty { return [] }
            if payload.hasPrefix("[DONE]") {
                isDone = true
                return []
            }
            var parsed = JSONValue(parsing: text)
            // Some servers put an error into a list.
            if let first = parsed?.list?.first, first["error"] != nil { parsed = first }
            guard let value = parsed, case .object = value else {
                strange += 1
                if payload.hasPrefix("{"), finish == nil { isBroken = true }
                return []
            }
            return take(value)
        }
    }

    /// Adds plain output of a program.
    public mutating func take(output: String) -> [AnswerEvent] {
        understood += 1
        return append(output)
    }

    /// Returns the text that was held back, at the end of the response.
    public mutating func end() -> [AnswerEvent] {
        var events = keep(thoughts.end())
        switch writtenCall.end() {
        case .text(let words): events += keep([.text(words)])
        case .calls(let calls) where toolCalls.isEmpty: toolCalls = Array(calls.prefix(Self.maximumTools))
        case .unusable where toolCalls.isEmpty: hasMiscalled = true
        // The model has both made the call and written it.
        case .calls, .unusable: break
        }
        if let answer = ThoughtFilter.answer(in: text) { (text, hasReasonedAloud) = (answer, true) }
        return events
    }

    // MARK: - Payloads

    private mutating func take(_ value: JSONValue) -> [AnswerEvent] {
        if let error = ErrorBody.error(in: value) { return take(error: error) }
        if let tokens = value["usage"]?["prompt_tokens"]?.integer { promptTokens = tokens }
        guard let choices = value["choices"]?.list else {
            // The last payload, for instance, has only the usage.
            if value["usage"] == nil { strange += 1 } else { understood += 1 }
            return []
        }
        understood += 1
        if choices.isEmpty, value["usage"]?.isNull == false { isDone = true }
        guard let choice = choices.first(where: { ($0["index"]?.integer ?? 0) == 0 }) else { return [] }
        let part = choice["delta"] ?? choice["message"] ?? choice
        var events: [AnswerEvent] = []
        for key in ["reasoning_content", "reasoning"] {
            guard let thought = part[key].flatMap(Self.words), !thought.isEmpty else { continue }
            events += keep([.reasoning(Self.clean(thought))])
            break
        }
        if let words = (part["content"] ?? part["text"]).flatMap(Self.words) { events += append(words) }
        if part["refusal"]?.text?.isEmpty == false { hasDeclined = true }
        for call in part["tool_calls"]?.list ?? [] { take(call: call) }
        if let call = part["function_call"], !call.isNull { take(call: .object(["function": call])) }
        if !isFull, let reason = choice["finish_reason"]?.text { finish = Self.reason(reason) }
        return events
    }

    private mutating func take(error: JSONValue) -> [AnswerEvent] {
        understood += 1
        said = ErrorBody.words(of: error)
        let words = [said, error["type"]?.text, error["code"]?.text]
            .compactMap { $0?.lowercased() }.joined(separator: " ")
        problem =
            if words.contains("too large to process")
                || words.contains("context")
                    && (words.contains("exceed") || words.contains("length") || words.contains("long"))
            {
                .contextExceeded
            } else if words.contains("loading") && words.contains("model") {
                .loading
            } else if words.contains("stream_options") || words.contains("include_usage") {
                .usageUnsupported
            } else if words.contains("max_completion_tokens") {
                .limitRenamed
            } else if words.contains("tool") || words.contains("function") {
                .toolsUnsupported
            } else if words.contains("model")
                && (words.contains("not found") || words.contains("not exist")
                    || words.contains("not_found") || words.contains("no such") || words.contains("required"))
            {
                .noSuchModel
            } else {
                .other
            }
        return []
    }

    /// Returns a text, or the joined texts of a list of parts.
    private static func words(_ value: JSONValue) -> String? {
        if let text = value.text { return text }
        return value.list?.compactMap { $0.text ?? $0["text"]?.text }.joined()
    }

    private static func reason(_ word: String) -> FinishReason {
        switch word {
        case "stop", "eos", "end_turn": .stop
        case "length", "max_tokens": .length
        case "tool_calls", "function_call": .toolCalls
        case "content_filter": .filtered
        default: .other
        }
    }

    // MARK: - Tools

    /// Adds a fragment of a call to the call that it belongs to.
    ///
    /// Some servers number the calls, some only name them, and some give every call the number 0.
    private mutating func take(call: JSONValue) {
        let function = call["function"] ?? call
        let name = Self.clean(function["name"]?.text ?? "")
        let arguments =
            switch function["arguments"] {
            case .text(let text)?: text
            case .object(let object)?: JSONValue.object(object).line
            default: ""
            }
        let (id, number) = (Self.clean(call["id"]?.text ?? ""), call["index"]?.integer)
        if let index = callIndex(id: id, number: number, name: name) {
            if toolCalls[index].id.isEmpty { toolCalls[index].id = id }
            if toolCalls[index].name.isEmpty { toolCalls[index].name = name }
            toolCalls[index].arguments += arguments
            if toolCalls[index].arguments.utf8.count >= limit { fill() }
        } else if toolCalls.count < Self.maximumTools {
            toolCalls.append(ToolCall(id: id, name: name, arguments: arguments))
            toolNumbers.append(number)
        } else {
            fill()
        }
    }

    /// Returns the index of the call that a fragment belongs to, or `nil` if it begins a new one.
    private func callIndex(id: String, number: Int?, name: String) -> Int? {
        if !id.isEmpty, let known = toolCalls.firstIndex(where: { $0.id == id }) { return known }
        let sameNumber = number.flatMap { number in toolNumbers.lastIndex { $0 == number } }
        guard let index = number == nil ? toolCalls.indices.last : sameNumber else { return nil }
        let call = toolCalls[index]
        // Another identifier, or a name after a complete call, begins the next call.
        if !id.isEmpty, !call.id.isEmpty { return nil }
        guard !name.isEmpty, !call.name.isEmpty else { return index }
        let isWhole = !call.arguments.isEmpty && JSONValue(parsing: call.arguments) != nil
        return number == nil || isWhole ? nil : index
    }

    // MARK: - Text

    private mutating func append(_ words: String) -> [AnswerEvent] {
        let events = keep(thoughts.take(Self.clean(words)))
        if thoughts.blankSize > Self.maximumBlanks { fill() }
        return events
    }

    private mutating func keep(_ parts: [AnswerEvent]) -> [AnswerEvent] {
        parts.compactMap { part in
            if isFull { return nil }
            guard case .text(var words) = part else {
                if case .reasoning(let thought) = part { thoughtSize += thought.utf8.count }
                if thoughtSize >= limit { fill() }
                return part
            }
            words = writtenCall.take(words)
            // Blank lines before the answer are dropped.
            if text.isEmpty { words = String(words.drop(while: \.isNewline)) }
            guard !words.isEmpty else { return nil }
            text += words
            if text.utf8.count >= limit { fill() }
            return .text(words)
        }
    }

    private mutating func fill() { (isFull, finish) = (true, .length) }

    /// Returns the text without the control characters C0 (except newline and tab), DEL and C1.
    static func clean(_ text: String) -> String {
        func isKept(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.value {
            case 0x09, 0x0A: true
            case 0..<0x20, 0x7F..<0xA0: false
            default: true
            }
        }
        guard !text.unicodeScalars.allSatisfy(isKept) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where isKept(scalar) { result.append(scalar) }
        return String(result)
    }
}

/// Separates the text between `<think>` and `</think>` from the answer.
///
/// The tag only counts at the very beginning; later it is a word of the answer.
struct ThoughtFilter: Sendable {
    private enum State { case beginning, thinking, answering }

    private var state = State.beginning
    /// The text held back because it may be part of a tag.
    private var held = ""

    /// The length of the blanks that are held back, after which the answer may begin, in bytes.
    var blankSize: Int { state == .beginning ? held.utf8.count : 0 }

    private static let open = "<think>"
    private static let close = "</think>"

    mutating func take(_ words: String) -> [AnswerEvent] {
        if state == .answering { return words.isEmpty ? [] : [.text(words)] }
        held += words
        if state == .beginning {
            let start = held.drop(while: \.isWhitespace)
            if start.hasPrefix(Self.open) {
                state = .thinking
                held = String(start.dropFirst(Self.open.count))
            } else if Self.open.hasPrefix(start) {
                return []
            } else {
                state = .answering
                defer { held = "" }
                return [.text(held)]
            }
        }
        if let end = held.range(of: Self.close) {
            let thought = String(held[..<end.lowerBound])
            let answer = String(held[end.upperBound...].drop(while: \.isWhitespace))
            state = .answering
            held = ""
            return (thought.isEmpty ? [] : [.reasoning(thought)]) + (answer.isEmpty ? [] : [.text(answer)])
        }
        // The end of the text may be the beginning of the tag.
        var kept = min(Self.close.count - 1, held.count)
        while kept > 0, !Self.close.hasPrefix(held.suffix(kept)) { kept -= 1 }
        let thought = String(held.dropLast(kept))
        held = String(held.suffix(kept))
        return thought.isEmpty ? [] : [.reasoning(thought)]
    }

    /// Returns the answer behind reasoning that begins without a tag, or `nil` if there is none.
    ///
    /// The templates of some models begin the reasoning in the prompt, so that the model writes only its end.
    static func answer(in text: String) -> String? {
        guard let end = text.range(of: "\n" + close + "\n"), !text[..<end.lowerBound].contains(open) else { return nil }
        // In a fence the tag is an example.
        let fences = text[..<end.upperBound].split(separator: "\n").count { $0.hasPrefix("```") }
        guard fences.isMultiple(of: 2) else { return nil }
        return String(text[end.upperBound...].drop(while: \.isWhitespace))
    }

    mutating func end() -> [AnswerEvent] {
        defer { (state, held) = (.answering, "") }
        guard !held.isEmpty else { return [] }
        return [state == .thinking ? .reasoning(held) : .text(held)]
    }
}
