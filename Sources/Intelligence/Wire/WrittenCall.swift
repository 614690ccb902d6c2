/// Finds the calls of tools that a model writes as its answer, and keeps them from being shown.
///
/// Small models do so, and servers that do not know the model's template pass it on: `{"name": …, "arguments": …}`
/// alone, in a fence, or between tags, once or several times. The beginning of an answer is held back as long as it may
/// be such a call.
struct WrittenCall: Sendable {
    /// What the end of an answer makes of the text that was held back.
    enum Ending: Equatable {
        /// It is part of the answer.
        case text(String)
        /// It is these calls, at least one.
        case calls([ToolCall])
        /// It is the call of a tool that was not offered, or one that cannot be read.
        case unusable
    }

    private let tools: [ChatRequest.Tool]
    /// The text held back, or `nil` once the answer is known to be something else.
    private var held: String?

    /// What may stand before a call; an opening comes before those that it begins with.
    private static let openings = ["```json", "```", "<tool_call>", "<tools>", "<function_call>"]
    /// The names that the first field of a call has, in the forms of several families of models.
    private static let firstFields = ["\"name\"", "\"type\"", "\"function\""]
    private static let argumentFields = ["arguments", "parameters"]
    /// The length in bytes above which a text is not a call: the longest note that a model may propose, with escapes.
    private static let maximumLength = 2 * NoteProposal.maximumLength

    /// - Parameter tools: the tools that the model was offered; without any, nothing is held back.
    init(_ tools: [ChatRequest.Tool]) {
        self.tools = tools
        held = tools.isEmpty ? nil : ""
    }

    /// Returns the text that can be shown after more of it has arrived.
    mutating func take(_ words: String) -> String {
        if held == nil { return words }
        held? += words
        guard let text = held, !Self.mayBeCall(text) || text.utf8.count > Self.maximumLength else { return "" }
        held = nil
        return text
    }

    /// Returns what the held text is, at the end of the answer.
    mutating func end() -> Ending {
        guard let text = held else { return .text("") }
        held = nil
        let values = Self.objects(in: text).map { JSONValue(parsing: String($0)) }
        let written = values.compactMap { $0.flatMap(Self.call) }
        let calls = written.filter { call in tools.contains { $0.rawValue == call.name } }
        if !calls.isEmpty { return .calls(calls) }
        let isUnread = values.isEmpty || values.contains(nil)
        let isCall = !written.isEmpty || isUnread && Self.argumentFields.contains { text.contains("\"\($0)\"") }
        return isCall ? .unusable : .text(text)
    }

    /// Returns the call that a value is, or `nil` if it is something else.
    private static func call(_ value: JSONValue) -> ToolCall? {
        // In some forms the field has the name alone.
        let function = value["function"].flatMap { $0.text == nil ? $0 : nil } ?? value
        let arguments = argumentFields.lazy.compactMap { function[$0] }.first
        guard let arguments, let name = (function["name"] ?? value["function"])?.text else { return nil }
        return ToolCall(id: "", name: AnswerBuilder.clean(name), arguments: arguments.text ?? arguments.line)
    }

    /// Returns the outermost objects of JSON in a text, whatever stands around them; one without an end is left out.
    private static func objects(in text: String) -> [Substring] {
        var objects: [Substring] = []
        var (start, depth, isQuoted, isEscaped) = (text.startIndex, 0, false, false)
        for index in text.utf8.indices {
            switch text.utf8[index] {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = isQuoted
            case UInt8(ascii: "\""): isQuoted = depth > 0 && !isQuoted
            case _ where isQuoted: break
            case UInt8(ascii: "{"):
                if depth == 0 { start = index }
                depth += 1
            case UInt8(ascii: "}") where depth > 0:
                depth -= 1
                if depth == 0 { objects.append(text[start...index]) }
            default: break
            }
        }
        return objects
    }

    /// Returns whether a text is the beginning of a call, or may become one.
    private static func mayBeCall(_ text: String) -> Bool {
        var rest = text.drop(while: \.isWhitespace)
        for opening in openings {
            if opening.hasPrefix(rest) { return true }
            guard rest.hasPrefix(opening) else { continue }
            rest = rest.dropFirst(opening.count).drop(while: \.isWhitespace)
            break
        }
        if rest.first == "[" { rest = rest.dropFirst().drop(while: \.isWhitespace) }
        guard let brace = rest.first else { return true }
        let field = rest.dropFirst().drop(while: \.isWhitespace)
        return brace == "{" && firstFields.contains { field.hasPrefix($0) || $0.hasPrefix(field) }
    }
}
