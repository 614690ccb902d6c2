/// A message of a chat.
public struct ChatMessage: Equatable, Sendable {
    public enum Role: String, Sendable { case system, user, assistant, tool }

    public var role: Role
    public var content: String
    /// The calls that the model made with this message.
    public var toolCalls: [ToolCall] = []
    /// The identifier of the call whose result this message is.
    public var answersCall: String?

    public init(_ role: Role, _ content: String) {
        self.role = role
        self.content = content
    }

    /// The most tokens with which a server's template surrounds a message: 17 where the marks of ChatML are not tokens of
    /// their own, as for a Gemma without a template in llama-server.
    static let tokensAround = 20

    /// An upper estimate of the tokens that the message takes in a prompt.
    var estimatedTokens: Int {
        toolCalls.reduce(Self.tokensAround + TokenCount.estimate(content)) {
            $0 + 8 + TokenCount.estimate($1.name + $1.arguments)
        }
    }

    var json: JSONValue {
        var object: [String: JSONValue] = ["role": .text(role.rawValue), "content": .text(content)]
        if !toolCalls.isEmpty {
            object["tool_calls"] = .list(
                toolCalls.map { call in
                    [
                        "id": .text(call.id), "type": "function",
                        "function": ["name": .text(call.name), "arguments": .text(call.arguments)],
                    ]
                })
        }
        if let answersCall { object["tool_call_id"] = .text(answersCall) }
        return .object(object)
    }
}

/// A request to a model.
public struct ChatRequest: Equatable, Sendable {
    public var messages: [ChatMessage]
    public var tools: [Tool] = []
    /// The greatest length of the answer, in tokens.
    public var answerTokens = ChatRequest.usualAnswer

    /// Whether the limit of the answer has its newer name, `max_completion_tokens`, which OpenAI's reasoning models demand
    /// and most other servers do not know.
    var hasNewLimit = false

    /// Whether the server is asked to count the tokens at the end of the stream, which some servers refuse.
    var wantsUsage = true

    /// Enough for an answer of some five hundred words.
    public static let usualAnswer = 768

    public init(_ messages: [ChatMessage], tools: [Tool] = []) {
        self.messages = messages
        self.tools = tools
    }

    /// Returns the request's body in OpenAI's protocol.
    public func body(model: String) -> String {
        var object: [String: JSONValue] = [
            "messages": .list(messages.map(\.json)), "stream": true,
        ]
        if wantsUsage { object["stream_options"] = ["include_usage": true] }
        object[hasNewLimit ? "max_completion_tokens" : "max_tokens"] = .number(Double(answerTokens))
        if !model.isEmpty { object["model"] = .text(model) }
        if !tools.isEmpty { object["tools"] = .list(tools.map(\.json)) }
        return JSONValue.object(object).line
    }

    /// The prompt as plain text, for a program.
    public var plainText: String {
        if messages.count == 1 { return messages[0].content + "\n" }
        return messages.map(Prompts.earlier).joined(separator: "\n\n") + "\n"
    }

    /// An upper estimate of the tokens in the prompt, with those that begin the answer.
    public var estimatedTokens: Int {
        messages.reduce(ChatMessage.tokensAround) { $0 + $1.estimatedTokens } + tools.count * 120
    }

    /// A tool that the model may call.
    public enum Tool: String, CaseIterable, Sendable {
        case searchNotes = "search_notes"
        case createNote = "create_note"

        /// Whether a text holds a call as JSON, with the name of a tool and its arguments.
        static func isCalled(in text: String) -> Bool {
            text.contains("\"arguments\"") && allCases.contains { text.contains("\"\($0.rawValue)\"") }
        }

        var json: JSONValue {
            switch self {
            case .searchNotes:
                function(["query": ["type": "string", "description": .text(Prompts.Call.query)]], ["query"])
            case .createNote:
                function(
                    [
                        "title": ["type": "string"],
                        "text": ["type": "string", "description": .text(Prompts.Call.text)],
                    ], ["text"])
            }
        }

        private func function(_ parts: JSONValue, _ required: JSONValue) -> JSONValue {
            [
                "type": "function",
                "function": [
                    "name": .text(rawValue), "description": .text(Prompts.Call.purpose(of: self)),
                    "parameters": ["type": "object", "properties": parts, "required": required],
                ],
            ]
        }
    }
}

/// Estimates of the number of tokens, since only the model's own vocabulary could give it exactly.
enum TokenCount {
    /// Returns an upper estimate: a third of the bytes, which is one token for each CJK character of three bytes.
    static func estimate(_ text: String) -> Int { (text.utf8.count + 2) / 3 }

    /// Returns the longest beginning of a text whose estimate is at most `tokens`.
    static func beginning(of text: String, fitting tokens: Int) -> String {
        guard estimate(text) > tokens else { return text }
        // An index within a character counts as the one at its first byte.
        return String(text[..<text.utf8.index(text.startIndex, offsetBy: max(0, 3 * tokens))])
    }
}
