import Markdown
import NoteStore

/// The reason why a formatted text is rejected.
public enum FormatFault: Error, Equatable, Sendable {
    case empty, cut
    /// Many words are missing or added, or a fence is not closed.
    case broken
    /// A link's target, code, a comment, a definition, a task's box, struck words or a number of a list differs, which the
    /// words do not show.
    case changedParts
}

/// Magic Format: a model formats a text as Markdown, section by section.
public struct Formatting: Sendable {
    /// A formatted text that has passed all checks.
    public struct Result: Equatable, Sendable {
        public var text: String
        /// The number of words that differ from the old text; Markdown syntax does not count.
        public var changedWords: Int
    }

    /// The sections of the text, each of which is sent separately; none of a text that is only front matter.
    public let sections: [String]
    private let text: String
    /// The text after the front matter, with line feeds only, as models write.
    private let body: String
    /// The front matter before the text, which is left unchanged.
    private let frontMatter: String
    private let ratio: TokenRatio

    /// - Parameter ratio: what is known about the model's count of tokens.
    public init(_ text: String, provider: Provider, ratio: TokenRatio = TokenRatio()) {
        (self.text, self.ratio) = (text, ratio)
        let end = NoteFrontMatter(of: text)?.end ?? 0
        let split = text.utf8.index(text.utf8.startIndex, offsetBy: end)
        frontMatter = String(text[..<split])
        // The answer is as long as the request, and both share the context.
        let room = max(200, ratio.estimate(fitting: (provider.contextWithoutReasoning - 400) * 2 / 5))
        body = String(text[split...]).withLineFeeds
        sections = Self.cut(body, room)
    }

    public var requests: [ChatRequest] { sections.map { Prompts.format($0, ratio) } }

    /// Sends the sections to the model one by one and joins the results; the line ends stay as they are.
    public func run(
        _ run: ModelRun, _ receive: @escaping @Sendable (AnswerEvent) -> Void = { _ in }
    ) throws -> Result {
        if sections.isEmpty { return Result(text: text, changedWords: 0) }
        var parts: [String] = []
        for section in sections {
            let answer = try run.answer(to: Prompts.format(section, ratio), receive)
            if answer.isCut { throw FormatFault.cut }
            let part = AnswerTrim.withoutWrapping(answer.text, of: section)
            guard part.contains(where: { !$0.isWhitespace }) else { throw FormatFault.empty }
            parts.append(part)
        }
        return try checked(parts.joined(separator: "\n\n") + (body.hasSuffix("\n") ? "\n" : ""))
    }

    private func checked(_ result: String) throws(FormatFault) -> Result {
        let (old, new) = (Self.words(of: body), Self.words(of: result))
        if new.isEmpty, !old.isEmpty { throw .empty }
        // The model repeats itself endlessly. Computing the difference of such texts would take too much memory.
        if new.count > 2 * old.count + 100 { throw .broken }
        let changed = Self.difference(old, new)
        // A result with half of the words missing or new is not just formatting, nor is one with a sentence more.
        if changed * 2 > max(old.count, Self.fewWords) { throw .broken }
        if Self.hasOpenFence(result), !Self.hasOpenFence(body) { throw .broken }
        guard ExactParts(of: body).areKept(in: ExactParts(of: result)) else { throw .changedParts }
        return Result(text: frontMatter + result.withLineEnds(of: text), changedWords: changed)
    }

    /// The number of words up to which half of as many may differ.
    private static let fewWords = 8

    private static func hasOpenFence(_ text: String) -> Bool {
        !text.split(separator: "\n").count { $0.drop { $0 == " " }.hasPrefix("```") }.isMultiple(of: 2)
    }

    /// Returns the words of a text, without Markdown and punctuation.
    private static func words(of text: String) -> [String] { IndexForm.words(of: Markdown.plainText(of: text)) }

    /// Returns how many words have to be inserted, removed or replaced.
    static func difference(_ old: [String], _ new: [String]) -> Int {
        let difference = new.difference(from: old)
        return max(difference.insertions.count, difference.removals.count)
    }

    /// Cuts a text at headings, and long sections at blank lines outside of fences.
    private static func cut(_ text: String, _ room: Int) -> [String] {
        guard TokenCount.estimate(text) > room else { return text.allSatisfy(\.isWhitespace) ? [] : [text] }
        var sections: [String] = []
        var section: [Substring] = []
        var (tokens, isInFence) = (0, false)
        func flush() {
            let joined = section.joined(separator: "\n")
            if joined.contains(where: { !$0.isWhitespace }) { sections.append(joined) }
            (section, tokens) = ([], 0)
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") { isInFence.toggle() }
            let isBreak = !isInFence && (line.hasPrefix("#") || line.allSatisfy(\.isWhitespace))
            if isBreak, tokens > room * 2 / 3 { flush() }
            section.append(line)
            tokens += TokenCount.estimate(String(line)) + 1
        }
        flush()
        return sections
    }
}

/// Magic Assistant: an instruction in the user's own words, or a predefined one.
public enum Assistant {
    /// The predefined instructions, in the order of the menu.
    public enum Instruction: CaseIterable, Sendable {
        case rewrite, shorten, summarize, translate
        /// The result is added below the text instead of replacing it.
        case goOn
    }

    public static func request(_ instruction: String, _ text: String) -> ChatRequest {
        Prompts.assist(instruction, text)
    }

    /// Returns the resulting text of an answer.
    ///
    /// - Parameter original: The text that the instruction was about.
    public static func result(of answer: Answer, from original: String) -> String {
        AnswerTrim.withoutWrapping(answer.text, of: original)
    }
}
