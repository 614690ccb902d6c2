/// Finds the call of a tool that a model writes as its answer, and keeps it from being shown.
///
/// Small models do so, and servers that do not know the model's template pass it on: `{"name": …, "arguments": …}`
/// alone, in a fence, or between tags. The beginning of an answer is held back as long as it may be such a call.
struct WrittenCall: Sendable {
    /// What the end of an answer makes of the text that was held back.
    enum Ending: Equatable {
        /// It is part of the answer.
        case text(String)
        case call(ToolCall)
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
        guard let before = held else { return words }
        let text = before + words
        held = Self.mayBeCall(text) && text.utf8.count <= Self.maximumLength ? text : nil
        return held == nil ? text : ""
    }

    /// Returns what the held text is, at the end of the answer.
    mutating func end() -> Ending {
        guard let text = held else { return .text("") }
        held = nil
        guard let first = text.firstIndex(of: "{"), let last = text.lastIndex(of: "}"), first < last,
            let value = JSONValue(parsing: String(text[first...last]))
        else { return Self.argumentFields.contains { text.contains("\"\($0)\"") } ? .unusable : .text(text) }
        // In some forms the field has the name alone.
        let function = value["function"].flatMap { $0.text == nil ? $0 : nil } ?? value
        let arguments = Self.argumentFields.lazy.compactMap { function[$0] }.first
        guard let arguments, let name = (function["name"] ?? value["function"])?.text else { return .text(text) }
        guard tools.contains(where: { $0.rawValue == name }) else { return .unusable }
        return .call(ToolCall(id: "", name: AnswerBuilder.clean(name), arguments: arguments.text ?? arguments.line))
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
